# SPDX-License-Identifier: Apache-2.0
"""The grid of voxels around a mesh: its position and size, and the moments of what is inside.

A grid that would take too much memory or time is refused, with a voxel size that would not.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt
from typing import Self

import numpy as np

from ...arrays import FloatArray, TriangleArray, corner_blocks
from ...body.moments import Moments
from ...errors import InertiaError
from ..surface import FARTHEST, Surface
from .cutting import BLOCK

MAX_CROSSINGS = 50_000_000
"""Maximum number of crossings: sorted, with their winding numbers, they take about 2 GB, and a few seconds."""

MAX_COLUMNS = 2**29
"""Maximum number of columns: a 32-bit counter for each takes 2 GB."""

MAX_HEIGHT = 2**20
"""Maximum voxels in a column: of the 34 or more bits that a sortable number has for a height, 13 stay for fractions."""

FINEST = 2.0**40
"""More voxels along the longest side are counted as this many: floating point and integers hold these."""

SAMPLE = 8192
"""Number of sampled faces that estimate the crossings."""

MARGIN = 16
"""If the estimate is within this factor of the limit, use all faces."""

SNAP = 1e-6
"""A side within this relative distance of a whole number of voxels is rounded to it (float32 lengths have 6e-8, and a
user's 0.3 / 0.1 must be 3)."""

MOST_SNAP = 0.25
"""But by at most this share of a voxel: no column may be beyond the last."""


ALONG = np.array([[1, 1, 1, 1 / 2], [1, 1, 1, 1 / 2], [1, 1, 1, 1 / 2], [1 / 2, 1 / 2, 1 / 2, 1 / 3]])
"""The difference of ∫ hⁿ dh from h·hⁿ, for n = 0, 1 and 2: by rows and columns of (1, x, y, h)."""

Window = tuple[FloatArray, FloatArray]
"""Lowest and highest corner (3,) of a box along the axes [m]."""


@dataclass(frozen=True, eq=False)
class Grid:
    """Columns of voxels in the bounding box: axes rolled so that columns run along the last one, lengths in voxels.

    The centres of the voxels are at the integers from 1 to `shape`.
    """

    voxel_size: float
    roll: int
    centre: FloatArray  # of the grid, in the mesh's frame, rolled [m]
    shape: tuple[int, int, int]  # voxels along each rolled axis
    corners: FloatArray  # (3, n): vertices in voxels, rolled

    @classmethod
    def around(cls, surface: Surface, voxel_size: float, axis: int | None = None, window: Window | None = None) -> Self:
        """Return a grid that fills the bounding box, or a window, with columns along `axis`, or its longest side.

        Faces above and below a window affect the winding number, but heights end there; faces at its sides have no
        column.

        Raises
        ------
        InertiaError
            ``bad_voxel_size``, ``voxels_too_fine`` (before anything but a copy of the vertices is allocated).
        """
        if not 0.0 < voxel_size <= FARTHEST:
            raise InertiaError.of("bad_voxel_size", voxel_size=voxel_size, farthest=FARTHEST)
        low, high = surface.bounds() if window is None else window
        extent = high - low
        # Roll the axes so that the columns are the last one, and express all lengths in voxels.
        asked, voxel_size = voxel_size, max(float(voxel_size), float(extent.max()) / FINEST)
        roll = 2 - (int(np.argmax(extent)) if axis is None else axis)  # rolling keeps the handedness: up stays up
        voxels = np.roll(extent, roll) / voxel_size
        cells = np.maximum(np.ceil(voxels - np.minimum(SNAP * voxels, MOST_SNAP)), 1.0)
        centre = np.roll(low + extent / 2.0, roll)
        corners = np.empty((3, len(surface.vertices)))
        for row, source in enumerate(np.roll(np.arange(3), roll)):
            corners[row] = surface.vertices[:, source]
            corners[row] -= centre[row]
            corners[row] /= voxel_size
            corners[row] += (cells[row] + 1.0) / 2.0
        grid = cls(voxel_size, roll, centre, (int(cells[0]), int(cells[1]), int(cells[2])), corners)
        # Estimate the crossings by a sample of the faces, or by all of them if that is near the limit.
        step = max(len(surface.triangles) // SAMPLE, 1)
        estimate = step * grid._crossing_estimate(surface.triangles[::step])
        if step > 1 and MARGIN * estimate > MAX_CROSSINGS:
            estimate = grid._crossing_estimate(surface.triangles)
        _check_size(voxel_size, grid.shape, estimate, asked)
        return grid

    def along(self, axis: int) -> Self:
        """Return the same cells in columns along another axis."""
        turn = 2 - axis - self.roll
        shape = np.roll(self.shape, turn).tolist()
        centre, corners = np.roll(self.centre, turn), np.roll(self.corners, turn, axis=0)
        return replace(self, roll=2 - axis, centre=centre, shape=(shape[0], shape[1], shape[2]), corners=corners)

    def _crossing_estimate(self, triangles: TriangleArray) -> float:
        # Each face is crossed once per column under it: the sum of the areas projected along the columns.
        total = 0.0
        for _, index in corner_blocks(triangles, BLOCK):
            x, y = (self.corners[axis].take(index, mode="clip") for axis in (0, 1))
            area = np.abs((x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0])) / 2.0
            for row, side in ((x, self.shape[0]), (y, self.shape[1])):  # outside of it a face has no column
                area[(row.max(axis=0) < 0.5) | (row.min(axis=0) > side + 0.5)] = 0.0
            total += float(np.minimum(area, self.shape[0] * self.shape[1]).sum())
        return total

    def integrals(self, sums: FloatArray) -> FloatArray:
        """Return ∫ (1, p)(1, p)ᵀ dV, shape (4, 4), p [m] in the mesh's frame, for lines, from sums of crossings.

        Columns taken as samples of a solid are lines: their own width, which `moments_of` adds as that of voxels, would
        be a bias of second order, since the sum over lines has none.
        """
        # From voxels about the centre to metres in the mesh's frame, as one 4 x 4 map, then the axes rolled back.
        place = np.diag([1.0, *[self.voxel_size] * 3])
        place[1:, 0] = self.centre
        rolled = place @ (sums * ALONG * self.voxel_size**3) @ place.T
        order = np.append(0, 1 + np.roll(np.arange(3), -self.roll))
        unrolled: FloatArray = rolled[np.ix_(order, order)]
        return unrolled

    def moments_of(self, sums: FloatArray) -> Moments:
        """Return the moments of the voxels between crossings, from the sums of all crossings, shape (4, 4).

        Raises
        ------
        InertiaError
            ``zero_volume``.
        """
        volume = sums[0, 0]
        if volume == 0.0:
            raise InertiaError.of("zero_volume", "", "voxels", voxel_size=self.voxel_size)
        if not volume > 0.0:
            raise InertiaError.of("zero_volume", "", "inside_out")
        # Voxels are solid: along x and y each adds 1/12 to the second moment; along z heights are integrated.
        centroid = sums[0, 1:] * ALONG[0, 1:] / volume
        second = sums[1:, 1:] * ALONG[1:, 1:]
        second += volume / 12.0 * np.diag([1.0, 1.0, 0.0])
        size = self.voxel_size
        covariance = (second - volume * np.outer(centroid, centroid)) * size**5
        centroid = self.centre + centroid * size
        back = -self.roll
        return Moments(volume * size**3, np.roll(centroid, back), np.roll(covariance, (back, back), axis=(0, 1)))


def _check_size(voxel_size: float, shape: tuple[int, int, int], crossings: float, asked: float) -> None:
    """Raise ``voxels_too_fine`` if there are too many voxels, columns along the last axis, or crossings of columns.

    Sizes are in metres. If so many voxels of the size that is asked for cannot be counted, they are larger.
    """
    count = float(shape[0]) * float(shape[1])
    excess = max(sqrt(crossings / MAX_CROSSINGS), sqrt(count / MAX_COLUMNS), shape[2] / MAX_HEIGHT)
    if excess > 1.0:
        more = "" if asked >= voxel_size else "more than "
        raise too_fine(
            asked,
            f"{more}{count:.2g} columns of voxels, which cross faces about {crossings:.2g} times; within 2 GB of memory"
            f" the limits are {MAX_COLUMNS:.2g} and {MAX_CROSSINGS:.2g}",
            voxel_size * excess,
        )


def too_fine(voxel_size: float, means: str, fitting: float) -> InertiaError:
    """Return the error ``voxels_too_fine``: the consequences of a voxel size, and one that fits [m], or nearly so."""
    return InertiaError.of("voxels_too_fine", voxel_size=voxel_size, means=means, fitting=1.1 * fitting)
