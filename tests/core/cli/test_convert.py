# SPDX-License-Identifier: GPL-3.0-or-later
"""``convert``: the same links, joints and places in another format, and a finding for what that cannot express."""

import json
import os
import shlex
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core import read_robot
from core.cli.main import main
from core.errors import InertiaError
from core.robot.resolve import resolve_link
from core.sdf.write.writers import BY_SUFFIX
from tests.core.model_packages import TAKEN, lay_out
from tests.core.mujoco_bodies import assert_same_bodies
from tools.house import CHECKOUT

EXAMPLES = CHECKOUT / "examples"
DESK_ARM = EXAMPLES / "desk_arm_description" / "urdf" / "desk_arm.urdf.xacro"
BIPED = EXAMPLES / "biped_description" / "urdf" / "biped.urdf"
SUFFIXES = ("sdf", "urdf", "xml")
NUMBERS = ("lower", "upper", "damping", "friction", "armature")
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
            assert (new.effort, new.velocity) == pytest.approx((given.effort, given.velocity), rel=2e-9)
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
    if "xml" in (first, last):  # the effort is that of an actuator, and there is no velocity
        given[2]["j"] = (replace(given[2]["j"][0], effort=None, velocity=None), given[2]["j"][1])
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
    lacking = messages(printed, f"not_in_{BY_SUFFIX['.' + suffix].name}")
    assert status == 0 or lacking, printed
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
]


@pytest.mark.every
@pytest.mark.parametrize(("text", "suffix", "message"), REFUSED)
def test_what_a_format_cannot_hold_at_all_writes_nothing(folder, converted, text, suffix, message):
    status, printed = converted(text, f"new/robot.{suffix}")
    assert (status, printed["output"]) == (1, None)
    assert any(message in one for one in messages(printed))
    assert sorted(os.listdir()) == ["in.sdf"]


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
    (LOOP, "urdf", "its joint l is left out: in URDF a link is the child of one joint"),
    (sdf(link("a", rest="<sensor name='s' type='imu'/>")), "urdf", "<sensor> left out"),
    (sdf(link("a"), rest="<plugin name='p' filename='f'/>"), "sdf", "<plugin> left out"),
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
    assert "its pose in the world is left out: 1 2 3 0 0 0.5" in messages(printed)
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


def test_an_unknown_suffix_is_refused(converted):
    status, printed = converted(sdf(link("a")), "out.usd")
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
    assert status == 0 and any("friction of ball joints" in one for one in messages(printed)), printed
