# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes that overlap, and rows that are equal, are those that a comparison of all with all finds."""

import numpy as np
import pytest

from core.mesh.topology import boxes, connected
from core.mesh.topology.boxes import many_box_pairs
from core.mesh.topology.connected import alike

from ....thorough import many


def boxes_at_random(rng):
    """Return corners (3, k) of boxes of all sizes, some flat, some long, some on a grid, some turned inside out."""
    count = int(rng.integers(2, 300))
    low = rng.normal(size=(3, count)) * 10.0 ** rng.integers(-3, 4)
    reach = np.ptp(low) * rng.exponential(0.05, (3, count)) ** rng.uniform(0.5, 3.0)
    reach[rng.integers(3), rng.random(count) < 0.3] = 0.0
    if rng.random() < 0.3:
        low, reach = np.round(low), np.round(reach)
    if rng.random() < 0.3:  # around all others
        low[:, 0], reach[:, 0] = low.min(), np.ptp(low) + reach.max()
    return low, low + reach - np.ptp(low) * 1e-3 * (rng.random() < 0.3)


def compared(low, high, side):
    """Return the pairs by comparing each box with all."""
    meet = (low[:, :, None] <= high[:, None]).all(axis=0) & (low[:, None] <= high[:, :, None]).all(axis=0)
    if side is not None:
        meet &= side[:, None] != side[None]
    return {(i, j) for i, j in np.argwhere(np.triu(meet, 1)).tolist()}


@pytest.mark.parametrize("few", [0, 1 << 20], ids=["in a tree", "along one axis"])
def test_boxes_that_overlap_are_found_once(few, monkeypatch):
    monkeypatch.setattr(boxes, "FEW", few)
    monkeypatch.setattr(boxes, "BLOCK", 50)
    found_any = 0
    for seed in range(many(400, 60)):
        rng = np.random.default_rng(seed)
        low, high = boxes_at_random(rng)
        side = (None, rng.integers(0, 3, low.shape[1]), rng.random(low.shape[1]) < 0.5)[seed % 3]
        pairs = [pair for block in many_box_pairs(low, high, side) for pair in np.sort(block, axis=0).T.tolist()]
        assert len({*map(tuple, pairs)}) == len(pairs), seed
        assert {*map(tuple, pairs)} == compared(low, high, side), seed
        found_any += bool(pairs)
    assert found_any > many(400, 60) / 4


@pytest.mark.parametrize("rounds", [16, 1, 0])
def test_equal_rows_have_the_lowest_of_them(rounds, monkeypatch):
    monkeypatch.setattr(connected, "ROUNDS", rounds)  # what no hash tells apart is sorted
    for seed in range(many(400, 60)):
        rng = np.random.default_rng(seed)
        count, most = int(rng.integers(1, 400)), int(rng.integers(1, 60))
        columns = [rng.integers(-most, most, count) << int(rng.integers(0, 40)) for _ in range(rng.integers(1, 4))]
        first = {}
        lowest = [first.setdefault(tuple(row), number) for number, row in enumerate(np.stack(columns, axis=1).tolist())]
        assert alike(*columns).tolist() == lowest, seed


@pytest.mark.parametrize("share", [1e-3, 1e-7])
def test_boxes_crowded_in_a_corner_of_a_scene_are_found_as_fast_as_others(share):
    rng = np.random.default_rng(57)
    low = share * rng.random((3, 10_000))
    high = low + share * 0.01
    expected = {(int(i), int(j)) for i, j in np.concatenate([*map(np.stack, many_box_pairs(low, high))], axis=1).T}
    low[:, 0] = high[:, 0] = 1.0  # far away from all others
    tree = boxes._Tree.of(low, high, None)
    compared = sum(len(i) for i, _ in tree.pairs())
    pairs = np.concatenate([*map(np.stack, many_box_pairs(low, high))], axis=1).T
    assert {tuple(sorted(pair)) for pair in pairs.tolist()} == {
        tuple(sorted(pair)) for pair in expected if 0 not in pair
    }
    assert compared < 10 * len(expected)
