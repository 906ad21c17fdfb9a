# SPDX-License-Identifier: GPL-3.0-or-later
"""What an inertial says against itself, and what of it is only noise beside the body's size."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import Inertial
from core.body.inertial import VALIDITY_EPS

from ...thorough import THOROUGH
from ..solids import rotation


def codes(tensor, mass=1.0, com=(0, 0, 0)):
    return [(finding.severity, finding.code) for finding in Inertial(mass, com, tensor).findings()]


@given(st.integers(0, 2**32 - 1))
def test_well_formed_bodies_give_no_finding(seed):
    rng = np.random.default_rng(seed)
    second = np.diag(rng.uniform(0.01, 1, 3))  # ∫ x xᵀ dm of a solid with extent along every axis
    R = rotation(rng)
    tensor = R @ (np.trace(second) * np.eye(3) - second) @ R.T
    assert codes(tensor, mass=rng.uniform(0.1, 10)) == []


@pytest.mark.fault(37)
def test_the_triangle_is_judged_on_principal_moments_not_on_the_diagonal():
    # Diagonal 1, 1, 1 obeys the triangle; the principal moments are 0.1, 1 and 1.9.
    (finding,) = Inertial(1, [0, 0, 0], [[1, 0.9, 0], [0.9, 1, 0], [0, 0, 1]]).findings()
    assert (finding.severity, finding.code) == ("error", "triangle_inequality")
    assert "0.1, 1, 1.9" in finding.message and finding.remedy


def test_what_no_body_has_is_an_error_and_a_zero_moment_a_warning():
    for moments in ([1, 1, 3], [1, 3, 1], [3, 1, 1]):
        assert codes(np.diag(moments)) == [("error", "triangle_inequality")]
    # Positive diagonal, negative principal moment: 1 - 2.
    for tensor in (np.diag([-1, 2, 2]), [[1, 2, 0], [2, 1, 0], [0, 0, 1]]):
        assert codes(tensor) == [("error", "negative_moment")]
    for tensor in (np.diag([0, 1, 1]), np.zeros((3, 3))):
        assert codes(tensor) == [("warning", "zero_moment")]
    for mass in (0.0, -1.0):
        assert codes(np.eye(3), mass) == [("error", "bad_mass")]
    for bad in (np.nan, np.inf, -np.inf):
        tensor = np.eye(3)
        tensor[1, 2] = tensor[2, 1] = bad
        for found in (codes(tensor), codes(np.eye(3), mass=bad), codes(np.eye(3), com=(0, bad, 0))):
            assert found == [("error", "not_finite")]


def test_a_flat_plate_is_just_possible_however_it_lies():
    # Ixx + Iyy = Izz for a plate without thickness: on the border, and rounding must not push it over.
    rng = np.random.default_rng(0)
    for _ in range(200):
        R, scale = rotation(rng), 10.0 ** rng.uniform(-9, 9)
        assert codes(scale * (R @ np.diag([1, 2, 3]) @ R.T)) == []


def test_the_tolerance_is_relative_to_the_tensor():
    trace = 6.0
    for scale in (1e-12, 1.0, 1e12):
        inside, outside = 0.5 * VALIDITY_EPS * trace, 1e-12
        assert codes(scale * np.diag([1, 2, 3 + inside])) == []
        assert codes(scale * np.diag([1, 2, 3 + outside])) == [("error", "triangle_inequality")]


def test_gz_maths_tolerance_is_ten_roundings_of_half_the_trace():
    assert pytest.approx(10 * 2.0**-52, rel=1e-15) == VALIDITY_EPS * 2.0


def test_a_body_is_possible_where_its_principal_moments_are():
    random = np.random.default_rng(3)
    for _ in range(1000 if THOROUGH else 300):
        # Moments on both sides of every bound, in all sizes and attitudes.
        low, middle = sorted(random.uniform(0, 1, 2))
        high = (low + middle) * (1 + random.choice([-1, 1]) * 10.0 ** random.uniform(-16, 0))
        low = random.choice([low, low * 10.0 ** random.uniform(-16, 0), -low])
        axes = rotation(random)
        tensor = axes @ np.diag([low, middle, high]) @ axes.T * 10.0 ** random.uniform(-90, 90)
        body = Inertial(1.0, np.zeros(3), (tensor + tensor.T) / 2)
        moments = np.linalg.eigvalsh(body.inertia)
        rounding = 10 * np.finfo(float).eps / 2 * abs(moments.sum())
        possible = moments[0] > rounding and moments[0] + moments[1] >= moments[2] - rounding
        assert (not body.findings()) == possible


def cube(side, com=(0, 0, 0), products=(0, 0, 0)):
    """Return a cube of 2 kg, with products given as shares of its trace."""
    moment = 2 * side**2 / 6
    xy, xz, yz = 3 * moment * np.array(products)
    return Inertial(2, np.array(com) * side, [[moment, xy, xz], [xy, moment, yz], [xz, yz, moment]])


@pytest.mark.parametrize("side", [1e-3, 0.1, 1e3])
def test_a_coordinate_is_0_beside_the_size_of_the_body_whatever_that_is(side):
    com = cube(side, (7e-8, -1e-7, 1e-5)).as_read().com
    assert com.tolist() == [0, 0, 1e-5 * side]


def test_a_coordinate_is_0_beside_how_far_away_the_body_is():
    assert cube(0.1, (100, 5e-5, 2e-4)).as_read().com.tolist() == pytest.approx([10, 0, 2e-5], rel=1e-15, abs=0)


@pytest.mark.fault(226)
def test_a_coordinate_is_0_beside_the_length_of_the_geometry():
    body = cube(0.1, (0, 0, 1.8e-6))
    assert body.as_read().com[2] == body.as_read(0.01).com[2] == pytest.approx(1.8e-7)
    assert body.as_read(0.18).com.tolist() == [0, 0, 0]


def test_a_product_is_0_beside_the_trace():
    read = cube(0.1, products=(9e-7, -9e-7, 2e-6)).as_read().inertia
    assert (read[0, 1], read[1, 0], read[0, 2]) == (0, 0, 0)
    assert read[1, 2] == read[2, 1] == cube(0.1, products=(0, 0, 2e-6)).inertia[1, 2] > 0


def test_a_moment_is_never_0_however_thin_the_body():
    needle = Inertial(1, [0, 0, 0], np.diag([1, 1, 1e-8]))
    np.testing.assert_array_equal(needle.as_read().inertia, needle.inertia)


@pytest.mark.parametrize("mass", [0.0, 1e-320, float("nan"), float("inf"), -1.0])
def test_an_impossible_body_is_read_as_it_is_without_a_complaint(mass):
    body = Inertial(mass, [1, 0, 0], np.zeros((3, 3)))
    assert body.as_read().com.tolist() == [1, 0, 0]
