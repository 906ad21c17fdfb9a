# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands in a Python for which manifold3d has no wheel: what needs no union and no hull works as ever."""

import sys

import numpy as np
import pytest

from core.cli.main import main
from core.files.mesh_writers import obj_bytes
from core.mesh.surface import Surface
from tests.core.solids import box

pytestmark = pytest.mark.fault(215)

FIX = "Fix: run `pip install manifold3d`, in Python 3.14 or older"
NUMBERS = """<inertial><origin xyz="0 0 0"/><mass value="6000"/>
<inertia ixx="6500" ixy="0" ixz="0" iyy="5000" iyz="0" izz="2500"/></inertial>"""
LINK = """<link name="{name}">{inertial}<{tag}><geometry><mesh filename="{file}"/></geometry></{tag}></link>"""


@pytest.fixture(autouse=True)
def without_the_library(tmp_path, monkeypatch):
    """A folder with a box, and with two boxes that overlap in one mesh."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "manifold3d", None)  # importing it raises
    (vertices, faces), (others, more) = box((1.0, 2.0, 3.0)), box((1.0, 1.0, 1.0))
    vertices, others = vertices - [0.5, 1.0, 1.5], others - [0.2, 0.3, 0.4]
    (tmp_path / "box.obj").write_bytes(obj_bytes(Surface(vertices, faces)))
    both = np.concatenate([vertices, others]), np.concatenate([faces, more + len(vertices)])
    (tmp_path / "overlapping.obj").write_bytes(obj_bytes(Surface(*both)))


def robot(path, *links):
    path.write_text(f"<robot name='r'>{''.join(links)}</robot>", encoding="utf-8")
    return path.name


def run(capsys, *words):
    status = main([*words])
    output = capsys.readouterr()
    return status, " ".join((output.out + output.err).split())


@pytest.mark.parametrize("words", [["mass", "--density", "1000", "box.obj"], ["check", "box.obj"]])
def test_a_mesh_without_overlaps_needs_no_library(capsys, words):
    status, output = run(capsys, *words)
    assert (status, "manifold3d" in output) == (0, False), output


@pytest.mark.parametrize("method", ["exact", "voxel"])
def test_overlapping_parts_are_an_error_that_names_the_command(capsys, method):
    status, output = run(capsys, "mass", "--density", "1000", "--method", method, "overlapping.obj")
    assert status == 1
    assert "[missing_library]" in output and output.endswith(FIX), output


def test_a_hull_is_an_error_that_names_the_command(capsys):
    status, output = run(capsys, "mass", "--density", "1000", "--method", "hull", "box.obj")
    assert status == 1
    assert "[missing_library]" in output and output.endswith(FIX), output


def test_a_robot_whose_meshes_do_not_overlap_is_checked_in_full(tmp_path, capsys):
    name = robot(tmp_path / "r.urdf", LINK.format(name="l", inertial=NUMBERS, tag="collision", file="box.obj"))
    status, output = run(capsys, "check", "--strict", name)
    assert (status, output) == (0, "r.urdf: good 1 link: no invalid inertial; 1 agrees with its geometry within 5 %")


@pytest.mark.parametrize("tag", ["collision", "visual"])
def test_a_link_that_cannot_be_compared_is_reported_with_the_command(tmp_path, capsys, tag):
    good = LINK.format(name="good", inertial=NUMBERS, tag=tag, file="box.obj")
    name = robot(tmp_path / "r.urdf", LINK.format(name="l", inertial=NUMBERS, tag=tag, file="overlapping.obj"), good)
    status, output = run(capsys, "check", name)
    assert status == 0
    assert output.count("[geometry_not_read]") == 1 and FIX in output, output
    assert "1 agrees with its geometry within 5 %" in output


def test_an_auto_link_of_overlapping_parts_is_an_error(tmp_path, capsys):
    (tmp_path / "r.sdf").write_text(
        """<sdf version="1.11"><model name="m"><link name="l"><inertial auto="true"><density>100</density></inertial>
        <collision name="c"><geometry><mesh><uri>overlapping.obj</uri></mesh></geometry></collision></link></model>
        </sdf>""",
        encoding="utf-8",
    )
    status, output = run(capsys, "check", "r.sdf")
    assert status == 1
    assert output.count("manifold3d`") == 1 and FIX in output, output
