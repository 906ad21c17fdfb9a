# SPDX-License-Identifier: Apache-2.0
"""Faces of a closed surface that pass through others, and what it encloses twice or negatively around them."""

from __future__ import annotations

from math import sqrt

import numpy as np

from ...arrays import Bools, FloatArray, Ints, Numbers, corner_blocks
from ..progress import unless_unwanted
from ..surface import Surface
from ..topology.boxes import cells_of
from ..topology.connected import connected
from ..topology.crossing_faces import crossing_lines, face_pairs, too_many
from ..topology.edges import repeated
from ..topology.merging import merging_size
from ..topology.vectors import cross, dot, face_corners
from ..voxels.columns import Columns, winding_volumes

# Cells in which faces that may cross are sought.

MANY = 1 << 11
"""Minimum number of faces for which `perhaps_crossing` saves time: a surface with fewer is compared whole."""

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

# The pairs of faces that cross, and the columns that measure what these enclose twice or negatively.

MOST_PLACES = 16
"""Places that columns inspect, those with the most crossing faces first."""

MOST_APART = 30_000
"""Pairs of faces of different solids: with more, columns find the union sooner than Manifold."""

COLUMNS, MOST_COLUMNS = 64, 1024
"""Columns along the second longest side of a window, and their maximum along the longest."""

NEARER = 2.0**-2, 2.0**-6, 2.0**-10
"""Margins of nearer windows, as shares of the line's length."""


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


def crossing_pairs(surface: Surface, closed: bool = True, solid: Ints | None = None) -> tuple[Ints, Ints]:
    """Return the pairs of faces that pass through each other by more than a merging cell.

    Faces that are present in both windings, and so enclose nothing, are left out.

    Parameters
    ----------
    surface : Surface
        Its corners merged to points.
    closed : bool
        True if it is closed and wound consistently, which saves time.
    solid : ndarray, shape (m,), int64, optional
        The solid of each face.

    Returns
    -------
    face, other : ndarray, shape (k,), int64

    Raises
    ------
    InertiaError
        ``overlaps_not_checked`` if there are too many pairs to compare, or more than `MOST_APART` of two solids.
    """
    faces = perhaps_crossing(surface) if closed else np.arange(len(surface.triangles))
    pairs, apart = [], 0
    for i, j in face_pairs(face_corners(surface, faces), merging_size(surface)):
        face, other = faces[i], faces[j]
        pairs.append((face, other))
        apart += 0 if solid is None else int(np.count_nonzero(solid[face] != solid[other]))
        if apart > MOST_APART:
            raise too_many(len(faces))
    face, other = _joined(pairs)
    if not len(face):
        return face, other
    some = np.union1d(face, other)
    _, walls = repeated(surface.triangles.astype(np.int64), some)
    enclosing = ~(np.isin(face, walls) | np.isin(other, walls))
    return face[enclosing], other[enclosing]


def doubt(surface: Surface, face: Ints, other: Ints) -> tuple[float, float, float]:
    """Measure with fine columns where pairs of faces (k,) of `crossing_pairs` pass through each other.

    Returns
    -------
    overlap, negative : float
        Volume where the winding number is above one, and below zero [m³].
    unseen : float
        What columns may have missed where they found neither [m³].
    """
    # Crossing pairs that share a face are at one place; the places with most pairs stand for all.
    lines = crossing_lines(face_corners(surface, face), face_corners(surface, other))
    label = connected(face, other, len(surface.triangles))[face]
    places, sizes = np.unique(label, return_counts=True)
    places = places[np.argsort(-sizes, kind="stable")[:MOST_PLACES]]
    sums = np.zeros(3)
    for place in places.tolist():
        unless_unwanted()
        sums += _seen(surface, lines[:, :, label == place])
    overlap, negative, unseen = (len(face) / np.count_nonzero(np.isin(label, places)) * sums).tolist()
    return overlap, negative, unseen


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


def _joined(pairs: list[tuple[Ints, Ints]]) -> tuple[Ints, Ints]:
    faces, others = zip(*pairs, strict=True) if pairs else ((), ())
    return np.concatenate([np.zeros(0, np.int64), *faces]), np.concatenate([np.zeros(0, np.int64), *others])


def _seen(surface: Surface, lines: FloatArray) -> FloatArray:
    """Return the volumes above one, below zero and unseen around crossing lines (3, 2, k): by columns around all of
    them, or if these find nothing, around the middle of the longest, which may be oblique."""
    # First a window around all lines, then ever nearer ones around the middle of the longest line.
    along = lines[:, 1] - lines[:, 0]
    length = np.sqrt(dot(along, along))
    total, longest = float(length.sum()), lines[:, :, np.argmax(length)]
    middle, (lowest, highest) = longest.mean(axis=1), surface.bounds()
    around = (lines.min(axis=(1, 2)), lines.max(axis=(1, 2)), 2.0**-2), *((middle, middle, room) for room in NEARER)
    for low, high, room in around:
        # The columns run along the shortest side of the window.
        room *= float(np.ptp(longest, axis=1).max() if low is high else (high - low).max())
        window = np.maximum(low - room, lowest), np.minimum(high + room, highest)
        extent = window[1] - window[0]
        width = max(float(np.median(extent)) / COLUMNS, float(extent.max()) / MOST_COLUMNS)
        seen = winding_volumes(surface, width, int(np.argmin(extent)), window)
        if seen.depth > merging_size(surface):
            # A window on one line stands for as much of all lines as its length is of theirs.
            share = 1.0 if low is not high else total / min(2.0 * room, total)
            return np.array([share * seen.overlap, share * seen.negative, 0.0])
    return np.array([0.0, 0.0, total * width**2])  # hardly wider or deeper than the columns
