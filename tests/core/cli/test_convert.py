# SPDX-License-Identifier: GPL-3.0-or-later
"""``convert``: the same links, joints and places in another format, and a finding for what that cannot express."""

import json
import os
import shlex
from dataclasses import replace
from pathlib import Path

import mujoco
import numpy as np
import pytest

from core import read_robot
from core.cli.main import main
from core.errors import InertiaError
from core.formats.writers import BY_SUFFIX
from core.robot.resolve import resolve_link
from tests.core.model_packages import TAKEN, lay_out
from tests.core.mujoco_bodies import assert_same_bodies
from tests.ros_package import png
from tools.house import CHECKOUT

EXAMPLES = CHECKOUT / "examples"
DESK_ARM = EXAMPLES / "desk_arm_description" / "urdf" / "desk_arm.urdf.xacro"
BIPED = EXAMPLES / "biped_description" / "urdf" / "biped.urdf"
SUFFIXES = ("sdf", "urdf", "xml")
NUMBERS = ("lower", "upper", "damping", "friction", "armature", "effort")
OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
UNLIKE = "<mass>2</mass><pose>.1 .2 .3 .4 .5 .6</pose><inertia><ixx>.03</ixx><iyy>.04</iyy><izz>.05</izz></inertia>"
BALL = "<geometry><sphere><radius>.1</radius></sphere></geometry>"
AUTO = "<inertial auto='true'><density>500</density></inertial>"
IMPOSSIBLE = "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>5</izz></inertia></inertial>"


def link(name, inertial=f"<inertial>{UNLIKE}</inertial>", rest=""):
    return f"<link name='{name}'>{inertial}{rest}</link>"


def joint(kind, rest="", axis="<axis><xyz>0 .6 .8</xyz></axis>", name="j", parent="a", child="b"):
    ends = f"<parent>{parent}</parent><child>{child}</child>"
    return f"<joint name='{name}' type='{kind}'>{ends}{axis}{rest}</joint>"


def sdf(*parts, rest=""):
    return f"<sdf version='1.11'><model name='m'>{rest}{''.join(parts)}</model></sdf>"


TWO = (link("a"), link("b"))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def converted(folder, capsys):
    """Convert a file, or the text of an SDF; return the exit status, and the JSON that is printed."""

    def run(given, output, *words):
        if isinstance(given, str):
            Path("in.sdf").write_text(given)
            given = "in.sdf"
        capsys.readouterr()
        status = main(["convert", str(given), "-o", str(output), "--json", *words])
        return status, json.loads(capsys.readouterr().out or "{}")

    return run


def messages(printed, code=""):
    return [one["message"] for one in printed["findings"] if one["code"].startswith(code)]


def state(given, roots=(), name=None):
    """Return of each link its pose from the root's and its inertial, and the joints; all from the frame of its root.

    A link's frame in URDF is that of its joint, so that only what is fixed to its root can be compared.
    """
    read = read_robot(given, roots) if isinstance(given, str | Path) else given
    (robot,) = (one for one in read.file.robots() if name in (None, one.model.name))
    poses = {one.name: one.pose for one in robot.model.links}
    parents = {one.child: one.parent for one in reversed(robot.model.joints)}
    root = next(one for one in poses if parents.get(one, "world") == "world")
    X_RM = poses[root].inverse()
    inertials = {}
    for one in robot.model.links:
        body = resolve_link(one).inertial
        inertials[one.name] = None if body is None else (body, body.transformed(X_RM @ one.pose))
    joints = {one.name: (one, X_RM @ poses[one.child] @ one.pose) for one in robot.model.joints}
    frames = {one.name: X_RM @ poses[one.attached_to] @ one.pose for one in robot.model.frames}
    return {name: X_RM @ pose for name, pose in poses.items()} | frames, inertials, joints


def assert_same_robot(one, other, suffix, same_frames=True):
    """Compare two states; links without inertial are frames in SDF, whose fixed joints are gone."""
    places, inertials, joints = one
    new_places, new_inertials, new_joints = other
    assert places.keys() <= new_places.keys()
    for name, given in inertials.items():
        if given is None:
            assert new_inertials.get(name) is None
            continue
        # In SDF and MJCF a link has the frame that it had.
        for mine, its in (
            zip(given, new_inertials[name], strict=True) if same_frames else [(given[1], new_inertials[name][1])]
        ):
            size = np.sqrt(np.trace(mine.inertia) / mine.mass)
            assert its.mass == pytest.approx(mine.mass, rel=1e-9)
            np.testing.assert_allclose(its.com, mine.com, rtol=0, atol=1e-9 * max(size, np.abs(mine.com).max(), 1.0))
            np.testing.assert_allclose(its.inertia, mine.inertia, rtol=0, atol=2e-9 * np.trace(mine.inertia))
    for name, (given, X) in joints.items():
        if name not in new_joints:
            assert given.kind == "fixed", name
            continue
        new, Y = new_joints[name]
        kinds = {"revolute", "continuous"}
        assert given.kind == new.kind or {given.kind, new.kind} == kinds
        assert (given.parent, given.child) == (new.parent, new.child)
        if given.kind == "fixed":
            continue
        np.testing.assert_allclose(Y.p, X.p, rtol=0, atol=2e-9)
        axes = [R @ np.array(each.axis) / np.linalg.norm(each.axis) for R, each in ((X.R, given), (Y.R, new))]
        if given.kind != "ball":
            np.testing.assert_allclose(axes[1], axes[0], rtol=0, atol=2e-9)
        rigid = suffix == "xml" and given.lower is not None and given.lower == given.upper  # an equality there
        for number in NUMBERS if not rigid else ():
            assert getattr(new, number) == pytest.approx(getattr(given, number), rel=2e-9), (name, number)
        if suffix != "xml":
            assert new.velocity == pytest.approx(given.velocity, rel=2e-9)
        assert (given.mimic is None) == (new.mimic is None)
        if given.mimic is not None:
            assert new.mimic.joint == given.mimic.joint
            assert new.mimic[1:] == pytest.approx(given.mimic[1:], rel=1e-9)


# --- round trips ------------------------------------------------------------------------------------------------------


LIMITED = (
    "<axis><xyz>0 .6 .8</xyz><limit><lower>-.5</lower><upper>1.25</upper><effort>7</effort>"
    "<velocity>3</velocity></limit><dynamics><damping>.1</damping><friction>.2</friction></dynamics></axis>"
)
FOLLOWING = (
    "<axis><xyz>1 0 0</xyz><limit><lower>0</lower><upper>.4</upper></limit><mimic joint='j' axis='axis'>"
    "<multiplier>.5</multiplier><offset>.125</offset><reference>0</reference></mimic></axis>"
)
POSED = "<pose>{} .2 .3 .1 .2 .3</pose>" + f"<collision name='c'>{BALL}</collision>"
JOINTS = sdf(
    link("a"),
    *(link(name, rest=POSED.format(number)) for number, name in enumerate("bcde", 1)),
    joint("revolute", "<pose>.1 0 .2 .3 0 .1</pose>", LIMITED),
    joint("prismatic", axis=FOLLOWING, name="k", parent="b", child="c"),
    joint("continuous", name="l", parent="c", child="d"),
    joint("fixed", axis="", name="m", parent="d", child="e"),
    rest="<frame name='tip' attached_to='d'><pose>0 0 1 0 0 1</pose></frame>",
)
"""All that every format has: limits, losses, a joint that follows another with an offset, frames, turned poses."""


@pytest.mark.every
@pytest.mark.parametrize("last", SUFFIXES)
@pytest.mark.parametrize("first", SUFFIXES)
def test_links_and_joints_survive_two_conversions(folder, converted, first, last):
    Path("in.sdf").write_text(JOINTS)
    given = state("in.sdf")
    for number, (source, suffix) in enumerate((("in.sdf", first), (f"0/r.{first}", last))):
        status, printed = converted(Path(source), f"{number}/r.{suffix}")
        assert status == 0, printed
        assert [one["name"] for one in printed["links"]] == list("abcde")
    if "xml" in (first, last):  # which has no velocity
        given[2]["j"] = (replace(given[2]["j"][0], velocity=None), given[2]["j"][1])
    assert_same_robot(given, state(f"1/r.{last}"), last, same_frames="urdf" not in (first, last))


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("path", [DESK_ARM, BIPED], ids=["xacro", "urdf"])
def test_the_examples_keep_all_numbers(folder, path, suffix):
    robot = read_robot(path).repair()  # a shank of the biped is impossible
    written = robot.convert(f"new/robot.{suffix}")
    assert written.file is not None, written.findings
    assert_same_robot(state(robot), state(written.file), suffix, same_frames=False)


def test_drake_and_mujoco_have_the_same_converted_robot(folder):
    files = [read_robot(DESK_ARM).convert(f"{suffix}/robot.{suffix}").file for suffix in ("xml", "sdf")]
    assert_same_bodies(files, positions=3)


ONE_SIDED = "<axis><xyz>0 0 1</xyz><limit><{}>.5</{}></limit></axis>"


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(("side", "limits"), [("lower", (0.5, None)), ("upper", (None, 0.5))])
def test_a_limit_on_one_side_stays_on_one_side(folder, converted, suffix, side, limits):
    text = sdf(*TWO, joint("revolute", axis=ONE_SIDED.format(side, side)))
    assert converted(text, f"new/robot.{suffix}")[0] == 0
    new, _ = state(f"new/robot.{suffix}")[2]["j"]
    assert (new.kind, new.lower, new.upper) == ("revolute", *limits)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("name", TAKEN)
def test_published_models_keep_all_numbers(converted, data, name, suffix):
    root = Path("packages")
    lay_out(data / "models", root)
    path, roots = data / "models" / name, [data / "models", root]
    chosen = "pendulum" if name.startswith("auto_inertia_pendulum") else None
    words = [word for folder in roots for word in ("--path", str(folder))] + (["--model", chosen] if chosen else [])
    status, printed = converted(path, f"new/robot.{suffix}", *words)
    errors = {one["code"] for one in printed["findings"] if one["severity"] == "error"}
    assert status == 0 or errors <= {f"not_in_{BY_SUFFIX['.' + suffix].name}", "not_converted"}, printed
    if status == 0:
        assert_same_robot(state(path, roots, chosen), state(f"new/robot.{suffix}"), suffix, same_frames=False)


# --- what is refused or otherwise -------------------------------------------------------------------------------------
ELLIPSOID = "<geometry><ellipsoid><radii>.1 .2 .3</radii></ellipsoid></geometry>"
CAPSULE = "<geometry><capsule><radius>.1</radius><length>.3</length></capsule></geometry>"

LOOP = sdf(
    *TWO,
    link("c"),
    joint("fixed"),
    joint("fixed", name="k", child="c"),
    joint("fixed", name="l", parent="c"),
)

REFUSED = [
    *((sdf(*TWO, joint(kind)), "urdf", f"URDF has no {kind} joint") for kind in ("ball", "universal", "screw")),
    (sdf(*TWO, joint("screw")), "xml", "MJCF has no screw joint"),
    (sdf(*TWO), "urdf", "2 of its links hang on no joint (a, b), and URDF holds one tree"),
    (sdf(link("a", IMPOSSIBLE)), "urdf", "no body has the principal moments 1, 1, 5 kg·m²"),
    (LOOP, "urdf", "1 joint closes a loop, which URDF cannot hold: l"),
    (LOOP.replace("name='l' type='fixed'", "name='l' type='prismatic'"), "xml", "which MJCF cannot hold: l"),
    *((sdf(*TWO, joint("gearbox")), suffix, "1 joint of type 'gearbox' cannot be converted: j") for suffix in SUFFIXES),
]


@pytest.mark.every
@pytest.mark.parametrize(("text", "suffix", "message"), REFUSED)
def test_what_a_format_cannot_hold_at_all_writes_nothing(folder, converted, text, suffix, message):
    status, printed = converted(text, f"new/robot.{suffix}")
    assert (status, printed["output"]) == (1, None)
    assert any(message in one for one in messages(printed))
    assert sorted(os.listdir()) == ["in.sdf"]


AXES = "<axis><xyz>0 0 1</xyz></axis><axis2><xyz>1 0 0</xyz><limit><upper>1</upper></limit></axis2>"
WORLD_JOINT = joint("fixed", axis="", name="w", parent="world", child="m")
AT_WORLD = f"<sdf version='1.11'><world name='v'><model name='m'>{link('a')}</model>{WORLD_JOINT}</world></sdf>"

OTHERWISE = [
    (sdf(link("a"), rest="<static>true</static>"), "urdf", "URDF has no static model"),
    (sdf(link("a", rest="<pose>0 0 1.5 0 0 0</pose>")), "urdf", "no place for its root a, which is at 0 0 1.5 m"),
    (
        sdf(link("a", rest=f"<collision name='c'>{ELLIPSOID}</collision>")),
        "urdf",
        "URDF has no ellipsoid: a mesh replaces it",
    ),
    (sdf(link("a", rest=f"<visual name='v'>{CAPSULE}</visual>")), "urdf", "URDF has no capsule: a mesh replaces it"),
    (sdf(link("a", AUTO, f"<collision name='c'>{BALL}</collision>")), "urdf", "1 auto inertials become numbers"),
    (sdf(link("a", AUTO, f"<collision name='c'>{BALL}</collision>")), "xml", "1 auto inertials become numbers"),
    (
        sdf(*TWO, joint("revolute", axis="<axis><xyz>0 0 1</xyz><limit><velocity>3</velocity></limit></axis>")),
        "xml",
        "MJCF has no maximum velocity: that of 1 joints is left out (j)",
    ),
    (sdf(link("a", rest="<sensor name='s' type='imu'/>")), "urdf", "<sensor> left out"),
    (sdf(link("a"), rest="<plugin name='p' filename='f'/>"), "sdf", "<plugin> left out"),
    (sdf(*TWO, joint("revolute2")), "sdf", "1 joint of the type revolute2 becomes universal: j"),
    (sdf(*TWO, joint("universal", axis=AXES)), "sdf", "its second axis gets the limits and dynamics of the first"),
    (AT_WORLD, "sdf", "the joints of the world are left out: 'w'"),
    (sdf(link("a"), rest="<self_collide>true</self_collide>"), "xml", "<self_collide> left out"),
    (
        sdf(link("a", rest="<visual name='v'><geometry><mesh><uri>no.obj</uri></mesh></geometry></visual>")),
        "sdf",
        "no.obj",
    ),
    (
        sdf(link("a", rest="<visual name='v'><geometry><mesh><uri>part.obj</uri></mesh></geometry></visual>")),
        "sdf",
        "colours",
    ),
]


@pytest.mark.every
@pytest.mark.parametrize(("text", "suffix", "message"), OTHERWISE)
def test_what_a_format_holds_otherwise_is_a_finding(folder, converted, text, suffix, message):
    Path("part.obj").write_text("mtllib part.mtl\n" + OBJ)
    status, printed = converted(text, f"new/robot.{suffix}")
    assert (status, printed["output"]) == (0, str(Path(f"new/robot.{suffix}")))
    assert any(message in one for one in messages(printed)), messages(printed)


def test_links_without_inertial_stay_without(folder, converted):
    """They are links in URDF and MJCF, and in SDF, where a link without one weighs 1 kg, frames of what holds them."""
    fixed = "<joint name='j' type='fixed'><parent link='a'/><child link='b'/><origin xyz='1 2 3'/></joint>"
    inertial = "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>"
    seen = "<visual><geometry><sphere radius='1'/></geometry></visual>"
    text = f"<robot name='r'><link name='a'>{inertial}</link><link name='b'>{seen}</link>{fixed}</robot>"
    Path("in.urdf").write_text(text)
    for suffix in SUFFIXES:
        status, printed = converted(Path("in.urdf"), f"new/robot.{suffix}")
        assert status == 0
        message = ["1 links without inertial become frames of the links that hold them: b"]
        assert messages(printed, "not_converted") == (message if suffix == "sdf" else [])
        places, inertials, _ = state(f"new/robot.{suffix}")
        assert inertials.get("b") is None and inertials["a"][0].mass == 1.0
        np.testing.assert_allclose(places["b"].p, [1, 2, 3], atol=1e-9)


def test_an_impossible_inertial_is_refused_until_repaired_as_printed(folder, converted):
    box = "<collision name='c'><geometry><box><size>.1 .2 .3</size></box></geometry></collision>"
    status, printed = converted(sdf(link("a", IMPOSSIBLE, box)), "new/robot.urdf")
    (finding,) = (one for one in printed["findings"] if one["severity"] == "error")
    assert status == 1 and not Path("new").exists()
    assert finding["subject"] == "a"
    program, *words = shlex.split(finding["remedy"].split("`")[1])
    assert (program, main(words)) == ("sdf-inertia", 0)
    assert converted(Path("in.sdf"), "new/robot.urdf")[0] == 0
    assert state("new/robot.urdf")[1]["a"][0].mass == 1.0


WORLD = f"""<sdf version='1.11'><world name='w'><model name='one'><pose>1 2 3 0 0 .5</pose>{link("a")}</model>
<model name='two'>{link("b")}</model></world></sdf>"""


def test_of_several_models_the_chosen_one_is_written(folder, converted, capsys):
    status, printed = converted(WORLD, "new/robot.sdf")
    assert (status, messages(printed)) == (2, ["it has several models: one, two"])
    status, printed = converted(WORLD, "new/robot.sdf", "--model", "three")
    assert (status, messages(printed)) == (2, ["it has no model 'three'; its models are one, two"])
    assert not Path("new").exists()
    status, printed = converted(WORLD, "new/robot.sdf", "--model", "one")
    assert status == 0
    assert messages(printed) == ["the model is converted, the world around it is not"]
    assert list(state("new/robot.sdf")[1]) == ["a"]


# --- files ------------------------------------------------------------------------------------------------------------


MESH_ROBOT = """<robot name="r"><link name="l">
  <inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
  <collision name="{name}"><geometry><mesh filename="{mesh}"/></geometry></collision></link></robot>"""


def test_a_mesh_that_the_input_reads_stays(folder, converted):
    Path("part.obj").write_text(OBJ)
    Path("urdf").mkdir()
    Path("package.xml").write_text("<package/>")
    Path("urdf/in.urdf").write_text(MESH_ROBOT.format(name="part", mesh="../part.obj"))
    assert converted(Path("urdf/in.urdf"), "new.urdf")[0] == 0
    (mesh,) = Path("meshes").iterdir()
    Path("new.urdf").unlink()
    Path("urdf/in.urdf").write_text(MESH_ROBOT.format(name="other", mesh=f"../{mesh}"))
    assert converted(Path("urdf/in.urdf"), "newer.sdf")[0] == 0
    assert mesh.read_bytes() and len([*Path("meshes").iterdir()]) == 2


def test_a_converted_robot_is_complete_by_itself(folder, converted):
    Path("part.obj").write_text(OBJ)
    Path("in.urdf").write_text(MESH_ROBOT.format(name="../part", mesh="part.obj"))
    for suffix in SUFFIXES:
        assert converted(Path("in.urdf"), f"{suffix}/robot.{suffix}")[0] == 0
    Path("part.obj").unlink()
    for suffix in SUFFIXES:
        moved = Path(suffix).rename(f"moved-{suffix}")
        (robot,) = read_robot(moved / f"robot.{suffix}").file.robots()
        assert not robot.lost and robot.model.links[0].collisions[0].geometry.kind == "mesh"
    assert sorted(path.name for path in folder.iterdir()) == ["in.urdf", "moved-sdf", "moved-urdf", "moved-xml"]


def test_the_model_config_of_another_model_stays(folder, converted):
    Path("model.config").write_text("<model><name>mine</name><sdf version='1.11'>in.sdf</sdf></model>")
    before = Path("model.config").read_bytes()
    status, printed = converted(sdf(link("a")), "out.sdf")
    assert (status, messages(printed)) == (2, ["it describes in.sdf, and a new one would replace it"])
    assert Path("model.config").read_bytes() == before and not Path("out.sdf").exists()
    assert converted(sdf(link("a")), "out.urdf")[0] == 0
    assert converted(sdf(link("a")), "new/out.sdf")[0] == 0
    assert converted(sdf(link("a")), "new/out.sdf")[0] == 0  # its own


@pytest.mark.parametrize("output", ["in.sdf", "link.sdf", "part.sdf"])
def test_no_file_that_is_read_is_overwritten(folder, converted, output, capsys):
    Path("part.sdf").write_text(sdf(link("a")))
    text = "<sdf version='1.11'><include><uri>part.sdf</uri></include></sdf>"
    Path("in.sdf").write_text(text)
    Path("link.sdf").symlink_to("in.sdf")
    before = [Path(name).read_bytes() for name in ("in.sdf", "part.sdf")]
    try:
        assert main(["convert", "in.sdf", "-o", output]) == 2
    except SystemExit as stopped:
        assert stopped.code == 2
    assert "would overwrite" in capsys.readouterr().err
    with pytest.raises(InertiaError, match="read from this file"):
        read_robot("in.sdf").convert(output)
    assert [Path(name).read_bytes() for name in ("in.sdf", "part.sdf")] == before


def test_a_joint_that_moves_along_no_axis_is_refused(converted):
    given = sdf(link("a"), link("b"), joint("revolute", axis="<axis><xyz>0 0 0</xyz></axis>", parent="a", child="b"))
    status, printed = converted(given, "out.usda")
    assert (status, [one["code"] for one in printed["findings"]]) == (1, ["axis_zero"])


def test_an_unknown_suffix_is_refused(converted):
    status, printed = converted(sdf(link("a")), "out.usdz")
    assert (status, messages(printed)) == (2, ["no robot is written with this suffix"])


def test_a_robot_of_python_is_converted_as_repaired(folder):
    robot = read_robot(EXAMPLES / "arm.urdf")
    refused = robot.convert("arm/arm.sdf")
    assert refused.file is None and not Path("arm").exists()
    assert {one.code for one in refused.findings if one.severity == "error"} == {"triangle_inequality"}
    repaired = robot.repair()
    written = repaired.convert("arm/arm.sdf")
    assert written.file == Path("arm/arm.sdf")
    again = read_robot(written.file)
    for name, one in repaired.links.items():
        assert again.links[name].inertial.mass == pytest.approx(one.inertial.mass, rel=1e-9)


def test_the_same_robot_gives_the_same_bytes(folder, converted):
    for number in range(2):
        assert converted(DESK_ARM, f"{number}/robot.sdf")[0] == 0
    one, other = ({path.relative_to(top): path.read_bytes() for path in top.rglob("*.*")} for top in map(Path, "01"))
    assert one == other and len(one) > 3


def test_a_folder_that_is_a_file_leaves_nothing(folder, converted):
    Path("taken").write_text("")
    status, printed = converted(sdf(link("a")), "taken/robot.sdf")
    assert (status, printed) == (2, {})
    assert sorted(os.listdir()) == ["in.sdf", "taken"]


@pytest.mark.parametrize(
    "text",
    (
        "<sdf version='1.11'><world name='w'/></sdf>",
        "<sdf version='1.11'/>",
        "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>",
    ),
)
def test_a_file_without_a_link_is_no_robot_to_write(folder, converted, text):
    status, printed = converted(text, "new/robot.sdf")
    assert (status, printed["output"]) == (1, None) and not Path("new").exists()
    assert [finding["code"] for finding in printed["findings"]] == ["no_link"]


def test_what_motors_and_ball_joints_lose_is_a_finding(folder, converted):
    moments = "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"
    links = "".join(f"<link name='{name}'><inertial><mass value='1'/>{moments}</inertial></link>" for name in "ab")
    motor = "<drake:gear_ratio value='20'/><drake:rotor_inertia value='1e-5'/>"
    Path("in.urdf").write_text(
        f"<robot name='r' xmlns:drake='http://drake.mit.edu'>{links}<joint name='j' type='continuous'>"
        "<parent link='a'/><child link='b'/></joint><transmission name='t'>"
        "<type>transmission_interface/SimpleTransmission</type><joint name='j'/>"
        f"<actuator name='m'>{motor}</actuator></transmission></robot>"
    )
    status, printed = converted(Path("in.urdf"), "new/robot.xml")
    assert status == 0 and any("MJCF has no gear ratio: that of 1 joints" in one for one in messages(printed))
    inertial = "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
    ball = f"<body name='b'>{inertial}<joint name='j' type='ball' damping='0.5'/></body>"
    Path("in.xml").write_text(f"<mujoco><worldbody><body name='a'>{inertial}{ball}</body></worldbody></mujoco>")
    status, printed = converted(Path("in.xml"), "other/robot.sdf")
    assert status == 0 and any("spring of ball joints" in one for one in messages(printed)), printed


# --- what is lost, in the words of a conversion -----------------------------------------------------------------------


MOMENTS = "<mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"


def urdf_link(name, more=""):
    return f"<link name='{name}'><inertial>{MOMENTS}</inertial>{more}</link>"


def urdf_joint(name, parent, child, kind="continuous", more=""):
    return f"<joint name='{name}' type='{kind}'><parent link='{parent}'/><child link='{child}'/>{more}</joint>"


def urdf(*parts):
    Path("in.urdf").write_text(f"<robot name='r'>{''.join(parts)}</robot>")
    return Path("in.urdf")


def remedies(printed):
    return [one["remedy"] for one in printed["findings"]]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_joint_that_no_format_has_writes_nothing_until_changed(folder, converted, suffix):
    parts = [*map(urdf_link, "abc"), urdf_joint("j", "a", "b", "planar"), urdf_joint("k", "b", "c", "floating")]
    status, printed = converted(urdf(*parts), f"new/r.{suffix}")
    assert (status, printed["output"], os.listdir()) == (1, None, ["in.urdf"])
    assert messages(printed) == [f"1 joint of type {kind} cannot be converted: {name}" for kind, name in KINDLESS]
    assert all("revolute, continuous or prismatic" in remedy for remedy in remedies(printed))
    changed = [part.replace("planar", "continuous").replace("floating", "fixed") for part in parts]
    assert converted(urdf(*changed), f"new/r.{suffix}")[0] == 0
    assert state(f"new/r.{suffix}")[2]["j"][0].kind in ("continuous", "revolute")


KINDLESS = (("planar", "j"), ("floating", "k"))


def test_a_root_that_floats_from_the_world_needs_no_joint(folder, converted):
    file = urdf("<link name='world'/>", urdf_link("a"), urdf_joint("j", "world", "a", "floating"))
    status, printed = converted(file, "new/r.xml")
    assert (status, [one["severity"] for one in printed["findings"]]) == (0, ["info"])
    assert messages(printed) == ["joint 'j' is left out: 'a' moves freely without it, too"]
    assert "<freejoint/>" in Path("new/r.xml").read_text()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_many_joints_lose_is_one_finding(folder, converted, suffix):
    guarded = [urdf_joint(f"j{n}", "a", child, more="<safety_controller/>") for n, child in enumerate("bcd")]
    following = urdf_joint("k", "a", "e", more="<mimic joint='l'/>")
    file = urdf(*map(urdf_link, "abcdef"), *guarded, following, urdf_joint("l", "a", "f", "fixed"), "<gazebo/>")
    status, printed = converted(file, f"new/r.{suffix}")
    assert status == 0
    assert messages(printed) == [
        "1 joint no longer follows another: k",
        "<safety_controller> ×3, <gazebo> left out",
    ]
    assert {one["severity"] for one in printed["findings"]} == {"warning"}
    assert not any("original" in remedy for remedy in remedies(printed))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_constraints_of_mjcf_are_lost_but_for_following(folder, converted, suffix):
    followed = HINGE.replace("'j'", "'k'")
    bodies = mjcf_body("a", mjcf_body("b", HINGE) + mjcf_body("c", followed))
    Path("in.xml").write_text(
        f"<mujoco><worldbody>{bodies}</worldbody><equality><joint joint1='j' joint2='k' polycoef='.5 2 0 0 0'/>"
        "<connect body1='b' body2='c' anchor='0 0 0'/></equality></mujoco>"
    )
    status, printed = converted(Path("in.xml"), f"new/r.{suffix}")
    losses = [(one["severity"], one["message"]) for one in printed["findings"] if one["code"] == "not_converted"]
    assert (status, losses) == (0, [("warning", "<connect> of <equality> left out")])
    assert state(f"new/r.{suffix}")[2]["j"][0].mimic == ("k", 2.0, 0.5)


def mjcf_body(name, content=""):
    return f"<body name='{name}'><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>{content}</body>"


HINGE = "<joint name='j' range='-60 60'/>"


def mjcf(*joints, actuators=""):
    inner = mjcf_body("b", "".join(joints))
    Path("in.xml").write_text(
        f"<mujoco><worldbody>{mjcf_body('a', inner)}</worldbody><actuator>{actuators}</actuator></mujoco>"
    )
    return Path("in.xml")


def test_springs_stay_in_sdf_and_mjcf_and_are_missed_in_urdf(folder, converted):
    spring = "<joint name='j' type='hinge' stiffness='3' springref='40' ref='10' damping='.2'/>"
    file = mjcf(spring)
    model = mujoco.MjModel.from_xml_path(str(file))
    rest = model.qpos_spring[-1] - model.qpos0[-1]
    for source, suffix in ((file, "sdf"), (Path("new/r.sdf"), "xml")):
        assert converted(source, f"new/r.{suffix}")[0] == 0
        new = state(f"new/r.{suffix}")[2]["j"][0]
        assert (new.spring_stiffness, new.spring_reference) == pytest.approx((3.0, rest), rel=1e-9)
    again = mujoco.MjModel.from_xml_path("new/r.xml")
    assert again.jnt_stiffness[-1] == 3.0
    assert again.qpos_spring[-1] - again.qpos0[-1] == pytest.approx(rest, rel=1e-9) == np.radians(30.0)
    status, printed = converted(file, "new/r.urdf")
    assert status == 0
    assert messages(printed, "not_in_urdf") == ["URDF has no springs: those of 1 joint are left out (j)"]


EFFORTS = (
    ("<motor joint='j' gear='50' ctrlrange='-1 .5'/>", 50.0),
    ("<motor joint='j' gear='-50' ctrlrange='-1 1' forcerange='-.4 .4'/>", 20.0),
    ("<position joint='j' kp='9' forcerange='-6 8'/>", 8.0),
    ("<position joint='j' kp='9' ctrlrange='-1 1'/>", None),
    ("<position joint='j' forcerange='-6 6'/><velocity joint='j' forcerange='-2 2'/>", 8.0),
    ("<position joint='j' forcerange='-6 6'/><velocity joint='j'/>", None),
    ("", None),
)


@pytest.mark.parametrize(("actuators", "effort"), EFFORTS)
def test_the_effort_of_a_joint_is_what_its_actuators_apply(folder, converted, actuators, effort):
    for suffix in SUFFIXES:
        assert converted(mjcf(HINGE, actuators=actuators), f"new/r.{suffix}")[0] == 0
        assert state(f"new/r.{suffix}")[2]["j"][0].effort == effort
    limited = HINGE.replace("/>", " actuatorfrcrange='-5 5'/>")
    assert converted(mjcf(limited, actuators=actuators), "new/r.sdf")[0] == 0
    assert state("new/r.sdf")[2]["j"][0].effort == 5.0


@pytest.mark.parametrize("world", [False, True])
def test_the_pose_of_a_model_stays_or_is_reported(folder, converted, world):
    model = f"<model name='m'><pose degrees='1'>1 2 3 0 0 90</pose>{link('a', rest='<pose>1 0 0 0 0 0</pose>')}</model>"
    around = f"<world name='w'>{model}</world>" if world else model
    text = f"<sdf version='1.11'>{around}</sdf>"
    for suffix in ("sdf", "xml"):
        assert converted(text, f"new/r.{suffix}")[0] == 0
    (robot,) = read_robot("new/r.sdf").file.robots()
    np.testing.assert_allclose(robot.pose.to_sdf(), [1, 2, 3, 0, 0, np.pi / 2], atol=1e-9)
    np.testing.assert_allclose(robot.model.links[0].pose.p, [1, 0, 0], atol=1e-9)
    body = mujoco.MjModel.from_xml_path("new/r.xml").body("a")
    np.testing.assert_allclose(body.pos, [1, 3, 3], atol=1e-8)
    np.testing.assert_allclose(body.quat, np.sqrt([0.5, 0, 0, 0.5]), atol=1e-8)
    status, printed = converted(text, "new/r.urdf")
    place = "at 1 3 3 m, turned by 0 0 1.570796327 rad: it goes to the origin"
    assert status == 0 and messages(printed, "not_in_urdf") == [f"URDF has no place for its root a, which is {place}"]


def test_only_sdf_renames_a_joint_that_has_the_name_of_a_link(folder, converted):
    limit = "<limit effort='1' velocity='1' lower='0' upper='1'/>"
    follower = urdf_joint("k", "a", "c", more="<mimic joint='grip' multiplier='2'/>")
    file = urdf(*map(urdf_link, ("a", "grip", "c")), urdf_joint("grip", "a", "grip", "revolute", limit), follower)
    for suffix, name in (("urdf", "grip"), ("xml", "grip"), ("sdf", "grip_2")):
        status, printed = converted(file, f"new/r.{suffix}")
        joints = state(f"new/r.{suffix}")[2]
        assert (status, joints.keys(), joints["k"][0].mimic[:2]) == (0, {name, "k"}, (name, 2.0))
        renamed = messages(printed, "renamed")
        assert renamed == (
            ["1 joint renamed, because in SDF no joint has the name of a link or frame: grip is now grip_2"]
            if suffix == "sdf"
            else []
        )


def test_a_refused_link_is_not_also_said_to_be_too_light(converted):
    status, printed = converted(sdf(link("a", IMPOSSIBLE)), "new/robot.xml")
    assert (status, [one["code"] for one in printed["findings"]]) == (1, ["triangle_inequality"])


def test_the_last_line_counts_what_the_new_file_has(folder, capsys):
    fixed = urdf_joint("j", "a", "tip", "fixed")
    file = urdf(*map(urdf_link, "ab"), "<link name='tip'/>", fixed, urdf_joint("k", "a", "b"))
    counts = {"sdf": "2 links, 1 joint, 1 frame", "urdf": "3 links, 2 joints", "xml": "2 bodies, 1 joint, 1 site"}
    for suffix, count in counts.items():
        assert main(["convert", str(file), "-o", f"new/r.{suffix}"]) == 0
        assert capsys.readouterr().err.splitlines()[-1] == f"{Path(f'new/r.{suffix}')}: {count}, 2 kg"


def test_several_joints_of_a_body_are_named_and_can_be_taken_apart(folder, converted):
    slide = "<joint name='k' type='slide'/>"
    for suffix in SUFFIXES:
        status, printed = converted(mjcf(HINGE, slide), f"new/r.{suffix}")
        (error,) = (one for one in printed["findings"] if one["severity"] == "error")
        assert (status, error["code"]) == (1, "zero_mass")
        assert error["message"] == "1 body has several joints, and no mass between them: b (j, k)"
        assert "put each joint on a body of its own" in error["remedy"]
        apart = mjcf(HINGE, mjcf_body("c", slide))
        assert converted(apart, f"new/r.{suffix}")[0] == 0
        assert state(f"new/r.{suffix}")[2].keys() == {"a_fixed", "j", "k"}


def test_the_remedy_for_a_link_without_inertial_works_as_printed(folder, converted):
    box = "<collision><geometry><box size='1 1 1'/></geometry></collision>"
    file = urdf(f"<link name='a'>{box}</link>", urdf_link("b"), urdf_joint("j", "a", "b"))
    status, printed = converted(file, "new/r.sdf")
    assert (status, {one["code"] for one in printed["findings"]}) == (1, {"zero_mass", "default_inertial"})
    for remedy in remedies(printed):
        program, *words = shlex.split(remedy.split("`")[1].replace("KG_M3", "1000"))
        assert (program, main(words)) == ("sdf-inertia", 0)
    assert converted(file, "new/r.sdf")[0] == 0
    assert state("new/r.sdf")[1]["a"][0].mass == 1000.0


@pytest.mark.parametrize("suffix", SUFFIXES[:2])
def test_what_was_written_is_converted_without_a_finding(folder, converted, suffix):
    seen = f"<visual name='v'>{BALL}<material><ambient>.1 .2 .3 1</ambient><diffuse>.1 .2 .3 1</diffuse></material>"
    text = sdf(link("a", rest=f"{seen}</visual>"), link("b"), joint("continuous"))
    assert converted(text, f"0/r.{suffix}")[0] == 0
    status, printed = converted(Path(f"0/r.{suffix}"), f"1/r.{suffix}")
    assert (status, printed["findings"]) == (0, [])
    assert Path(f"0/r.{suffix}").read_bytes() == Path(f"1/r.{suffix}").read_bytes()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_point_fixed_to_the_world_adds_no_second_joint(folder, converted, suffix):
    fixed = (urdf_joint(name, "world", child, "fixed") for name, child in (("j", "a"), ("k", "p")))
    file = urdf("<link name='world'/><link name='p'/>", urdf_link("a"), *fixed)
    status, printed = converted(file, f"new/r.{suffix}")
    assert (status, printed["findings"]) == (0, [])
    assert [one.parent for one, _ in state(f"new/r.{suffix}")[2].values()] == ["world"]


def angle_bracket():
    """Return an OBJ of an extruded L: 5 m³, of which MuJoCo's older formula for meshes makes more."""
    corners = [(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)]
    lines = [f"v {x} {y} {z}" for z in (0, 1) for x, y in corners]
    lines += [f"f 1 {n + 1} {n}\nf 7 {n + 6} {n + 7}" for n in range(2, 6)]
    sides = ((n, n % 6 + 1) for n in range(1, 7))
    return "\n".join([*lines, *(f"f {a} {b} {b + 6}\nf {a} {b + 6} {a + 6}" for a, b in sides)])


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_computed_body_keeps_what_mujoco_simulates(folder, converted, suffix):
    Path("bracket.obj").write_text(angle_bracket())
    Path("in.xml").write_text(
        "<mujoco><asset><mesh name='m' file='bracket.obj'/></asset><worldbody><body name='a'><freejoint/>"
        "<geom type='mesh' mesh='m'/></body></worldbody></mujoco>"
    )
    mass = mujoco.MjModel.from_xml_path("in.xml").body_mass[1]
    assert mass > 5001.0
    assert converted(Path("in.xml"), f"new/r.{suffix}")[0] == 0
    assert state(f"new/r.{suffix}")[1]["a"][0].mass == pytest.approx(mass, rel=1e-9)
    assert main(["diff", "--rtol", "1e-6", "in.xml", f"new/r.{suffix}"]) == 0


def test_meshes_that_are_not_found_are_one_finding(folder, converted):
    parts = [MESH_ROBOT.format(name="c", mesh=f"gone/{name}.obj").split("\n", 2) for name in "xy"]
    shapes = "".join(part[2].removesuffix("</link></robot>") for part in parts)
    status, printed = converted(urdf(urdf_link("a", shapes)), "new/r.sdf")
    assert status == 0
    assert messages(printed) == ["2 meshes not found and left out, the first is gone/x.obj: x.obj, y.obj"]
    Path("meshes/gone").mkdir(parents=True)
    for name in "xy":
        Path(f"meshes/gone/{name}.obj").write_text(OBJ)
    assert "--path" in printed["findings"][0]["remedy"]
    status, printed = converted(Path("in.urdf"), "new/r.sdf", "--path", "meshes")
    assert (status, printed["findings"]) == (0, [])


@pytest.mark.fault(228)
def test_a_conversion_names_the_textures_that_it_leaves_out(folder, converted):
    (folder / "logo.png").write_bytes(png())
    material = "<material name='logo'><color rgba='1 1 1 1'/><texture filename='logo.png'/></material>"
    look = f"<visual name='lid'><geometry><box size='1 1 1'/></geometry>{material}</visual></link>"
    text = urdf(urdf_link("a").replace("</link>", look))
    for suffix in ("sdf", "urdf", "xml"):
        status, printed = converted(text, f"new/r.{suffix}")
        assert (status, messages(printed, "not_converted")) == (0, ["1 texture of materials left out: lid"])


def test_a_fixed_base_takes_its_six_freedoms_from_the_robot(tmp_path):
    source, target = tmp_path / "robot.sdf", tmp_path / "robot.xml"
    source.write_text(sdf(link("fixed_base")))
    freedoms = []
    for options in ([], ["--fixed-base"]):
        assert main(["convert", str(source), "-o", str(target), *options]) == 0
        freedoms.append(mujoco.MjModel.from_xml_path(str(target)).nv)
    assert freedoms == [6, 0]
    assert main(["convert", str(source), "-o", str(tmp_path / "robot.usda"), "--fixed-base"]) == 0
    assert 'PhysicsFixedJoint "fixed_base_2"' in (tmp_path / "robot.usda").read_text()
