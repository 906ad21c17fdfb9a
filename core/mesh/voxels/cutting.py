# SPDX-License-Identifier: Apache-2.0
"""Cuts every face of a mesh along the lines of the columns.

The columns run along z. Their centre lines are at integers x and y, so every face is cut along the lines y = 1, 2, ..,
and the columns of a cut are the integers x between its two ends, in half-open ranges.

Both faces at an edge cut it by the same operations on the same two corners, so a line through a shared edge crosses
exactly one of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...arrays import FloatArray, Indices, TriangleArray, blocks, ranges

Counts = npt.NDArray[np.int32]

Cells = npt.NDArray[np.uint32] | npt.NDArray[np.uint64]
CornerIndices = npt.NDArray[np.int32]
"""Vertex indices of faces, a row for each corner: half as much to sort as in 64 bits."""

BLOCK = 1 << 14
"""Faces per block: fewer, and calls dominate; more, and they do not fit into the second-level cache."""

EXPANDED = 1 << 14
"""Cuts or crossings per block: fewer, and calls dominate; more, and they do not fit into the cache."""


@dataclass(frozen=True, eq=False)
class Cuts:
    """Faces cut along one line of y each; only cuts that some column meets."""

    y: Counts
    first: Counts  # the lowest x among the columns
    count: Counts  # how many there are
    height: FloatArray  # z where the column at `first` crosses the face
    slope: FloatArray  # dz/dx along the cut
    up: npt.NDArray[np.bool_]  # True if the face looks up

    @property
    def sign(self) -> FloatArray:
        """+1 if the face looks up, -1 if it looks down."""
        return 2.0 * self.up - 1.0

    def heights(self, i: Indices, step: FloatArray, whole: bool) -> FloatArray:
        """Return z in the columns first[i] + step; with `whole` voxels, at the nearest border between two."""
        height = self.slope.take(i, mode="clip")
        height *= step
        height += self.height.take(i, mode="clip")
        if whole:  # a voxel is inside if its centre, an integer, is below
            np.ceil(height, out=height)
            height -= 0.5
        return height


def cuts(corners: FloatArray, triangles: TriangleArray, columns: int, rows: int) -> Iterator[tuple[float, Cuts]]:
    """Yield the cuts of all faces, with the share done after each step.

    Parameters
    ----------
    corners : ndarray, shape (3, n)
        Vertices as rows x, y, z. Coordinates of vertices in use are of the order of one or larger: closer to zero,
        differences could be so small that slopes overflow.
    triangles : ndarray, shape (m, 3)
    columns, rows : int
        The highest line x and the highest line y; the lowest are 1.
    """
    within = columns + 1 if _reaches_beyond(corners[0], columns) else None
    for done, index in _meeting(_cells(corners, columns, rows), triangles):
        faces = _Faces.sorted(corners, index, rows)
        for face, y in ranges(faces.first, faces.count, EXPANDED):
            yield done, faces.cut(face, y, within)
        if not len(faces.count):
            yield done, faces.cut(np.zeros(0, dtype=np.intp), np.zeros(0), within)


def _reaches_beyond(x: FloatArray, columns: int) -> bool:
    """Return True if faces may be cut beyond the lines 1 to `columns`; rounding moves no cut by a quarter of a
    column."""
    return not (len(x) and float(x.min()) > 0.25 and float(x.max()) < columns + 0.75)


def _cells(corners: FloatArray, columns: int, rows: int) -> Cells:
    """Return for each vertex one number for the lines of x, and in its lower half, of y, that it is between."""
    short = max(columns, rows) + 1 < 1 << 16  # both halves take 16 bits, or 32
    x, y = (
        np.clip(np.ceil(row), 1, last + 1).astype(np.uint32 if short else np.uint64)  # unused ones may be anywhere
        for row, last in zip(corners, (columns, rows), strict=False)
    )
    x <<= 16 if short else 32
    cells: Cells = x | y
    return cells


def _meeting(cells: Cells, triangles: TriangleArray) -> Iterator[tuple[float, CornerIndices]]:
    """Yield the corners (3, k) of the faces whose bounding rectangle contains a column, about `BLOCK` at once.

    Of small faces these are few, and one number of each corner decides.
    """
    lower = (1 << 4 * cells.itemsize) - 1  # the bits of y
    waiting, count = [], 0
    index = np.empty((3, BLOCK), dtype=np.int32)
    for some in blocks(len(triangles), BLOCK):
        index = index[:, : some.stop - some.start]
        index[:] = triangles[some].T
        a, b, c = (cells.take(corner, mode="clip") for corner in index)
        b ^= a
        c ^= a
        b |= c  # no bit if all three are between the same lines
        # Some line of x passes between two corners, and some line of y.
        met = np.flatnonzero((b > lower) & (b & lower > 0))
        waiting.append(index.take(met, axis=1))
        count += len(met)
        if count >= BLOCK // 2 or some.stop == len(triangles):
            yield some.stop / len(triangles), waiting[0] if len(waiting) == 1 else np.concatenate(waiting, axis=1)
            waiting, count = [], 0


@dataclass(frozen=True, eq=False)
class _Edges:
    """Edges by their lower ends, with the slopes of x and z over y."""

    x: FloatArray
    y: FloatArray
    z: FloatArray
    dx_dy: FloatArray
    dz_dy: FloatArray

    @classmethod
    def between(cls, low: FloatArray, high: FloatArray) -> _Edges:
        """Join points, given as rows x, y, z."""
        rise = high[1] - low[1]
        rise[rise == 0.0] = 1.0  # no line cuts a level edge
        return cls(low[0], low[1], low[2], (high[0] - low[0]) / rise, (high[2] - low[2]) / rise)

    def x_at(self, edge: Indices, y: FloatArray) -> FloatArray:
        """Return x where edges meet y."""
        return self._at(edge, y, self.x, self.dx_dy)

    def z_at(self, edge: Indices, y: FloatArray) -> FloatArray:
        """Return z where edges meet y."""
        return self._at(edge, y, self.z, self.dz_dy)

    def _at(self, edge: Indices, y: FloatArray, low: FloatArray, change: FloatArray) -> FloatArray:
        value = y - self.y.take(edge, mode="clip")
        value *= change.take(edge, mode="clip")
        value += low.take(edge, mode="clip")
        return value


@dataclass(frozen=True, eq=False)
class _Faces:
    """Faces with their corners in ascending y, so that every line cuts the edge 0-2, and one of the two others."""

    first: FloatArray  # the lowest line y that cuts the face
    count: Indices  # how many do
    turned: npt.NDArray[np.bool_]  # True if sorting the corners reversed the face
    middle: FloatArray  # y of corner 1
    long: _Edges  # 0-2 of each face
    short: _Edges  # 0-1 of each face, then 1-2 of each

    @classmethod
    def sorted(cls, corners: FloatArray, index: CornerIndices, rows: int) -> _Faces:
        """Return faces by their corners (3, m), to be cut along lines 1 to `rows`."""
        points = np.empty((3, *index.shape))
        x, y, z = points
        np.take(corners[1], index, out=y, mode="clip")
        turned = np.zeros(index.shape[1], dtype=bool)
        # Sort the three corners by y without branches, by three exchanges; each exchange reverses the face.
        for i, j in ((0, 1), (1, 2), (0, 1)):
            swap = y[i] > y[j]
            change = index[j] - index[i]
            change *= swap
            index[i] += change
            index[j] -= change
            y[i], y[j] = np.minimum(y[i], y[j]), np.maximum(y[i], y[j])
            turned ^= swap
        np.take(corners[0], index, out=x, mode="clip")
        np.take(corners[2], index, out=z, mode="clip")
        # Lines from the lowest corner to before the highest: half-open, so that a line through a corner is counted
        # once.
        first, end = np.ceil(y[0]), np.ceil(y[2])
        np.maximum(first, 1.0, out=first)
        np.minimum(end, rows + 1, out=end)
        end -= first
        count = end.astype(np.intp)
        long = _Edges.between(points[:, 0], points[:, 2])
        short = _Edges.between(points[:, :2].reshape(3, -1), points[:, 1:].reshape(3, -1))
        return cls(first, count, turned, y[1], long, short)

    def cut(self, face: Indices, y: FloatArray, end_column: int | None) -> Cuts:
        """Cut each face along its y, for columns from 1 to below `end_column`; return None if no face reaches
        beyond."""
        upper = y >= self.middle.take(face, mode="clip")  # the lines from corner 1 on cut edge 1-2, the others edge 0-1
        edge = upper * len(self.first)
        edge += face
        x_long, x_short = self.long.x_at(face, y), self.short.x_at(edge, y)
        start, end = np.ceil(x_long), np.ceil(x_short)
        if end_column is not None:
            start, end = (np.clip(x, 1.0, end_column) for x in (start, end))
        met = np.flatnonzero(start != end)  # the others end between the same two columns
        y, x_long, x_short = (row.take(met, mode="clip") for row in (y, x_long, x_short))
        face, edge = face.take(met, mode="clip"), edge.take(met, mode="clip")
        # z along the cut: from the long edge to the short one.
        height, slope = self.long.z_at(face, y), self.short.z_at(edge, y)
        slope -= height
        slope /= x_short - x_long
        start, end = start.take(met, mode="clip"), end.take(met, mode="clip")
        first = np.minimum(start, end)
        height += (first - x_long) * slope
        # Corners ascending in y, the short side to the right of the long one: counter-clockwise, so it looks up.
        up = end > start
        up ^= self.turned.take(face, mode="clip")
        np.maximum(start, end, out=end)
        end -= first
        return Cuts(y.astype(np.int32), first.astype(np.int32), end.astype(np.int32), height, slope, up)
