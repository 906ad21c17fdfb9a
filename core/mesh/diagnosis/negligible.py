# SPDX-License-Identifier: GPL-3.0-or-later
"""How much may be enclosed wrongly for the plain integral to stand, and what error that means."""

from __future__ import annotations

from ...body.moments import Moments
from ..surface import Surface
from ..union.by_columns import UNION_ERROR
from ..voxels.differences import error_per_volume
from .overlap import touching_volume


def negligible(surface: Surface, moments: Moments) -> tuple[float, float]:
    """Return the volume that is negligible if it is enclosed wrongly, and what error a volume means.

    Parameters
    ----------
    surface : Surface
    moments : Moments
        Its integral; the volume is positive.

    Returns
    -------
    least : float
        No more than touching, and no more of any moment than a union by columns may be off [m³].
    share : float
        Error of the moments, relative, for each m³ [1/m³]: of the second moment, at the farthest corner.
    """
    share = error_per_volume(surface, moments)
    return min(touching_volume(surface), UNION_ERROR / share), share
