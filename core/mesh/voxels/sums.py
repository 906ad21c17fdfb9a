# SPDX-License-Identifier: Apache-2.0
"""Where columns cross faces, and the sums over crossings that their moments are computed from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from ...arrays import FloatArray, Indices, blocks, ranges
from .cutting import EXPANDED, Cuts

ALONE = 9_000
"""Cuts per block: a cut takes 28 multiplications, and for 2^18 of them some kernels of OpenBLAS start threads."""


Crossings = Iterator[tuple[FloatArray, FloatArray, FloatArray, FloatArray]]
"""Blocks of crossings: x and y of the column, z, and the weight of the space below: +1 if the face looks up, -1 if it
looks down."""

Listed = Iterator[tuple[Cuts, Indices, FloatArray]]
"""Some columns of some cuts, by (cuts, i, k): the column first[i] + k of the cut i."""


def listed(all_cuts: Iterable[Cuts]) -> Listed:
    """List the columns of all cuts."""
    for cut in all_cuts:
        for i, step in ranges(0.0, cut.count, EXPANDED):
            yield cut, i, step


def crossings(columns: Listed, whole: bool) -> Crossings:
    """Compute the crossings of listed columns; with `whole` voxels, moved to the nearest border between two."""
    for cut, i, step in columns:
        x, y = (row.take(i).astype(np.float64) for row in (cut.first, cut.y))
        x += step
        yield x, y, cut.heights(i, step, whole), np.where(cut.up.take(i), 1.0, -1.0)


class Sums:
    """Σ ± h (1, x, y, h)(1, x, y, h)ᵀ over crossings at height h, about the grid's centre.

    1, z and z² integrate to h, h²/2 and h³/3 below a crossing; columns are closed, so any floor will do.

    Parameters
    ----------
    shape : tuple of int
        Voxels along x, y and z.
    """

    def __init__(self, shape: tuple[int, int, int]) -> None:
        self._middle = tuple((side + 1.0) / 2.0 for side in shape)
        self._widen(EXPANDED)
        # Products with 1, x, y, h: of h, of h x, h y, h h, and of the second moment of x, x and h, h along cuts.
        self._products = np.zeros((7, 4))

    @property
    def total(self) -> FloatArray:
        """The sums so far, shape (4, 4), in voxels."""
        # What the spread along cuts adds to the products of their means: Σ dx² = xx, and dh is the slope times dx; odd
        # powers cancel.
        sums, (xx, xh, hh) = self._products[:4], self._products[4:]
        more = np.zeros((4, 4))
        more[0, 1] = xh[0]
        more[0, 3] = hh[0]
        more[1, 2] = xh[2]
        more[2, 3] = hh[2]
        more[1, 3] = 2.0 * xh[3] + hh[1]
        more += more.T
        more[1, 1] = xx[3] + 2.0 * xh[1]
        more[3, 3] = 3.0 * hh[3]
        total: FloatArray = sums + more
        return total

    def add(self, points: Crossings) -> Sums:
        """Add crossings one by one."""
        for x, y, z, sign in points:
            rows, weighted = self._space(len(x))
            for row, axis, middle in zip(rows[1:], (x, y, z), self._middle, strict=True):
                np.subtract(axis, middle, out=row)
            np.multiply(sign, rows[3], out=weighted[0])
            np.multiply(rows[1:], weighted[0], out=weighted[1:4])
            self._products[:4] += weighted[:4] @ rows.T
        return self

    def add_cuts(self, cut: Cuts, whole: bool) -> None:
        """Add the crossings of cuts.

        The n columns of a cut are in a line: x and h have their mean in the middle, and about it the second moment of x
        is n (n² - 1) / 12. Times the slope it is that of x with h, times the slope again that of h with itself.
        """
        if whole:
            self.add(crossings(listed([cut]), whole))
            return
        rows, weighted = self._space(len(cut.y))
        count = cut.count.astype(np.float64)
        reach = (count - 1.0) / 2.0
        # The middle of each cut: x, y, h about the grid's centre.
        np.add(cut.first, reach, out=rows[1])
        rows[2] = cut.y
        np.multiply(reach, cut.slope, out=rows[3])
        rows[3] += cut.height
        for row, middle in zip(rows[1:], self._middle, strict=True):
            row -= middle
        # The cut's own second moment of x, and its weight n times the sign.
        np.multiply(count, count, out=reach)
        reach -= 1.0
        reach /= 12.0
        count *= cut.sign
        np.multiply(count, rows[3], out=weighted[0])
        np.multiply(rows[1:], weighted[0], out=weighted[1:4])
        np.multiply(count, reach, out=weighted[4])
        np.multiply(weighted[4], cut.slope, out=weighted[5])
        np.multiply(weighted[5], cut.slope, out=weighted[6])
        for some in blocks(len(cut.y), ALONE):
            self._products += weighted[:, some] @ rows[:, some].T

    def _space(self, count: int) -> tuple[FloatArray, FloatArray]:
        if count > self._rows.shape[1]:
            self._widen(count)
        return self._rows[:, :count], self._weighted[:, :count]

    def _widen(self, count: int) -> None:
        self._rows = np.empty((4, count))  # 1, x, y, h of as many crossings or cuts
        self._rows[0] = 1.0
        self._weighted = np.empty((7, count))
