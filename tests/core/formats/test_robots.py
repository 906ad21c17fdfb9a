# SPDX-License-Identifier: GPL-3.0-or-later
"""Published robots read as models: written again, a simulator has the same robot."""

from pathlib import Path

import numpy as np
import pytest

from core import Inertial, Pose
from core.errors import InertiaError
from core.files.mesh_file import MeshFile
from core.files.mesh_writers import mesh_bytes
from core.formats.package import Target, write_model
from core.formats.table import read_robot_file, robots_of, write_back
from core.judge.geometry.resolve_model import resolve_model
from core.robot.model import Collision, Joint, Mesh
from tests.core.exported import wedge
from tests.core.model_packages import REFUSED, TAKEN, lay_out


def structure(robot):
    """Return names, kinds and poses of all that a robot has."""
    model = robot.model
    found: dict[object, object] = {"static": model.static, "name": model.name}
    for link in model.links:
        found["link", link.name] = link.pose
        for kind in ("collisions", "visuals"):
            for part in getattr(link, kind):
                found[kind, link.name, part.name] = part.pose, part.geometry
    for joint in model.joints:
        found["joint", joint.name] = joint
    for frame in model.frames:
        found["frame", frame.name] = frame.attached_to, frame.pose
    return found


def assert_alike(one, other, atol=1e-9):
    if isinstance(one, Pose):
        np.testing.assert_allclose(other.R, one.R, atol=atol)
        np.testing.assert_allclose(other.p, one.p, atol=atol)
    elif isinstance(one, Joint):
        for name in ("kind", "parent", "child"):
            assert getattr(one, name) == getattr(other, name)
        assert_alike(one.pose, other.pose, atol)
        unit = [np.array(joint.axis) / np.linalg.norm(joint.axis) for joint in (one, other)]
        if one.kind not in ("fixed", "ball"):
            np.testing.assert_allclose(unit[0], unit[1], atol=atol)
            numbers = ("lower", "upper", "effort", "velocity", "damping", "friction", "pitch")
            for name in numbers:
                a, b = getattr(one, name), getattr(other, name)
                assert (a is None) == (b is None) and (a is None or b == pytest.approx(a, rel=1e-6)), name
    elif isinstance(one, tuple) and len(one) == 2 and isinstance(one[1], Mesh):
        # It may be written about another origin, which its pose makes up for: where its points are counts.
        assert isinstance(other[1], Mesh)
        a, b = (np.unique(points(*part), axis=0) for part in (one, other))
        assert len(a) == len(b)
        np.testing.assert_allclose(b.min(axis=0), a.min(axis=0), atol=1e-6 * np.ptp(a))
        np.testing.assert_allclose(b.max(axis=0), a.max(axis=0), atol=1e-6 * np.ptp(a))
        np.testing.assert_allclose(b.mean(axis=0), a.mean(axis=0), atol=1e-6 * np.ptp(a))
    elif isinstance(one, tuple):
        assert len(one) == len(other)
        for a, b in zip(one, other, strict=True):
            assert_alike(a, b, atol)
    elif hasattr(one, "values"):
        assert one.kind == other.kind
        flat = [np.concatenate([np.ravel(value) for value in shape.values()]) for shape in (one, other)]
        np.testing.assert_allclose(flat[1], flat[0], rtol=1e-6)
    else:
        assert one == other


def points(pose, mesh):
    """Return the points of a mesh's faces in its link's frame."""
    return mesh.baked.vertices[np.unique(mesh.baked.triangles)] @ pose.R.T + pose.p


@pytest.fixture(scope="module")
def roots(data, tmp_path_factory):
    root = tmp_path_factory.mktemp("packages")
    lay_out(data / "models", root)
    return [root]


@pytest.mark.parametrize("name", TAKEN)
def test_a_robot_written_again_is_the_same_robot(name, data, roots, tmp_path):
    for number, robot in enumerate(robots_of(data / "models" / name, roots)):
        model = robot.model
        bodies = resolve_model(model)
        folder = tmp_path / str(number)
        (again,) = robots_of(write_model(model, bodies, Target.of(folder, model.name)).file)
        before, after = structure(robot), structure(again)
        assert before.keys() == after.keys()
        for key, one in before.items():
            assert_alike(one, after[key])
        for name, inertial in robot.published.items():
            if inertial is not None:
                theirs = again.published[name]
                assert theirs.mass == pytest.approx(inertial.mass, rel=1e-9)
                np.testing.assert_allclose(theirs.com, inertial.com, atol=1e-12)
                rounding = 1e-9 * np.trace(inertial.inertia)
                np.testing.assert_allclose(theirs.inertia, inertial.inertia, rtol=1e-9, atol=rounding)


@pytest.mark.parametrize("name", REFUSED)
def test_the_other_models_of_the_data_are_refused_by_name(name, data, roots, tmp_path):
    path = data / "models" / name
    try:
        bodies = [body for robot in robots_of(path, roots) for body in resolve_model(robot.model)]
    except InertiaError as error:
        assert error.code == REFUSED[name] and path.name in error.subject
        return
    assert REFUSED[name] in {finding.code for body in bodies for finding in body.all_findings()}


def test_all_the_models_of_the_data_are_named_here(data):
    found = (path.relative_to(data / "models").as_posix() for path in (data / "models").glob("*/*.*df"))
    assert sorted(found) == sorted([*TAKEN, *REFUSED])


SDF = """<sdf version="1.11"><world name="w"><model name="m"><pose>1 2 3 0 0 0</pose>
<link name="a"><pose>0 0 1 0 0 0.5</pose>
 <inertial><pose>0.1 0 0 0 0 0</pose><mass>2</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>
 <collision name="c"><pose>0 1 0 0 0 0</pose><geometry><box><size>1 2 3</size></box></geometry></collision>
 <visual name="v"><geometry><sphere><radius>0.5</radius></sphere></geometry>
  <material><diffuse>1 0.5 0</diffuse></material></visual>
 <sensor name="s" type="imu"/></link>
<link name="b"><pose relative_to="a">1 0 0 0 0 0</pose><inertial auto="true"><density>500</density></inertial>
 <collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision></link>
<joint name="j" type="revolute"><pose relative_to="__model__">0 0 5 0 0 0</pose><parent>a</parent><child>b</child>
 <axis><xyz expressed_in="__model__">1 0 0</xyz><limit><lower>-1</lower><upper>2</upper><effort>7</effort></limit>
 <dynamics><damping>0.1</damping><friction>0.2</friction></dynamics></axis></joint>
<joint name="held" type="fixed"><parent>world</parent><child>a</child></joint>
<frame name="tip" attached_to="b"><pose>0 0 0.5 0 0 0</pose></frame>
<plugin name="p" filename="x"/></model></world></sdf>"""


def read(path, text, **options):
    """Write a file and return its one robot."""
    path.write_text(text)
    (robot,) = robots_of(path, **options)
    return robot


@pytest.fixture
def robot(tmp_path):
    return read(tmp_path / "m.sdf", SDF)


def test_links_have_their_poses_inertials_parts_and_colours(robot):
    a, b = robot.model.links
    assert (a.mode, a.manual.mass, b.mode, b.density) == ("manual", 2.0, "auto", 500.0)
    np.testing.assert_allclose(a.manual.com, (0.1, 0, 0))
    np.testing.assert_allclose(b.pose.p, (np.cos(0.5), np.sin(0.5), 1.0))
    assert a.collisions[0].geometry.values() == [(1.0, 2.0, 3.0)]
    assert (a.visuals[0].name, a.visuals[0].color) == ("v", (1.0, 0.5, 0.0, 1.0))
    assert robot.published["a"].mass == 2.0 and robot.published["b"] is None


def test_joints_stand_in_their_childs_frame_with_axes_in_their_own(robot):
    j, held = robot.model.joints
    b = robot.model.links[1]
    np.testing.assert_allclose((b.pose @ j.pose).p, (0, 0, 5), atol=1e-12)
    np.testing.assert_allclose((b.pose @ j.pose).R @ np.array(j.axis), (1, 0, 0), atol=1e-12)
    assert (j.lower, j.upper, j.effort, j.velocity, j.damping, j.friction) == (-1.0, 2.0, 7.0, None, 0.1, 0.2)
    assert (held.parent, held.child, held.kind) == ("world", "a", "fixed")


def test_frames_are_attached_to_their_link(robot):
    (tip,) = robot.model.frames
    assert (tip.name, tip.attached_to) == ("tip", "b")
    np.testing.assert_allclose(tip.pose.p, (0, 0, 0.5), atol=1e-12)


def test_what_is_left_out_is_named(robot):
    said = [one.message for one in robot.findings if one.code == "not_imported"]
    assert any("<sensor>" in one for one in said) and any("<plugin>" in one for one in said)


MANY_LEFT_OUT = """<robot name="r"><link name="base"/><link name="arm"/><link name="hand"/>
<joint name="a" type="fixed"><parent link="base"/><child link="arm"/><safety_controller/><calibration/></joint>
<joint name="b" type="fixed"><parent link="arm"/><child link="hand"/><safety_controller/></joint>
<transmission name="t"/><gazebo/><gazebo/></robot>"""


@pytest.mark.fault(224)
def test_elements_left_out_are_one_finding_with_their_counts(tmp_path):
    urdf = "<safety_controller> ×2, <calibration>, <transmission>, <gazebo> ×2 left out"
    assert robot_file_says(tmp_path / "r.urdf", MANY_LEFT_OUT) == [urdf]
    sensor = '<sensor name="s" type="imu"/>'
    text = SDF.replace(sensor, sensor + sensor.replace('"s"', '"t"')).replace("</collision>", "<surface/></collision>")
    sdf = "<surface> ×2, <sensor> ×2, <plugin> left out"
    assert robot_file_says(tmp_path / "m.sdf", text)[-1] == sdf


TOLD = {
    "<gravity>0</gravity>": "<gravity>",
    "<collision name='g'><geometry><plane><normal>0 0 1</normal></plane></geometry></collision>": "plane",
    "<collision name='g'><geometry><sphere><radius>1</radius></sphere></geometry><surface/></collision>": "<surface>",
    "<visual name='g'><geometry><mesh><uri>none.stl</uri></mesh></geometry></visual>": "none.stl",
    "<visual name='g'><geometry><sphere/></geometry></visual>": "<radius>",
    "</link><joint name='g' type='gearbox'><parent>a</parent><child>b</child></joint><link name='z'>": "gearbox",
    "</link><joint name='g' type='universal'><parent>a</parent><child>z</child><axis><xyz>1 0 0</xyz></axis><axis2>"
    "<xyz>0 1 0</xyz><limit><upper>1</upper></limit></axis2></joint><link name='z'>": "second axis",
    "</link><joint name='g' type='revolute'><parent>a</parent><child>z</child><axis><xyz>1 0 0</xyz>"
    "<mimic joint='j'><multiplier>1</multiplier><offset>0</offset><reference>0</reference></mimic></axis>"
    "<physics/></joint><link name='z'>": "<physics>",
    "</link><frame name='g' attached_to='held'/><link name='z'>": "",
    "<gravity>true</gravity><self_collide>0</self_collide>": "",
}


@pytest.mark.parametrize("more", TOLD)
def test_nothing_is_lost_silently(more, tmp_path):
    path = tmp_path / "m.sdf"

    plain = robot_file_says(path, SDF)
    new = robot_file_says(path, SDF.replace('<sensor name="s" type="imu"/>', '<sensor name="s" type="imu"/>' + more))
    assert (new != plain) == bool(TOLD[more])
    assert any(TOLD[more] in one for one in new)


def robot_file_says(path, text):
    return [one.message for one in read(path, text).findings if one.code == "not_imported"]


def test_joints_between_models_are_named(tmp_path):
    joint = '<joint name="stands" type="fixed"><parent>world</parent><child>m</child></joint>'
    path = tmp_path / "w.sdf"
    assert not any("'stands'" in one for one in robot_file_says(path, SDF))
    assert any(
        "'stands'" in one for one in robot_file_says(path, SDF.replace("</model></world>", f"</model>{joint}</world>"))
    )


def test_a_mesh_to_be_decomposed_is_written_so_again(tmp_path):
    (tmp_path / "part.obj").write_bytes(mesh_bytes(wedge(), "obj"))
    mesh = "<mesh optimization='convex_decomposition'><uri>part.obj</uri></mesh>"
    robot = read(tmp_path / "m.sdf", SDF.replace("<box><size>1 2 3</size></box>", mesh))
    assert robot.model.links[0].collisions[0].write_as == "decomposed"
    written = write_model(robot.model, resolve_model(robot.model), Target.of(tmp_path / "out", "m")).file
    assert 'optimization="convex_decomposition"' in written.read_text()


URDF = """<robot name="r"><material name="red"><color rgba="1 0 0 0.5"/></material>
<link name="base"><inertial><origin xyz="0 0 0.1" rpy="0 0 0.3"/><mass value="3"/>
 <inertia ixx="1" ixy="0" ixz="0" iyy="2" iyz="0" izz="2.5"/></inertial>
 <visual><geometry><box size="1 2 3"/></geometry><material name="red"/></visual>
 <collision><origin xyz="0 0 1"/><geometry><cylinder radius="0.1" length="2"/></geometry></collision>
 <collision name="other"><geometry><mesh filename="absent.stl"/></geometry></collision></link>
<link name="arm"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<link name="tool"/>
<joint name="turn" type="revolute"><origin xyz="0 0 2" rpy="0 0 1"/><parent link="base"/><child link="arm"/>
 <axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="5" velocity="2"/><dynamics friction="0.3"/>
 <mimic joint="x"/></joint>
<joint name="tip" type="fixed"><origin xyz="0 0 0.5"/><parent link="arm"/><child link="tool"/></joint>
<transmission name="t"/></robot>"""


def test_a_urdf_keeps_its_own_links_and_bare_points_are_frames(tmp_path):
    robot = read(tmp_path / "r.urdf", URDF)
    base, arm = robot.model.links
    assert [base.name, arm.name, *(frame.name for frame in robot.model.frames)] == ["base", "arm", "tool"]
    assert isinstance(base.manual, Inertial) and base.manual.mass == 3.0
    assert base.manual.inertia[0, 1] != 0.0  # turned by the origin's rpy
    assert [part.name for part in base.collisions] == ["base_collision"]
    assert base.visuals[0].color == (1.0, 0.0, 0.0, 0.5)
    (turn,) = robot.model.joints
    assert (turn.kind, turn.axis, turn.lower, turn.upper, turn.friction) == ("revolute", (0, 1, 0), -1.0, 1.0, 0.3)
    np.testing.assert_allclose(arm.pose.p, (0, 0, 2))
    said = " ".join(one.message for one in robot.findings)
    assert "absent.stl" in said and "follows another: turn" in said and "<transmission>" in said


def test_a_mesh_is_read_by_the_reader_that_can(tmp_path):
    (tmp_path / "part.xyz").write_text("ours")
    robot = read(
        tmp_path / "r.urdf",
        URDF.replace("absent.stl", "part.xyz"),
        loaders={".xyz": lambda path, _: MeshFile.of(path, wedge())},
    )
    other = robot.model.links[0].collisions[1]
    assert isinstance(other, Collision) and robot.meshes[other.geometry].path == Path(tmp_path / "part.xyz").resolve()


NESTED = """<sdf version="1.9"><model name="m"><link name="base"><inertial><mass>1</mass></inertial></link>
<model name="tool"><pose>1 0 0 0 0 1.5707963267948966</pose>
  <link name="base"><pose>0 2 0 0 0 0</pose><inertial><mass>2</mass></inertial></link>
  <link name="tip"><pose>0 2 1 0 0 0</pose><inertial><mass>3</mass></inertial></link>
  <joint name="turn" type="revolute"><parent>base</parent><child>tip</child><axis><xyz>1 0 0</xyz></axis></joint>
  <frame name="grip" attached_to="tip"><pose>0 0 1 0 0 0</pose></frame></model>
<joint name="mount" type="fixed"><parent>base</parent><child>tool::base</child></joint></model></sdf>"""


def test_links_of_a_nested_model_are_those_of_the_model_around_it(tmp_path):
    (tmp_path / "n.sdf").write_text(NESTED)
    (robot,) = robots_of(tmp_path / "n.sdf")
    places = {link.name: link.pose.p for link in robot.model.links}
    assert places.keys() == {"base", "tool::base", "tool::tip"}
    np.testing.assert_allclose(places["tool::base"], (-1.0, 0.0, 0.0), atol=1e-12)
    np.testing.assert_allclose(places["tool::tip"], (-1.0, 0.0, 1.0), atol=1e-12)
    turn, mount = sorted(robot.model.joints, key=lambda joint: joint.name, reverse=True)
    assert (turn.name, turn.parent, turn.child, turn.axis) == ("tool::turn", "tool::base", "tool::tip", (1.0, 0.0, 0.0))
    assert (mount.name, mount.parent, mount.child) == ("mount", "base", "tool::base")
    (grip,) = robot.model.frames
    assert (grip.name, grip.attached_to) == ("tool::grip", "tool::tip")
    np.testing.assert_allclose(grip.pose.p, (0.0, 0.0, 1.0), atol=1e-12)
    assert [finding.code for finding in robot.findings if finding.code == "nested_model"]


def test_an_inertial_is_written_back_into_a_nested_model(tmp_path):
    (tmp_path / "n.sdf").write_text(NESTED)
    body = Inertial(5.0, np.zeros(3), np.eye(3))
    data = write_back(read_robot_file(tmp_path / "n.sdf"), {"m": {"tool::tip": body}}).decode()
    assert "<mass>5</mass>" in data and "<mass>1</mass>" in data and "<mass>3</mass>" not in data


def test_an_impossible_inertial_is_brought_over_to_be_fixed(tmp_path):
    robot = read(tmp_path / "m.sdf", SDF.replace("<izz>1</izz>", "<izz>9</izz>"))
    assert robot.published["a"].inertia[2, 2] == 9.0


@pytest.mark.fault(101, 151)
def test_a_robot_finds_its_meshes_in_the_package_that_it_lies_in(tmp_path):
    package = tmp_path / "arm_description"
    for folder in ("urdf", "meshes"):
        (package / folder).mkdir(parents=True)
    (package / "meshes" / "part.obj").write_bytes(mesh_bytes(wedge(), "obj"))
    path = package / "urdf" / "arm.urdf"
    for name in ("package://arm_description/meshes/part.obj", "../meshes/part.obj"):
        path.write_text(URDF.replace("absent.stl", name))
        for made in (False, True):
            (package / "package.xml").unlink(missing_ok=True)
            if made:
                (package / "package.xml").write_text("<package/>")
            (robot,) = robots_of(path)
            assert [one.path.name for one in robot.meshes.values()] == ["part.obj"]


def test_an_inertial_that_is_not_a_number_is_none(tmp_path):
    robot = read(tmp_path / "r.urdf", URDF.replace('iyy="2"', 'iyy="two"'))
    assert robot.published == {"base": None, "arm": robot.published["arm"]} and robot.published["arm"] is not None
    assert "bad_number" in {one.code for one in robot.findings}


def test_a_joint_of_a_urdf_may_have_the_name_of_a_link(tmp_path):
    robot = read(tmp_path / "r.urdf", URDF.replace('joint name="turn"', 'joint name="arm"'))
    assert [joint.name for joint in robot.model.joints] == ["arm"]
    assert "renamed" not in {finding.code for finding in robot.findings}


def test_a_bare_point_on_the_world_holds_what_hangs_on_it(tmp_path):
    path = tmp_path / "r.urdf"
    fixed = '<link name="world"/><joint name="w" type="fixed"><parent link="world"/><child link="stand"/></joint>'
    hung = '<link name="stand"/><joint name="h" type="continuous"><parent link="stand"/><child link="base"/></joint>'
    robot = read(path, URDF.replace('<link name="base">', fixed + hung + '<link name="base">'))
    assert [(one.name, one.parent, one.child) for one in robot.model.joints][0] == ("h", "world", "base")
    assert any("'stand' is left out: it is an empty frame" in one.message for one in robot.findings)


def test_a_robot_that_is_fixed_to_the_world_stays_so(tmp_path):
    fixed = '<link name="world"/><joint name="w" type="fixed"><parent link="world"/><child link="base"/></joint>'
    robot = read(tmp_path / "r.urdf", URDF.replace('<link name="base">', fixed + '<link name="base">'))
    first = robot.model.joints[0]
    assert (first.name, first.kind, first.parent, first.child) == ("w", "fixed", "world", "base")


def test_of_two_links_of_one_name_the_first_is_shown_and_written(tmp_path):
    tensor = "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"
    links = "".join(f"<link name='b'><inertial><mass value='{mass}'/>{tensor}</inertial></link>" for mass in (1, 5))
    (tmp_path / "r.urdf").write_text(f"<robot name='r'>{links}</robot>")
    (robot,) = robots_of(tmp_path / "r.urdf")
    (link,) = robot.model.links
    assert link.manual.mass == 1.0
    data = write_back(
        read_robot_file(tmp_path / "r.urdf"), {"r": {"b": Inertial(2.0, np.zeros(3), np.eye(3))}}
    ).decode()
    assert 'value="2"' in data and "value='5'" in data and "value='1'" not in data


def test_a_joint_that_closes_a_loop_is_left_out_and_reported(tmp_path):
    joints = "".join(
        f"<joint name='{name}' type='continuous'><parent link='{parent}'/><child link='{child}'/></joint>"
        for name, parent, child in (("j", "a", "b"), ("k", "b", "a"), ("self", "d", "d"))
    )
    links = "".join(f"<link name='{name}'/>" for name in "abcd")
    (tmp_path / "r.urdf").write_text(f"<robot name='r'>{links}{joints}</robot>")
    (robot,) = robots_of(tmp_path / "r.urdf")
    assert {link.name for link in robot.model.links} == {*"abcd"} and len(robot.model.joints) == 1
    assert sum("closes a loop" in one.message for one in robot.findings) == 2
