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

from ...arrays import Indices, blocks
from .crossings import EXPANDED, Cuts, Listed, expanded

INTO, OUT = 1, 1 << 32
"""Crossings of a column are counted in the two halves of one number: those into the mesh, and those out of it."""

LARGEST = 1 << 30
"""Heights are added up as whole numbers below this: what is added and taken off again leaves nothing, and where more
than fits into 32 bits is added on the way, it wraps around and comes back."""


class Crowd:
    """How often each column of some rows is crossed, and how much lies inside, as steps from column to column.

    Parameters
    ----------
    shape : tuple of int
        Columns in a row, rows in all, voxels in a column.
    low, high : int
        The first row, and one more than the last.

    Attributes
    ----------
    unit : int
        Units in the height of a voxel.
    thin : int
        Columns with less inside [units] are put in order. Heights and slopes are rounded to half a unit, so that after
        n columns a cut is off by half of n + 1, and what lies between two by twice that at most.
    """

    def __init__(self, shape: tuple[int, int, int], low: int, high: int) -> None:
        columns, _, height = shape
        self.unit = LARGEST >> (height + 1).bit_length()
        self.thin = columns + 1
        self._low = low
        # Steps of the crossings, of what lies inside, and steps of the steps of that. A row ends with what follows it.
        self._crossed = np.zeros((high - low, columns + 1), dtype=np.int64)
        self._inside, self._slopes = np.zeros((2, high - low, columns + 1), dtype=np.int32)

    def add(self, cut: Cuts) -> None:
        """Count crossings."""
        crossed, inside, slopes = (steps.reshape(-1) for steps in (self._crossed, self._inside, self._slopes))
        start = self._place(cut)
        end = start + cut.count
        way = np.where(cut.up, np.int64(OUT), np.int64(INTO))
        np.add.at(crossed, start, way)
        np.subtract.at(crossed, end, way)
        unit = np.where(cut.up, float(self.unit), -float(self.unit))  # with the sign of what lies below
        height = np.rint(cut.height * unit).astype(np.int32)
        unit *= cut.count > 1  # of a single column, the slope may be anything
        unit *= cut.slope
        slope = np.rint(unit, out=unit).astype(np.int32)
        np.add.at(inside, start, height)
        np.subtract.at(slopes, end, slope)
        start += 1
        np.add.at(slopes, start, slope)
        slope *= cut.count - 1
        height += slope
        np.subtract.at(inside, end, height)

    def close(self) -> tuple[int, int, npt.NDArray[np.bool_]]:
        """Return how many columns are crossed, how many do not close, and which are crowded and need order."""
        rows, columns = self._crossed.shape
        met = opened = 0
        crowded = np.zeros((rows, columns), dtype=bool)
        for here in blocks(rows, max(EXPANDED // columns, 1)):
            crossed = np.cumsum(self._crossed[here], axis=1)
            inside = np.cumsum(self._slopes[here], axis=1, dtype=np.int32)
            inside += self._inside[here]
            np.cumsum(inside, axis=1, dtype=np.int32, out=inside)
            plain = crossed == INTO + OUT
            plain &= inside >= self.thin
            missed = crossed == 0
            met += missed.size - int(np.count_nonzero(missed))
            plain |= missed
            if not plain.all():
                np.logical_not(plain, out=crowded[here])
                opened += int(np.count_nonzero(crossed & (OUT - 1) != crossed >> 32))
        return met, opened, crowded

    def listed(self, found: Iterable[Cuts], crowded: npt.NDArray[np.bool_]) -> Listed:
        """List the columns of cuts that are crowded."""
        return listed_where(crowded, self._low, found)

    def _place(self, cut: Cuts) -> Indices:
        return _place(cut, self._crossed.shape[1], self._low)


def crossed_often(found: Iterable[Cuts], columns: int, low: int, high: int) -> npt.NDArray[np.bool_]:
    """Say which columns are crossed more than twice, by a row for each from `low` to below `high`, with one more at its
    end: where no winding is below zero, none is above one in the others."""
    steps = np.zeros((high - low, columns + 1), dtype=np.int32)
    for cut in found:
        start = _place(cut, columns + 1, low)
        np.add.at(steps.reshape(-1), start, np.int32(1))
        np.subtract.at(steps.reshape(-1), start + cut.count, np.int32(1))
    often: npt.NDArray[np.bool_] = np.cumsum(steps, axis=1, dtype=np.int32) > 2
    return often


def listed_where(chosen: npt.NDArray[np.bool_], low: int, found: Iterable[Cuts]) -> Listed:
    """List the columns of cuts that are chosen, by a row for each from `low` on, with one more at its end."""
    width = chosen.shape[1]
    chosen = chosen.reshape(-1)
    before = np.zeros(len(chosen) + 1, dtype=np.intp)  # how many chosen columns come before each
    before[1:] = chosen
    np.cumsum(before, out=before)
    for cut in found:
        start = _place(cut, width, low)
        some = np.flatnonzero(before.take(start + cut.count, mode="clip") > before.take(start, mode="clip"))
        cut, start = cut.some(some), start.take(some)
        for i, step in expanded(cut.count):
            place = step.astype(np.intp)
            place += start.take(i, mode="clip")
            here = np.flatnonzero(chosen.take(place, mode="clip"))
            yield cut, i.take(here, mode="clip"), step.take(here, mode="clip")


def _place(cut: Cuts, width: int, low: int) -> Indices:
    """Return where the first column of each cut is, with rows one after the other."""
    place = np.multiply(cut.y, width, dtype=np.intp)
    place += cut.first
    place -= low * width + 1
    return place
