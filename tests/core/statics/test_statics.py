# SPDX-License-Identifier: GPL-3.0-or-later
"""Statics of robots: as Drake computes them, no torque larger than the largest, and the angle at which a box tips."""

import json
from math import atan, degrees

import numpy as np
import pytest

from core import InertiaError, read_robot
from core.cli.main import main
from core.statics.largest import largest_torques
from core.statics.mechanism import GRAVITY, Mechanism
from tests.core.drake_inertia import parsed
from tests.core.drake_motors import URDF as GRIPPER
from tools.house import CHECKOUT

ARM = CHECKOUT / "examples" / "arm.urdf"
ROD = """<robot name="rod"><link name="base"/><link name="rod"><inertial><origin xyz="0.5 0 0"/><mass value="2"/>
<inertia ixx="0.001" iyy="0.2" izz="0.2" ixy="0" ixz="0" iyz="0"/></inertial></link><link name="tool"/>
<joint name="swing" type="revolute"><parent link="base"/><child link="rod"/><axis xyz="0 2 0"/>
<limit lower="-0.5" upper="1" effort="8" velocity="1"/></joint>
<joint name="hold" type="fixed"><origin xyz="1 0 0"/><parent link="rod"/><child link="tool"/></joint></robot>"""
BOX = """<robot name="box"><link name="box"><inertial><origin xyz="0.1 0 0.3"/><mass value="5"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><origin xyz="0 0 0.2"/><geometry><box size="0.8 0.6 0.4"/></geometry></collision></link></robot>"""


def tree(seed):
    """Return the URDF of a random tree of eight links, with hinges and sliders about any axes."""
    rng = np.random.default_rng(seed)
    text = ""
    for number in range(8):
        turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        tensor = turn @ np.diag(rng.uniform(1.0, 1.9, 3)) @ turn.T * 0.01
        six = zip(
            ("ixx", "iyy", "izz", "ixy", "ixz", "iyz"), tensor[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]], strict=True
        )
        com, xyz, rpy, axis = (" ".join(map(str, rng.normal(size=3))) for _ in range(4))
        text += f'<link name="l{number}"><inertial><origin xyz="{com}" rpy="{rpy}"/><mass value="{rng.uniform(1, 3)}"/>'
        attributes = " ".join(f'{name}="{value}"' for name, value in six)
        text += f"<inertia {attributes}/></inertial></link>"
        if number:
            kind = ("revolute", "prismatic", "continuous")[number % 3]
            text += f'<joint name="j{number}" type="{kind}"><parent link="l{rng.integers(number)}"/>'
            text += f'<child link="l{number}"/>'
            text += f'<origin xyz="{xyz}" rpy="{rpy}"/><axis xyz="{axis}"/>'
            text += '<limit lower="-2" upper="1.5" effort="1" velocity="1"/></joint>'
    return f'<robot name="tree">{text}</robot>'


def mechanism_of(path):
    file = read_robot(path).file
    return Mechanism.of(file.robots()[0].model, {link.local_name: link.inertial for link in file.links})


def drake_at(path, mechanism, q, floating):
    """Return torques, effective inertias and centre as Drake has them, in the mechanism's order and its free joints."""
    plant, (model,) = parsed(path, finalized=False)
    root = plant.GetBodyByName(next(name for name, number in mechanism.body_of.items() if number == -1), model)
    if not floating:
        plant.WeldFrames(plant.world_frame(), root.body_frame())
    plant.Finalize()
    context = plant.CreateDefaultContext()
    joints = [plant.GetJointByName(joint.name, model) for joint in mechanism.joints]
    for joint, position in zip(joints, mechanism.reduction @ q + mechanism.offset, strict=True):
        (joint.set_angle if hasattr(joint, "set_angle") else joint.set_translation)(context, position)
    at = [joint.velocity_start() for joint in joints]
    others = [column for column in range(plant.num_velocities()) if column not in at]
    S = np.zeros((plant.num_velocities(), len(q) + len(others)))
    S[at, : len(q)] = mechanism.reduction
    S[others, range(len(q), S.shape[1])] = 1.0
    inverse = np.linalg.inv(S.T @ plant.CalcMassMatrix(context) @ S)
    torques = -mechanism.reduction.T @ plant.CalcGravityGeneralizedForces(context)[at]
    return torques, 1.0 / np.diag(inverse)[: len(q)], plant.CalcCenterOfMassPositionInWorld(context)


@pytest.mark.parametrize("text", [tree(0), tree(1), GRIPPER], ids=["tree", "other tree", "follower and rotors"])
def test_torques_inertias_and_centre_are_those_of_drake(text, tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text(text)
    mechanism = mechanism_of(path)
    lower, upper = mechanism.ranges
    for q in np.random.default_rng(0).uniform(lower, upper, (3, len(lower))):
        for floating in (False, True):
            torques, inertias, com = drake_at(path, mechanism, q, floating)
            np.testing.assert_allclose(mechanism.gravity_torques(q[None])[0], torques, rtol=1e-9, atol=1e-9)
            np.testing.assert_allclose(mechanism.effective_inertia(q[None], floating)[0], inertias, rtol=1e-9)
        np.testing.assert_allclose(mechanism.com(q[None])[0], com, atol=1e-12)


@pytest.mark.parametrize("seed", [2, 3])
def test_no_random_pose_has_a_larger_torque_than_the_largest(seed, tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text(tree(seed))
    mechanism = mechanism_of(path)
    largest, (lower, upper) = largest_torques(mechanism), mechanism.ranges
    poses = np.random.default_rng(seed).uniform(lower, upper, (10_000, len(lower)))
    assert (np.abs(largest.torques) >= np.abs(mechanism.gravity_torques(poses)).max(axis=0)).all()
    assert (lower - 1e-12 <= largest.positions).all() and (largest.positions <= upper + 1e-12).all()
    at_worst = np.diag(mechanism.gravity_torques(largest.positions))
    np.testing.assert_allclose(at_worst, largest.torques, rtol=1e-12)


def test_a_rod_with_a_payload_has_the_torque_of_the_lever(tmp_path, capsys):
    path = tmp_path / "rod.urdf"
    path.write_text(ROD)
    assert main(["statics", str(path), "--pose", "swing=30deg", "--payload", "0.5", "--at", "tool", "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    (swing,) = value["joints"]
    level = GRAVITY * (2.0 * 0.5 + 0.5 * 1.0)  # the largest, at 0
    assert swing["torque"] == pytest.approx(-level * np.cos(np.pi / 6)) and swing["largest"] == pytest.approx(-level)
    assert swing["effective_inertia"] == pytest.approx(0.2 + 2.0 * 0.25 + 0.5)
    assert [finding["code"] for finding in value["findings"]] == ["weak_motor"]


def test_a_box_tips_over_its_nearest_edge(tmp_path):
    path = tmp_path / "box.urdf"
    path.write_text(BOX)
    support = read_robot(path).statics().support
    assert support.inside and degrees(support.angle) == pytest.approx(degrees(atan(0.3 / 0.3)))
    path.write_text(BOX.replace('"0.1 0 0.3"', '"0.45 0 0.3"'))
    fallen = read_robot(path).statics(feet="box")
    assert read_robot(path).statics().findings == ()  # an arm like this is bolted down
    assert not fallen.support.inside and [finding.code for finding in fallen.findings] == ["tips_over"]


def test_faulty_inertials_unknown_joints_and_feet_are_refused_by_name(tmp_path, capsys):
    assert main(["statics", str(ARM)]) == 1
    assert "[no_statics]" in (text := capsys.readouterr().out) and "base" in text
    robot = read_robot(ARM).repair()
    for wrong in ({"pose": {"elbo": 0.5}}, {"pose": {"elbow": float("nan")}}, {"feet": ["nowhere"]}):
        with pytest.raises(InertiaError, match="elbo|nowhere"):
            robot.statics(**wrong)
