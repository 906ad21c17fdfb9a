# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of many boxes meet: by sorting along one axis for some, on grids for as many as a mesh has faces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...arrays import Bools, FloatArray, Ints, Numbers

Sides = Bools | Numbers
"""Of which side each of many is: none below zero."""

BLOCK = 1 << 18
"""Pairs at a time."""

FEW = 256
"""Up to so many boxes, each is compared with each: laying grids takes longer."""

CELL_BITS = 20
"""Three numbers of cells share one integer."""

ROOM = 2.0
"""Side of the smallest cells, by the mean size of all boxes."""

TABLE = 1_000_003
"""Places, a prime number of them and no power of two or nearly, in the table that tells cells apart."""

STEP = 2
"""Each grid is two powers of two coarser than the one before."""


def box_pairs(low: FloatArray, high: FloatArray, block: int = 1 << 20) -> tuple[Ints, Ints]:
    """Return the pairs of boxes (k, 3) that meet, found along the axis on which they are spread the most."""
    axis = int(np.argmax(high.max(axis=0) - low.min(axis=0)))
    order = np.argsort(low[:, axis], kind="stable")
    stop = np.searchsorted(low[order, axis], high[order, axis], side="right")
    after = np.cumsum(np.maximum(stop - np.arange(len(order)) - 1, 0))
    found_a, found_b = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for begin in range(0, int(after[-1]), block):
        number = np.arange(begin, min(begin + block, int(after[-1])))
        i = np.searchsorted(after, number, side="right")
        j = stop[i] - (after[i] - number)
        a, b = order[i], order[j]
        meet = ((low[a] <= high[b]) & (low[b] <= high[a])).all(axis=1)
        found_a.append(a[meet])
        found_b.append(b[meet])
    return np.concatenate(found_a), np.concatenate(found_b)


def boxes_meeting(lows: FloatArray, highs: FloatArray, low: FloatArray, high: FloatArray) -> Ints:
    """Return which of many boxes (3, k) meet another (3,)."""
    return np.flatnonzero(((lows <= high[:, None]) & (highs >= low[:, None])).all(axis=0))


def many_box_pairs(low: FloatArray, high: FloatArray, side: Sides | None = None) -> Iterator[tuple[Ints, Ints]]:
    """Yield the pairs of boxes that meet, each once, in blocks; the parameters are those of `ManyBoxes`."""
    return ManyBoxes(low, high, side).pairs()


@dataclass(frozen=True, eq=False)
class _Grid:
    """Boxes in cells, those of one cell in a row.

    Parameters
    ----------
    first : ndarray, shape (3, k), int64
        The lowest cell of each box.
    box, key : ndarray, shape (j,), int64
        The box, and the cell as one number.
    follow : ndarray, shape (j,), int64
        How many of the boxes that follow it is compared with.
    """

    first: Ints
    box: Ints
    key: Ints
    follow: Ints


class ManyBoxes:
    """Boxes on grids.

    Each box stands on the finest grid whose cells are no smaller than itself, so that it meets no more than eight of
    them, and is compared there with all that stand on no coarser one (Teschner et al. 2003, Optimized spatial
    hashing for collision detection of deformable objects; with a grid for each size).

    Parameters
    ----------
    low, high : ndarray, shape (3, k)
        Corners of the boxes, finite. One whose `high` is below its `low` meets only what reaches over both.
    side : ndarray, shape (k,), bool or int, optional
        Only boxes of different sides make a pair.
    """

    def __init__(self, low: FloatArray, high: FloatArray, side: Sides | None = None) -> None:
        self.low, self.high, self.side = low, high, side
        self.grids = _grids(low, high, side) if low.shape[1] > FEW else None

    def compared(self) -> int:
        """Return how many pairs, of any sides, have to be compared."""
        if self.grids is None:
            return self.low.shape[1] ** 2 // 2
        return sum(int(grid.follow.sum()) for grid in self.grids)

    def pairs(self) -> Iterator[tuple[Ints, Ints]]:
        """Yield the pairs of boxes that meet, each once, in blocks."""
        if self.grids is None:
            yield _some_box_pairs(self.low, self.high, self.side)
            return
        for grid in self.grids:
            yield from _sharing_cells(grid, self.low, self.high, self.side)


def _grids(low: FloatArray, high: FloatArray, side: Sides | None) -> list[_Grid]:
    origin = low.min(axis=1)[:, None]
    span = float((high.max(axis=1) - origin[:, 0]).max())
    size = (high - low).max(axis=0)
    finest = max(ROOM * float(size.mean()), 2.0 * span / (1 << CELL_BITS), 0.0) or 1.0
    level = np.ceil(np.log2(np.maximum(size / finest, 1.0)) / STEP).astype(np.int64)
    grids = []
    for here in np.unique(level).tolist():
        cell = finest * 2.0 ** (STEP * here)
        first, last = (np.floor((corner - origin) / cell).astype(np.int64) for corner in (low, high))
        members = np.flatnonzero(level <= here)
        item, key = _cells(first.take(members, axis=1), np.maximum(first, last).take(members, axis=1))
        box = members[item]
        if side is not None:
            some = np.flatnonzero(_several(key, side[box]))
            box, key = box[some], key[some]
        # The large ones of each cell come first: each is paired with all that follow it there.
        rank = 2 * key + (level < here)[box]
        order = np.argsort(rank)
        box, key, large = box[order], key[order], rank[order] % 2 == 0
        place = np.cumsum(np.diff(key, prepend=-1) > 0) - 1
        ends = np.cumsum(np.bincount(place))
        grids.append(_Grid(first, box, key, np.where(large, ends[place] - np.arange(len(box)) - 1, 0)))
    return grids


def _sharing_cells(grid: _Grid, low: FloatArray, high: FloatArray, side: Sides | None) -> Iterator[tuple[Ints, Ints]]:
    """Yield the pairs of boxes that meet and are compared on one grid."""
    first, box = grid.first, grid.box
    lows, highs = low[:, box], high[:, box]
    own = None if side is None else side[box]
    for i, j in _following(grid.follow):
        if own is not None:
            met = np.flatnonzero(own[i] != own[j])
            i, j = i[met], j[met]
        for lowest, highest in zip(lows, highs, strict=True):
            met = np.flatnonzero((lowest[i] <= highest[j]) & (lowest[j] <= highest[i]))
            i, j = i[met], j[met]
        # A pair that shares several cells counts in the one where both begin.
        begin = np.maximum(first[:, box[i]], first[:, box[j]])
        met = np.flatnonzero(_key(*begin) == grid.key[i])
        yield box[i[met]], box[j[met]]


def _some_box_pairs(low: FloatArray, high: FloatArray, side: Sides | None) -> tuple[Ints, Ints]:
    """Compare all boxes with all."""
    number = np.arange(low.shape[1])
    meet = number[:, None] < number if side is None else (number[:, None] < number) & (side[:, None] != side)
    for axis in range(3):
        meet &= (low[axis, :, None] <= high[axis]) & (low[axis] <= high[axis, :, None])
    one, other = np.nonzero(meet)
    return one, other


def _cells(first: Ints, last: Ints) -> tuple[Ints, Ints]:
    """Return each box's number once for each cell that it meets, and the cell as one number."""
    x, y, z = last - first + 1
    ends = np.cumsum(x * y * z)
    item = np.repeat(np.arange(len(ends)), x * y * z)
    rest = np.arange(int(ends[-1])) - (ends - x * y * z)[item]
    rest, k = np.divmod(rest, z[item])
    i, j = np.divmod(rest, y[item])
    return item, _key(first[0, item] + i, first[1, item] + j, first[2, item] + k)


def _several(key: Ints, side: Sides) -> Bools:
    """Say which keys perhaps occur with different sides, and which do not."""
    place = key % TABLE
    last = np.zeros(TABLE, dtype=side.dtype)
    last[place] = side
    mixed = np.zeros(TABLE, dtype=bool)
    mixed[place[last[place] != side]] = True
    several: Bools = mixed[place]
    return several


def _key(i: Ints, j: Ints, k: Ints) -> Ints:
    key: Ints = (i << (2 * CELL_BITS)) | (j << CELL_BITS) | k
    return key


def _following(count: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Yield the pairs (i, i + 1), (i, i + 2) .. (i, i + count[i])."""
    ends = np.cumsum(count)
    begin = 0
    while begin < len(ends) and ends[-1] > 0:
        stop = int(np.searchsorted(ends, (ends[begin - 1] if begin else 0) + BLOCK, side="right"))
        stop = max(stop, begin + 1)
        some = count[begin:stop]
        i = np.repeat(np.arange(begin, stop), some)
        yield i, i + 1 + np.arange(len(i)) - np.repeat(np.cumsum(some) - some, some)
        begin = stop
