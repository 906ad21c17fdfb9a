# SPDX-License-Identifier: GPL-3.0-or-later
from math import cos, pi, sin

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import Pose

from ...thorough import THOROUGH

ANGLE = st.floats(-10.0, 10.0)
ULP = 1e-15  # a few roundings of numbers up to 1


def Rx(a):
    return np.array([[1, 0, 0], [0, cos(a), -sin(a)], [0, sin(a), cos(a)]])


def Ry(a):
    return np.array([[cos(a), 0, sin(a)], [0, 1, 0], [-sin(a), 0, cos(a)]])


def Rz(a):
    return np.array([[cos(a), -sin(a), 0], [sin(a), cos(a), 0], [0, 0, 1]])


def pose(rng):
    return Pose.from_quaternion(rng.normal(size=3), rng.normal(size=4))


def assert_comes_back(R, atol=1e-12):
    again = Pose.from_sdf(Pose(R, np.zeros(3)).to_sdf()).R
    np.testing.assert_allclose(again, R, rtol=0, atol=atol)


@given(ANGLE, ANGLE, ANGLE)
def test_rpy_is_roll_then_pitch_then_yaw_about_fixed_axes(roll, pitch, yaw):
    read = Pose.from_sdf([1, 2, 3, roll, pitch, yaw])
    np.testing.assert_allclose(read.R, Rz(yaw) @ Ry(pitch) @ Rx(roll), rtol=0, atol=ULP)
    assert read.p.tolist() == [1, 2, 3]
    assert_comes_back(read.R)


@pytest.mark.fault(49)
@pytest.mark.parametrize("pole", [pi / 2, -pi / 2])
def test_rpy_gives_its_rotation_back_at_gimbal_lock(pole):
    rng = np.random.default_rng(0)
    for off in (0.0, 1e-16, 1e-12, 1e-9, 1e-8, 3e-8, 1e-6, 1e-4):
        for roll, yaw in rng.uniform(-pi, pi, (50 if THOROUGH else 10, 2)):
            for pitch in (pole - off, pole + off):
                assert_comes_back(Rz(yaw) @ Ry(pitch) @ Rx(roll))
    # Reached by way of other rotations, cos(pitch) is noise, and so is any angle that is read off it alone.
    for roll, yaw in rng.uniform(-pi, pi, (200, 2)):
        Q = pose(rng).R
        assert_comes_back(Q @ (Q.T @ (Rz(yaw) @ Ry(pole) @ Rx(roll))))
    single = (Rz(0.3) @ Ry(pole) @ Rx(-0.8)).astype(np.float32).astype(np.float64)
    assert_comes_back(single, atol=4 * float(np.finfo(np.float32).eps))


def test_the_identity_is_written_without_negative_zeros():
    numbers = Pose(np.array([[1, 0, 0], [0, 1, -0.0], [-0.0, 0, 1]]), [-0.0, 0, 0]).to_sdf()
    assert [str(number) for number in numbers] == ["0.0"] * 6


def test_composition_carries_a_point_through_both_poses():
    rng = np.random.default_rng(1)
    X_AB, X_BC, point = pose(rng), pose(rng), rng.normal(size=3)
    in_b = X_BC.R @ point + X_BC.p
    X_AC = X_AB @ X_BC
    np.testing.assert_allclose(X_AC.R @ point + X_AC.p, X_AB.R @ in_b + X_AB.p, rtol=0, atol=1e-14)


def test_the_inverse_undoes_a_pose_on_both_sides():
    X = pose(np.random.default_rng(2))
    for back in (X @ X.inverse(), X.inverse() @ X):
        np.testing.assert_allclose(back.R, np.eye(3), rtol=0, atol=ULP)
        np.testing.assert_allclose(back.p, 0, rtol=0, atol=1e-14)


@pytest.mark.parametrize(
    ("xyzw", "expected"),
    [((0, 0, 0, 1), np.eye(3)), ((1, 0, 0, 1), Rx(pi / 2)), ((0, 3, 0, 3), Ry(pi / 2)), ((0, 0, 2, 0), Rz(pi))],
)
def test_quaternions_are_xyzw_of_any_length(xyzw, expected):
    np.testing.assert_allclose(Pose.from_quaternion([0, 0, 0], xyzw).R, expected, rtol=0, atol=ULP)


@pytest.mark.parametrize("axis", np.vstack([np.eye(3), np.ones((1, 3)), [[1e-9, 1, 0]]]).tolist())
@pytest.mark.parametrize("angle", [0.0, 1e-9, 1.0, pi - 1e-9, pi, 4.0])
def test_a_quaternion_is_a_turn_by_an_angle_about_its_axis(axis, angle):
    axis = np.array(axis) / np.linalg.norm(axis)
    R = Pose.from_quaternion([0, 0, 0], [*(sin(angle / 2) * axis), cos(angle / 2)]).R
    across = np.cross(axis, np.eye(3)).T  # Rodrigues' formula
    expected = cos(angle) * np.eye(3) + sin(angle) * across + (1 - cos(angle)) * np.outer(axis, axis)
    np.testing.assert_allclose(R, expected, rtol=0, atol=4 * ULP)


@pytest.mark.parametrize("axis", np.vstack([np.eye(3), np.ones((1, 3)), [[1e-9, 1, 0]]]).tolist())
@pytest.mark.parametrize("angle", [0.0, 1e-9, 1.0, pi - 1e-9, pi, 4.0])
def test_a_quaternion_gives_its_rotation_back(axis, angle):
    axis = np.array(axis) / np.linalg.norm(axis)
    R = Pose.from_quaternion([0, 0, 0], [*(sin(angle / 2) * axis), cos(angle / 2)]).R
    q = Pose(R, np.zeros(3)).to_quaternion()
    np.testing.assert_allclose(Pose.from_quaternion([0, 0, 0], q).R, R, rtol=0, atol=2 * ULP)
    assert q[3] >= 0
    assert abs(np.linalg.norm(q) - 1) < ULP


def test_a_zero_quaternion_is_no_rotation():
    with pytest.raises(ValueError, match="no rotation"):
        Pose.from_quaternion([0, 0, 0], [0, 0, 0, 0])


def test_a_pose_is_a_private_read_only_copy():
    R = np.eye(3)
    X = Pose(R, [0, 0, 0])
    R[0, 0] = 7
    assert X.R[0, 0] == 1
    with pytest.raises(ValueError, match="read-only"):
        X.R[0, 0] = 7
