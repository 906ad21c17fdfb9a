# SPDX-License-Identifier: GPL-3.0-or-later
"""Which faces of a shell come near another shell, told by the cells of a grid that both have corners in."""

from __future__ import annotations

from math import sqrt

import numpy as np

from ...arrays import Bools, FloatArray, Ints, Numbers
from ..geometry.boxes import ManyBoxes
from ..geometry.probe import ROUNDING, Corners
from ..geometry.vectors import cross, dot
from ..surface import Surface
from ..topology.single_sheets import FACES_PER_CELL, FINEST, MANY, PIECES_PER_FACE, cut_to_cells
from .placed import TooMuch

SAMPLE = 1 << 13
"""So many faces tell how large cells shall be: .."""

MOST_FIT = 0.98
"""..so that this share of the faces fits into one.."""

WIDER = 1.25
"""..but no larger than so many times what `FACES_PER_CELL` of the mean area make."""

MOST_CELLS = 1 << 22
"""Cells in all."""

COMPARED = 1 << 9
"""Boxes that each face may be compared with, on average: columns are quicker where there are more."""

FEW = 1 << 10
"""Pieces of large faces that there may be however few faces there are."""


def near_other_shells(surface: Surface, shell: Numbers, owner: Numbers) -> Ints:
    """Return the faces that may meet a face of another shell; all others meet none.

    What is no larger than a cell has a corner in the cell, or in one beside it, wherever it meets another such.

    Parameters
    ----------
    surface : Surface
    shell : ndarray, shape (m,), int
        The number of each face's shell, as `numbered` gives it.
    owner : ndarray, shape (n,), int
        The same of each vertex that a face uses.
    """
    count = len(surface.triangles)
    if count < MANY:
        return np.arange(count)
    low, high = surface.bounds()
    extent = high - low
    longest = float(extent.max())
    rows = np.ascontiguousarray((surface.vertices.T - low[:, None]) / longest)
    cell = max(_cell_size(rows[:, surface.triangles[:: max(count // SAMPLE, 1)].T]), FINEST)
    while np.prod(extent / longest / cell + 3.0) > MOST_CELLS:
        cell *= 1.25
    rows /= cell
    np.clip(rows, 0.0, (extent / longest / cell)[:, None], out=rows)  # vertices of no face lie anywhere
    shape = tuple(int(side) + 3 for side in extent / longest / cell)
    large = _larger(rows, surface)
    pieces, parent = cut_to_cells(rows[:, surface.triangles[large].T], PIECES_PER_FACE * count)
    if pieces is None:
        return np.arange(count)
    used = surface.used()
    place, place_of_pieces = _cells(rows, shape), _cells(pieces, shape)
    lowest = np.full(shape, np.iinfo(shell.dtype).max, dtype=shell.dtype)
    highest = np.zeros(shape, dtype=shell.dtype)
    for places, shells in (
        (place[used], owner[used]),
        (place_of_pieces.ravel(), np.tile(shell[large[parent]], 3)),
    ):
        np.minimum.at(lowest.reshape(-1), places, shells)
        np.maximum.at(highest.reshape(-1), places, shells)
    several = _spread(lowest, np.minimum) < _spread(highest, np.maximum)
    near = _spread(several, np.logical_or).reshape(-1)
    at_corner = near.take(place)
    found = np.zeros(count, dtype=bool)
    for corner in surface.triangles.T:
        found |= at_corner.take(corner)
    found[large] = False
    found[large[parent[near[place_of_pieces].any(axis=0)]]] = True
    return np.flatnonzero(found)


def pairs_between(corners: Corners, shell: Numbers) -> tuple[Ints, Ints]:
    """Return pairs of faces (3, 3, n) of different shells among which are all that meet; of the size of 1.

    The boxes of large faces, which are mostly empty, would meet many others: they are cut into pieces. Raises
    `TooMuch` where there are too many all the same, as in two fans one on the other.
    """
    if not corners.shape[2]:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    cell = _cell_size(corners)
    pieces, parent = cut_to_cells(corners / cell, PIECES_PER_FACE * corners.shape[2] + FEW)
    if pieces is None:
        pieces, parent = corners / cell, np.arange(corners.shape[2])
    room = ROUNDING / cell
    boxes = ManyBoxes(pieces.min(axis=1) - room, pieces.max(axis=1) + room, shell.take(parent))
    if boxes.compared() > COMPARED * corners.shape[2] + MOST_CELLS:
        raise TooMuch
    found = [np.zeros((2, 0), np.int64), *(parent.take(np.stack(pair)) for pair in boxes.pairs())]
    one, other = np.sort(np.concatenate(found, axis=1), axis=0)
    one, other = np.divmod(np.unique(one * corners.shape[2] + other), corners.shape[2])
    return one, other


def _cell_size(some: Corners) -> float:
    """Return a size that most of some faces fit in, and that is not much larger than they are wide."""
    a, b, c = some.transpose(1, 0, 2)
    normal = cross(b - a, c - a)
    width = sqrt(FACES_PER_CELL * float(np.sqrt(dot(normal, normal)).mean()) / 2.0)
    largest = float(np.quantile((some.max(axis=1) - some.min(axis=1)).max(axis=0), MOST_FIT))
    return max(min(largest, WIDER * width), FINEST)


def _larger(rows: FloatArray, surface: Surface) -> Ints:
    """Return the faces that are larger than a cell along some axis."""
    larger: Bools = np.zeros(len(surface.triangles), dtype=bool)
    for row in rows.astype(np.float32):
        a, b, c = (row.take(corner) for corner in surface.triangles.T)
        low = np.minimum(a, b)
        np.minimum(low, c, out=low)
        np.maximum(a, b, out=a)
        np.maximum(a, c, out=a)
        a -= low
        larger |= a > 0.99
    return np.flatnonzero(larger)


def _cells(places: FloatArray, shape: tuple[int, ...]) -> Ints:
    x, y, z = places.astype(np.int64) + 1
    cells: Ints = (x * shape[1] + y) * shape[2] + z
    return cells


def _spread(grid: Numbers | Bools, more: np.ufunc) -> Numbers | Bools:
    """Return for each cell what is in it or in one of the 26 around it."""
    for axis in range(3):
        before = grid
        grid = grid.copy()
        behind = (slice(None),) * axis
        for here, there in ((slice(1, None), slice(None, -1)), (slice(None, -1), slice(1, None))):
            more(grid[(*behind, here)], before[(*behind, there)], out=grid[(*behind, here)])
    return grid
