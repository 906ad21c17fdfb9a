# SPDX-License-Identifier: GPL-3.0-or-later
"""The parallel axis theorem, against the six lines of the article on adding the parts of a link."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import Inertial, Pose

SEED = st.integers(0, 2**32 - 1)


def body(rng):
    """A random body that can exist: the tensor of a positive second moment."""
    root = rng.normal(size=(3, 3))
    second = root @ root.T
    return Inertial(rng.uniform(0.1, 10), rng.normal(size=3), np.trace(second) * np.eye(3) - second)


def by_six_lines(parts):
    """Two passes: the centre of mass first, then each part's tensor moved there, component by component."""
    mass = sum(part.mass for part in parts)
    com = sum(part.mass * part.com for part in parts) / mass
    ixx = iyy = izz = ixy = ixz = iyz = 0.0
    for part in parts:
        dx, dy, dz = part.com - com
        m, tensor = part.mass, part.inertia
        ixx += tensor[0, 0] + m * (dy * dy + dz * dz)
        iyy += tensor[1, 1] + m * (dx * dx + dz * dz)
        izz += tensor[2, 2] + m * (dx * dx + dy * dy)
        ixy += tensor[0, 1] - m * dx * dy
        ixz += tensor[0, 2] - m * dx * dz
        iyz += tensor[1, 2] - m * dy * dz
    return mass, com, np.array([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]])


@given(SEED, st.integers(2, 6))
def test_the_sum_of_bodies_is_steiners_six_lines(seed, count):
    rng = np.random.default_rng(seed)
    parts = [body(rng) for _ in range(count)]
    mass, com, tensor = by_six_lines(parts)
    total = sum(parts, Inertial.zero)
    assert total.mass == pytest.approx(mass, rel=1e-14)
    np.testing.assert_allclose(total.com, com, rtol=0, atol=1e-13)
    np.testing.assert_allclose(total.inertia, tensor, rtol=0, atol=1e-13 * np.trace(tensor))


def test_two_kilograms_a_metre_apart():
    small = 0.001 * np.eye(3)
    total = Inertial(1, [0.5, 0, 0], small) + Inertial(1, [-0.5, 0, 0], small)
    assert total.mass == 2
    assert total.com.tolist() == [0, 0, 0]
    np.testing.assert_allclose(total.inertia, np.diag([0.002, 0.502, 0.502]), rtol=0, atol=1e-15)


def test_four_bodies_add_up_alike_in_any_order():
    rng = np.random.default_rng(0)
    parts = [body(rng) for _ in range(4)]
    mass, com, tensor = by_six_lines(parts)
    for order in permutations(parts):
        total = sum(order, Inertial.zero)
        np.testing.assert_allclose(total.com, com, rtol=0, atol=1e-13)
        np.testing.assert_allclose(total.inertia, tensor, rtol=0, atol=1e-13 * np.trace(tensor))


def test_adding_and_moving_never_modify_their_inputs():
    rng = np.random.default_rng(1)
    a, b = body(rng), body(rng)
    before = [array.copy() for array in (a.com, a.inertia, b.com, b.inertia)]
    _ = a + b, a.transformed(Pose.from_sdf([1, 2, 3, 0.1, 0.2, 0.3])), a.inertia_about([1, 2, 3]), a.scaled_to(2)
    for array, copy in zip((a.com, a.inertia, b.com, b.inertia), before, strict=True):
        assert np.array_equal(array, copy)
        assert not array.flags.writeable


def test_a_body_without_mass_changes_nothing():
    a = Inertial(12, [-1, 0, 0], [[2, 0.1, 0.2], [0.1, 3, 0.3], [0.2, 0.3, 4]])
    nothing = Inertial(0, [1, 0, 0], np.zeros((3, 3)))
    for total in (a + nothing, nothing + a, a + Inertial.zero, Inertial.zero + a):
        assert total.mass == 12
        np.testing.assert_allclose(total.com, a.com, rtol=0, atol=1e-15)
        np.testing.assert_allclose(total.inertia, a.inertia, rtol=0, atol=1e-15)


def test_a_turned_body_keeps_its_spin_energy():
    # ω·Iω does not depend on the frame that both are written in.
    rng = np.random.default_rng(2)
    a, X, omega = body(rng), Pose.from_sdf([1, 2, 3, 0.4, 0.5, 0.6]), rng.normal(size=3)
    turned = a.transformed(X)
    assert (X.R @ omega) @ turned.inertia @ (X.R @ omega) == pytest.approx(omega @ a.inertia @ omega, rel=1e-14)
    np.testing.assert_allclose(turned.com, X.R @ a.com + X.p, rtol=0, atol=1e-14)
    assert turned.mass == a.mass


def test_a_quarter_turn_about_z_swaps_x_and_y():
    a = Inertial(1, [1, 0, 0], [[1, 0.1, 0.2], [0.1, 2, 0.3], [0.2, 0.3, 2.5]])
    turned = a.transformed(Pose.from_sdf([0, 0, 0, 0, 0, np.pi / 2]))
    np.testing.assert_allclose(turned.com, [0, 1, 0], rtol=0, atol=1e-15)
    np.testing.assert_allclose(turned.inertia, [[2, -0.1, -0.3], [-0.1, 1, 0.2], [-0.3, 0.2, 2.5]], rtol=0, atol=1e-15)


def test_the_tensor_about_another_point_is_steiners():
    a = Inertial(2, [1, 1, 1], np.eye(3))
    # 1 m away along x: only Iyy and Izz grow, by m d².
    np.testing.assert_allclose(a.inertia_about([0, 1, 1]), np.diag([1, 3, 3]), rtol=1e-15)
    np.testing.assert_allclose(a.inertia_about([0, 0, 1]), [[3, -2, 0], [-2, 3, 0], [0, 0, 5]], rtol=1e-15)


def test_scaling_to_a_mass_scales_the_tensor_and_keeps_the_centre():
    scaled = Inertial(2, [1, 2, 3], np.diag([1, 2, 3])).scaled_to(6)
    assert scaled.mass == 6
    assert scaled.com.tolist() == [1, 2, 3]
    np.testing.assert_allclose(scaled.inertia, np.diag([3, 6, 9]), rtol=1e-15)


def test_only_noise_below_the_rounding_of_the_tensor_is_dropped():
    tensor = np.array([[1, 1e-17, 1e-14], [1e-17, 2, 0.5], [1e-14, 0.5, 3]])
    clean = Inertial(1, [0, 0, 0], tensor).without_noise().inertia
    assert clean.tolist() == [[1, 0, 1e-14], [0, 2, 0.5], [1e-14, 0.5, 3]]
