# SPDX-License-Identifier: GPL-3.0-or-later
"""Which faces of a component come near another component, told by the cells of a grid that both may have faces in."""

from __future__ import annotations

from math import sqrt
from typing import TypeVar

import numpy as np

from ...arrays import Bools, Ints, Numbers, corner_blocks
from ..geometry.boxes import ManyBoxes
from ..geometry.probe import ROUNDING, Corners, face_corners
from ..geometry.vectors import cross, dot
from ..surface import Surface
from ..topology.single_patches import FACES_PER_CELL, FINEST, MANY, PIECES_PER_FACE, cut_to_cells, rows_in_cells, sample
from .placed import TooMuch

AnyGrid = TypeVar("AnyGrid", Bools, Numbers)

MOST_FIT = 0.98
"""Cells are so large that this share of the faces fits into one.."""

WIDER = 1.25
"""..but no larger than so many times what `FACES_PER_CELL` of the mean area make."""

MOST_CELLS = 1 << 22
"""Cells in all."""

SLACK = 2.0**-10
"""A face may meet a cell that it is nearer to than this, in cells: far above the rounding of single precision, and what
components are shifted by."""

FITTING = 1.0 - 4.0 * SLACK
"""A face no larger than that meets no cell but the lowest and the next."""

BLOCK = 1 << 16
"""Faces at a time."""

COMPARED = 1 << 9
"""Boxes that each face may be compared with, on average: columns are quicker where there are more."""

FEW = 1 << 10
"""Pieces of large faces that there may be however few faces there are."""


def near_other_components(surface: Surface, component: Numbers) -> Ints:
    """Return the faces that may meet a face of another component; all others meet none.

    Each is looked for in eight cells: its lowest, and those next to that. Larger faces are cut into pieces.

    Parameters
    ----------
    surface : Surface
    component : ndarray, shape (m,), int
        The number of each face's component, as `numbered` gives it.
    """
    count = len(surface.triangles)
    if count < MANY:
        return np.arange(count)
    low, high = surface.bounds()
    longest = float((high - low).max())
    cell = _cell_size(face_corners(surface, sample(count)) / longest)
    while np.prod((high - low) / longest / cell + 4.0) > MOST_CELLS:
        cell *= 1.25
    rows = rows_in_cells(surface, longest * cell, np.float32)
    shape = tuple(int(side) + 4 for side in (high - low) / longest / cell)
    place, large = np.empty(count, dtype=np.int64), np.empty(count, dtype=bool)
    for some, index in corner_blocks(surface.triangles, BLOCK):
        place[some], large[some] = _lowest_cells(rows.take(index, axis=1, mode="clip"), shape)
    cut = np.flatnonzero(large)
    pieces, parent = cut_to_cells(rows[:, surface.triangles[cut].T] / FITTING, PIECES_PER_FACE * count)
    if pieces is None:
        return np.arange(count)
    place_of_pieces, _ = _lowest_cells(pieces * FITTING, shape)
    fits = np.flatnonzero(~large)
    near = _near_several(
        np.concatenate([place[fits], place_of_pieces]), np.concatenate([component[fits], component[cut[parent]]]), shape
    )
    found = near.take(place)
    found[cut] = False
    found[cut[parent[near.take(place_of_pieces)]]] = True
    return np.flatnonzero(found)


def _lowest_cells(corners: Corners, shape: tuple[int, ...]) -> tuple[Ints, Bools]:
    """Return the lowest cell, as one number, that faces may meet, and which faces meet one beyond the next."""
    first = np.floor(corners.min(axis=1) - SLACK)
    large = (corners.max(axis=1) + SLACK >= first + 2.0).any(axis=0)
    x, y, z = first.astype(np.int64)
    return (x * shape[1] + y) * shape[2] + z, large


def _near_several(place: Ints, component: Numbers, shape: tuple[int, ...]) -> Bools:
    """Say of each cell, as the lowest of a face, whether several components may have faces in that face's cells."""
    nobody = np.iinfo(component.dtype).max
    lowest = np.full(int(np.prod(shape)), nobody, dtype=component.dtype)
    several = np.zeros(len(lowest), dtype=bool)
    lowest[place] = component  # of several, the last write wins..
    several[place[lowest.take(place) != component]] = True  # ..and the others notice
    highest = np.where(lowest == nobody, component.dtype.type(0), lowest)
    several = _spread(several.reshape(shape), np.logical_or, 1)
    several |= _spread(lowest.reshape(shape), np.minimum, 1) < _spread(highest.reshape(shape), np.maximum, 1)
    return _spread(several, np.logical_or, -1).ravel()


def pairs_between(corners: Corners, component: Numbers) -> tuple[Ints, Ints]:
    """Return pairs of faces (3, 3, n) of different components among which are all that meet; of the size of 1.

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
    boxes = ManyBoxes(pieces.min(axis=1) - room, pieces.max(axis=1) + room, component.take(parent))
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


def _spread(grid: AnyGrid, more: np.ufunc, step: int) -> AnyGrid:
    """Return for each cell what is in it or so many steps before it, along any axes."""
    for axis in range(3):
        before = grid.swapaxes(0, axis)
        grid = grid.copy()
        after = grid.swapaxes(0, axis)
        if step > 0:
            more(after[1:], before[:-1], out=after[1:])
        else:
            more(after[:-1], before[1:], out=after[:-1])
    return grid
