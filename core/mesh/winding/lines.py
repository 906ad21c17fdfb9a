# SPDX-License-Identifier: GPL-3.0-or-later
"""Parallel lines through a surface without boundary: how often it winds around what lies between two crossings.

Both faces at an edge meet a line by the same arithmetic on the same two vertices, so that every line leaves the surface
as often as it enters it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...arrays import Bools, FloatArray, Indices, Ints

PHASES = 0.3819660112501051, 0.2360679774997897, 0.0901699437494742
"""Where the first line stands, in cells, for lines along each axis: no two grids have a point in common."""

ALONG = np.array([[1, 1, 1, 1 / 2], [1, 1, 1, 1 / 2], [1, 1, 1, 1 / 2], [1 / 2, 1 / 2, 1 / 2, 1 / 3]])
"""What ∫ z^n dz has more than z·z^n for n = 0, 1 and 2: by rows and columns of (1, x, y, z)."""


@dataclass(frozen=True, eq=False)
class Lines:
    """Crossings of lines along one axis, in the order of the lines and of their heights.

    Lengths are in cells, and axes are rolled so that the lines run along the last. Lines stand at whole numbers.
    """

    size: float  # of a cell [m]
    axis: int
    origin: FloatArray  # (3,) of the cells, rolled, in cells
    shape: tuple[int, int]  # lines
    line: Ints  # of each crossing
    z: FloatArray  # its height
    face: Ints  # and the face that is crossed
    step: Ints  # how the winding number changes there, going up
    above: Ints  # and what it is above
    key: FloatArray  # line and height in one ascending number

    @classmethod
    def through(
        cls, vertices: FloatArray, triangles: Ints, axis: int, size: float, wanted: Bools | None = None
    ) -> Lines:
        """Lay lines along an axis through a surface, as wide apart as cells of `size` [m].

        Parameters
        ----------
        wanted : ndarray, shape of the lines, bool, optional
            The lines to be laid; all where not given.
        """
        rolled = np.roll(vertices, 2 - axis, axis=1) / size
        origin = np.floor(rolled.min(axis=0)) - 1.0 + np.roll(PHASES, axis)
        corners = rolled - origin
        nx, ny, height = (int(side) + 2 for side in corners.max(axis=0))
        line, z, face, up = _crossings(corners.T, triangles, ny, wanted)
        key = line * float(height) + z
        order = np.argsort(key)
        line, z, face, key = line[order], z[order], face[order], key[order]
        step = np.where(up[order], -1, 1)
        return cls(size, axis, origin, (nx, ny), line, z, face, step, np.cumsum(step), key)

    def sums(self, steps: Ints) -> FloatArray:
        """Return ∫ f (1, p)(1, p)ᵀ dV, shape (4, 4), p [m], of what changes so much at each crossing, going up."""
        some = np.flatnonzero(steps)
        x, y = np.divmod(self.line[some], self.shape[1])
        p = (np.stack([x, y, self.z[some]]) + self.origin[:, None]) * self.size
        rows = np.concatenate([np.ones((1, len(some))), p])
        found = (rows * (-(self.size**2) * steps[some] * p[2])) @ rows.T * ALONG
        return self._unrolled(found)

    def points(self, cell: Ints) -> FloatArray:
        """Return the middle of cells (n, 3) [m], along the surface's own axes."""
        return np.roll((cell + self.origin) * self.size, self.axis - 2, axis=1)

    def winding(self, cell: Ints) -> Ints:
        """Return the winding number in the middle of cells (n, 3): x and y of a line, and a whole number of height."""
        x, y, z = cell.T
        nx, ny = self.shape
        height = self._height
        inside = (x >= 0) & (x < nx) & (y >= 0) & (y < ny) & (z >= 0) & (z < height)
        line = np.where(inside, x * ny + y, 0)
        below = np.searchsorted(self.key, line * float(height) + z) - 1
        there = inside & (below >= 0)
        below = np.maximum(below, 0)
        # A line ends where it began, outside: what the one before it leaves above is zero.
        return np.where(there, self.above[below], 0) if len(self.key) else np.zeros(len(x), dtype=np.int64)

    @property
    def _height(self) -> int:
        return 0 if not len(self.key) else round((self.key[-1] - self.z[-1]) / max(int(self.line[-1]), 1))

    def _unrolled(self, sums: FloatArray) -> FloatArray:
        order = np.concatenate([[0], 1 + np.roll(np.arange(3), self.axis - 2)])
        return sums[np.ix_(order, order)]


def expanded(count: Ints) -> tuple[Indices, Ints]:
    """Return i and k for all k below count[i]."""
    i = np.repeat(np.arange(len(count)), count)
    return i, np.arange(len(i)) - np.repeat(np.cumsum(count) - count, count)


def _crossings(
    corners: FloatArray, triangles: Ints, ny: int, wanted: Bools | None
) -> tuple[Ints, FloatArray, Ints, npt.NDArray[np.bool_]]:
    """Return line, height and face of each crossing, and whether the face looks up."""
    index = triangles.T.copy()
    turned = np.zeros(len(triangles), dtype=bool)
    for i, j in ((0, 1), (1, 2), (0, 1)):  # corners in ascending y
        swap = corners[1][index[i]] > corners[1][index[j]]
        index[i], index[j] = np.where(swap, index[j], index[i]), np.where(swap, index[i], index[j])
        turned ^= swap
    low, middle, high = index
    first = np.ceil(corners[1][low])
    face, step = expanded((np.ceil(corners[1][high]) - first).astype(np.int64))
    y = first[face] + step
    # Each line of y cuts the side from the lowest corner to the highest, and one of the two others.
    upper = y >= corners[1][middle[face]]
    x_long, z_long = _met(corners, low[face], high[face], y)
    x_short, z_short = _met(
        corners, np.where(upper, middle[face], low[face]), np.where(upper, high[face], middle[face]), y
    )
    start, end = np.ceil(x_long), np.ceil(x_short)
    cut, step = expanded(np.abs(end - start).astype(np.int64))
    x = np.minimum(start, end)[cut] + step
    line = (x * ny + y[cut]).astype(np.int64)
    if wanted is not None:
        kept = wanted.ravel()[line]
        cut, line, x = cut[kept], line[kept], x[kept]
    slope = (z_short[cut] - z_long[cut]) / (x_short[cut] - x_long[cut])
    z = z_long[cut] + (x - x_long[cut]) * slope
    return line, z, face[cut], (end > start)[cut] ^ turned[face[cut]]


def _met(corners: FloatArray, low: Ints, high: Ints, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return x and z where sides meet y."""
    below = corners[:, low]
    rise = corners[1][high] - below[1]
    share = y - below[1]
    share /= rise
    return below[0] + share * (corners[0][high] - below[0]), below[2] + share * (corners[2][high] - below[2])
