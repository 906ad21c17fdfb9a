# SPDX-License-Identifier: GPL-3.0-or-later
"""Columns of voxels that enter a mesh and do not leave it: decided by the majority of three directions.

Columns are laid along all three axes. Those of the direction with the fewest open columns are summed; in a column
that does not close, each voxel is decided by the majority of the three directions through its centre. Only crossings
of open columns, and of those that cross them, are kept.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...arrays import FloatArray, Indices, TriangleArray, blocks
from ...body.moments import Moments
from ...errors import InertiaError
from ...remedies import Remedy
from ..progress import Progress, unless_cancelled
from ..surface import Surface
from .columns import Columns, Enclosed
from .crossings import EXPANDED, Crossings
from .fineness import too_fine
from .ordered import Ordered
from .sums import Sums

MAX_OPEN = 0.01
"""A mesh is refused if more than this share of its columns, of all three directions, do not close."""

MAX_VOTED = 50_000_000
"""More voxels than this are refused: decided one by one, they take half a minute."""


@dataclass(frozen=True, eq=False)
class Voted:
    """What columns enclose, with voxels in place of those that do not close.

    Parameters
    ----------
    grid : Columns
    united, signed : ndarray, shape (4, 4)
        As in `Enclosed`; a voxel decided so counts once.
    share : float
        Share of the columns crossed, of all three directions, that do not close.
    """

    grid: Columns
    united: FloatArray
    signed: FloatArray
    share: float

    def moments(self) -> Moments:
        """Return those of the union, or raise ``zero_volume``."""
        return self.grid.moments_of(self.united)

    def signed_moments(self) -> Moments:
        """Return those of the signed sum, or raise ``zero_volume``."""
        return self.grid.moments_of(self.signed)


def enclosed(surface: Surface, voxel_size: float, progress: Progress | None = None) -> Voted:
    """Sum the columns of voxels along the longest side of a surface known to be closed.

    If some do not close all the same, for they run into an edge that others meet only in part, they are decided so.
    """
    grid = Columns.around(surface, voxel_size)
    found = grid.enclosed(surface.triangles, progress=progress)
    if found.opened:
        return voted(surface, voxel_size, progress=progress, most_open=1.0)
    return Voted(grid, found.united, found.signed, 0.0)


def voted(
    surface: Surface,
    voxel_size: float,
    whole_voxels: bool = False,
    progress: Progress | None = None,
    most_open: float = MAX_OPEN,
) -> Voted:
    """Sum the columns of voxels inside a mesh with small holes.

    Parameters
    ----------
    surface : Surface
        Open, or closed.
    voxel_size : float
        Side of a voxel [m].
    whole_voxels, progress
        As in `surface_voxel_moments`.
    most_open : float
        The largest share of columns that is decided so.

    Raises
    ------
    InertiaError
        ``open_columns`` if the share is larger, ``voxels_too_fine``, or what `Columns` raises.
    """
    grids = [Columns.around(surface, voxel_size, axis) for axis in range(3)]
    room = most_open * sum(float(grid.shape[0]) * grid.shape[1] for grid in grids)
    found = [
        grid.enclosed(surface.triangles, whole_voxels, _part(progress, number), room)
        for number, grid in enumerate(grids)
    ]
    opened = [one.opened for one in found]
    share = sum(opened) / max(sum(one.crossed for one in found), 1)
    if share > most_open:
        raise InertiaError(
            "open_columns",
            "",
            f"{100.0 * share:.2f} % of the columns of voxels enter the mesh and do not leave it, more than"
            f" {100.0 * most_open:.0f} %: its holes are too large to be filled by majority",
            Remedy("{close_holes}", "{hull}", "{shell}"),
        )
    best = min(range(3), key=lambda axis: (opened[axis], -grids[axis].shape[2]))
    voxels = Sums(grids[best].shape)
    if opened[best]:
        voxels.add(_voxels(surface.triangles, grids, found, best, _part(progress, 3)))
    unless_cancelled(progress, 1.0)
    return Voted(grids[best], found[best].united + voxels.total, found[best].signed + voxels.total, share)


def _part(progress: Progress | None, number: int) -> Progress | None:
    """Return what reports the progress of one of four parts of the work."""
    return None if progress is None else lambda done: progress((number + done) / 4.0)


def _voxels(
    triangles: TriangleArray, grids: list[Columns], found: list[Enclosed], best: int, progress: Progress | None
) -> Crossings:
    """Yield bottom and top of each voxel in an open column that the three directions find inside."""
    grid = grids[best]
    height = np.arange(1, grid.shape[2] + 1)
    count = found[best].opened * len(height)
    if count > MAX_VOTED:
        means = f"{count:.2g} voxels in columns that run into a hole; within half a minute the limit is {MAX_VOTED:.2g}"
        raise too_fine(grid.voxel_size, means, grid.voxel_size * (count / MAX_VOTED) ** (1 / 3))
    x, y = found[best].loose.open_columns()
    across = np.roll([x, y, 0 * x], -grid.roll, axis=0)
    voters = [
        found[best].loose if axis == best else _crossing(triangles, other, best, across)
        for axis, other in enumerate(grids)
    ]
    for some in blocks(len(x), max(EXPANDED // len(height), 1)):
        voxel = np.stack(
            [np.repeat(x[some], len(height)), np.repeat(y[some], len(height)), np.tile(height, len(x[some]))]
        )
        own = np.roll(voxel, -grid.roll, axis=0)  # along the mesh's own axes
        votes = sum(one.votes(*np.roll(own, other.roll, axis=0)) for one, other in zip(voters, grids, strict=True))
        inside = voxel[:, votes > 0].astype(np.float64)
        for side in (-0.5, 0.5):
            yield inside[0], inside[1], inside[2] + side, np.full(inside.shape[1], 2.0 * side)
        unless_cancelled(progress, some.stop / len(x))


def _crossing(triangles: TriangleArray, grid: Columns, axis: int, across: Indices) -> Ordered:
    """Sort the crossings of columns that cross others, which run along `axis` and stand at `across` (3, n)."""
    axes = np.roll(np.arange(3), grid.roll)  # of the mesh, along each of the grid's
    place = 1 if axes[0] == axis else 0
    return grid.along(triangles, place, np.unique(across[axes[place]]))
