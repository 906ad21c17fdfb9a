# SPDX-License-Identifier: Apache-2.0
"""Finds which of many boxes overlap: by sorting along one axis for a few, on grids for as many as a mesh has faces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

import numpy as np

from ...arrays import Bools, FloatArray, Ints, Numbers, ranges

Sides = Bools | Numbers
"""The side of each item; none is below zero."""

BLOCK = 1 << 16
"""Pairs per block."""

FEW = 1 << 11
"""Up to this many boxes, sort them along one axis: building grids takes longer."""

CELL_BITS = 20
"""Bits for each of three cell numbers in one integer."""

ROOM = 2.0
"""Side of the smallest cells, relative to the mean size of all boxes."""

STEP = 2
"""Each grid is this many powers of two coarser than the one before."""


def many_box_pairs(low: FloatArray, high: FloatArray, side: Sides | None = None) -> Iterator[tuple[Ints, Ints]]:
    """Yield the pairs of boxes that overlap, each once, in blocks; the parameters are those of `ManyBoxes`."""
    return ManyBoxes(low, high, side).pairs()


@dataclass(frozen=True, eq=False)
class _Grid:
    """Boxes in cells, sorted by cell, and within a cell by side."""

    first: Ints  # the lowest cell of each box (3, k)
    shape: tuple[int, ...]  # cells along each axis
    box: Ints
    key: Ints  # the cell of each of these, as one number
    begin: Ints
    end: Ints  # each is compared with those from `begin` to before `end`..
    side: Sides | None  # ..that are of another side; None where all are, or sides do not matter


class ManyBoxes:
    """Boxes on grids.

    Each box is on the finest grid whose cells are at least as large, so that it overlaps at most eight of them, and is
    compared there with all boxes of the same or finer grids (Teschner et al. 2003, Optimized spatial hashing for
    collision detection of deformable objects; with a grid for each size).

    Parameters
    ----------
    low, high : ndarray, shape (3, k)
        Corners of the boxes, finite. A box whose `high` is below its `low` overlaps only what contains both.
    side : ndarray, shape (k,), bool or int, optional
        Only boxes of different sides make a pair.
    """

    def __init__(self, low: FloatArray, high: FloatArray, side: Sides | None = None) -> None:
        self.low, self.high, self.side = low, high, side
        self.grids = _grids(low, high, side) if low.shape[1] > FEW else None

    def compared(self) -> int:
        """Return the number of pairs to compare: with many boxes, mostly those of different sides."""
        if self.grids is None:
            return self.low.shape[1] ** 2 // 2
        return sum(int((grid.end - grid.begin).sum()) for grid in self.grids)

    def pairs(self) -> Iterator[tuple[Ints, Ints]]:
        """Yield the pairs of boxes that overlap, each once, in blocks."""
        if self.grids is None:
            yield from self._along_one_axis()
            return
        for grid in self.grids:
            first, box = grid.first, grid.box
            for i, j in _overlapping(box, grid.begin, grid.end, grid.side, self.low, self.high):
                # A pair that shares several cells is yielded in the one where both begin.
                begin = np.maximum(first[:, box[i]], first[:, box[j]])
                met = np.flatnonzero(_key(begin, grid.shape) == grid.key[i])
                yield box[i[met]], box[j[met]]

    def _along_one_axis(self) -> Iterator[tuple[Ints, Ints]]:
        """Compare each box with those that begin inside it, along the axis on which boxes are shortest."""
        size, extent = (self.high - self.low).sum(axis=1), np.ptp(self.low, axis=1)
        axis = int(np.argmin(size * np.roll(extent, 1) * np.roll(extent, 2)))  # of the quotient size / extent
        box = np.argsort(self.low[axis], kind="stable")
        # In order of where they begin, all that overlap a box on this axis follow it directly.
        begin = np.arange(1, len(box) + 1)
        end = np.searchsorted(self.low[axis, box], self.high[axis, box], side="right")
        side = None if self.side is None else self.side[box]
        low, high = (np.roll(corner, 2 - axis, axis=0) for corner in (self.low, self.high))  # this axis tells least
        for i, j in _overlapping(box, begin, np.maximum(begin, end), side, low, high):
            yield box[i], box[j]


def _grids(low: FloatArray, high: FloatArray, side: Sides | None) -> list[_Grid]:
    # The finest cells are twice the mean box, and no finer than `CELL_BITS` can number; `level` is each box's grid.
    origin = low.min(axis=1)[:, None]
    span = float((np.maximum(low, high) - origin).max())
    size = (high - low).max(axis=0)
    finest = max(ROOM * float(size.mean()), 2.0 * span / (1 << CELL_BITS), 0.0) or 1.0
    level = np.ceil(np.log2(np.maximum(size / finest, 1.0)) / STEP).astype(np.int64)
    grids = []
    for here in np.unique(level).tolist():
        # The boxes of this grid and of all finer ones, each in all the cells that it meets.
        cell = finest * 2.0 ** (STEP * here)
        first, last = (np.floor((corner - origin) / cell).astype(np.int64) for corner in (low, high))
        shape = tuple(int(row.max()) + 1 for row in np.maximum(first, last))
        members = np.flatnonzero(level <= here)
        item, key = cells_of(first.take(members, axis=1), last.take(members, axis=1), shape)
        box = members[item]
        # The large ones of each cell come first: each is compared with all that follow it there, where numbers are not
        # too large to tell sides, too, without those of its own side.
        rank = 2 * key + (level < here)[box]
        sides = 1 if side is None else int(side.max()) + 1
        by_side = side is not None and sides * (2 * prod(shape) + 2) < 1 << 62
        if side is not None and by_side:
            rank = sides * rank + side[box].astype(np.int64)
        order = np.argsort(rank)
        box, key, rank = box[order], key[order], rank[order]
        begin = _ends_of_runs(rank) if by_side else np.arange(1, len(box) + 1)
        large = level[box] == here
        box_side = None if side is None or (by_side and large.all()) else side[box]
        grids.append(_Grid(first, shape, box, key, begin, np.where(large, _ends_of_runs(key), begin), box_side))
    return grids


def _ends_of_runs(values: Ints) -> Ints:
    """Return for each of some sorted numbers the index of the next larger one."""
    # The last of each run of equal numbers ends it, so add one there and sum up.
    last = np.flatnonzero(np.diff(values, append=-1))
    starts = np.zeros(len(values), dtype=np.int64)
    starts[last[:-1] + 1] = 1
    ends: Ints = (last + 1).take(np.cumsum(starts), mode="clip")
    return ends


def _overlapping(
    box: Ints, begin: Ints, end: Ints, side: Sides | None, low: FloatArray, high: FloatArray
) -> Iterator[tuple[Ints, Ints]]:
    """Yield pairs of places in `box`, i and one from begin[i] to before end[i], whose boxes overlap and have different
    sides."""
    lows, highs = low.take(box, axis=1, mode="clip"), high.take(box, axis=1, mode="clip")
    for i, j in ranges(begin, end - begin, BLOCK):
        if side is not None:
            met = np.flatnonzero(side[i] != side[j])
            i, j = i.take(met), j.take(met)
        for lowest, highest in zip(lows, highs, strict=True):
            meet = lowest.take(i, mode="clip") <= highest.take(j, mode="clip")
            meet &= lowest.take(j, mode="clip") <= highest.take(i, mode="clip")
            met = np.flatnonzero(meet)
            i, j = i.take(met), j.take(met)
        yield i, j


def cells_of(first: Ints, last: Ints, shape: tuple[int, ...]) -> tuple[Ints, Ints]:
    """Return a box's number once for each cell that it meets, hardly ever more than two along an axis, and the cell."""
    item, key = np.arange(first.shape[1]), _key(first, shape)
    # Step along each axis in turn: items are repeated for as many cells as they reach beyond the first.
    more = last - first
    for axis, step in enumerate((shape[1] * shape[2], shape[2], 1)):
        items, keys, remaining = [item], [key], more[axis].take(item, mode="clip")
        while len(some := np.flatnonzero(remaining > 0)):
            item, key, remaining = item.take(some), key.take(some) + step, remaining.take(some) - 1
            items.append(item)
            keys.append(key)
        item, key = np.concatenate(items), np.concatenate(keys)
    return item, key


def _key(cell: Ints, shape: tuple[int, ...]) -> Ints:
    i, j, k = cell
    key: Ints = (i * shape[1] + j) * shape[2] + k
    return key
