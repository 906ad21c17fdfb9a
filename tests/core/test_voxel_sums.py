# SPDX-License-Identifier: GPL-3.0-or-later
"""What is summed along cuts in closed form is what their columns give one by one."""

from fractions import Fraction

import numpy as np
import pytest

from core.mesh.voxels.crossings import Cuts, crossings, listed
from core.mesh.voxels.sums import Sums

SHAPE = (300, 200, 400)


def some_cuts(seed, count=40, longest=60):
    """Return cuts inside the grid, all numbers multiples of 1/64."""
    rng = np.random.default_rng(seed)
    length = rng.integers(1, longest + 1, count)
    slope = rng.integers(-256, 257, count) / 64
    height = 200.0 + rng.integers(-64 * 60, 64 * 60, count) / 64
    return Cuts(
        rng.integers(1, SHAPE[1] + 1, count).astype(np.int32),
        rng.integers(1, SHAPE[0] + 1 - longest, count).astype(np.int32),
        length.astype(np.int32),
        height,
        slope,
        rng.random(count) < 0.5,
    )


def one_by_one(cut):
    """Σ ± h (1, x, y, h)(1, x, y, h)ᵀ about the middle of the grid, in fractions."""
    middle = [Fraction(side + 1, 2) for side in SHAPE]
    total = np.full((4, 4), Fraction(0))
    for y, first, count, height, slope, up in zip(
        cut.y, cut.first, cut.count, cut.height, cut.slope, cut.up, strict=True
    ):
        for k in range(count):
            h = Fraction(float(height)) + k * Fraction(float(slope)) - middle[2]
            row = np.array([Fraction(1), int(first) + k - middle[0], int(y) - middle[1], h])
            total += (h if up else -h) * np.outer(row, row)
    return total


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("longest", [1, 2, 60])
def test_the_sums_along_a_cut_are_those_of_its_columns_one_by_one(seed, longest):
    cut = some_cuts(seed, longest=longest)
    expected = one_by_one(cut)
    assert (expected != 0).all()
    sums = Sums(SHAPE)
    sums.add_cuts(cut, whole=False)
    listing = Sums(SHAPE).add(crossings(listed([cut]), whole=False))
    # Each sum to the rounding of its terms, of which a cut has two or three.
    largest = np.array([1, SHAPE[0] / 2, SHAPE[1] / 2, SHAPE[2] / 2])
    scale = SHAPE[2] / 2 * np.outer(largest, largest) * cut.count.sum()
    for found in (sums.total, listing.total):
        assert (np.abs(found - expected.astype(float)) <= 1e-15 * scale).all()
        np.testing.assert_array_equal(found, found.T)


def test_as_whole_voxels_heights_are_moved_to_the_borders_between_them():
    cut = some_cuts(7)
    moved = [
        Cuts(*(np.full(1, value) for value in (y, first + k, np.int32(1), np.ceil(height + k * slope) - 0.5, 0.0, up)))
        for y, first, count, height, slope, up in zip(
            cut.y, cut.first, cut.count, cut.height, cut.slope, cut.up, strict=True
        )
        for k in range(count)
    ]
    sums = Sums(SHAPE)
    sums.add_cuts(cut, whole=True)
    expected = sum(one_by_one(one) for one in moved)
    np.testing.assert_allclose(sums.total, expected.astype(float), rtol=1e-12)


def test_a_cut_over_one_column_may_be_as_steep_as_it_likes():
    one = np.ones(1, dtype=np.int32)
    flat, steep = (Cuts(one, one, one, np.full(1, 17.25), np.full(1, slope), one > 0) for slope in (0.0, -3e21))
    totals = []
    for cut in (flat, steep):
        sums = Sums(SHAPE)
        sums.add_cuts(cut, whole=False)
        totals.append(sums.total)
    np.testing.assert_array_equal(*totals)
