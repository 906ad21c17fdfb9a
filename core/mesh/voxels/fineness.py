# SPDX-License-Identifier: GPL-3.0-or-later
"""How fine voxels may be: what would take too much memory or time is refused, with a size that would not."""

from __future__ import annotations

from math import sqrt

from ...errors import InertiaError
from ...remedies import Remedy

MAX_CROSSINGS = 50_000_000
"""More crossings than this are refused: sorted, with their windings, they take about 2 GB, and a few seconds."""

MAX_COLUMNS = 2**29
"""So are more columns: a 32-bit counter for each takes 2 GB."""

MAX_HEIGHT = 2**20
"""Voxels in a column: of the 34 bits or more that a sortable number has for a height, 13 stay below the point."""

FINEST = 2.0**40
"""More voxels than this along the longest side are refused as this many are: floating point and integers hold these."""


def check_size(voxel_size: float, shape: tuple[int, int, int], crossings: float, asked: float | None = None) -> None:
    """Refuse voxels of which there would be too many.

    Parameters
    ----------
    voxel_size : float
        The side [m] of the voxels that are counted.
    shape : tuple of int
        Voxels along each axis, columns along the last.
    crossings : float
        Of columns with faces.
    asked : float, optional
        The size asked for [m], where so many of that cannot be counted.

    Raises
    ------
    InertiaError
        ``voxels_too_fine``.
    """
    count = float(shape[0]) * float(shape[1])
    excess = max(sqrt(crossings / MAX_CROSSINGS), sqrt(count / MAX_COLUMNS), shape[2] / MAX_HEIGHT)
    if excess > 1.0:
        more = "" if asked is None or asked >= voxel_size else "more than "
        raise too_fine(
            asked or voxel_size,
            f"{more}{count:.2g} columns of voxels, which cross faces about {crossings:.2g} times; within 2 GB of memory"
            f" the limits are {MAX_COLUMNS:.2g} and {MAX_CROSSINGS:.2g}",
            voxel_size * excess,
        )


def too_fine(voxel_size: float, means: str, fitting: float) -> InertiaError:
    """Return the error ``voxels_too_fine``: what a voxel size means, and one that fits [m], or nearly so."""
    return InertiaError(
        "voxels_too_fine",
        "",
        f"a voxel size of {voxel_size:g} m means {means}",
        Remedy(f"{{voxel_size:{1.1 * fitting:.2g}}} or more"),
    )
