# SPDX-License-Identifier: Apache-2.0
"""Finds where a closed surface is one patch and cannot cross itself: most of an ordinary mesh, without testing pairs.

Space is cut into cells. Take a stack of cells that faces meet, up to an empty one at either end. If all faces there
look up, a path over them inside the column cannot leave at an end, and cannot stop: no edge is open, so where one face
ends another begins, and the number of faces over any two places of the column is equal. If a line along the column
meets one face only, there is one face over each place, and none crosses another. The same goes for faces that all look
down, and along the other axes (for the idea, with patches for cells, see Volino & Magnenat-Thalmann 1994, Efficient
self-collision detection on smoothly discretized surface animations).
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from ...arrays import Bools, Ints, Numbers, corner_blocks
from ..surface import Surface
from ..topology.boxes import cells_of
from ..topology.vectors import cross, face_corners
from ..voxels.columns import Columns

MANY = 1 << 11
"""Minimum number of faces for which this saves time."""

BLOCK = 1 << 16
"""Faces per block: the temporaries stay in the cache."""

SAMPLE = 1 << 13
"""About this many faces, or nearly twice, determine the size of the cells."""

FACES_PER_CELL, CELLS_PER_FACE = 9, 4
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
    size = _cell_size(surface)
    grid = Columns.around(surface, size, 2)
    shape = tuple(side + 2 for side in grid.shape)  # a cell of room around
    # For each axis, the cells with a face that does not look along it; then for each, those with one that does not look
    # back.
    deviates = np.zeros((6, *shape), dtype=bool)
    met: list[tuple[Ints, Ints]] = []
    budget = MOST_CELLS * count
    # Mark in all cells that a face meets the ways in which it does not look; give up if faces meet too many cells.
    for some, index in corner_blocks(surface.triangles, BLOCK):
        a, b, c = (grid.corners.take(corner, axis=1, mode="clip") for corner in index)
        first = np.floor(np.minimum(np.minimum(a, b), c) + (0.5 - EDGE)).astype(np.int64)
        last = np.floor(np.maximum(np.maximum(a, b), c) + (0.5 + EDGE)).astype(np.int64)
        budget -= int(np.prod(last - first + 1, axis=0).sum())
        if budget < 0:
            return np.arange(count)
        face, cell = cells_of(first, last, shape)
        normal = cross(b - a, c - a)
        least = LEVEL * np.abs(normal).sum(axis=0)
        for flags, away in zip(deviates.reshape(6, -1), (*(normal <= least), *(normal >= -least)), strict=True):
            flags[cell[away.take(face)]] = True
        met.append((face + some.start, cell))
    # A run is a stack of cells that faces meet, along an axis. Its cells are one patch if all faces in it look one way,
    # and its line crosses it once. One axis that shows that is enough.
    single = np.zeros(deviates[0].size, dtype=bool)
    for axis in range(3):
        occupied = np.moveaxis(deviates[axis] | deviates[axis + 3], axis, 2)
        starts = occupied.copy()
        starts[..., 1:] &= ~occupied[..., :-1]
        # The number of each cell's run, counted from the starts of runs; that of an empty cell does not matter.
        run = np.moveaxis((np.cumsum(starts, dtype=np.int32) - 1).reshape(starts.shape), 2, axis).ravel()
        once = _crossed_once(surface, Columns.around(surface, size, axis), run, shape)
        run_deviates = np.zeros((2, len(once)), dtype=bool)
        for flags, runs in zip((deviates[axis], deviates[axis + 3]), run_deviates, strict=True):
            runs[run[flags.ravel()]] = True
        single |= (once & ~run_deviates.all(axis=0))[run]
    # A face is above suspicion only if all its cells are single patches.
    perhaps = np.zeros(count, dtype=bool)
    for face, cell in met:
        perhaps[face[~single.take(cell)]] = True
    return np.flatnonzero(perhaps)


def _crossed_once(surface: Surface, grid: Columns, run: Numbers, shape: tuple[int, ...]) -> Bools:
    """Return which runs of cells along a column its line crosses once."""
    count = np.zeros(int(run.max()) + 1, dtype=np.int64)
    axes = np.roll(np.arange(3), grid.roll)
    for *place, _ in grid.ordered(surface.triangles).each():
        # The cell of each crossing, with the axes back in the order of the mesh.
        cell = np.empty((3, len(place[0])), dtype=np.int64)
        for source, row in zip(axes, place, strict=True):
            cell[source] = np.floor(row + 0.5)
        met = np.maximum(run[np.ravel_multi_index(tuple(cell), shape)], 0)  # those of steep faces may be anywhere
        count += np.bincount(met, minlength=len(count))
    return np.asarray(count == 1)


def _cell_size(surface: Surface) -> float:
    """Return the side of a cell [m], from the mean area of some faces, within the limits of cells."""
    count, extent = len(surface.triangles), surface.extent()
    a, b, c = face_corners(surface, np.arange(0, count, max(count // SAMPLE, 1))).transpose(1, 0, 2)
    area = float(np.linalg.norm(cross(b - a, c - a), axis=0).mean()) / 2.0
    size = max(sqrt(FACES_PER_CELL * area), FINEST * float(extent.max()))
    while np.prod(extent / size + 1.0) > CELLS_PER_FACE * count + 4096:
        size *= 1.25
    return size
