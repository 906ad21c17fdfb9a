# SPDX-License-Identifier: GPL-3.0-or-later
"""Rotors, gears and joints that follow others are read from URDF and SDF, and written for Drake and ROS."""

from dataclasses import replace

import pytest
from lxml import etree

from core.formats.package import Target, write_model
from core.formats.table import read_robot_file, robots_of
from core.judge.geometry.resolve_model import resolve_model
from core.robot.model import Mimic
from tests.core.command_line import run, run_json
from tests.core.drake_inertia import parsed
from tests.core.drake_motors import MOTORS, SDF, URDF, followed, motors

FILES = {"gripper.urdf": URDF, "gripper.sdf": SDF}
MOVES = {"turn": (1.25e-05, 101.0, None), "slide": (0.0002, 1.0, Mimic("turn", -0.5, 0.25))}


def read(path, text):
    path.write_text(text)
    (robot,) = robots_of(path)
    return robot


def moves(robot):
    return {one.name: (one.rotor_inertia, one.gear_ratio, one.mimic) for one in robot.model.joints}


def left_out(robot):
    return [one.message for one in robot.findings if one.code == "not_imported"]


def written(robot, path, **changes):
    model = replace(robot.model, **changes)
    return write_model(model, resolve_model(model), Target.of(path, "gripper")).file


@pytest.mark.parametrize("name", FILES)
def test_a_file_gives_its_rotors_gears_and_followers(name, tmp_path):
    robot = read(tmp_path / name, FILES[name])
    assert moves(robot) == MOVES and left_out(robot) == []
    assert robot.model.joints[0].armature == pytest.approx(101**2 * 1.25e-05)
    (joints,) = read_robot_file(tmp_path / name).joints().values()
    assert [one.name for one in joints] == [*MOVES]


@pytest.mark.parametrize("end", ["urdf", "sdf"])
@pytest.mark.parametrize("name", FILES)
def test_what_is_written_is_for_drake_what_was_read(name, end, tmp_path):
    pytest.importorskip("pydrake", reason="Drake has no wheel for this Python or numpy")
    robot = read(tmp_path / name, FILES[name])
    new = written(robot, tmp_path / "out" / f"gripper.{end}")
    (again,) = robots_of(new)
    assert moves(again) == MOVES and set(left_out(again)) <= {"<mujoco> left out"}
    assert motors(new) == motors(tmp_path / name) == {"turn": (1.25e-05, 101.0), "slide": (0.0002, 1.0)}
    for path in (tmp_path / name, new):
        turn, slide = followed(path)
        assert abs(turn) > 0.1 and slide == pytest.approx(-0.5 * turn + 0.25, abs=1e-3)


@pytest.mark.parametrize("inside", [True, False], ids=["ROS", "PR2"])
def test_ros_reads_the_reduction_that_is_written(inside, tmp_path):
    reduction = "<mechanicalReduction>50</mechanicalReduction>"
    text = URDF.replace('<drake:rotor_inertia value="1.25e-05"/><drake:gear_ratio value="101"/></actuator>', "{}")
    robot = read(tmp_path / "r.urdf", text.format(f"{reduction}</actuator>" if inside else f"</actuator>{reduction}"))
    assert moves(robot)["turn"] == (0.0, 50.0, None) and left_out(robot) == []
    root = etree.parse(written(robot, tmp_path / "out.urdf")).getroot()
    (one,) = (one for one in root.iter("transmission") if one.find("joint").get("name") == "turn")
    assert one.findtext("type") == "transmission_interface/SimpleTransmission"
    assert one.findtext("actuator/mechanicalReduction") == "50"


def test_an_armature_is_a_rotor_behind_its_gear(tmp_path):
    text = URDF.replace('<drake:rotor_inertia value="1.25e-05"/>', "").replace(
        LIMIT_OF_TURN, LIMIT_OF_TURN + '<dynamics armature="0.5" damping="0.1"/>', 1
    )
    turn = read(tmp_path / "r.urdf", text).model.joints[0]
    assert (turn.gear_ratio, turn.damping) == (101.0, 0.1)
    assert turn.armature == pytest.approx(0.5)


LIMIT_OF_TURN = '<axis xyz="0 1 0"/><limit lower="-3" upper="3" effort="5" velocity="2"/>'

LOST = {
    'mimic joint="turn"': ('mimic joint="nobody"', "1 joint no longer follows another: slide"),
    'mimic joint="turn" ': ('mimic joint="slide" ', "1 joint no longer follows another: slide"),
    'multiplier="-0.5"': ('multiplier="half"', "1 joint no longer follows another: slide"),
    '<drake:rotor_inertia value="0.0002"/>': ("<mechanicalReduction>1</mechanicalReduction>", "<transmission>"),
    "</robot>": (
        MOTORS.format(joint="turn", inside="").replace("<actuator", '<joint name="slide"/><actuator') + "</robot>",
        "<transmission>",
    ),
}


@pytest.mark.parametrize("old", LOST)
def test_what_is_not_kept_is_reported(old, tmp_path):
    new, said = LOST[old]
    assert old in URDF and left_out(read(tmp_path / "one.urdf", URDF)) == []
    assert any(said in one for one in left_out(read(tmp_path / "r.urdf", URDF.replace(old, new))))


def test_the_mimic_of_an_axis_counts_from_its_reference(tmp_path):
    mimic = "<mimic joint='turn'><multiplier>-0.5</multiplier><offset>1</offset><reference>2</reference></mimic>"
    text = SDF.replace('<drake:mimic joint="turn" multiplier="-0.5" offset="0.25"/>', "")
    robot = read(tmp_path / "m.sdf", text.replace("<xyz>1 0 0</xyz>", f"<xyz>1 0 0</xyz>{mimic}"))
    assert moves(robot)["slide"][2] == Mimic("turn", -0.5, 2.0)


def test_a_joint_follows_in_its_own_nested_model(tmp_path):
    inner = SDF.partition("<model")[2].rpartition("</sdf>")[0]
    text = f'<sdf version="1.11" xmlns:drake="http://drake.mit.edu"><model name="m"><model{inner}</model></sdf>'
    assert moves(read(tmp_path / "m.sdf", text))["gripper::slide"][2] == Mimic("gripper::turn", -0.5, 0.25)


def test_a_joint_follows_none_that_is_not_written(tmp_path):
    robot = read(tmp_path / "r.urdf", URDF)
    (slide,) = (one for one in robot.model.joints if one.name == "slide")
    for end in ("urdf", "sdf"):
        assert b"mimic" not in written(robot, tmp_path / f"out.{end}", joints=(slide,)).read_bytes()


def test_a_dummy_root_is_a_link_without_mass_at_the_root(tmp_path):
    robot = read(tmp_path / "r.urdf", URDF.replace('"thumb"', '"palm_root"'))
    plain, dummy = (
        etree.parse(written(robot, tmp_path / f"{flag}.urdf", dummy_root=flag)).getroot() for flag in (False, True)
    )
    (new,) = {one.get("name") for one in dummy.iter("link")} - {one.get("name") for one in plain.iter("link")}
    assert new == "palm_root_2" and next(dummy.iter("link")).get("name") == new
    assert len(next(dummy.iter("link"))) == 0
    (joint,) = (
        one for one in dummy.iter("joint") if one.find("parent") is not None and one.find("parent").get("link") == new
    )
    assert (joint.get("type"), joint.find("child").get("link"), joint.find("origin")) == ("fixed", "palm", None)


def test_drake_has_the_same_robot_below_a_dummy_root(tmp_path):
    pytest.importorskip("pydrake", reason="Drake has no wheel for this Python or numpy")
    robot = read(tmp_path / "r.urdf", URDF)
    masses = []
    for flag in (False, True):
        plant, _ = parsed(written(robot, tmp_path / f"{flag}.urdf", dummy_root=flag))
        context = plant.CreateDefaultContext()
        masses.append(
            (
                plant.num_positions(),
                plant.CalcTotalMass(context),
                plant.CalcCenterOfMassPositionInWorld(context).tolist(),
            )
        )
    assert masses[0] == masses[1] and masses[0][1] == 3.0


def test_a_robot_that_the_world_holds_needs_no_dummy_root(tmp_path):
    held = '<link name="world"/><joint name="held" type="fixed"><parent link="world"/><child link="palm"/></joint>'
    robot = read(tmp_path / "r.urdf", URDF.replace("</robot>", f"{held}</robot>"))
    assert [one.parent for one in robot.model.joints][0] == "world"
    texts = {written(robot, tmp_path / f"{flag}.urdf", dummy_root=flag).read_bytes() for flag in (False, True)}
    assert len(texts) == 1


def test_the_report_of_a_file_has_its_rotors(tmp_path, capsys):
    (tmp_path / "gripper.sdf").write_text(SDF)
    status, report = run_json(capsys, "report", tmp_path / "gripper.sdf", "--format", "json")
    assert [one["name"] for one in report["models"][0]["joints"]] == ["turn", "slide"]
    assert report["models"][0]["joints"][0]["reflected_inertia"] == pytest.approx(101**2 * 1.25e-05)
    run("report", tmp_path / "gripper.sdf")
    assert "0.127513 kg·m²" in capsys.readouterr().out
