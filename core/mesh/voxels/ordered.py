# SPDX-License-Identifier: Apache-2.0
"""The crossings of all columns in order, and the winding numbers between them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ...arrays import Ints, blocks
from ...cached import lockfree_cached_property
from .cutting import EXPANDED
from .sums import Crossings, Listed


@dataclass(frozen=True, eq=False)
class Ordered:
    """Crossings sorted by column and height, each as one sortable number.

    Columns and voxels are numbered from 1; a height that is a whole number is the centre of a voxel.
    """

    key: Ints  # y, x, height in units, and 1 if the face looks up
    x_bits: int
    height_bits: int
    unit: float  # units in the height of a voxel, a power of two

    @classmethod
    def of(cls, listed: Listed, shape: tuple[int, int, int], whole: bool = False) -> Ordered:
        """Sort the crossings of columns numbered up to shape[0] and shape[1], with heights up to shape[2] + 1."""
        x_bits, y_bits, z_bits = (count.bit_length() + 1 for count in shape)
        height_bits = 62 - x_bits - y_bits
        unit = 2.0 ** (height_bits - z_bits)
        keys = []
        for cut, i, step in listed:
            height = cut.heights(i, step, whole)
            np.clip(height, 0.0, shape[2] + 1.0, out=height)
            height *= unit
            # Pack y, x, height and direction, the highest bits first, so that sorting orders columns and heights.
            first = (((cut.y.astype(np.int64) << x_bits) | cut.first) << (height_bits + 1)) | cut.up
            key = step.astype(np.int64)
            key <<= height_bits + 1
            key += first.take(i, mode="clip")
            key += np.rint(height, out=height).astype(np.int64) << 1
            keys.append(key)
        key = np.concatenate(keys) if keys else np.zeros(0, dtype=np.int64)
        keys.clear()
        key.sort(kind="stable")  # neighbouring faces follow each other: merging their runs is faster
        return cls(key, x_bits, height_bits, unit)

    @lockfree_cached_property
    def simple(self) -> bool:
        """True if every column enters and leaves alternately, so that the winding number is only 0 and 1."""
        if len(self.key) % 2:
            return False
        enter, leave = self.key[::2], self.key[1::2]
        one_column = not ((enter ^ leave) >> (self.height_bits + 1)).any()
        return one_column and not (enter & 1).any() and bool((leave & 1).all())

    @property
    def above(self) -> npt.NDArray[np.int32]:
        """The winding number above each crossing."""
        return self._windings[0]

    @property
    def last(self) -> npt.NDArray[np.intp]:
        """The index of the last crossing of each column."""
        return self._windings[1]

    @property
    def net(self) -> npt.NDArray[np.int32]:
        """The winding number above the last crossing of each column: zero if it is closed."""
        return self._windings[2]

    @lockfree_cached_property
    def _windings(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.intp], npt.NDArray[np.int32]]:
        key, height_bits = self.key, self.height_bits
        # Going up, a face that looks down is entered. The sum runs on through all columns; what is left
        # over from columns before is subtracted.
        above = np.cumsum(1 - 2 * (key & 1).astype(np.int8), dtype=np.int32)
        column = key >> (height_bits + 1)
        last = np.flatnonzero(np.concatenate((column[1:] != column[:-1], np.ones(min(len(key), 1), dtype=bool))))
        net = np.diff(above[last], prepend=np.int32(0))
        if net.any():
            above -= np.repeat(above[last] - net, np.diff(last, prepend=-1))
        return above, last, net

    def closed(self) -> Ordered:
        """Return only the columns that are closed."""
        if not self.net.any():
            return self
        return replace(self, key=self.key[np.repeat(self.net == 0, np.diff(self.last, prepend=-1))])

    def units(self) -> Ints:
        """Return the heights as integers in units."""
        return (self.key >> 1) & ((1 << self.height_bits) - 1)

    def each(self) -> Crossings:
        """Yield all crossings unchanged."""
        yield from self._weighted(np.arange(len(self.key)), np.where(self.key & 1, 1.0, -1.0))

    def united(self) -> Crossings:
        """Yield only the crossings between winding number zero and any other: the surface of the union."""
        outside, changes = self._outside()
        border = np.flatnonzero(changes)
        yield from self._weighted(border, np.where(outside[border], 1.0, -1.0))

    def overlaps(self) -> Crossings:
        """Yield the difference of the union's surface from all crossings: what to add to the signed sum."""
        outside, changes = self._outside()
        # Crossings that weigh differently in the union: those inside it weigh 0, and where it is inside out, its border
        # looks the other way.
        up = (self.key & 1).astype(bool)
        other = np.flatnonzero(~changes | (up != outside))
        weight = np.where(outside[other], 1.0, -1.0)
        weight *= changes[other]
        weight -= np.where(up[other], 1.0, -1.0)
        yield from self._weighted(other, weight)

    def _outside(self) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        # True if the winding number is zero above each crossing, and if it is so on one side only.
        outside = self.above == 0
        outside[self.last] = True  # for a column that is not closed, ignore the space above its last crossing
        return outside, outside != np.concatenate((np.ones(min(len(outside), 1), dtype=bool), outside[:-1]))

    def _weighted(self, at: npt.NDArray[np.intp], weight: npt.NDArray[np.float64]) -> Crossings:
        for some in blocks(len(at), EXPANDED):
            yield *self._position(self.key[at[some]]), weight[some]

    def winding(self, x: Ints, y: Ints, z: Ints) -> Ints:
        """Return the winding number of a closed surface at the centres of voxels."""
        # The number of crossings below a voxel's centre finds the last one, above which its winding number is listed.
        column = (y << self.x_bits) | x
        below = np.searchsorted(self.key, (column << (self.height_bits + 1)) | ((z * int(self.unit)) << 1)) - 1
        # Each column ends outside, so the winding number below the first crossing of the next is also zero.
        number: Ints = np.append(self.above, 0)[below].astype(np.int64)
        return number

    def _position(self, key: Ints) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        column = key >> (self.height_bits + 1)
        height = ((key >> 1) & ((1 << self.height_bits) - 1)) / self.unit
        x, y = column & ((1 << self.x_bits) - 1), column >> self.x_bits
        return x.astype(np.float64), y.astype(np.float64), height
