# SPDX-License-Identifier: GPL-3.0-or-later
"""A published robot, read as a model and written again: to Drake, at any joint positions, it is the one it was."""

from importlib.util import find_spec

import numpy as np
import pytest

from core.formats.package import Target, write_model
from core.formats.robot_file import with_unique_names
from core.formats.table import robots_of
from core.judge.geometry.resolve_model import resolve_model
from tests.core.command_line import run
from tests.core.drake_inertia import parsed
from tests.core.model_packages import TAKEN, lay_out

pytest.importorskip("pydrake", reason="Drake has no wheel for this Python or numpy")

ATOL = 1e-6
POSITIONS = 20

INERTIAL = (
    "<inertial><pose>0.1 -0.2 0.3 0.4 0.5 0.6</pose><mass>2</mass>"
    "<inertia><ixx>1</ixx><iyy>1.5</iyy><izz>2</izz><ixy>0.1</ixy><iyz>-0.2</iyz></inertia></inertial>"
)

UNIT = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'

AXES = """<sdf version="{version}"><model name="m">
<link name="a"><pose>0 0 1 0 0 0.5</pose>{inertial}</link>
<link name="b"><pose>1 0 0 0.1 0.2 1</pose>{inertial}</link>
<link name="c"><pose>1 2 0 -0.3 0 0</pose>{inertial}</link>
<joint name="j" type="revolute"><pose>0.1 0 0 0 0.3 0</pose><parent>a</parent><child>b</child>
 <axis><xyz>1 2 0</xyz>{own}<limit><lower>-1</lower><upper>2</upper></limit></axis></joint>
<joint name="k" type="prismatic"><parent>b</parent><child>c</child>
 <axis><xyz>0 1 1</xyz><limit><lower>-3</lower><upper>2</upper></limit>
 <dynamics><damping>0.5</damping></dynamics></axis></joint>
</model></sdf>"""

INNER = """<sdf version="1.11"><model name="inner"><pose>0 0 1 0.4 0 0</pose>
<link name="x"><pose>1 0 0 0 0 0.3</pose>{inertial}</link><link name="y">{inertial}</link>
<frame name="at_x" attached_to="x"><pose relative_to="__model__">0 0 0.5 1 0 0</pose></frame>
<joint name="turns" type="revolute"><pose relative_to="at_x"/><parent>x</parent><child>y</child>
 <axis><xyz expressed_in="__model__">0 1 0</xyz></axis></joint></model></sdf>"""

WRITTEN = {
    "axes_1.4.sdf": AXES.format(version="1.4", own="", inertial=INERTIAL),
    "axes_1.5.sdf": AXES.format(
        version="1.5", own="<use_parent_model_frame>1</use_parent_model_frame>", inertial=INERTIAL
    ),
    "axes_1.6.sdf": AXES.format(version="1.6", own="", inertial=INERTIAL),
    "axes_1.11.sdf": AXES.format(version="1.11", own="", inertial=INERTIAL).replace(
        "<xyz>1 2 0", '<xyz expressed_in="c">1 2 0'
    ),
    "merged.sdf": f"""<sdf version="1.11"><model name="outer"><link name="a">{INERTIAL}</link>
<include merge="true"><uri>package://parts/inner.sdf</uri><pose>0 1 0 0.2 0.5 0</pose></include>
<frame name="f"><pose>0 0 2 0 1 0</pose></frame><frame name="g" attached_to="at_x"><pose relative_to="f"/></frame>
<joint name="holds" type="ball"><parent>f</parent><child>g</child></joint></model></sdf>""",
    "screws.sdf": f"""<sdf version="1.11"><model name="m" canonical_link="b">
<link name="a">{INERTIAL}</link><link name="b">{INERTIAL}</link><link name="c">{INERTIAL}</link>
<link name="d">{INERTIAL}</link><link name="e">{INERTIAL}</link>
<joint name="plain" type="screw"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>
<joint name="old" type="screw"><parent>b</parent><child>c</child><axis><xyz>0 0 2</xyz></axis>
 <thread_pitch>2</thread_pitch></joint>
<joint name="new" type="screw"><parent>c</parent><child>d</child><axis><xyz>1 0 1</xyz></axis>
 <screw_thread_pitch>0.3</screw_thread_pitch></joint>
<joint name="bends" type="universal"><parent>d</parent><child>e</child><axis><xyz>1 0 0</xyz></axis>
 <axis2><xyz>0 1 0</xyz></axis2></joint></model></sdf>""",
    "wheeled.urdf": f"""<robot name="wheeled"><link name="base_footprint"/>
<link name="base_link"><inertial><origin xyz="0 0 0.1" rpy="0.1 0.2 0.3"/><mass value="3"/>
 <inertia ixx="1" ixy="0.1" ixz="0" iyy="2" iyz="0" izz="2.5"/></inertial>
 <collision name="same"><geometry><box size="1 1 1"/></geometry></collision>
 <collision name="same"><geometry><box size="1 1 2"/></geometry></collision></link>
<link name="wheel">{UNIT}</link>
<link name="shaft"/><link name="flange"/><link name="tool0"/>
<link name="grip">{UNIT}</link>
<joint name="base_joint" type="fixed"><parent link="base_footprint"/><child link="base_link"/>
 <origin xyz="0 0 0.1" rpy="0 0.2 0"/></joint>
<joint name="turn" type="continuous"><parent link="base_footprint"/><child link="shaft"/>
 <origin xyz="0 0.2 0.1" rpy="1 0 0"/><axis xyz="0 1 1"/></joint>
<joint name="hub" type="fixed"><parent link="shaft"/><child link="wheel"/><origin xyz="0 0 0.3" rpy="0 0 1"/></joint>
<joint name="end" type="fixed"><parent link="wheel"/><child link="flange"/><origin xyz="0 0 0.1" rpy="1 0 0"/></joint>
<joint name="tip" type="fixed"><parent link="flange"/><child link="tool0"/><origin xyz="0 0 0.1"/></joint>
<joint name="grip" type="prismatic"><parent link="tool0"/><child link="grip"/><origin xyz="0 0 0.1" rpy="0 0 2"/>
 <axis xyz="1 0 0"/><limit lower="-0.1" upper="1" effort="5" velocity="2"/><dynamics damping="0.2"/></joint></robot>""",
}

RENAMED = {"grip": "grip_2"}
"""A URDF may name a joint as it names a link, SDF may not."""


@pytest.fixture(scope="module")
def roots(data, tmp_path_factory):
    root = tmp_path_factory.mktemp("packages")
    lay_out(data / "models", root)
    return [root]


class Loaded:
    """One robot of a file as Drake has it: bodies, frames and joints by name."""

    def __init__(self, path, name, roots=()):
        self.plant, _ = parsed(path, roots)
        self.context = self.plant.CreateDefaultContext()
        self.instance = self.plant.GetModelInstanceByName(name)

    def pose(self, name):
        frame = self.plant.GetFrameByName(name, self.instance)
        return frame.CalcPoseInWorld(self.context).GetAsMatrix4()

    def place_between(self, name, other):
        return np.linalg.inv(self.pose(name)) @ self.pose(other)

    def body(self, name):
        spatial = self.plant.GetBodyByName(name, self.instance).default_spatial_inertia()
        com = spatial.get_com()
        return spatial.get_mass(), com, spatial.Shift(com).CalcRotationalInertia().CopyToFullMatrix3()

    def joint(self, name):
        return self.plant.GetJointByName(name, self.instance)

    def move(self, name, values):
        positions = self.plant.GetPositions(self.context).copy()
        start = self.joint(name).position_start()
        positions[start : start + len(values)] = values
        self.plant.SetPositions(self.context, positions)


def again(robot, folder):
    """Write a robot as it was read; return the path of its file."""
    model = with_unique_names(robot.model)  # in a URDF, a joint may have the name of a link
    bodies = resolve_model(model)
    assert [str(one) for body in bodies for one in body.all_findings() if one.severity == "error"] == []
    return write_model(model, bodies, Target.of(folder, model.name), uri_style="file").file


def assert_same_robot(robot, path, copy, roots):
    """Compare a robot of the file at `path` with its copy, as Drake has both."""
    model = with_unique_names(robot.model)  # in a URDF, a joint may have the name of a link
    assert model.links
    ours, theirs = Loaded(path, model.name, roots), Loaded(copy, model.name)
    base = model.links[0].name
    names = [*(link.name for link in model.links), *(frame.name for frame in model.frames)]
    joints = {RENAMED.get(one, one): one for one in original_names(ours)}
    assert {joint.name for joint in model.joints if joint.kind != "fixed"} == joints.keys()
    for link in model.links:
        (mass, com, tensor), (their_mass, their_com, their_tensor) = ours.body(link.name), theirs.body(link.name)
        size = np.sqrt(np.trace(tensor) / mass)
        assert their_mass == pytest.approx(mass, rel=ATOL)
        np.testing.assert_allclose(their_com, com, rtol=0, atol=ATOL * size)
        np.testing.assert_allclose(their_tensor, tensor, rtol=0, atol=ATOL * np.trace(tensor))
    for new, old in joints.items():
        one, other = ours.joint(old), theirs.joint(new)
        assert other.type_name() == one.type_name()
        for limits in ("position_lower_limits", "position_upper_limits", "velocity_upper_limits"):
            np.testing.assert_allclose(getattr(other, limits)(), getattr(one, limits)(), rtol=ATOL)
        np.testing.assert_allclose(other.default_damping_vector(), one.default_damping_vector(), rtol=ATOL)
    rng = np.random.default_rng(5)
    for _ in range(POSITIONS):
        for new, old in joints.items():
            values = rng.uniform(-1.5, 1.5, ours.joint(old).num_positions())
            ours.move(old, values)
            theirs.move(new, values)
        for name in names:
            np.testing.assert_allclose(theirs.place_between(base, name), ours.place_between(base, name), atol=ATOL)


def original_names(loaded):
    """Return the names of the joints that move, but for those by which Drake lets a robot float."""
    plant = loaded.plant
    found = [plant.get_joint(index) for index in plant.GetJointIndices(loaded.instance)]
    return [one.name() for one in found if one.type_name() not in ("weld", "quaternion_floating")]


def differences(path, copy, roots):
    return run("diff", path, copy, "--rtol", "1e-6", *(word for root in roots for word in ("--path", root)))


@pytest.mark.parametrize("name", TAKEN)
def test_every_published_model_is_itself_again(name, data, roots, tmp_path, capsys):
    if ("wsg" in name or "pendulum.urdf" in name or "iiwa" in name) and find_spec("trimesh") is None:
        pytest.skip("trimesh is not installed: STL and glTF cannot be read")
    path = data / "models" / name
    robots = robots_of(path, roots)
    copies = [again(robot, tmp_path) for robot in robots]
    for robot, copy in zip(robots, copies, strict=True):
        assert not [one for one in robot.findings if "uri" in one.message]
        assert_same_robot(robot, path, copy, roots)
    if len(robots) == 1:
        assert differences(path, copies[0], roots) == 0, capsys.readouterr().out


@pytest.mark.parametrize("name", WRITTEN)
def test_axes_frames_screws_merged_models_and_points_stay_in_place(name, tmp_path, capsys):
    parts = tmp_path / "packages" / "parts"
    parts.mkdir(parents=True)
    (parts / "inner.sdf").write_text(INNER.format(inertial=INERTIAL))
    path, roots = tmp_path / name, [tmp_path / "packages"]
    path.write_text(WRITTEN[name])
    (robot,) = robots_of(path, roots)
    copy = again(robot, tmp_path / "copy")
    assert_same_robot(robot, path, copy, roots)
    if path.suffix == ".sdf":  # of a URDF, libsdformat lumps links
        assert differences(path, copy, roots) == 0, capsys.readouterr().out
