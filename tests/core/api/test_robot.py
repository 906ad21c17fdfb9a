# SPDX-License-Identifier: GPL-3.0-or-later
"""A robot's file in Python: the same answers as the command line, and files that change only where asked."""

import json
import shutil

import numpy as np
import pytest

from core import InertiaError, read_robot
from core.cli.main import main
from tests.core.drake_inertia import parsed
from tools.house import CHECKOUT

ARM = CHECKOUT / "examples" / "arm.urdf"
BOX = "<geometry><box><size>1 2 3</size></box></geometry>"
AUTO = f"""<sdf version="1.11"><model name="m"><link name="l"><inertial auto="true"/>
<collision name="c"><density>100</density>{BOX}</collision></link></model></sdf>"""
LOST = """<link name="lost"><inertial auto="true"/><collision name="c"><geometry><mesh><uri>gone.obj</uri></mesh>
</geometry></collision></link>"""
NAMESPACE = ' xmlns:xacro="http://www.ros.org/wiki/xacro"'
ARG = '<xacro:arg name="size" default="1"/>'
XACRO = f"""<robot name="r"{NAMESPACE}>{ARG}
<link name="a"><collision><geometry><box size="1 1 1"/></geometry></collision>
<inertial><mass value="600"/><inertia ixx="100" iyy="100" izz="300" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="b"/><joint name="j" type="revolute"><parent link="a"/><child link="b"/>
<origin xyz="$(arg size) 0 0"/><limit lower="-1" upper="2" effort="3" velocity="4"/></joint></robot>"""
TENSOR = "<inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia>"
MODEL = f"""<model name="{{}}"><link name="body"><inertial><mass>{{}}</mass>{TENSOR}</inertial></link></model>"""
TWO = f"""<sdf version="1.11"><world name="w">{MODEL.format("a", 2)}{MODEL.format("b", 3)}</world></sdf>"""


@pytest.fixture
def arm(tmp_path):
    return read_robot(shutil.copy(ARM, tmp_path))


def test_links_have_their_numbers_place_and_fault(arm):
    assert list(arm.links) == ["base", "shoulder", "upper_arm", "forearm", "hand"]
    base, hand = arm.links["base"], arm.links["hand"]
    assert (base.fault, hand.fault, base.line) == ("impossible", None, 8)
    assert [one.code for one in base.findings] == ["triangle_inequality"] and hand.findings == ()
    assert base.inertial.mass == base.computed.mass == 2.4
    np.testing.assert_allclose(hand.inertial.inertia, hand.computed.inertia, rtol=0.05, atol=1e-9)
    assert {name: joint.child for name, joint in arm.joints.items()} == {
        "pan": "shoulder", "lift": "upper_arm", "elbow": "forearm", "wrist": "hand",
    }  # fmt: skip


def test_check_is_what_the_command_prints(arm, capsys):
    assert main(["check", "--json", str(arm.path)]) == 1
    (file,) = json.loads(capsys.readouterr().out)["files"]
    assert [(one.code, one.subject, one.message) for one in arm.check()] == [
        (one["code"], one["subject"], one["message"]) for one in file["findings"]
    ]


def test_what_an_engine_refuses_is_found_where_it_is_asked_for(tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text(XACRO.replace("$(arg size)", "1").replace(ARG, "").replace(NAMESPACE, ""))
    robot = read_robot(path).repair()
    (finding,) = robot.check("gazebo")
    assert (finding.code, "libsdformat" in finding.message) == ("massless_link", True)


def test_report_is_what_the_command_prints(arm, capsys):
    report = arm.report(total_mass=5.0)
    for form, text in (("md", report.to_markdown()), ("csv", report.to_csv())):
        main(["report", str(arm.path), "--format", form, "--total-mass", "5"])
        assert capsys.readouterr().out.rstrip() == text.rstrip()
    main(["report", str(arm.path), "--format", "json", "--total-mass", "5"])
    printed = json.loads(capsys.readouterr().out)
    assert printed.pop("schema") and printed == json.loads(json.dumps(report.to_dict()))


def test_a_repaired_robot_is_sound_and_its_file_too(arm, tmp_path, capsys):
    repaired = arm.repair()
    assert {one.name: one.fault for one in repaired.changes} == {
        "base": "impossible", "shoulder": "placeholder", "upper_arm": "mistake", "forearm": "mistake",
    }  # fmt: skip
    assert repaired.check() == () and arm.check() != ()
    for one in repaired.changes:
        assert one.old.mass == arm.links[one.name].inertial.mass and one.findings
        np.testing.assert_allclose(one.new.inertia, repaired.links[one.name].inertial.inertia, rtol=1e-9)
    assert arm.path.read_bytes() == ARM.read_bytes() == arm.data
    target = tmp_path / "repaired.urdf"
    assert repaired.write(target) == () and read_robot(target).check() == ()
    assert main(["repair", str(arm.path), "-o", str(tmp_path / "by_command.urdf")]) == 0
    assert (tmp_path / "by_command.urdf").read_bytes() == target.read_bytes() == repaired.data
    assert repaired.repair().data == repaired.data and repaired.repair().changes == ()


def test_repair_takes_what_the_command_takes(arm):
    heavy = arm.repair(["all"], mass="density", density=7850.0, links=["hand"])
    (change,) = heavy.changes
    assert change.new.mass == pytest.approx(7850.0 * 0.24 / arm.links["hand"].comparison.density)
    hull = arm.repair("impossible", method="hull").changes
    assert [one.name for one in hull] == ["base", "upper_arm", "forearm"]  # an error is named, whatever was chosen
    assert [one.new is not None for one in hull] == [True, False, False]
    with pytest.raises(InertiaError, match="unknown_link"):
        arm.repair(links=["nothing"])


def test_writing_in_place_keeps_a_backup_and_newer_edits(arm):
    repaired, old = arm.repair(), arm.path.read_bytes()
    assert [one.code for one in repaired.write()] == ["backup"]
    assert repaired.write() == () and repaired.repair("all", com="geometry").write(backup=False) == ()
    repaired.write()
    assert arm.path.read_bytes() == repaired.data and arm.path.with_name("arm.urdf.bak").read_bytes() == old
    arm.path.write_bytes(old + b"<!-- edited -->")
    with pytest.raises(InertiaError, match="source_changed"):
        arm.repair(["all"]).write()
    assert arm.path.read_bytes() == old + b"<!-- edited -->"


def test_filled_robots_have_numbers_and_no_auto(tmp_path):
    path = tmp_path / "auto.sdf"
    path.write_text(AUTO)
    robot = read_robot(path)
    assert robot.links["l"].auto and robot.links["l"].inertial.mass == pytest.approx(600.0)
    filled = robot.fill()
    assert [(one.name, one.new.mass) for one in filled.changes] == [("l", pytest.approx(600.0))]
    assert not filled.links["l"].auto and b"auto" not in filled.data and filled.check() == ()
    assert main(["fill", str(path), "-o", str(tmp_path / "by_command.sdf")]) == 0
    assert (tmp_path / "by_command.sdf").read_bytes() == filled.data
    with pytest.raises(InertiaError, match="URDF"):
        read_robot(ARM).fill()


def test_fill_refuses_what_the_command_refuses(tmp_path):
    path = tmp_path / "auto.sdf"
    lost = AUTO.replace("</model>", LOST + "</model>")
    path.write_text(lost)
    with pytest.raises(InertiaError, match="gone.obj"):
        read_robot(path).fill()
    assert main(["fill", str(path), "-o", str(tmp_path / "out.sdf")]) == 1 and not (tmp_path / "out.sdf").exists()
    filled = read_robot(path).fill(skip_invalid=True)
    assert [(one.name, one.new is not None) for one in filled.changes] == [("l", True), ("lost", False)]
    assert main(["fill", str(path), "-o", str(tmp_path / "out.sdf"), "--skip-invalid"]) == 1
    assert (tmp_path / "out.sdf").read_bytes() == filled.data


def test_links_of_the_same_name_have_their_models_in_theirs(tmp_path):
    path = tmp_path / "world.sdf"
    path.write_text(TWO)
    robot = read_robot(path)
    assert {name: link.inertial.mass for name, link in robot.links.items()} == {"a::body": 2.0, "b::body": 3.0}
    path.write_text(TWO.replace('model name="b"', 'model name="a"'))
    assert {name: link.inertial.mass for name, link in read_robot(path).links.items()} == {
        "a::body": 2.0, "a::body (2)": 3.0,
    }  # fmt: skip


def test_joints_of_the_same_name_have_their_models_in_theirs(tmp_path):
    path = tmp_path / "world.sdf"
    joint = '<link name="arm"/><joint name="j" type="revolute"><parent>body</parent><child>arm</child></joint></model>'
    path.write_text(TWO.replace("</model>", joint))
    assert {name: (joint.parent, joint.child) for name, joint in read_robot(path).joints.items()} == {
        "a::j": ("body", "arm"), "b::j": ("body", "arm"),
    }  # fmt: skip
    changed = read_robot(path).repair("all", links="a::body", density=1000.0)
    assert [one.name for one in changed.changes] == ["a::body"]


def test_a_xacro_file_is_read_with_its_arguments_and_repaired_as_text(tmp_path):
    pytest.importorskip("xacro")
    path = tmp_path / "robot.urdf.xacro"
    path.write_text(XACRO)
    robot = read_robot(path, xacro_args={"size": "0.5"})
    joint = robot.joints["j"]
    assert (joint.lower, joint.upper) == (-1.0, 2.0)
    repaired = robot.repair()
    assert [one.code for one in repaired.check()] == ["massless_link"] and b"$(arg size)" in repaired.data
    np.testing.assert_allclose(repaired.links["a"].inertial.inertia, 100.0 * np.eye(3), rtol=1e-9)


def test_meshes_are_found_in_the_given_folders(tmp_path):
    (tmp_path / "meshes").mkdir()
    shutil.copy(CHECKOUT / "examples/desk_arm_description/meshes/wrist.stl", tmp_path / "meshes")
    path = tmp_path / "elsewhere" / "wrist.urdf"
    path.parent.mkdir()
    path.write_text(
        '<robot name="r"><link name="a"><collision><geometry><mesh filename="package://wrists/wrist.stl"'
        ' scale="0.001 0.001 0.001"/></geometry></collision></link></robot>'
    )
    (tmp_path / "meshes").rename(tmp_path / "wrists")
    assert read_robot(path, [tmp_path]).repair(density=1000.0).changes[0].new.mass > 0.01


@pytest.mark.parametrize("name, code", [("nothing.urdf", "file_read"), ("robot.step", "unread_format")])
def test_what_cannot_be_read_is_an_error_that_names_it(name, code, tmp_path):
    with pytest.raises(InertiaError, match=name) as caught:
        read_robot(tmp_path / name)
    assert caught.value.code == code


@pytest.mark.parametrize(
    "words",
    [{"what": "impossibel"}, {"mass": "keeep"}, {"com": "visual"}, {"source": "mesh"}, {"method": "magic"}],
)
def test_an_unknown_word_is_refused_with_the_known_ones(arm, words):
    with pytest.raises((ValueError, InertiaError), match="|".join(map(str, words.values()))):
        arm.repair(**words)
    with pytest.raises(ValueError, match="gazebo"):
        arm.check("gazbo")
    with pytest.raises(ValueError, match="density"):
        arm.repair(mass="density")


def test_the_mass_and_centre_of_a_robot_are_those_that_drake_has(tmp_path, arm):
    repaired = arm.repair()
    repaired.write(tmp_path / "whole.urdf")
    plant, _ = parsed(tmp_path / "whole.urdf")
    context = plant.CreateDefaultContext()
    assert repaired.mass == pytest.approx(plant.CalcTotalMass(context))
    np.testing.assert_allclose(repaired.com, plant.CalcCenterOfMassPositionInWorld(context), atol=1e-12)
    (tmp_path / "two.sdf").write_text(TWO)
    two = read_robot(tmp_path / "two.sdf")
    assert (two.mass, two.com) == (5.0, None)


def test_a_finding_names_its_link(arm, tmp_path):
    assert [finding.link for finding in arm.check()] == ["base", "shoulder", "upper_arm", "forearm"]
    (tmp_path / "r.xml").write_text('<mujoco><worldbody><body name="b"><geom size="1"/></body></worldbody></mujoco>')
    findings = read_robot(tmp_path / "r.xml").check("drake", strict=True)
    assert {finding.link for finding in findings} <= {"b", None}
    assert arm.check()[0].about("x").link == "base" and read_robot(ARM).check()[0].link in arm.links


def test_a_link_whose_fault_shows_only_after_its_twin_is_repaired_is_changed(tmp_path):
    """The right finger's centre is in mm; then the left one has the same, which its mirrored shape does not."""
    tensor = '<inertia ixx="3.34e-4" iyy="3.4e-5" izz="3.53e-4" ixy="0" ixz="0" iyz="3e-6"/>'
    texts = []
    for side, y, com in (("right", 0.03, "0 28.6 2.13"), ("left", -0.03, "0 0.0286 0.00213")):
        box = f'<collision><origin xyz="0 {y} 0"/><geometry><box size="0.04 0.14 0.02"/></geometry></collision>'
        inertial = f'<inertial><origin xyz="{com}"/><mass value="0.2"/>{tensor}</inertial>'
        ends = f'<parent link="palm"/><child link="{side}_finger"/><origin xyz="0 {-y} 0"/>'
        texts.append(
            f'<link name="{side}_finger">{inertial}{box}</link><joint name="{side}" type="fixed">{ends}</joint>'
        )
    (tmp_path / "r.urdf").write_text(f'<robot name="r"><link name="palm"/>{"".join(texts)}</robot>')
    right, left = read_robot(tmp_path / "r.urdf").repair().changes
    assert (right.name, left.name) == ("right_finger", "left_finger")
    np.testing.assert_allclose(left.new.com, right.new.com * (1, -1, 1), rtol=1e-12)
