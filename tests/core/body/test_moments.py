# SPDX-License-Identifier: GPL-3.0-or-later
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import InertiaError, Moments

from ..exact import assert_same

SEED = st.integers(0, 2**32 - 1)


def solid(rng):
    """Any solid has a positive volume and a positive covariance."""
    root = rng.normal(size=(3, 3))
    return Moments(rng.uniform(0.1, 10), rng.normal(size=3), root @ root.T)


def block(size, centre):
    """A box by the textbook: ∫ x² dV = V a²/12."""
    size = np.array(size, dtype=float)
    return Moments(size.prod(), centre, np.diag(size**2) * size.prod() / 12)


@given(SEED)
def test_sums_commute_and_associate(seed):
    rng = np.random.default_rng(seed)
    a, b, c = solid(rng), solid(rng), solid(rng)
    assert_same(a + b, b + a, 1e-14)
    assert_same((a + b) + c, a + (b + c), 1e-13)


def test_zero_is_neutral_on_both_sides():
    a = solid(np.random.default_rng(0))
    for total in (a + Moments.zero, Moments.zero + a):
        assert total.volume == a.volume
        assert np.array_equal(total.centroid, a.centroid)
        assert np.array_equal(total.covariance, a.covariance)


CUBE = block((2, 2, 2), (1, 2, 3))
LEFT, RIGHT = block((1, 2, 2), (0.5, 2, 3)), block((1, 2, 2), (1.5, 2, 3))


def test_two_half_cubes_make_the_cube_and_the_cube_less_one_is_the_other():
    assert_same(LEFT + RIGHT, CUBE, 1e-15)
    assert_same(RIGHT + LEFT, CUBE, 1e-15)
    assert_same(CUBE + (-LEFT), RIGHT, 1e-14)
    assert_same(-LEFT + CUBE, RIGHT, 1e-14)


def test_pieces_make_the_whole_in_any_order():
    corners = [(x, y, z) for x in (0.5, 1.5) for y in (1.5, 2.5) for z in (2.5, 3.5)]
    rng = np.random.default_rng(0)
    for order in [range(8), *(rng.permutation(8) for _ in range(20))]:
        assert_same(sum((block((1, 1, 1), corners[i]) for i in order), Moments.zero), CUBE, 1e-14)
    slabs = [block((0.1, 1, 1), (0.05, 0, 0)), block((0.2, 1, 1), (0.2, 0, 0)), block((0.7, 1, 1), (0.65, 0, 0))]
    for order in permutations(slabs):
        assert_same(sum(order, Moments.zero), block((1, 1, 1), (0.5, 0, 0)), 1e-14)


def test_a_scaled_unit_cube_is_the_block():
    assert_same(block((1, 1, 1), (0, 0, 0)).transformed(np.diag([1, 2, 3]), [4, 5, 6]), block((1, 2, 3), (4, 5, 6)))


@given(SEED)
def test_two_maps_in_a_row_are_their_product(seed):
    rng = np.random.default_rng(seed)
    a, A, B = solid(rng), rng.normal(size=(3, 3)) + 3 * np.eye(3), rng.normal(size=(3, 3)) + 3 * np.eye(3)
    t = rng.normal(size=3)
    assert_same(a.transformed(A, t).transformed(B), a.transformed(B @ A, B @ t), 1e-12)


def test_a_mirror_keeps_the_volume_positive_and_mirrors_the_products():
    a = solid(np.random.default_rng(3))
    mirrored = a.transformed(np.diag([-1, 1, 1]))
    assert mirrored.volume == a.volume
    assert mirrored.centroid.tolist() == [-a.centroid[0], a.centroid[1], a.centroid[2]]
    signs = np.array([[1, -1, -1], [-1, 1, 1], [-1, 1, 1]])
    np.testing.assert_allclose(mirrored.covariance, signs * a.covariance, rtol=0, atol=0)


@pytest.mark.parametrize(
    ("impossible", "code"),
    [
        (lambda: CUBE + (-CUBE), "zero_volume"),  # no centroid
        (lambda: (-CUBE).inertial(1000), "zero_volume"),  # inside out: no mass
        (lambda: CUBE.transformed(np.diag((0, 1, 1))), "zero_scale"),
        (lambda: CUBE.transformed(np.diag((1, 0, 1))), "zero_scale"),
        (lambda: CUBE.transformed(np.zeros((3, 3))), "zero_scale"),
    ],
)
def test_what_is_no_solid_is_refused(impossible, code):
    with pytest.raises(InertiaError) as error:
        impossible()
    assert error.value.code == code


def test_density_makes_mass_and_tensor():
    body = Moments(2.0, [1, 2, 3], [[1, 0.1, 0.2], [0.1, 2, 0.3], [0.2, 0.3, 3]]).inertial(10.0)
    assert body.mass == 20
    assert body.com.tolist() == [1, 2, 3]
    # I_xx = ∫ (y² + z²) dm, I_xy = -∫ x y dm
    np.testing.assert_allclose(body.inertia, [[50, -1, -2], [-1, 40, -3], [-2, -3, 30]], rtol=1e-15)


def test_adding_never_modifies_its_inputs():
    a, b = solid(np.random.default_rng(4)), solid(np.random.default_rng(5))
    before = [array.copy() for array in (a.centroid, a.covariance, b.centroid, b.covariance)]
    _ = a + b
    for array, copy in zip((a.centroid, a.covariance, b.centroid, b.covariance), before, strict=True):
        assert np.array_equal(array, copy)
