# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the centre lines of columns cross the faces of a mesh.

The columns run along z. Their centre lines are at integers x and y, so the work is to cut every face along the lines y
= 1, 2, .. (see `cutting`) and to list the integers x between the two ends of each cut, in half-open ranges.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...arrays import FloatArray, Indices, blocks

Counts = npt.NDArray[np.int32]

Crossings = Iterator[tuple[FloatArray, FloatArray, FloatArray, FloatArray]]
"""Blocks of crossings: x and y of the column, z, and the weight of the space below: +1 if the face looks up, -1 if it
looks down."""

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


Listed = Iterator[tuple[Cuts, Indices, FloatArray]]
"""Some columns of some cuts, by (cuts, i, k): the column first[i] + k of the cut i."""


def listed(found: Iterable[Cuts]) -> Listed:
    """List the columns of all cuts."""
    for cut in found:
        for i, step in expanded(cut.count):
            yield cut, i, step


def crossings(columns: Listed, whole: bool) -> Crossings:
    """Compute the crossings of listed columns; with `whole` voxels, moved to the nearest border between two."""
    for cut, i, step in columns:
        x, y = (row.take(i).astype(np.float64) for row in (cut.first, cut.y))
        x += step
        yield x, y, cut.heights(i, step, whole), np.where(cut.up.take(i), 1.0, -1.0)


def expanded(count: Indices | Counts, first: FloatArray | float = 0.0) -> Iterator[tuple[Indices, FloatArray]]:
    """Yield (i, first[i] + k) for all k in 0..count[i], about `EXPANDED` at a time."""
    end = np.cumsum(count, dtype=np.intp)
    offset = first - (end - count)
    total = int(end[-1]) if len(end) else 0
    for some in blocks(total, EXPANDED):
        done, stop = some.start, some.stop
        low, high = np.searchsorted(end, (done, stop - 1), side="right")
        here = count[low : high + 1].copy()
        here[-1] -= end[high] - stop
        here[0] -= done - (end[low] - count[low])
        i = np.repeat(np.arange(low, high + 1), here)
        step = np.arange(done, stop, dtype=np.float64)
        step += offset.take(i, mode="clip")
        yield i, step
