# SPDX-License-Identifier: GPL-3.0-or-later
"""The engine below every voxel method: columns of voxels, and what of them a mesh encloses.

The bounding box is filled with columns of square section along one axis. No grid is kept in memory, only the
crossings of their centre lines with the faces. What lies between the crossings of one column, and how often the
surface winds around it, follows from their order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

import numpy as np

from ...arrays import FloatArray, Indices, TriangleArray
from ...errors import InertiaError
from ...remedies import Remedy
from ..progress import Progress, unless_cancelled
from . import fineness
from .crossings import Cuts, Listed, listed
from .crowded import Crowd, crossed_often, listed_where
from .cutting import cuts
from .grid import Grid
from .ordered import Ordered
from .sums import Sums

STRIP = 5_000_000
"""Columns counted at a time where the union is asked for, in 16 bytes each: all of them up to 2000 x 2000 or so."""


@dataclass(frozen=True, eq=False)
class Enclosed:
    """What columns enclose.

    Parameters
    ----------
    united, signed : ndarray, shape (4, 4)
        Of the columns that close, the sums that `Columns.moments_of` takes: of where the winding is not zero, and of
        the winding itself.
    crossed, opened : int
        Columns crossed at all, and those of them that do not close.
    loose : Ordered
        The crossings of those that do not.
    """

    united: FloatArray
    signed: FloatArray
    crossed: int
    opened: int
    loose: Ordered


@dataclass(frozen=True, eq=False)
class Columns(Grid):
    """A grid whose columns are cut by the faces of a mesh."""

    def _cuts(
        self, triangles: TriangleArray, progress: Progress | None, low: int = 1, high: int | None = None
    ) -> Iterator[Cuts]:
        # Of the rows from `low` to below `high`, or of all.
        high = self.shape[1] + 1 if high is None else high
        for done, cut in cuts(self.corners, triangles, self.shape[0], low, high):
            yield cut
            unless_cancelled(progress, (low - 1 + done * (high - low)) / self.shape[1])

    def _ordered(self, columns: Listed, whole: bool, most: float = 2.0) -> Ordered:
        # At most so many times the limit, since that is held by an estimate: large faces may not be in the sample.
        return Ordered.of(self._few_enough(columns, most * fineness.MAX_CROSSINGS), self.shape, whole)

    def _few_enough(self, columns: Listed, most: float) -> Listed:
        count = 0
        for block in columns:
            count += len(block[1])
            if count > most:
                means = f"columns that cross faces more than {most:.2g} times, the limit within 2 GB of memory"
                raise fineness.too_fine(self.voxel_size, means, self.voxel_size * sqrt(2.0))
            yield block

    def ordered(self, triangles: TriangleArray, whole: bool = False, progress: Progress | None = None) -> Ordered:
        """Sort all crossings by column and height."""
        return self._ordered(listed(self._cuts(triangles, progress)), whole)

    def signed_sums(
        self, triangles: TriangleArray, whole: bool = False, progress: Progress | None = None
    ) -> FloatArray:
        """Return the sums of all crossings, which `moments_of` takes: the weight of space is its winding.

        Raises
        ------
        InertiaError
            ``open_columns`` if a column does not go in as often as out.
        """
        # The sum of this along x is the net winding of each column; it is zero everywhere only if these are.
        steps = np.zeros((self.shape[1], self.shape[0] + 1), dtype=np.int32)
        sums = Sums(self.shape)
        for cut in self._cuts(triangles, progress):
            sums.add_cuts(cut, whole)
            start = cut.y.astype(np.intp) - 1
            start *= steps.shape[1]
            start += cut.first - 1
            sign = 2 * cut.up.astype(np.int32) - 1
            np.add.at(steps.reshape(-1), start, sign)
            np.subtract.at(steps.reshape(-1), start + cut.count, sign)
        if steps.any():
            self._check_closed(sum(np.count_nonzero(np.cumsum(row)) for row in steps))
        return sums.total

    def union_sums(
        self, triangles: TriangleArray, whole: bool = False, progress: Progress | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Return the sums of where the winding is not zero, and those of `signed_sums`.

        Raises
        ------
        InertiaError
            ``open_columns``.
        """
        found = self.enclosed(triangles, whole, progress)
        self._check_closed(found.opened)
        return found.united, found.signed

    def enclosed(
        self,
        triangles: TriangleArray,
        whole: bool = False,
        progress: Progress | None = None,
        most_open: float = 0.0,
    ) -> Enclosed:
        """Sum the columns that close, and gather those that do not: if there are more than `most_open`, in vain."""
        signed, overlaps, left_out = Sums(self.shape), np.zeros((4, 4)), np.zeros((4, 4))
        crossed = opened = 0
        loose = []
        for low, high in self._strips():
            found, crowd = [], Crowd(self.shape, low, high)
            for cut in self._cuts(triangles, progress, low, high):
                signed.add_cuts(cut, whole)
                crowd.add(cut)
                found.append(cut)
            crossed_here, open_here, crowded = crowd.close()
            crossed += crossed_here
            opened += open_here
            if opened > most_open or not crowded.any():
                continue
            ordered = self._ordered(crowd.listed(found, crowded), whole)
            if open_here:
                ordered, other = ordered.parted()
                left_out += Sums(self.shape).add(other.each()).total
                loose.append(other)
            if not ordered.simple:
                overlaps += Sums(self.shape).add(ordered.overlaps()).total
        closed = signed.total - left_out
        return Enclosed(closed + overlaps, closed, crossed, opened, Ordered.joined(loose, self.shape))

    def excess(self, triangles: TriangleArray) -> tuple[FloatArray, int]:
        """Return the sums of what the winding counts more often than the union, and how many columns do not close.

        Only columns crossed more than twice are looked at; those that do not close are left out.
        """
        sums, opened = Sums(self.shape), 0
        for low, high in self._strips():
            found = list(self._cuts(triangles, None, low, high))
            often = crossed_often(found, self.shape[0], low, high)
            if often.any():
                ordered = self._ordered(listed_where(often, low, found), False)
                opened += int(np.count_nonzero(ordered.net))
                sums.add(ordered.closed().overlaps())
        return -sums.total, opened

    def along(self, triangles: TriangleArray, axis: int, numbers: Indices) -> Ordered:
        """Sort the crossings of those columns whose number along x (axis 0) or y (1) is among `numbers`."""
        wanted = np.zeros(self.shape[axis] + 2, dtype=bool)
        wanted[numbers] = True

        def columns() -> Listed:
            for low, high in self._strips():
                chosen = np.zeros((high - low, self.shape[0] + 1), dtype=bool)
                chosen[:] = wanted[1:] if axis == 0 else wanted[low:high, None]
                if chosen.any():
                    yield from listed_where(chosen, low, self._cuts(triangles, None, low, high))

        return self._ordered(columns(), False, most=0.5)  # there are two such at a time

    def _strips(self) -> Iterator[tuple[int, int]]:
        rows = max(STRIP // (self.shape[0] + 1), 1)
        for low in range(1, self.shape[1] + 1, rows):
            yield low, min(low + rows, self.shape[1] + 1)

    def _check_closed(self, open_columns: int) -> None:
        if open_columns:
            percent = 100.0 * open_columns / (self.shape[0] * self.shape[1])
            raise InertiaError(
                "open_columns",
                "",
                f"{open_columns} columns of voxels ({percent:.2f} %) enter the mesh and do not leave it: it has holes",
                Remedy("{close_holes}", "{fit}"),
            )
