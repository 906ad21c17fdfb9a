# SPDX-License-Identifier: GPL-3.0-or-later
"""Paths that were written on Windows: backslashes are read as slashes, and reported."""

import pytest

from core import read_robot
from core.files.mesh_writers import obj_bytes
from core.mesh.surface import Surface
from tests.core.solids import box

URDF = """<robot name="r"><link name="l"><inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0"
ixz="0" iyz="0"/></inertial><collision><geometry><mesh filename="{}"/></geometry></collision></link></robot>"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "meshes" / "parts").mkdir(parents=True)
    (tmp_path / "meshes" / "parts" / "box.obj").write_bytes(obj_bytes(Surface(*box((0.2, 0.2, 0.2)))))
    return tmp_path


@pytest.mark.fault(193)
@pytest.mark.parametrize("uri", [r"meshes\parts\box.obj", r"meshes/parts\box.obj", r".\meshes\parts\box.obj"])
def test_a_mesh_is_found_by_a_path_of_windows(uri, folder):
    (folder / "r.urdf").write_text(URDF.format(uri))
    robot = read_robot(folder / "r.urdf")
    codes = [finding.code for finding in robot.check()]
    assert "backslashes" in codes and "geometry_not_read" not in codes
    assert robot.links["l"].computed is not None and uri in robot.file.findings[-1].message


@pytest.mark.fault(193)
def test_paths_with_slashes_are_not_reported(folder):
    (folder / "r.urdf").write_text(URDF.format("meshes/parts/box.obj"))
    assert "backslashes" not in [finding.code for finding in read_robot(folder / "r.urdf").check()]


@pytest.mark.fault(193)
def test_a_mesh_outside_is_refused_with_backslashes_too(folder, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "box.obj"
    outside.write_bytes(obj_bytes(Surface(*box((0.2, 0.2, 0.2)))))
    uri = "\\".join(["..", outside.parent.name, "box.obj"])
    (folder / "r.urdf").write_text(URDF.format(uri))
    assert read_robot(folder / "r.urdf").links["l"].computed is None


@pytest.mark.fault(193)
def test_mujocos_folder_of_meshes_may_have_backslashes(folder):
    mujoco = pytest.importorskip("mujoco")
    mesh = '<mesh name="m" file="parts\\box.obj" inertia="exact"/>'
    body = '<body name="b"><freejoint/><geom type="mesh" mesh="m" density="500"/></body>'
    text = f'<mujoco><compiler meshdir=".\\meshes"/><asset>{mesh}</asset><worldbody>{body}</worldbody></mujoco>'
    (folder / "r.xml").write_text(text)
    mass = mujoco.MjModel.from_xml_path(str(folder / "r.xml")).body_mass[1]
    assert read_robot(folder / "r.xml").links["b"].inertial.mass == pytest.approx(mass, rel=1e-6)
