# SPDX-License-Identifier: GPL-3.0-or-later
"""The engine below every voxel method: columns of voxels, and what of them a mesh encloses.

The bounding box is filled with columns of square section along one axis. No grid is kept in memory, only the
crossings of their centre lines with the faces. What lies between the crossings of one column, and how often the
surface winds around it, follows from their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import sqrt

import numpy as np

from ..arrays import FloatArray, TriangleArray
from ..errors import InertiaError
from ..moments import Moments
from .crossings import BLOCK, Crossings, Cuts, Listed, cuts, listed
from .crowded import Crowd
from .ordered import Ordered
from .sums import Sums
from .surface import Surface

Progress = Callable[[float], object]
"""Called with the share of the work done, 0 to 1; if it returns True, the work ends with the error ``cancelled``."""


def unless_cancelled(progress: Progress | None, done: float) -> None:
    """Report the share of the work done; raise the error ``cancelled`` if it is not wanted any more."""
    if progress is not None and progress(done) is True:
        raise InertiaError("cancelled", "", f"cancelled with {done:.0%} of the work done")


def too_fine(voxel_size: float, means: str, fitting: float) -> InertiaError:
    """Return the error ``voxels_too_fine``: what a voxel size means, and one that fits [m], or nearly so."""
    return InertiaError(
        "voxels_too_fine",
        "",
        f"a voxel size of {voxel_size:g} m means {means}",
        f"choose a voxel size of {1.1 * fitting:.2g} m or more",
    )


FINEST = 2.0**40
"""More voxels than this along the longest side are refused as this many are: floating point and integers hold these."""

SAMPLE = 8192
"""So many faces of a mesh tell how many crossings there will be.."""

MARGIN = 16
"""..unless they tell that there may be too many, within this factor: then all are asked."""

MAX_CROSSINGS = 50_000_000
"""More crossings than this are refused: sorted, with their windings, they take about 2 GB."""

MAX_COLUMNS = 2**29
"""So are more columns: a 32-bit counter for each takes 2 GB."""

MAX_HEIGHT = 2**20
"""Voxels in a column: of the 34 bits or more that a sortable number has for a height, 13 stay below the point."""

STRIP = 5_000_000
"""Columns counted at a time where the union is asked for, in 16 bytes each: all of them up to 2000 x 2000 or so."""

SNAP = 1e-6
"""A side within this relative distance of a whole number of voxels is that whole number (float32 lengths are
rounded to 6e-8, and a user's 0.3 / 0.1 must be 3)."""


@dataclass(frozen=True, eq=False)
class Columns:
    """The grid of columns: axes rolled so that columns run along the last one, lengths in voxels.

    The centres of the voxels stand at the whole numbers from 1 to `shape`.
    """

    voxel_size: float
    roll: int
    centre: FloatArray  # of the grid, in the mesh's frame, rolled [m]
    shape: tuple[int, int, int]  # voxels along each rolled axis
    corners: FloatArray  # (3, n): vertices in voxels, rolled

    @classmethod
    def around(cls, surface: Surface, voxel_size: float, axis: int | None = None) -> Columns:
        """Fill the bounding box with columns along `axis`, or along its longest side.

        Raises
        ------
        InertiaError
            ``bad_voxel_size``, ``voxels_too_fine`` (before anything but a copy of the vertices is allocated).
        """
        if not (np.isfinite(voxel_size) and voxel_size > 0.0):
            raise InertiaError(
                "bad_voxel_size", "", f"a voxel size of {voxel_size:g} m is impossible", "give one above 0"
            )
        low, high = surface.bounds()
        extent = high - low
        asked, voxel_size = voxel_size, max(float(voxel_size), float(extent.max()) / FINEST)
        roll = 2 - (int(np.argmax(extent)) if axis is None else axis)  # rolling keeps the handedness: up stays up
        cells = np.maximum(np.ceil(np.roll(extent, roll) / voxel_size * (1.0 - SNAP)), 1.0)
        centre = np.roll(low + extent / 2.0, roll)
        corners = np.empty((3, len(surface.vertices)))
        for row, source in enumerate(np.roll(np.arange(3), roll)):
            corners[row] = surface.vertices[:, source]
            corners[row] -= centre[row]
            corners[row] /= voxel_size
            corners[row] += (cells[row] + 1.0) / 2.0
        columns = cls(voxel_size, roll, centre, (int(cells[0]), int(cells[1]), int(cells[2])), corners)
        step = max(len(surface.triangles) // SAMPLE, 1)
        estimate = step * columns._crossing_estimate(surface.triangles[::step])
        if step > 1 and MARGIN * estimate > MAX_CROSSINGS:
            estimate = columns._crossing_estimate(surface.triangles)
        columns._check_size(estimate, asked)
        return columns

    def _check_size(self, crossings: float, asked: float) -> None:
        count = float(self.shape[0]) * float(self.shape[1])
        excess = max(sqrt(crossings / MAX_CROSSINGS), sqrt(count / MAX_COLUMNS), self.shape[2] / MAX_HEIGHT)
        if excess > 1.0:
            more = "more than " if asked < self.voxel_size else ""
            raise too_fine(
                asked,
                f"{more}{count:.2g} columns and about {crossings:.2g} crossings; within 2 GB of memory the limits are"
                f" {MAX_COLUMNS:.2g} and {MAX_CROSSINGS:.2g}",
                self.voxel_size * excess,
            )

    def _crossing_estimate(self, triangles: TriangleArray) -> float:
        # Each face is crossed once per column under it: the sum of the areas projected along the columns.
        total = 0.0
        for start in range(0, len(triangles), BLOCK):
            index = np.ascontiguousarray(triangles[start : start + BLOCK].T, dtype=np.intp)
            x, y = (self.corners[axis].take(index, mode="clip") for axis in (0, 1))
            area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0])
            total += float(np.abs(area).sum()) / 2.0
        return total

    def _cuts(
        self, triangles: TriangleArray, progress: Progress | None, low: int = 1, high: int | None = None
    ) -> Iterator[Cuts]:
        # Of the rows from `low` to below `high`, or of all.
        high = self.shape[1] + 1 if high is None else high
        for done, cut in cuts(self.corners, triangles, self.shape[0], low, high):
            yield cut
            unless_cancelled(progress, (low - 1 + done * (high - low)) / self.shape[1])

    def _ordered(self, columns: Listed, whole: bool) -> Ordered:
        return Ordered.of(self._few_enough(columns), self.shape, whole)

    def _few_enough(self, columns: Listed) -> Listed:
        count = 0
        for block in columns:
            count += len(block[1])
            if count > 2 * MAX_CROSSINGS:  # large faces were not in the sample
                self._check_size(count, self.voxel_size)
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
        signed, overlaps = Sums(self.shape), np.zeros((4, 4))
        opened = 0
        rows = max(STRIP // (self.shape[0] + 1), 1)
        for low in range(1, self.shape[1] + 1, rows):
            high = min(low + rows, self.shape[1] + 1)
            found, crowd = [], Crowd(self.shape, low, high)
            for cut in self._cuts(triangles, progress, low, high):
                signed.add_cuts(cut, whole)
                crowd.add(cut)
                found.append(cut)
            open_here, crowded = crowd.close()
            opened += open_here
            if opened or not crowded.any():
                continue
            ordered = self._ordered(crowd.listed(found, crowded), whole)
            if not ordered.simple:
                overlaps += Sums(self.shape).add(ordered.overlaps()).total
        self._check_closed(opened)
        return signed.total + overlaps, signed.total

    def _check_closed(self, open_columns: int) -> None:
        if open_columns:
            share = open_columns / (self.shape[0] * self.shape[1])
            raise InertiaError(
                "open_columns",
                "",
                f"{open_columns} columns of voxels ({share:.2%}) enter the mesh and do not leave it: it has holes",
                "close the holes (Fill Holes), or fit a primitive",
            )

    def moments(self, found: Crossings) -> Moments:
        """Add up what lies below each crossing: 1, z, z² integrate to h, h²/2, h³/3."""
        return self.moments_of(Sums(self.shape).add(found).total)

    def moments_of(self, sums: FloatArray) -> Moments:
        """Turn the sums of all crossings into the moments of what lies between them.

        Raises
        ------
        InertiaError
            ``zero_volume``.
        """
        volume = sums[0, 0]
        if volume == 0.0:
            message = f"no voxel of {self.voxel_size:g} m lies inside the mesh"
            raise InertiaError("zero_volume", "", message, "choose a smaller voxel size")
        if not volume > 0.0:
            raise InertiaError(
                "zero_volume",
                "",
                "the mesh is inside out",
                "recalculate the normals (Mesh > Normals > Recalculate Outside)",
            )
        centroid = sums[0, 1:] * (1.0, 1.0, 1 / 2) / volume
        second = sums[1:, 1:] * ((1.0, 1.0, 1 / 2), (1.0, 1.0, 1 / 2), (1 / 2, 1 / 2, 1 / 3))
        second += volume / 12.0 * np.diag([1.0, 1.0, 0.0])  # the columns' own width
        size = self.voxel_size
        covariance = (second - volume * np.outer(centroid, centroid)) * size**5
        centroid = self.centre + centroid * size
        back = -self.roll
        return Moments(volume * size**3, np.roll(centroid, back), np.roll(covariance, (back, back), axis=(0, 1)))
