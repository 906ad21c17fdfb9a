# SPDX-License-Identifier: GPL-3.0-or-later
"""A start imports what the file at hand needs: for a mesh no format of robots, no engine, none of their libraries."""

import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).parents[3]

CODE = """
import sys
from core.cli.main import main
assert main(["mass", sys.argv[1], "--quiet"]) == 0
print(*sys.modules)
"""

NOT_FOR_MESHES = (
    *("core.formats", "core.engines", "core.document", "core.judge", "core.bom", "core.view", "core.api"),
    *("core.robot.resolve", "core.files.collada_file", "core.files.threemf_file", "core.files.trimesh_scene"),
    *("trimesh", "collada", "lxml", "manifold3d", "rich", "tomllib"),
)

FACET = "facet normal 0 0 0\nouter loop\nvertex {}\nvertex {}\nvertex {}\nendloop\nendfacet\n"
CORNERS = ("0 0 0", "1 0 0", "0 1 0", "0 0 1")
FACES = ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))


def test_mass_of_an_stl_imports_nothing_of_robots(tmp_path):
    path = tmp_path / "tetrahedron.stl"
    facets = "".join(FACET.format(*(CORNERS[corner] for corner in face)) for face in FACES)
    path.write_text(f"solid\n{facets}endsolid\n")
    command = [sys.executable, "-c", CODE, str(path)]
    run = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    modules = run.stdout.split("\n")[-2].split()
    assert {"core.mesh.measure", "core.files.stl_file"} <= {*modules}
    assert [name for name in modules if name.startswith(NOT_FOR_MESHES)] == []
