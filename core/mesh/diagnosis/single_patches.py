# SPDX-License-Identifier: Apache-2.0
"""Faces that certainly pass through no other: those in cells where the surface is a single patch.

All space around the surface is divided into cells. A run is a stack of cells that faces meet, along an axis. If all
faces that meet a run look one way along the axis, they cross every line along it equally often, since none leaves at
the ends of the run: if they cross one line once, they are a single patch, which folds nowhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod, sqrt
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from ...arrays import Bools, Ints, Numbers, TriangleArray, corner_blocks, ranges
from ..surface import Surface
from ..topology.vectors import cross, face_corners
from ..voxels.columns import Columns

MANY = 1 << 11
"""Minimum number of faces for which `perhaps_crossing` saves time: a surface with fewer is compared whole."""

BLOCK = 1 << 14
"""Faces per block: the temporaries stay in the cache."""

SAMPLE = 1 << 13
"""About this many faces, or nearly twice, determine the size of the cells."""

FACES_PER_CELL, CELLS_PER_FACE = 6, 4
"""Faces per cell: fewer make more cells, more are less often one patch; and the maximum number of cells."""

FINEST = 2.0**-10
"""Smallest size of a cell relative to the longest side."""

MOST_CELLS = 12
"""Cells that a face meets on average, at most: large faces fill more."""

EDGE = 1e-6
"""A face within this share of a cell of another meets that, too: far above rounding."""

LEVEL = 2.0**-20
"""A face looks along an axis if its normal has this share along it: the heights of steeper ones are inaccurate."""


def perhaps_crossing(surface: Surface) -> Ints:
    """Return the faces that may cross another face of a surface; the others do not.

    The surface is closed and wound consistently, its corners merged to points.
    """
    count = len(surface.triangles)
    if count < MANY or not surface.extent().any():
        return np.arange(count)
    grid = Columns.around(surface, _cell_size(surface), 2)
    meeting = _Meeting.of(surface, grid)
    # Of a mesh with sharp edges along the axes hardly any cell is a single patch.
    if meeting is None or 2 * np.count_nonzero(meeting.ways) < np.count_nonzero(meeting.met):
        return np.arange(count)
    return np.flatnonzero(meeting.touches(meeting.undecided(surface, grid)))


@dataclass(frozen=True, eq=False)
class _Meeting:
    """Which faces may meet which cells.

    A face counts for the cell of its lowest corner and for all eight that follow that by at most one along each axis,
    which are all that it meets unless it is large. So each has one number, not one for each cell.

    Parameters
    ----------
    first : ndarray, shape (m,)
        The first cell of each face.
    large, of_large : ndarray, shape (k,)
        Faces that reach further, each with the first of every eight cells that it meets.
    met : ndarray, shape (x, y, z), bool
        Cells that faces may meet, with one of room on either side of the grid.
    ways : ndarray, shape (x, y, z), uint8
        Bit i is set for such a cell if all its faces look along axis i, bit 3 + i if all look back along it.
    """

    first: Ints
    large: Ints
    of_large: Ints
    met: Bools
    ways: Numbers

    @classmethod
    def of(cls, surface: Surface, grid: Columns) -> Self | None:
        """Return all that may meet in a grid; None if they are too many."""
        shape = tuple(side + 2 for side in grid.shape)
        count = len(surface.triangles)
        first, large, of_large, budget = np.empty(count, dtype=np.int64), [], [], MOST_CELLS * count
        looks = np.full(prod(shape), 63, dtype=np.uint8)  # of the faces by their first cells
        met = np.zeros(prod(shape), dtype=bool)
        for some, index in corner_blocks(surface.triangles, BLOCK):
            a, b, c = (grid.corners.take(corner, axis=1, mode="clip") for corner in index)
            low = (np.minimum(np.minimum(a, b), c) + (0.5 - EDGE)).astype(np.int32)
            reach = (np.maximum(np.maximum(a, b), c) + (0.5 + EDGE)).astype(np.int32) - low
            here = first[some] = (low[0].astype(np.int64) * shape[1] + low[1]) * shape[2] + low[2]
            normal = cross(b - a, c - a)
            least = LEVEL * np.abs(normal).sum(axis=0)
            looks_along, looks_back = (normal > least).view(np.uint8), (normal < -least).view(np.uint8)
            look = looks_along[0] | looks_along[1] << 1 | looks_along[2] << 2
            look |= looks_back[0] << 3 | looks_back[1] << 4 | looks_back[2] << 5
            np.bitwise_and.at(looks, here, look)
            met[here] = True
            if reach.max() > 1:
                far = np.flatnonzero((reach > 1).any(axis=0))
                budget -= int(reach.take(far, axis=1).prod(axis=0, dtype=np.int64).sum())
                if budget < 0:
                    return None
                face, cell = _cells_of(low.take(far, axis=1), np.maximum(reach.take(far, axis=1), 1), shape)
                np.bitwise_and.at(looks, cell, look.take(far.take(face)))
                met[cell] = True
                large.append(far.take(face) + some.start)
                of_large.append(cell)
        none = np.zeros(0, dtype=np.int64)
        ways, met = _spread(looks.reshape(shape), np.bitwise_and), _spread(met.reshape(shape), np.logical_or)
        ways[~met] = 0
        return cls(first, np.concatenate([none, *large]), np.concatenate([none, *of_large]), met, ways)

    def touches(self, cells: Bools) -> Bools:
        """Return which faces (m,) may meet some cells, given in the shape of the grid."""
        flags = _spread(cells[::-1, ::-1, ::-1], np.logical_or)[::-1, ::-1, ::-1].ravel()
        touching: Bools = flags.take(self.first)
        touching[self.large[flags.take(self.of_large)]] = True
        return touching

    def undecided(self, surface: Surface, grid: Columns) -> Bools:
        """Return the cells of which no axis shows that the surface is a single patch, in the shape of the grid."""
        undecided = self.met.copy()
        cells = np.flatnonzero(self.met)
        for axis in (2, 1, 0):  # each has only the cells that the ones before did not decide
            run, single = self._runs(cells, axis)
            waiting = np.zeros(len(single), dtype=bool)
            waiting[run[undecided.ravel()[cells]]] = True
            single &= waiting
            if single.any():
                # Lines through these runs cross only faces that meet them. For most faces, choosing them takes longer.
                triangles = surface.triangles
                if axis != 2:
                    chosen = np.zeros_like(self.met)
                    chosen.ravel()[cells[single[run]]] = True
                    triangles = triangles.take(np.flatnonzero(self.touches(chosen)), axis=0)
                single &= _crossed_once(triangles, grid.along(axis), self.met.shape, cells, run)
                undecided.ravel()[cells[single[run]]] = False
        return undecided

    def _runs(self, cells: Ints, axis: int) -> tuple[Ints, Bools]:
        """Return the run along an axis of each cell that may be met, and of each run if all its faces look one way."""
        # Cells in the order of their columns: a run starts where one does not follow the one before.
        shape = self.met.shape
        along, order = cells, np.arange(len(cells))
        if axis != 2:
            sizes, places = np.roll(shape, 2 - axis), np.roll(np.unravel_index(cells, shape), 2 - axis, axis=0)
            along = (places[0] * sizes[1] + places[1]) * sizes[2] + places[2]
            order = np.argsort(along, kind="stable")
        starts = np.flatnonzero(np.diff(along[order], prepend=-2) != 1)
        run = np.empty(len(cells), dtype=np.int64)
        run[order] = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(cells)))
        ways = np.bitwise_and.reduceat(self.ways.ravel()[cells[order]], starts)
        return run, (ways & (9 << axis)) > 0


def _spread(cells: npt.NDArray[Any], joined: np.ufunc) -> npt.NDArray[Any]:
    """Return the values of cells, each joined with those of the seven before it by at most one along each axis."""
    for axis in range(3):
        spread = cells.copy()
        following = np.moveaxis(spread, axis, 0)[1:]
        joined(following, np.moveaxis(cells, axis, 0)[:-1], out=following)
        cells = spread
    return cells


def _cells_of(first: Numbers, steps: Numbers, shape: tuple[int, ...]) -> tuple[Ints, Ints]:
    """Return the number of each box for each cell from `first` (3, k) to `steps` - 1 further along each axis, and the
    cell."""
    steps = steps.astype(np.int64)
    boxes, cells = [], []
    for box, number in ranges(np.zeros(len(steps[0]), dtype=np.int64), steps.prod(axis=0), BLOCK):
        x, yz = np.divmod(number, (steps[1] * steps[2]).take(box))
        y, z = np.divmod(yz, steps[2].take(box))
        i, j, k = first.take(box, axis=1).astype(np.int64) + np.stack([x, y, z])
        boxes.append(box)
        cells.append((i * shape[1] + j) * shape[2] + k)
    return np.concatenate(boxes), np.concatenate(cells)


def _crossed_once(triangles: TriangleArray, grid: Columns, shape: tuple[int, ...], cells: Ints, run: Ints) -> Bools:
    """Return which runs, by those of some cells, the lines of a grid's columns cross once in their cells."""
    count = int(run.max()) + 1
    run_of = np.full(shape, count)
    run_of.ravel()[cells] = run
    crossed = np.zeros(count + 1, dtype=np.int64)
    axes = np.roll(np.arange(3), grid.roll)
    for *place, _ in grid.ordered(triangles).each():
        # The cell of each crossing, with the axes back in the order of the mesh; those of steep faces may be anywhere.
        cell = np.empty((3, len(place[0])), dtype=np.int64)
        for source, row in zip(axes, place, strict=True):
            cell[source] = np.floor(row + 0.5)
        crossed += np.bincount(run_of[tuple(cell)], minlength=len(crossed))
    return np.asarray(crossed[:-1] == 1)


def _cell_size(surface: Surface) -> float:
    """Return the side of a cell [m], from the mean area of some faces, within the limits of cells."""
    count, extent = len(surface.triangles), surface.extent()
    a, b, c = face_corners(surface, np.arange(0, count, max(count // SAMPLE, 1))).transpose(1, 0, 2)
    area = float(np.linalg.norm(cross(b - a, c - a), axis=0).mean()) / 2.0
    size = max(sqrt(FACES_PER_CELL * area), FINEST * float(extent.max()))
    while np.prod(extent / size + 1.0) > CELLS_PER_FACE * count + 4096:
        size *= 1.25
    return size
