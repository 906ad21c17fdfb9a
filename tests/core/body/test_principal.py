# SPDX-License-Identifier: GPL-3.0-or-later
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import Inertial

from ..solids import rotation

SEED = st.integers(0, 2**32 - 1)


def turned_box(seed):
    """A box of known sides in a random orientation, by the textbook: m/12 (b² + c²)."""
    rng = np.random.default_rng(seed)
    sides, mass, R = np.sort(rng.uniform(0.1, 2, 3))[::-1], rng.uniform(0.1, 10), rotation(rng)
    moments = mass / 12 * ((sides**2).sum() - sides**2)
    return mass, sides, moments, R, Inertial(mass, rng.normal(size=3), R @ np.diag(moments) @ R.T)


@given(SEED)
def test_principal_moments_and_axes_are_those_of_the_box(seed):
    _, _, expected, _, body = turned_box(seed)
    moments, axes = body.principal()
    assert (np.diff(moments) >= 0).all()
    np.testing.assert_allclose(moments, expected, rtol=1e-13)
    np.testing.assert_allclose(axes @ axes.T, np.eye(3), rtol=0, atol=1e-14)
    assert np.linalg.det(axes) == pytest.approx(1, abs=1e-14)
    for moment, axis in zip(moments, axes, strict=True):  # rows
        np.testing.assert_allclose(body.inertia @ axis, moment * axis, rtol=0, atol=1e-13 * moments.sum())


@pytest.mark.parametrize("moments", [(1, 1, 1), (1, 1, 2), (1, 2, 2), (3, 2, 1), (2, 3, 1)])
def test_principal_axes_of_a_symmetric_body_are_right_handed_too(moments):
    found = Inertial(1, [0, 0, 0], np.diag(moments)).principal()
    assert found.moments.tolist() == sorted(moments)
    np.testing.assert_allclose(np.linalg.det(found.axes), 1, rtol=1e-14)


def test_an_axis_points_along_its_largest_component():
    rng = np.random.default_rng(0)
    for _ in range(50):
        R = rotation(rng)
        axes = Inertial(1, [0, 0, 0], R @ np.diag([1, 2, 2.5]) @ R.T).principal().axes
        for axis in axes[:2]:  # the third follows from the right hand
            assert axis[np.argmax(np.abs(axis))] > 0


@given(SEED)
def test_the_equivalent_shapes_reproduce_the_tensor(seed):
    mass, sides, _, _, body = turned_box(seed)
    np.testing.assert_allclose(body.equivalent_box(), sides, rtol=1e-9)  # a square root of a difference
    moments, axes = body.principal()
    for squares in (body.equivalent_box() ** 2 / 12, body.equivalent_ellipsoid() ** 2 / 5):
        tensor = axes.T @ np.diag(mass * (squares.sum() - squares)) @ axes
        np.testing.assert_allclose(tensor, body.inertia, rtol=0, atol=1e-13 * moments.sum())


def test_a_flat_plate_has_a_side_of_zero_and_no_warning():
    sides = Inertial(12, [0, 0, 0], np.diag([1, 2, 3])).equivalent_box()
    np.testing.assert_allclose(sides, [np.sqrt(2), 1, 0], rtol=0, atol=1e-7)
