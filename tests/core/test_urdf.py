# SPDX-License-Identifier: GPL-3.0-or-later
"""URDF is read as the robot that Drake makes of it; findings name its own lines."""

import numpy as np
import pytest

from core.commands.check import check_path
from core.errors import InertiaError
from core.sdf.document import Document
from core.sdf.urdf import is_urdf, read_urdf

ROBOT = """<robot name="arm &amp; co">
  <link name="base">
    <inertial>
      <origin xyz="0.1 0.2 0.3" rpy="0.4 0.5 0.6"/>
      <mass value="8"/>
      <inertia ixx="0.09" iyy="0.1" izz="0.13" ixy="0.001" ixz="-0.002" iyz="0.003"/>
    </inertial>
    <collision><origin xyz="0.1 0.2 0.3"/><geometry><box size="0.4 0.3 0.2"/></geometry></collision>
    <visual><geometry><sphere radius="0.5"/></geometry></visual>
  </link>
  <link name="tip">
    <inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision name="rod"><geometry><cylinder radius="0.1" length="0.3"/></geometry></collision>
    <collision><geometry><sphere radius="0.1"/></geometry></collision>
  </link>
  <link name="camera_frame"/>
  <joint name="j" type="revolute">
    <origin xyz="1 2 3" rpy="0.1 0.2 0.3"/>
    <parent link="base"/><child link="tip"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/>
  </joint>
  <joint name="k" type="fixed"><parent link="tip"/><child link="camera_frame"/></joint>
</robot>
"""


def read(text, path=None, roots=()):
    return read_urdf(Document.parse(text.encode(), "arm.urdf", path), roots)


def links(text):
    return {link.name.split("::")[-1]: link for link in read(text).links}


def test_links_keep_their_numbers_and_collisions():
    found = links(ROBOT)
    assert list(found) == ["base", "tip", "camera_frame"]
    tip = found["tip"].link
    assert [(part.name, part.geometry.kind) for part in tip.collisions] == [
        ("rod", "cylinder"),
        ("collision_2", "sphere"),
    ]
    assert found["tip"].manual.mass == 1
    np.testing.assert_allclose(tip.collisions[0].pose.p, 0)


def test_a_link_without_inertial_has_no_mass_as_in_urdf():
    assert links(ROBOT)["camera_frame"].manual.mass == 0


def test_lines_are_those_of_the_urdf():
    found = links(ROBOT)
    for name, line in (("base", 2), ("tip", 11), ("camera_frame", 16)):
        assert found[name].document.line(found[name].element) == line
    box = found["base"].element.find("collision/geometry/box")
    assert found["base"].document.line(box) == 8


def test_drake_reads_the_same_robot(tmp_path):
    parsing = pytest.importorskip("pydrake.multibody.parsing", reason="Drake has no wheel for this Python")
    from pydrake.multibody.plant import MultibodyPlant

    plant = MultibodyPlant(0.0)
    parsing.Parser(plant).AddModelsFromString(ROBOT, "urdf")
    plant.Finalize()
    context = plant.CreateDefaultContext()
    ours = links(ROBOT)
    base = ours["base"].link.pose
    for name in ("base", "tip"):
        body = plant.GetBodyByName(name)
        theirs, own = body.CalcSpatialInertiaInBodyFrame(context), ours[name].manual
        assert own.mass == theirs.get_mass()
        np.testing.assert_allclose(own.com, theirs.get_com(), atol=1e-15)
        about_origin = theirs.CalcRotationalInertia().CopyToFullMatrix3()
        np.testing.assert_allclose(own.inertia_about([0, 0, 0]), about_origin, rtol=1e-12, atol=1e-15)
        X = plant.CalcRelativeTransform(context, plant.GetBodyByName("base").body_frame(), body.body_frame())
        pose = base.inverse() @ ours[name].link.pose
        np.testing.assert_allclose(pose.R, X.rotation().matrix(), atol=1e-12)
        np.testing.assert_allclose(pose.p, X.translation(), atol=1e-12)


def codes(tmp_path, text, **options):
    path = tmp_path / "robot.urdf"
    path.write_text(text)
    return [(finding.severity, finding.code) for finding in check_path(path, **options)]


def test_a_good_robot_has_no_finding(tmp_path):
    assert codes(tmp_path, ROBOT) == []


def test_a_massless_link_behind_a_moving_joint_is_an_error_and_a_massless_root_is_none(tmp_path):
    moving = ROBOT.replace('name="k" type="fixed"', 'name="k" type="continuous"')
    assert codes(tmp_path, moving) == [("error", "zero_mass")]
    rooted = ROBOT.replace("</robot>", "<link name='root'/>" + _joint("root", "base") + "</robot>")
    assert codes(tmp_path, rooted) == []


def _joint(parent, child):
    return f"<joint name='{parent}_{child}' type='floating'><parent link='{parent}'/><child link='{child}'/></joint>"


def test_a_link_called_world_is_the_world(tmp_path):
    text = ROBOT.replace(
        "</robot>",
        "<link name='world'/><joint name='w' type='fixed'><parent link='world'/><child link='base'/></joint></robot>",
    )
    assert codes(tmp_path, text) == []


@pytest.mark.parametrize(
    "old, new, code",
    [
        ('mass value="8"', 'mass value="8kg"', "bad_number"),
        ('mass value="8"', 'mass valeu="8"', "bad_number"),
        ('izz="0.13"', 'izz="0.31"', "triangle_inequality"),
        ('ixx="0.09"', "", "bad_number"),
        ('xyz="0.1 0.2 0.3" rpy', 'xyz="0.1 0.2" rpy', "bad_pose"),
    ],
)
def test_what_is_wrong_is_an_error(tmp_path, old, new, code):
    assert old in ROBOT
    assert ("error", code) in codes(tmp_path, ROBOT.replace(old, new))


def test_a_tensor_in_other_units_is_suspected_in_urdf_too(tmp_path):
    text = ROBOT.replace('ixx="0.01" iyy="0.01" izz="0.01"', 'ixx="6667" iyy="6667" izz="5000"')
    assert codes(tmp_path, text) == [("warning", "unit_suspicion")]


def test_a_xacro_file_is_refused_with_what_to_do(tmp_path):
    with pytest.raises(InertiaError) as raised:
        read('<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:property name="a" value="1"/></robot>')
    assert raised.value.code == "xacro"
    assert "xacro FILE" in raised.value.remedy


def test_a_doctype_is_refused_in_urdf_too():
    with pytest.raises(InertiaError) as raised:
        read("<!DOCTYPE robot [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><robot name='&x;'/>")
    assert raised.value.code == "doctype"


def test_meshes_are_found_by_package_below_the_given_roots(tmp_path):
    (tmp_path / "pkg" / "meshes").mkdir(parents=True)
    (tmp_path / "pkg" / "meshes" / "box.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n")
    text = ROBOT.replace('<box size="0.4 0.3 0.2"/>', '<mesh filename="package://pkg/meshes/box.obj" scale="1 2 3"/>')
    (link,) = (one for one in read(text, roots=[tmp_path]).links if one.name.endswith("base"))
    (part,) = link.link.collisions
    assert part.geometry.kind == "mesh"
    np.testing.assert_array_equal(part.geometry.stretch, np.diag([1, 2, 3]))


def test_sdf_is_not_taken_for_urdf():
    assert is_urdf(Document.parse(ROBOT.encode(), "a"))
    assert not is_urdf(Document.parse(b"<sdf version='1.11'/>", "a"))
