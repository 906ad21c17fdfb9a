# SPDX-License-Identifier: Apache-2.0
"""The core of every voxel method: columns of voxels, and their parts inside a mesh.

The bounding box is filled with columns of square section along one axis. No grid is kept in memory, only the crossings
of their centre lines with the faces. The intervals between the crossings of a column, and their winding numbers, follow
from the order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

import numpy as np

from ...arrays import FloatArray, TriangleArray
from ...errors import InertiaError
from ..progress import Progress, unless_cancelled
from ..surface import Surface
from . import grid
from .cutting import Cuts, cuts
from .grid import Grid, Window
from .ordered import Ordered
from .sums import Listed, Sums, listed

MARGIN = 2.0
"""Crossings may exceed the limit by this factor, since it applies to an estimate: large faces may not be in the
sample."""


@dataclass(frozen=True, eq=False)
class Columns(Grid):
    """A grid whose columns are cut by the faces of a mesh."""

    def _cuts(self, triangles: TriangleArray, progress: Progress | None) -> Iterator[Cuts]:
        for done, cut in cuts(self.corners, triangles, *self.shape[:2]):
            yield cut
            unless_cancelled(progress, done)

    def _few_enough(self, columns: Listed) -> Listed:
        most, count = MARGIN * grid.MAX_CROSSINGS, 0
        for block in columns:
            count += len(block[1])
            if count > most:
                means = f"columns that cross faces more than {most:.2g} times, the limit within 2 GB of memory"
                raise grid.too_fine(self.voxel_size, means, self.voxel_size * sqrt(2.0))
            yield block

    def ordered(self, triangles: TriangleArray) -> Ordered:
        """Sort all crossings by column and height."""
        return self._sorted(self._cuts(triangles, None), False)

    def _sorted(self, all_cuts: Iterator[Cuts], whole: bool) -> Ordered:
        return Ordered.of(self._few_enough(listed(all_cuts)), self.shape, whole)

    def signed_sums(
        self, triangles: TriangleArray, whole: bool = False, progress: Progress | None = None
    ) -> FloatArray:
        """Return the sums of all crossings, for `moments_of`: the weight of space is its winding number.

        Raises
        ------
        InertiaError
            ``open_columns`` if a column does not enter as often as it leaves.
        """
        # The sum of this along x is the net winding of each column; it is zero everywhere only if these are.
        steps = np.zeros((self.shape[1], self.shape[0] + 1), dtype=np.int32)
        sums = Sums(self.shape)
        for cut in self._cuts(triangles, progress):
            sums.add_cuts(cut, whole)
            # A cut adds its sign to the columns from its first to its last: +1 where they begin, -1 after their end.
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
        """Return the sums of the space with a winding number that is not zero, and those of `signed_sums`.

        Raises
        ------
        InertiaError
            ``open_columns``.
        """
        signed = Sums(self.shape)

        def added() -> Iterator[Cuts]:
            for cut in self._cuts(triangles, progress):
                signed.add_cuts(cut, whole)
                yield cut

        ordered = self._sorted(added(), whole)
        if ordered.simple:
            return signed.total, signed.total
        self._check_closed(int(np.count_nonzero(ordered.net)))
        return signed.total + Sums(self.shape).add(ordered.overlaps()).total, signed.total

    def _check_closed(self, open_columns: int) -> None:
        if open_columns:
            percent = 100.0 * open_columns / (self.shape[0] * self.shape[1])
            raise InertiaError.of("open_columns", open_columns=open_columns, percent=percent)


@dataclass(frozen=True)
class WindingVolumes:
    """What columns find in a closed surface."""

    overlap: float = 0.0  # volume where the winding number is above one [m³], counted once
    negative: float = 0.0  # volume where it is below zero [m³]
    depth: float = 0.0  # the longest stretch of a column in either [m]


def winding_volumes(
    surface: Surface, width: float, axis: int | None = None, window: Window | None = None
) -> WindingVolumes:
    """Measure where the winding number of a closed surface is above one or below zero.

    Parameters
    ----------
    width : float
        Of a column [m]. Heights inside a column are exact.
    axis : int, optional
        Along which the columns run; by default that of the longest side.
    window : tuple of ndarray, optional
        The box to measure; by default the bounding box. Columns that are not closed are ignored.

    Raises
    ------
    InertiaError
        ``voxels_too_fine``.
    """
    columns = Columns.around(surface, width, axis, window)
    ordered = columns.ordered(surface.triangles)
    if ordered.simple:
        return WindingVolumes()
    ordered = ordered.closed()
    # The stretch above each crossing, up to the next one of its column.
    length = np.diff(ordered.units(), append=0) / ordered.unit
    length[ordered.last] = 0.0
    above, below = length[ordered.above > 1], length[ordered.above < 0]
    size = columns.voxel_size
    depth = max(float(above.max(initial=0.0)), float(below.max(initial=0.0)))
    return WindingVolumes(float(above.sum()) * size**3, float(below.sum()) * size**3, depth * size)
