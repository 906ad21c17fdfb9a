# SPDX-License-Identifier: GPL-3.0-or-later
"""The robots that `convert` writes, as OpenUSD, Newton, Drake and MuJoCo read them: `make test-usd`."""

import math

import numpy as np
import pytest
from pxr import Usd

from core.cli.main import main
from tests.engines.real import drake, mujoco
from tests.usd.generated import EFFORT, write
from tests.usd.judges import READERS, refusals

SEEDS = range(100)
RTOL = 1e-6


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Return for each seed what the robot is made of, and its .usda."""
    folder = tmp_path_factory.mktemp("written")
    robots = []
    for seed in SEEDS:
        given, truth = write(seed, folder / "given")
        path = folder / str(seed) / "robot.usda"
        assert main(["convert", str(given), "-o", str(path), "--quiet"]) == 0
        robots.append((truth, path))
    return robots


def names(path):
    """Return the name in the given file of each prim."""
    stage = Usd.Stage.Open(str(path))
    return {str(prim.GetPath()): prim.GetDisplayName() or prim.GetName() for prim in stage.Traverse()} | {"": "world"}


def assert_same_body(inertial, expected, where):
    moment = float(np.trace(expected.inertia))
    size = math.sqrt(moment / expected.mass) + float(np.linalg.norm(expected.com))
    assert inertial.mass == pytest.approx(expected.mass, rel=RTOL), where
    np.testing.assert_allclose(inertial.com, expected.com, rtol=0, atol=RTOL * size, err_msg=where)
    np.testing.assert_allclose(inertial.inertia, expected.inertia, rtol=0, atol=RTOL * moment, err_msg=where)


def assert_same_pose(pose, expected, where):
    size = 1.0 + float(np.linalg.norm(expected.p))
    np.testing.assert_allclose(pose.p, expected.p, rtol=0, atol=RTOL * size, err_msg=where)
    np.testing.assert_allclose(pose.R, expected.R, rtol=0, atol=RTOL, err_msg=where)


@pytest.mark.parametrize("judge", READERS)
def test_each_body_has_its_numbers_and_its_place(judge, written):
    for truth, path in written:
        robot, name_of = READERS[judge](path), names(path)
        assert sorted(name_of[prim] for prim in robot.bodies) == sorted(truth.links)
        for prim, body in robot.bodies.items():
            pose, inertial = truth.links[name_of[prim]]
            assert_same_body(body.inertial, inertial, f"{judge} {path} {prim}")
            assert_same_pose(body.pose, pose, f"{judge} {path} {prim}")


@pytest.mark.parametrize("judge", READERS)
def test_each_joint_has_its_links_axis_and_limits(judge, written):
    kinds = set()
    for truth, path in written:
        robot, name_of = READERS[judge](path), names(path)
        joints = {name_of[prim]: joint for prim, joint in robot.joints.items()}
        for name, (kind, parent, child, pose, axis, limits) in truth.joints.items():
            joint, where = joints[name], f"{judge} {path} {name}"
            assert {name_of[joint.parent], name_of[joint.child]} == {parent, child}, where
            at_rest = truth.links[child][0] @ pose
            np.testing.assert_allclose(joint.point, at_rest.p, rtol=0, atol=1e-5, err_msg=where)
            kinds.add(kind)
            if kind not in ("fixed", "ball"):
                np.testing.assert_allclose(joint.axis, at_rest.R @ axis, rtol=0, atol=1e-5, err_msg=where)
                np.testing.assert_allclose((joint.lower, joint.upper), limits, rtol=1e-6, atol=1e-6, err_msg=where)
                assert joint.effort == EFFORT or name == "loop", where  # nothing drives what closes a loop
    assert kinds == {"fixed", "ball", "revolute", "continuous", "prismatic"}


def test_two_validators_refuse_none(written):
    assert {str(path): refusals(path) for _, path in written if refusals(path)} == {}


@pytest.mark.parametrize(("suffix", "judge"), [("urdf", drake), ("xml", mujoco)])
def test_the_same_robot_is_alike_in_another_engine(suffix, judge, written, tmp_path):
    compared = 0
    for seed, (truth, path) in zip(SEEDS, written, strict=True):
        other = tmp_path / str(seed) / f"robot.{suffix}"
        given = path.parents[1] / "given" / f"{seed}.sdf"
        if main(["convert", str(given), "-o", str(other), "--quiet"]) != 0:
            assert suffix == "urdf"  # which has no ball and no loop
            continue
        links = judge(other)
        # A link of URDF lies where its joint is.
        moved = {child: pose for _, _, child, pose, *_ in truth.joints.values()} if suffix == "urdf" else {}
        for name, (_, inertial) in truth.links.items():
            expected = inertial.transformed(moved[name].inverse()) if name in moved else inertial
            assert_same_body(links[name], expected, f"{other} {name}")
            compared += 1
    assert compared > 100
