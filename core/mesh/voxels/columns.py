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
from .cutting import cuts
from .grid import Grid
from .ordered import Ordered
from .sums import Sums


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

    def _cuts(self, triangles: TriangleArray, progress: Progress | None) -> Iterator[Cuts]:
        for done, cut in cuts(self.corners, triangles, *self.shape[:2]):
            yield cut
            unless_cancelled(progress, done)

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
        signed = Sums(self.shape)

        def added(found: Iterator[Cuts]) -> Iterator[Cuts]:
            for cut in found:
                signed.add_cuts(cut, whole)
                yield cut

        ordered = self._ordered(listed(added(self._cuts(triangles, progress))), whole)
        crossed, opened = len(ordered.last), int(np.count_nonzero(ordered.net))
        ordered, loose = ordered.parted()
        closed, overlaps = signed.total, np.zeros((4, 4))
        if 0 < opened <= most_open:
            closed -= Sums(self.shape).add(loose.each()).total
        if opened <= most_open and not ordered.simple:
            overlaps = Sums(self.shape).add(ordered.overlaps()).total
        return Enclosed(closed + overlaps, closed, crossed, opened, loose)

    def excess(self, triangles: TriangleArray) -> tuple[FloatArray, int]:
        """Return the sums of what the winding counts more often than the union, and how many columns do not close.

        Those that do not close are left out.
        """
        ordered = self.ordered(triangles)
        return -Sums(self.shape).add(ordered.closed().overlaps()).total, int(np.count_nonzero(ordered.net))

    def along(self, triangles: TriangleArray, axis: int, numbers: Indices) -> Ordered:
        """Sort the crossings of those columns whose number along x (axis 0) or y (1) is among `numbers`."""
        wanted = np.zeros(self.shape[axis] + 2, dtype=bool)
        wanted[numbers] = True

        def columns() -> Listed:
            if axis == 1:
                yield from listed(cut.some(np.flatnonzero(wanted[cut.y])) for cut in self._cuts(triangles, None))
                return
            for cut, i, step in listed(self._cuts(triangles, None)):
                here = np.flatnonzero(wanted[cut.first.take(i) + step.astype(np.intp)])
                yield cut, i.take(here), step.take(here)

        return self._ordered(columns(), False, most=0.5)  # there are two such at a time

    def _check_closed(self, open_columns: int) -> None:
        if open_columns:
            percent = 100.0 * open_columns / (self.shape[0] * self.shape[1])
            raise InertiaError(
                "open_columns",
                "",
                f"{open_columns} columns of voxels ({percent:.2f} %) enter the mesh and do not leave it: it has holes",
                Remedy("{close_holes}", "{fit}"),
            )
