# SPDX-License-Identifier: GPL-3.0-or-later
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
import numpy.typing as npt

from ...arrays import Bools, FloatArray, Ints, corner_blocks
from ..surface import Surface
from .vectors import Corners, cross, face_corners

MANY = 1 << 11
"""Minimum number of faces for which this saves time."""

BLOCK = 1 << 16
"""Faces per block. Few of them meet a line, so that shorter blocks would mostly be numpy's overhead."""

SAMPLE = 1 << 13
"""About this many faces, or nearly twice, determine the size of the cells."""

FACES_PER_CELL = 9
"""Faces per cell: fewer make more cells, more are less often one patch."""

FINE, FACES_OF_FINE_PER_CELL = 1 << 17, 16
"""With this many faces, cells are small anyway."""

CELLS_PER_FACE = 4
"""Maximum number of cells: it bounds the work for a thin surface in a large space."""

FINEST = 2.0**-10
"""Maximum number of cells along the longest side."""

PIECES_PER_FACE = 4
"""Faces too large for a cell are cut into at most this many pieces per face of the mesh."""

MIDDLE = 0.4641016151377546, 0.4721359549995796, 0.4852813742385703
"""Position in a cell of the lines along its columns, so that they meet no corner: 2√3 - 3, 2√5 - 4, 6√2 - 8."""

LEVEL = 2.0**-30
"""A face looks along an axis if its normal has this share along it: far above rounding."""

Cells = npt.NDArray[np.uint8]

AXES = (0, 1, 2), (1, 2, 0), (2, 0, 1)


def perhaps_crossing(surface: Surface) -> Ints:
    """Return the faces that may cross another face of the surface; the others do not.

    Parameters
    ----------
    surface : Surface
        Closed and wound consistently, its corners merged to points.
    """
    count = len(surface.triangles)
    low, high = surface.bounds()
    longest = float((high - low).max())
    if count < MANY or not longest > 0.0:
        return np.arange(count)
    cell = _cell_size(face_corners(surface, sample(count)) / longest, count, (high - low) / longest)
    rows = rows_in_cells(surface, longest * cell, np.float64)
    grid = _Grid(tuple(int(side) + 4 for side in (high - low) / longest / cell))
    place = np.empty(count, dtype=np.int64)
    large = []
    for some, index in corner_blocks(surface.triangles, BLOCK):
        place[some], too_large = grid.add(rows.take(index, axis=1, mode="clip"))
        large.append(some.start + too_large)
    faces = np.concatenate(large)
    pieces, parent = cut_to_cells(rows[:, surface.triangles[faces].T], PIECES_PER_FACE * count)
    if pieces is None:
        return np.arange(count)
    there, none = grid.add(pieces)
    assert not len(none)
    doubtful = grid.doubtful()
    perhaps = doubtful[place]
    perhaps[faces] = False
    perhaps[faces[parent[doubtful[there]]]] = True
    return np.flatnonzero(perhaps)


def sample(count: int) -> Ints:
    """Return which of `count` faces determine the size of the cells."""
    return np.arange(0, count, max(count // SAMPLE, 1))


def rows_in_cells(surface: Surface, cell: float, dtype: npt.DTypeLike) -> FloatArray:
    """Return the coordinates (3, n) of all vertices in cells [m], from 1 on; unused vertices may be anywhere."""
    rows = np.empty((3, len(surface.vertices)), dtype=dtype)
    with np.errstate(over="ignore"):
        for row, coordinate, lowest in zip(rows, surface.vertices.T, surface.bounds()[0], strict=True):
            row[:] = (coordinate.astype(np.float64) - lowest) / cell + 1.0
    return rows


def _cell_size(some: Corners, count: int, extent: FloatArray) -> float:
    """Return the side of a cell, from the mean area of some faces of `count`, within the limits of cells."""
    a, b, c = some.transpose(1, 0, 2)
    area = float(np.linalg.norm(cross(b - a, c - a), axis=0).mean()) / 2.0
    cell = max(sqrt((FACES_OF_FINE_PER_CELL if count >= FINE else FACES_PER_CELL) * area), FINEST)
    most = CELLS_PER_FACE * count + 4096
    while np.prod(extent / cell + 1.0) > most:
        cell *= 1.25
    return cell


def cut_to_cells(corners: Corners, most: int) -> tuple[Corners | None, Ints]:
    """Halve faces across their longest side until each fits a cell; return the pieces, and the face of each."""
    parent = np.arange(corners.shape[2])
    done, whose = [np.zeros((3, 3, 0))], [np.zeros(0, np.int64)]
    while len(parent):
        if len(parent) > most:
            return None, parent
        fits = (corners.max(axis=1) - corners.min(axis=1) <= 1.0).all(axis=0)
        done.append(corners[:, :, fits])
        whose.append(parent[fits])
        corners, parent = corners[:, :, ~fits], parent[~fits]
        side = corners[:, [1, 2, 0]] - corners
        longest = np.argmax((side * side).sum(axis=0), axis=0)
        start, end, apex = (
            np.take_along_axis(corners, ((longest + step) % 3)[None, None], axis=1)[:, 0] for step in range(3)
        )
        middle = (start + end) / 2.0
        corners = np.concatenate(
            [np.stack([start, middle, apex], axis=1), np.stack([middle, end, apex], axis=1)], axis=2
        )
        parent = np.tile(parent, 2)
    return np.concatenate(done, axis=2), np.concatenate(whose)


class _Grid:
    """Cells, and flags of the faces in each."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.shape = shape
        # Two bits for each axis: some face does not look along it, and some face does not look back.
        self.other = np.zeros(int(np.prod(shape)), dtype=np.uint8)
        self.met: tuple[list[Ints], ...] = ([], [], [])

    def add(self, corners: Corners) -> tuple[Ints, Ints]:
        """Add faces (in cells); return for each the lowest cell that it may meet, and which are too large."""
        low, high = corners.min(axis=1), corners.max(axis=1)
        first = np.floor(low)
        place = self._number(*first)
        fits = (np.floor(high) - first <= 1.0).all(axis=0)
        self._note(place, _other_ways(corners))  # the flags of a face that is too large are harmless there
        self._meet(corners, low, high, fits)
        return place, np.flatnonzero(~fits)

    def _number(self, i: FloatArray, j: FloatArray, k: FloatArray) -> Ints:
        return ((i * self.shape[1] + j) * self.shape[2] + k).astype(np.int64)

    def _note(self, place: Ints, bits: Cells) -> None:
        """Set the bits of some cells, which may be repeated."""
        while len(place):
            self.other[place] = self.other.take(place) | bits  # of repeated ones, the last write wins
            left = np.flatnonzero(bits & ~self.other.take(place))
            place, bits = place[left], bits[left]

    def _meet(self, corners: Corners, low: FloatArray, high: FloatArray, fits: Bools) -> None:
        """Mark the cells where faces, none too large, meet the lines along columns: at most two across each axis."""
        middle = np.array(MIDDLE)[:, None]
        first, last = np.floor(low - middle) + 1.0, np.floor(high - middle)
        spans = (last >= first) & fits
        for x, y, z in AXES:
            face = np.flatnonzero(spans[y] & spans[z])
            lines = [first[y].take(face), first[z].take(face)]
            for side, across in enumerate((y, z)):
                two = np.flatnonzero(last[across].take(face) > lines[side])
                face = np.concatenate([face, face[two]])
                lines = [np.concatenate([own, own[two] + (which == side)]) for which, own in enumerate(lines)]
            line_y, line_z = lines
            a = corners[y].take(face, axis=1, mode="clip") - (line_y + MIDDLE[y])
            b = corners[z].take(face, axis=1, mode="clip") - (line_z + MIDDLE[z])
            area = a[[1, 2, 0]] * b[[2, 0, 1]] - a[[2, 0, 1]] * b[[1, 2, 0]]
            hit = np.flatnonzero((area.min(axis=0) >= 0.0) | (area.max(axis=0) <= 0.0))
            area, face = area.take(hit, axis=1), face.take(hit)
            with np.errstate(invalid="ignore"):  # 0 / 0: seen edge on
                height = (area * corners[x].take(face, axis=1, mode="clip")).sum(axis=0) / area.sum(axis=0)
            height = np.fmax(np.fmin(height, high[x].take(face)), low[x].take(face))
            place = (line_y[hit] * self.shape[z] + line_z[hit]) * self.shape[x] + np.floor(height)
            self.met[x].append(place.astype(np.int64))

    def doubtful(self) -> Bools:
        """Return for each face, by its lowest cell, True if it may cross another."""
        other = self.other.reshape(self.shape)
        for axis in range(3):  # a face may extend into the next cell
            other = _gathered(other, axis, (0, 1))
        single = np.zeros(self.shape, dtype=bool)
        for x, y, z in AXES:
            order = y, z, x
            along = other.transpose(order).ravel()
            cells = np.flatnonzero(along != 0)
            run = np.cumsum(np.diff(cells, prepend=-2) > 1) - 1
            first = np.flatnonzero(np.diff(run, prepend=-1))
            looks = ~np.bitwise_or.reduceat(along[cells], first)
            run_of = np.empty(other.size, dtype=np.int32)
            run_of[cells] = run
            met = np.bincount(run_of[np.concatenate(self.met[x])], minlength=len(looks))
            good = ((looks & (3 << (2 * x))) != 0) & (met == 1)
            there = np.zeros(other.size, dtype=bool)
            there[cells[good[run]]] = True
            single |= there.reshape([self.shape[axis] for axis in order]).transpose(np.argsort(order))
        result = np.where(single, np.uint8(0), other)
        for axis in range(3):
            result = _gathered(result, axis, (0, -1))
        return np.asarray(result.ravel() != 0)


def _other_ways(corners: Corners) -> Cells:
    """Return two bits for each axis of faces: it does not look along it, and it does not look back."""
    normal = cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    least = LEVEL * np.abs(normal).sum(axis=0)
    bits = np.zeros(corners.shape[2], dtype=np.uint8)
    for axis, along in enumerate(normal):
        bits |= (along <= least).view(np.uint8) << np.uint8(2 * axis)
        bits |= (along >= -least).view(np.uint8) << np.uint8(2 * axis + 1)
    return bits


def _shifted(grid: Cells, axis: int, step: int) -> Cells:
    """Return the part of a grid that has a cell `step` before it, or after it if below zero."""
    part = slice(step, None) if step >= 0 else slice(None, step)
    return grid[(slice(None),) * axis + (part,)]


def _gathered(grid: Cells, axis: int, steps: tuple[int, ...]) -> Cells:
    """Return for each cell the bits of the cell `step` before it."""
    result = grid.copy()
    for step in steps:
        if step:
            _shifted(result, axis, step)[...] |= _shifted(grid, axis, -step)
    return result
