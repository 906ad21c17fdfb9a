# SPDX-License-Identifier: GPL-3.0-or-later
"""The columns whose crossings must be put in order, which not all do.

In a column that is crossed twice, into the mesh below and out of it above, the winding is one between the two and
zero elsewhere: there the union is the signed sum. To tell such columns, no crossing is listed. Along a cut the height
changes by the same step from column to column, so that it is enough to note what changes where it begins and ends, and
to sum that along the row.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from .crossings import EXPANDED, Cuts, Ints, Listed, expanded

INTO, OUT = 1, 1 << 32
"""Crossings of a column are counted in the two halves of one number: those into the mesh, and those out of it."""

UNIT = 1 << 24
"""Heights are added up as whole numbers of 1/UNIT voxel: then what is added and taken off again leaves nothing."""

THIN = UNIT // 8
"""Columns with less of the mesh inside are put in order: heights and slopes are rounded to half a unit, and over the
2^20 columns that a cut may have at most, that is 1/32 voxel at each end."""


class Crowd:
    """How often each column of some rows is crossed, and how much lies inside, as steps from column to column.

    Parameters
    ----------
    columns : int
        In a row.
    low, high : int
        The first row, and one more than the last.
    """

    def __init__(self, columns: int, low: int, high: int) -> None:
        self._low = low
        # Steps of the crossings, of the length inside, and steps of the steps of that. A row ends with what follows it.
        self._steps = np.zeros((3, high - low, columns + 1), dtype=np.int64)

    def add(self, cut: Cuts) -> None:
        """Count crossings."""
        crossed, inside, slopes = self._steps.reshape(3, -1)
        start = self._place(cut)
        end = start + cut.count
        up = cut.up.astype(np.int64)
        way = up * (OUT - INTO)
        way += INTO
        np.add.at(crossed, start, way)
        np.subtract.at(crossed, end, way)
        up *= 2
        up -= 1  # the sign of what lies below
        height = np.rint(cut.height * UNIT).astype(np.int64)
        height *= up
        slope = np.rint(cut.slope * (cut.count > 1) * UNIT).astype(np.int64)  # of a single column it may be anything
        slope *= up
        np.add.at(inside, start, height)
        np.subtract.at(slopes, end, slope)
        start += 1
        np.add.at(slopes, start, slope)
        slope *= cut.count - 1
        height += slope
        np.subtract.at(inside, end, height)

    def close(self) -> tuple[int, npt.NDArray[np.bool_]]:
        """Return how many columns do not close, and which are crowded: they close or not, but need order."""
        _, rows, columns = self._steps.shape
        opened = 0
        crowded = np.zeros((rows, columns), dtype=bool)
        some = max(EXPANDED // columns, 1)
        for start in range(0, rows, some):
            crossed, inside, slopes = self._steps[:, start : start + some]
            crossed = np.cumsum(crossed, axis=1)
            inside = np.cumsum(inside + np.cumsum(slopes, axis=1), axis=1)
            plain = crossed == INTO + OUT
            plain &= inside >= THIN
            plain |= crossed == 0
            if not plain.all():
                np.logical_not(plain, out=crowded[start : start + some])
                opened += int(np.count_nonzero(crossed & (OUT - 1) != crossed >> 32))
        return opened, crowded

    def listed(self, found: Iterable[Cuts], crowded: npt.NDArray[np.bool_]) -> Listed:
        """List the columns of cuts that are crowded."""
        crowded = crowded.reshape(-1)
        before = np.zeros(len(crowded) + 1, dtype=np.intp)  # how many crowded columns come before each
        before[1:] = crowded
        np.cumsum(before, out=before)
        for cut in found:
            start = self._place(cut)
            some = np.flatnonzero(before.take(start + cut.count, mode="clip") > before.take(start, mode="clip"))
            cut, start = cut.some(some), start.take(some)
            for i, step in expanded(cut.count):
                place = step.astype(np.intp)
                place += start.take(i, mode="clip")
                here = np.flatnonzero(crowded.take(place, mode="clip"))
                yield cut, i.take(here, mode="clip"), step.take(here, mode="clip")

    def _place(self, cut: Cuts) -> Ints:
        """Return where the first column of each cut is, with rows one after the other."""
        columns = self._steps.shape[2]
        place = np.multiply(cut.y, columns, dtype=np.intp)
        place += cut.first
        place -= self._low * columns + 1
        return place
