# SPDX-License-Identifier: GPL-3.0-or-later
"""How often a surface winds around the space about it: the volumes where it does so once, more than once, backwards."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...body.moments import Moments
from ..surface import Surface
from .columns import Columns
from .ordered import Ordered


@dataclass(frozen=True, eq=False)
class WindingVolumes:
    """How often a surface winds around the space about it, by columns of voxels.

    Parameters
    ----------
    signed : float
        ∫ winding dV [m³].
    union : float
        Volume where the winding is not zero [m³].
    overlap : float
        Volume where the winding is above one [m³], whatever it is there.
    negative : float
        Volume where the winding is below zero [m³].
    open_columns : float
        Share of the columns crossed that do not go in as often as out. What lies between their crossings is counted,
        what lies above them is not.
    columns : Columns
    ordered : Ordered
        Their crossings.
    """

    signed: float
    union: float
    overlap: float
    negative: float
    open_columns: float
    columns: Columns
    ordered: Ordered

    @property
    def union_moments(self) -> Moments | None:
        """The moments of the space where the winding is not zero; None where there is none."""
        return self.columns.moments(self.ordered.united()) if self.union > 0.0 else None


def winding_volumes(surface: Surface, voxel_size: float, axis: int | None = None) -> WindingVolumes:
    """Measure where a surface winds around space more than once, or backwards.

    Parameters
    ----------
    surface : Surface
        Open or closed.
    voxel_size : float
        Width of a column [m]. Heights inside a column are exact.
    axis : int, optional
        Along which the columns run; the longest side's where not given.

    Raises
    ------
    InertiaError
        ``bad_voxel_size``, ``voxels_too_fine``.
    """
    columns = Columns.around(surface, voxel_size, axis)
    ordered = columns.ordered(surface.triangles)
    winding = ordered.above
    length = np.diff(ordered.units(), append=0) / ordered.unit
    length[winding == 0] = 0.0
    length[ordered.last] = 0.0
    cell = columns.voxel_size**3
    return WindingVolumes(
        float(winding @ length) * cell,
        float(length.sum()) * cell,
        float(length[winding > 1].sum()) * cell,
        float(length[winding < 0].sum()) * cell,
        np.count_nonzero(ordered.net) / max(len(ordered.last), 1),
        columns,
        ordered,
    )
