#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A real Blender, with windows: Debian trixie's 4.3.2 in a chroot in the cache. Prints the chroot's folder; use it as
#     chroot "$(tools/real_blender.sh)" blender -b ...
# Made once, in about two minutes and 1.1 GB, by debootstrap, hence by root; whole or not at all.
set -euo pipefail

cache=${SDF_INERTIA_CACHE:-${HOME:-$PWD/build}/.cache/sdf-inertia}
ready=$cache/blender-trixie
if [ -x "$ready/usr/bin/blender" ]; then echo "$ready"; exit; fi

[ "$(id -u)" = 0 ] || { echo 'Building the chroot needs root.' >&2; exit 1; }
command -v debootstrap >/dev/null || { echo 'debootstrap is missing: apt-get install debootstrap' >&2; exit 1; }
. "$(dirname "$0")/debian.sh"

mkdir -p "$cache"
new=$(mktemp -d "$cache/blender-trixie.XXXXXX")
trap 'rm -rf "$new"' EXIT
{
    debian_chroot trixie "$new"
    chroot "$new" apt-get install -y --no-install-recommends \
        blender python3-numpy python3-requests python3-cattr python3-zstandard \
        xvfb libgl1-mesa-dri libglx-mesa0 libegl-mesa0 libegl1 xdotool imagemagick
    chroot "$new" apt-get clean
    chroot "$new" blender --version
} >&2
chmod 755 "$new"
mv -T "$new" "$ready" || [ -x "$ready/usr/bin/blender" ]  # another may have been first
echo "$ready"
