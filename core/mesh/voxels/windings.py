# SPDX-License-Identifier: GPL-3.0-or-later
"""The volumes in which a closed surface winds more than once around space, or backwards, by columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..surface import Surface
from .columns import Columns
from .grid import Window


@dataclass(frozen=True)
class WindingVolumes:
    """What columns see of a closed surface.

    Parameters
    ----------
    overlap : float
        Volume where the winding is above one [m³], whatever it is there.
    negative : float
        Volume where the winding is below zero [m³].
    depth : float
        The longest stretch of a column in either [m].
    """

    overlap: float = 0.0
    negative: float = 0.0
    depth: float = 0.0


def winding_volumes(
    surface: Surface, width: float, axis: int | None = None, window: Window | None = None
) -> WindingVolumes:
    """Measure where a closed surface winds around space more than once, or backwards.

    Parameters
    ----------
    surface : Surface
    width : float
        Of a column [m]. Heights inside a column are exact.
    axis : int, optional
        Along which the columns run; the longest side's where not given.
    window : tuple of ndarray, optional
        The box that is looked into; the bounding box where not given. Columns that do not close are not counted.

    Raises
    ------
    InertiaError
        ``voxels_too_fine``.
    """
    columns = Columns.around(surface, width, axis, window)
    ordered = columns.ordered(surface.triangles).closed()
    length = np.diff(ordered.units(), append=0) / ordered.unit
    length[ordered.last] = 0.0
    above, below = length[ordered.above > 1], length[ordered.above < 0]
    size = columns.voxel_size
    depth = max(float(above.max(initial=0.0)), float(below.max(initial=0.0)))
    return WindingVolumes(float(above.sum()) * size**3, float(below.sum()) * size**3, depth * size)
