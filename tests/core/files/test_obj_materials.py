# SPDX-License-Identifier: GPL-3.0-or-later
"""An OBJ file has as many submeshes for Gazebo as materials that a material file beside it defines."""

import os

import pytest

from core.files.mesh_store import MeshStore

from ..robot_files import check_path
from ..solids import two_materials

SDF = (
    "<sdf version='1.11'><model name='m'><link name='l'><inertial auto='true'><density>100</density></inertial>"
    "<collision name='c'><geometry><mesh><uri>meshes/box.obj</uri></mesh></geometry></collision></link></model></sdf>"
)
BOTH = "newmtl caps\nKd 1 0 0\nnewmtl sides\nKd 0 1 0\n"


@pytest.fixture
def robot(tmp_path):
    """Return a function that writes a box whose caps and sides are of two materials, beside material files."""
    (tmp_path / "meshes").mkdir()
    vertices, caps, sides = two_materials()

    def write(head="", first="caps", second="sides", **files):
        lines = [head, *(f"v {x} {y} {z}" for x, y, z in vertices.tolist())]
        for name, triangles in ((first, caps), (second, sides)):
            lines += [f"usemtl {name}", *(f"f {a} {b} {c}" for a, b, c in (triangles + 1).tolist())]
        (tmp_path / "meshes" / "box.obj").write_text("\n".join(lines) + "\n")
        for name, text in files.items():
            (tmp_path / "meshes" / f"{name}.mtl").write_text(text)
        (tmp_path / "m.sdf").write_text(SDF)
        return tmp_path / "m.sdf"

    return write


def submeshes(path):
    return len(MeshStore((path.parent,)).file(path.parent / "meshes" / "box.obj").submeshes)


@pytest.mark.fault(97)
@pytest.mark.parametrize(
    "how, count",
    [
        ({}, 1),
        ({"head": "mtllib gone.mtl"}, 1),
        ({"head": "mtllib a.mtl", "a": BOTH}, 2),
        ({"a": BOTH}, 1),  # which no line names
        ({"head": "mtllib a.mtl", "a": "newmtl caps\n"}, 2),  # sides are of none
        ({"head": "mtllib a.mtl", "a": "newmtl other\n"}, 1),
        ({"head": "mtllib a.mtl", "a": "# newmtl caps\nnewmtlcaps\n"}, 1),
        ({"head": "mtllib gone.mtl a.mtl", "a": BOTH}, 2),
        ({"head": "mtllib a.mtl b.mtl", "a": "newmtl other\n", "b": BOTH}, 1),  # the first that is there counts
        ({"head": "mtllib a.mtl\nmtllib b.mtl", "a": "newmtl caps\n", "b": "newmtl sides\n"}, 2),
        ({"head": "mtllib  a.mtl", "a": BOTH}, 1),  # two spaces: the folder, which holds no material
        ({"head": "mtllib a.mtl", "a": BOTH.replace("\n", "\r\n")}, 2),
        ({"head": "mtllib a.mtl", "a": BOTH.replace("sides", "sides  ")}, 2),
        ({"head": "mtllib a.mtl", "a": "newmtl my red\nnewmtl my blue\n", "first": "my red", "second": "my blue"}, 2),
        ({"head": "mtllib a.mtl", "a": BOTH, "second": "caps"}, 1),
        ({"head": "usemtl caps\nmtllib a.mtl", "a": BOTH}, 2),
    ],
)
def test_materials_that_a_file_defines_are_submeshes_and_others_are_one(how, count, robot):
    assert submeshes(robot(**how)) == count


def test_a_material_named_before_its_file_is_unknown(robot):
    path = robot(second="sides\nmtllib a.mtl", a=BOTH)
    assert submeshes(path) == 1


@pytest.mark.fault(97)
def test_a_closed_mesh_of_materials_that_nobody_defines_has_no_finding(robot):
    assert check_path(robot(head="mtllib gone.mtl")) == []
    (finding,) = check_path(robot(head="mtllib a.mtl", a=BOTH))
    assert finding.code == "gazebo_differs"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
@pytest.mark.parametrize("name", ["../../out.mtl", "/etc/passwd", "pipe.mtl", "nul\0.mtl", "."])
def test_a_material_file_from_elsewhere_is_never_opened(name, robot, tmp_path):
    path = robot(head=f"mtllib {name}")
    os.mkfifo(path.parent / "meshes" / "pipe.mtl")
    (tmp_path.parent / "out.mtl").write_text(BOTH)
    assert submeshes(path) == 1
