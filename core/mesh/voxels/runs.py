# SPDX-License-Identifier: Apache-2.0
"""The boxes that the voxel method sums, for display: the uninterrupted stretches inside each column."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, sqrt

import numpy as np

from ...arrays import FloatArray
from ..surface import Surface
from .columns import Columns

MAX_RUNS = 20_000
"""Maximum number of boxes to draw: on a screen more would be smaller than their edges."""


@dataclass(frozen=True, eq=False)
class Runs:
    """Boxes between `low` and `high` corners [m], in the mesh's frame; together the union that is summed."""

    low: FloatArray
    high: FloatArray  # (n, 3); the boxes end on the surface along `axis`
    voxel_size: float  # the columns' width [m]: the requested one, or a whole multiple if there would be too many
    origin: FloatArray  # the grid's low corner (3,) [m]
    axis: int  # along which the columns run
    open_columns: int  # how many are not closed, and left out


def voxel_runs(surface: Surface, voxel_size: float, most: int = MAX_RUNS) -> Runs:
    """Return the inside of a mesh by columns of voxels, as boxes.

    Parameters
    ----------
    surface : Surface
        Open or closed.
    voxel_size : float
        Side of a voxel [m].
    most : int
        Maximum number of boxes: otherwise voxels are enlarged by a whole number.

    Raises
    ------
    InertiaError
        ``bad_voxel_size``, ``voxels_too_fine``.
    """
    factor = 1
    while True:
        columns = Columns.around(surface, voxel_size * factor)
        expected = _expected(surface, columns)
        if expected <= 4 * most:  # few enough to count them
            runs = _runs(surface, columns)
            if len(runs.low) <= most:
                return runs
            expected = len(runs.low)
        factor = max(factor + 1, ceil(factor * sqrt(expected / most)))


def _expected(surface: Surface, columns: Columns) -> float:
    """Return the approximate number of runs: each has two crossings, one per face and column over it."""
    corners = columns.corners.T[surface.triangles]
    sides = corners[:, 1:, :2] - corners[:, :1, :2]
    return float(np.abs(sides[:, 0, 0] * sides[:, 1, 1] - sides[:, 0, 1] * sides[:, 1, 0]).sum()) / 4.0


def _runs(surface: Surface, columns: Columns) -> Runs:
    ordered = columns.ordered(surface.triangles)
    blocks = [np.stack(block, axis=1) for block in ordered.closed().united()]
    ends = np.concatenate([np.zeros((0, 4)), *blocks]).reshape(-1, 2, 4)  # bottom and top come in pairs
    low, high = ends[:, 0, :3].copy(), ends[:, 1, :3].copy()
    # From the line of a column to its sides, and from voxels to metres.
    low[:, :2] -= 0.5
    high[:, :2] += 0.5
    middle = (np.array(columns.shape) + 1.0) / 2.0
    back = -columns.roll
    corners = np.concatenate([low, high, np.full((1, 3), 0.5)])
    placed = np.roll((corners - middle) * columns.voxel_size + columns.centre, back, axis=1)
    bottom, top, origin = placed[: len(low)], placed[len(low) : -1], placed[-1]
    opened = int(np.count_nonzero(ordered.net))
    return Runs(bottom, top, columns.voxel_size, origin, (2 + back) % 3, opened)
