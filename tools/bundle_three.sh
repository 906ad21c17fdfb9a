#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Write core/view/three.min.js: of three.js, what pages use. Needs node and npm. To update, change the versions here,
# run `make three`, and put the digest that it prints into tests/core/view/test_page.py.
set -euo pipefail
THREE=0.187.0
ESBUILD=0.28.2
target="$(cd "$(dirname "$0")/.." && pwd)/core/view/three.min.js"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes > /dev/null
npm install --silent --no-save "three@$THREE" "esbuild@$ESBUILD"
cat > entry.js <<'END'
export {
  Box3, BoxGeometry, BufferAttribute, BufferGeometry, Color, DirectionalLight, DoubleSide, EdgesGeometry, GridHelper,
  Group, HemisphereLight, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshBasicMaterial, MeshLambertMaterial,
  PerspectiveCamera, Raycaster, Scene, SphereGeometry, Vector2, Vector3, WebGLRenderer,
} from "three";
export { OrbitControls } from "three/addons/controls/OrbitControls.js";
END
{
    echo "/* three.js $THREE, bundled by tools/bundle_three.sh."
    cat node_modules/three/LICENSE
    echo "*/"
    node_modules/.bin/esbuild entry.js --bundle --minify --format=iife --global-name=THREE --legal-comments=none
} > "$target"
sha256sum "$target"
