# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the centre lines of columns cross the faces of a mesh.

The columns run along z. Their centre lines stand at the whole numbers of x and y, so the work is to cut every face
along the lines y = 1, 2, .. and to list the whole numbers of x between the two ends of each cut. Ranges are half-open,
and both faces at an edge cut it by the same operations on the same two corners, so a line through a shared edge
crosses one of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray, TriangleArray

Ints = npt.NDArray[np.intp]

Crossings = Iterator[tuple[FloatArray, FloatArray, FloatArray, FloatArray]]
"""Blocks of crossings: x and y of the column, z, and the weight of what lies below: +1 where the face looks up, -1
where it looks down."""

BLOCK = 8000
"""Faces at a time: their corners and slopes stay in the second-level cache."""

EXPANDED = 1 << 14
"""Cuts or crossings at a time."""


@dataclass(frozen=True, eq=False)
class Cuts:
    """Faces cut along one line of y each; only cuts that some column meets."""

    y: FloatArray  # whole numbers
    first: FloatArray  # the lowest x among the columns, a whole number
    end: FloatArray  # one more than the highest
    height: FloatArray  # z where the column at `first` crosses the face
    slope: FloatArray  # dz/dx along the cut
    sign: FloatArray  # +1 where the face looks up, -1 where it looks down


def cuts(corners: FloatArray, triangles: TriangleArray) -> Iterator[tuple[float, Cuts]]:
    """Cut all faces, and tell what share of them is done after each step.

    Parameters
    ----------
    corners : ndarray, shape (3, n)
        Vertices as rows x, y, z. Coordinates of vertices in use are of the order of one or larger: closer to zero,
        differences could be so small that slopes overflow.
    triangles : ndarray, shape (m, 3)
    """
    for done, index in _meeting(_cells(corners), triangles):
        faces = _Faces.sorted(corners, index)
        for face, y in expanded(faces.first, faces.count):
            yield done, faces.cut(face, y)
        if not len(faces.first):
            yield done, faces.cut(np.zeros(0, np.intp), np.zeros(0))


def crossings(cut: Cuts, whole: bool) -> Crossings:
    """List the columns of each cut; as `whole` voxels, a crossing is moved to the nearest border between two."""
    for i, x in expanded(cut.first, (cut.end - cut.first).astype(np.intp)):
        height = cut.height.take(i) + (x - cut.first.take(i)) * cut.slope.take(i)
        if whole:
            height = np.ceil(height) - 0.5  # a voxel counts where its centre, a whole number, is below
        yield x, cut.y.take(i), height, cut.sign.take(i)


def expanded(first: FloatArray, count: Ints) -> Iterator[tuple[Ints, FloatArray]]:
    """Yield (i, first[i] + k) for all k in 0..count[i], about `EXPANDED` at a time."""
    end = np.cumsum(count)
    total = int(end[-1]) if len(end) else 0
    for done in range(0, total, EXPANDED):
        stop = min(done + EXPANDED, total)
        low, high = np.searchsorted(end, (done, stop - 1), side="right")
        here = count[low : high + 1].copy()
        here[-1] -= end[high] - stop
        here[0] -= done - (end[low] - count[low])
        i = np.repeat(np.arange(low, high + 1), here)
        yield i, np.arange(done, stop) + np.take(first - (end - count), i)


def _cells(corners: FloatArray) -> npt.NDArray[np.uint64]:
    """Return for each vertex one number that tells between which lines of x, and of y, it lies."""
    x, y = (np.clip(np.ceil(row), 0.0, 2.0**31).astype(np.uint64) for row in corners[:2])  # unused ones lie anywhere
    cells: npt.NDArray[np.uint64] = (x << np.uint64(32)) | y
    return cells


def _meeting(cells: npt.NDArray[np.uint64], triangles: TriangleArray) -> Iterator[tuple[float, Ints]]:
    """Yield the corners (3, k) of the faces whose bounding rectangle holds the foot of a column, `BLOCK` or so at once.

    Among small faces those are not many, and one number of each corner tells.
    """
    found, count = [], 0
    index = np.empty((3, BLOCK), dtype=np.intp)
    for start in range(0, len(triangles), BLOCK):
        end = min(start + BLOCK, len(triangles))
        index = index[:, : end - start]
        index[:] = triangles[start:end].T
        a, b, c = (cells.take(corner, mode="clip") for corner in index)
        b ^= a
        c ^= a
        b |= c  # no bit where all three lie between the same lines
        met = np.flatnonzero((b >= 1 << 32) & (b.astype(np.uint32) > 0))
        found.append(index.take(met, axis=1))
        count += len(met)
        if count >= BLOCK or end == len(triangles):
            yield end / len(triangles), np.concatenate(found, axis=1)
            found, count = [], 0


@dataclass(frozen=True, eq=False)
class _Faces:
    """Faces with their corners in ascending y, as edges 0-2 (the long one), 0-1 and 1-2 (the short ones)."""

    first: FloatArray  # the lowest line y that cuts the face
    count: Ints  # how many do
    parity: FloatArray  # -1 where sorting the corners turned the face around
    middle: FloatArray  # y of corner 1
    edges: FloatArray  # (5, 3 m): x, y, z of the lower end, dx/dy, dz/dy of all edges 0-2, then 0-1, then 1-2

    @classmethod
    def sorted(cls, corners: FloatArray, index: Ints) -> _Faces:
        """Take faces by their corners (3, m)."""
        y = corners[1].take(index, mode="clip")
        turned = np.zeros(index.shape[1], dtype=bool)
        for i, j in ((0, 1), (1, 2), (0, 1)):
            swap = y[i] > y[j]
            index[i], index[j] = np.where(swap, index[j], index[i]), np.where(swap, index[i], index[j])
            y[i], y[j] = np.minimum(y[i], y[j]), np.maximum(y[i], y[j])
            turned ^= swap
        x, z = (corners[axis].take(index, mode="clip") for axis in (0, 2))
        first = np.ceil(y[0])
        count = (np.ceil(y[2]) - first).astype(np.intp)
        edges = np.empty((5, 3, index.shape[1]))
        for edge, (low, high) in enumerate(((0, 2), (0, 1), (1, 2))):
            rise = y[high] - y[low]
            rise[rise == 0.0] = 1.0  # no line cuts a level edge
            for row, axis in enumerate((x, y, z)):
                edges[row, edge] = axis[low]
            np.divide(x[high] - x[low], rise, out=edges[3, edge])
            np.divide(z[high] - z[low], rise, out=edges[4, edge])
        return cls(first, count, np.where(turned, -1.0, 1.0), y[1], edges.reshape(5, -1))

    def cut(self, face: Ints, y: FloatArray) -> Cuts:
        """Cut each face along its y."""
        x_long, z_long = self._on_edge(face, y)
        upper = y >= self.middle.take(face)  # the lines from corner 1 on cut edge 1-2, the others edge 0-1
        x_short, z_short = self._on_edge(face + (1 + upper) * len(self.first), y)
        long, short = np.ceil(x_long), np.ceil(x_short)
        kept = np.flatnonzero(long != short)  # the others end between the same two columns
        y, x_long, z_long, long, short = (row.take(kept) for row in (y, x_long, z_long, long, short))
        slope = (z_short.take(kept) - z_long) / (x_short.take(kept) - x_long)
        # Corners ascending in y, the short side to the right of the long one: counter-clockwise, so it looks up.
        sign = np.sign(short - long) * self.parity.take(face.take(kept))
        first = np.minimum(long, short)
        return Cuts(y, first, np.maximum(long, short), z_long + (first - x_long) * slope, slope, sign)

    def _on_edge(self, edge: Ints, y: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return x and z where edges meet y."""
        x0, y0, z0, dx_dy, dz_dy = (row.take(edge) for row in self.edges)
        rise = y - y0
        return x0 + rise * dx_dy, z0 + rise * dz_dy
