# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of faces that pass through each other, or meet at all, against rational arithmetic on the same corners."""

import numpy as np
import pytest

from core.mesh.geometry.boxes import FEW, many_box_pairs
from core.mesh.geometry.crossing_faces import deeper, face_pairs

from ....thorough import THOROUGH
from ...rational import HAIR, flat_meets, judge, triangles
from ...solids import rotation

COUNT = 4000 if THOROUGH else 800
"""Pairs of faces of each size."""


@pytest.mark.parametrize("size", [2, 3, 5])  # the smaller, the more corners, sides and planes they share
def test_pairs_are_judged_as_rational_arithmetic_does(size):
    rng = np.random.default_rng(size)
    one, other = triangles(rng, COUNT, size), triangles(rng, COUNT, size)
    truth = [judge(a, b) for a, b in zip(one, other, strict=True)]
    meets = [flat_meets(a, b) if met is None else met for a, b, (met, _) in zip(one, other, truth, strict=True)]
    pierces = [crossing for _, crossing in truth]
    assert COUNT / 40 < sum(pierces) < COUNT
    assert COUNT / 40 < sum(meets) < COUNT
    turn = rotation(rng)
    for A in (np.eye(3), turn):
        a, b = (np.einsum("ij,kcj->ick", A, np.array(corners, dtype=float)) for corners in (one, other))
        assert np.array_equal(deeper(a, b, HAIR), np.flatnonzero(pierces))
        assert np.array_equal(deeper(a, b, -HAIR), np.flatnonzero(meets))
        assert np.array_equal(deeper(b, a, HAIR), np.flatnonzero(pierces))


def test_faces_that_share_a_side_do_not_cross_and_with_one_corner_in_common_may():
    def corners(*points):
        return np.array(points, dtype=float).T[:, :, None]

    floor = corners((0, 0, 0), (4, 0, 0), (0, 4, 0))
    folded = corners((0, 0, 0), (4, 0, 0), (1, 1, 1e-3))
    beside = corners((0, 0, 0), (-1, -1, 1), (-1, -2, 1))
    through = corners((0, 0, 0), (1, 1, 1), (1, 1, -1))
    assert [len(deeper(floor, other, HAIR)) for other in (folded, beside, through, floor)] == [0, 0, 1, 0]
    assert [len(deeper(floor, other, -HAIR)) for other in (folded, beside, through, floor)] == [1, 1, 1, 1]


@pytest.mark.parametrize("depth", [1e-2, 1e-4, 1e-6])
def test_the_shift_that_parts_two_faces_is_how_deep_they_are(depth):
    wall = np.array([(-1, -1, 0), (1, -1, 0), (0, 2, 0)], dtype=float).T[:, :, None]
    tip = np.array([(0, 0, -depth), (1, 0, 1), (-1, 0, 1)]).T[:, :, None]
    turn = rotation(np.random.default_rng(4))
    wall, tip = (np.einsum("ij,jck->ick", turn, one) + 7.0 for one in (wall, tip))
    for least, found in ((0.99 * depth, 1), (1.01 * depth, 0)):
        assert len(deeper(wall, tip, least)) == len(deeper(tip, wall, least)) == found
    above = tip + 2.0 * depth * turn[:, 2, None, None]
    assert [len(deeper(wall, above, least)) for least in (0.0, -0.99 * depth, -1.01 * depth)] == [0, 0, 1]


@pytest.mark.parametrize("count", [1, 2, FEW + 1, 3000 if THOROUGH else 1000])
@pytest.mark.parametrize("flat", [False, True])
def test_all_boxes_that_meet_are_found_once(count, flat):
    rng = np.random.default_rng(count)
    low = rng.random((3, count))
    size = 0.3 * rng.random((3, count)) ** rng.integers(1, 12, count)
    if flat:
        low[1], size[1] = 0.5, 0.0
    high = low + size
    several = rng.integers(0, 5, count)
    sides_of_any_kind = several > 2, several.astype(np.uint8), several.astype(np.uint64), several << 58
    apart = (low[:, :, None] > high[:, None]).any(axis=0)
    meet = ~(apart | apart.T) & np.triu(np.ones((count, count), dtype=bool), 1)
    for sides in (None, *sides_of_any_kind):
        expected = meet if sides is None else meet & (sides[:, None] != sides)
        found = [np.sort(pair, axis=0) for pair in many_box_pairs(low, high, sides)]
        pairs = np.concatenate(found, axis=1) if found else np.zeros((2, 0), dtype=int)
        assert len(np.unique(pairs.T, axis=0)) == pairs.shape[1]
        assert np.array_equal(np.argwhere(expected), pairs.T[np.lexsort(pairs[::-1])])


@pytest.mark.parametrize("count", [FEW - 1, FEW + 1, 1000])
def test_boxes_made_smaller_until_they_turn_over_meet_what_reaches_over_both_ends(count):
    rng = np.random.default_rng(count)
    middle = rng.random((3, count))
    half = 0.4 * rng.random((3, count)) ** 3 - 0.02
    low, high = middle - half, middle + half
    assert (low > high).any(axis=0).sum() > count / 4
    meet = ((low[:, :, None] <= high[:, None]) & (low[:, None] <= high[:, :, None])).all(axis=0)
    expected = np.argwhere(np.triu(meet, 1))
    assert (low > high).any(axis=0)[expected].any()
    pairs = np.sort(np.concatenate([np.zeros((2, 0), dtype=int), *many_box_pairs(low, high)], axis=1), axis=0)
    assert np.array_equal(expected, pairs.T[np.lexsort(pairs[::-1])])


def test_a_box_turned_over_and_far_away_hides_no_pair():
    rng = np.random.default_rng(0)
    low = rng.random((3, FEW + 10))
    high = low + 0.1
    expected = sum(len(i) for i, _ in many_box_pairs(low, high))
    low[:, 0], high[:, 0] = 1e9, -0.5
    alone = sum(len(i) for i, _ in many_box_pairs(low[:, 1:], high[:, 1:]))
    assert 0 < alone <= expected
    assert sum(len(i) for i, _ in many_box_pairs(low, high)) == alone


def test_faces_of_two_sides_are_compared_with_the_other_only():
    corners = np.array([[(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 0, -1), (0.3, 0.3, 1), (0.4, 0, 1)]], float)
    corners = np.concatenate([corners, corners]).transpose(2, 1, 0)

    def pairs(sides):
        found = (np.sort(pair, axis=0).T.tolist() for pair in face_pairs(corners, HAIR, sides))
        return sorted(pair for block in found for pair in block)

    assert pairs(None) == [[0, 1], [0, 3], [1, 2], [2, 3]]
    assert pairs(np.array([True, True, False, False])) == [[0, 3], [1, 2]]
