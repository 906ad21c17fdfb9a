# SPDX-License-Identifier: GPL-3.0-or-later
"""A mesh of any format in a robot is measured; whether an engine reads the format is reported for that engine alone."""

import json

import pytest

from core.cli.main import main
from core.files.limits import FORMATS

from ..solids import box

SIDES = (0.1, 0.2, 0.3)
VERTICES, TRIANGLES = box(SIDES)


def rows(array, form="{} {} {}\n"):
    return "".join(form.format(*row) for row in array.tolist())


MESHES = {
    "part.ply": "ply\nformat ascii 1.0\nelement vertex 8\nproperty double x\nproperty double y\nproperty double z\n"
    f"element face 12\nproperty list uchar int vertex_indices\nend_header\n{rows(VERTICES)}"
    + rows(TRIANGLES, "3 {} {} {}\n"),
    "part.obj": rows(VERTICES, "v {} {} {}\n") + rows(TRIANGLES + 1, "f {} {} {}\n"),
}


@pytest.fixture
def checked(tmp_path, capsys):
    def check(name, text, *options):
        for mesh, content in MESHES.items():
            (tmp_path / mesh).write_text(content)
        (tmp_path / name).write_text(text)
        status = main(["check", str(tmp_path / name), *options])
        return status, " ".join(capsys.readouterr().out.split())

    return check


def urdf(mesh):
    """A box of 6 kg, its centre at half its sides, as the mesh has it."""
    return (
        "<robot name='r'><link name='l'><inertial><origin xyz='0.05 0.1 0.15'/><mass value='6'/>"
        "<inertia ixx='0.065' iyy='0.05' izz='0.025' ixy='0' ixz='0' iyz='0'/></inertial>"
        f"<collision><geometry><mesh filename='{mesh}'/></geometry></collision></link></robot>"
    )


def sdf(mesh):
    return (
        "<sdf version='1.11'><model name='m'><link name='l'><inertial auto='1'><density>1000</density></inertial>"
        f"<collision name='c'><geometry><mesh><uri>{mesh}</uri></mesh></geometry></collision></link></model></sdf>"
    )


@pytest.mark.fault(204)
@pytest.mark.parametrize("mesh", MESHES)
def test_a_urdf_is_compared_with_a_mesh_of_any_format(mesh, checked):
    status, text = checked("r.urdf", urdf(mesh))
    assert status == 0 and "1 agrees with its geometry within 5 %" in text
    status, text = checked("r.urdf", urdf(mesh).replace("'6'", "'60'"))
    assert "1 differs by" in text  # of the density


@pytest.mark.fault(204)
@pytest.mark.parametrize("engine", ["mujoco", "pybullet", "pybullet-file", "gazebo"])
def test_an_engine_that_does_not_read_the_format_is_named_if_asked_for(engine, checked):
    expected = "without the mesh part.ply" if engine == "gazebo" else "it cannot read the mesh part.ply"
    status, text = checked("r.urdf", urdf("part.ply"), "--for", engine)
    assert expected in text and status == (0 if engine == "gazebo" else 1)
    status, text = checked("r.urdf", urdf("part.obj"), "--for", engine)
    assert "part.obj" not in text and status == 0


@pytest.mark.fault(204)
def test_what_gazebo_computes_itself_it_has_to_read_and_fill_helps(checked, tmp_path, capsys):
    assert checked("m.sdf", sdf("part.obj"))[0] == 0
    status, text = checked("m.sdf", sdf("part.ply"))
    assert status == 1 and "Gazebo's calculator cannot read the mesh part.ply" in text
    assert main(["fill", str(tmp_path / "m.sdf"), "--in-place"]) == 0
    capsys.readouterr()
    assert main(["report", str(tmp_path / "m.sdf"), "--format", "json"]) == 0
    (model,) = json.loads(capsys.readouterr().out)["models"]
    assert model["links"][0]["mass"] == pytest.approx(6.0, rel=1e-12)


@pytest.mark.fault(204)
def test_what_no_reader_takes_is_refused_with_the_formats_that_are_read(checked, tmp_path):
    (tmp_path / "part.fbx").write_text("x")
    _, text = checked("r.urdf", urdf("part.fbx"))
    assert f"use one of {', '.join(FORMATS)}" in text
