# SPDX-License-Identifier: GPL-3.0-or-later
"""What is summed along cuts in closed form is what their columns give one by one."""

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


def columns(cut):
    """Return the cut of each column and its place in that."""
    return np.repeat(np.arange(len(cut.y)), cut.count), np.concatenate([np.arange(count) for count in cut.count])


def one_by_one(cut):
    """Σ ± h (1, x, y, h)(1, x, y, h)ᵀ about the middle of the grid, in integers: 64ths, and halves for the middle."""
    of, k = columns(cut)
    x, y = cut.first.astype(np.int64)[of] + k, cut.y.astype(np.int64)[of]
    height, slope = ((64 * number).astype(np.int64) for number in (cut.height, cut.slope))
    h = 2 * (height[of] + k * slope[of]) - 64 * (SHAPE[2] + 1)
    rows = np.stack([np.ones_like(h), 2 * x - SHAPE[0] - 1, 2 * y - SHAPE[1] - 1, h])
    unit = np.array([1, 2, 2, 128])
    return (rows * np.where(cut.up[of], h, -h)) @ rows.T / (128 * np.outer(unit, unit))


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
        assert (np.abs(found - expected) <= 1e-15 * scale).all()
        np.testing.assert_array_equal(found, found.T)


def test_as_whole_voxels_heights_are_moved_to_the_borders_between_them():
    cut = some_cuts(7)
    of, k = columns(cut)
    height = np.ceil(cut.height[of] + k * cut.slope[of]) - 0.5
    moved = Cuts(cut.y[of], cut.first[of] + k, np.ones_like(of), height, np.zeros(len(of)), cut.up[of])
    sums = Sums(SHAPE)
    sums.add_cuts(cut, whole=True)
    np.testing.assert_allclose(sums.total, one_by_one(moved), rtol=1e-12)


def test_a_cut_over_one_column_may_be_as_steep_as_it_likes():
    one = np.ones(1, dtype=np.int32)
    flat, steep = (Cuts(one, one, one, np.full(1, 17.25), np.full(1, slope), one > 0) for slope in (0.0, -3e21))
    totals = []
    for cut in (flat, steep):
        sums = Sums(SHAPE)
        sums.add_cuts(cut, whole=False)
        totals.append(sums.total)
    np.testing.assert_array_equal(*totals)
