# SPDX-License-Identifier: GPL-3.0-or-later
"""How much hangs on the cracks that merging closes: a hole may be as small as a cell and yet be the end of a wire."""

from __future__ import annotations

from dataclasses import replace

from ...body.compare import difference
from ...body.moments import Moments
from ...errors import InertiaError
from ..integrate import surface_moments
from ..surface import Surface
from ..topology.edges import merged_edges
from ..topology.junctions import cut_at_corners
from ..union.by_columns import UNION_ERROR
from . import remarks
from .closed import Closed

EXACT = 1e-12
"""Cracks that move no moment by more than this share of it leave it exact."""


def left_open(found: Closed) -> float:
    """Estimate the error that cracks leave: the integral is over vertices as they are, and so does not close them.

    Parameters
    ----------
    found : Closed
        Its volume is positive.

    Returns
    -------
    float
        By how much the integral differs where each vertex is moved to its point, relative.

    Raises
    ------
    InertiaError
        ``open_mesh`` where that is above the error of a union by columns: what is closed so is no crack. Faces between
        two rims that fall into one cell may be most of a wire or a foil, and a rim of many short edges may be long
        though each corner shares a cell with the next.
    """
    if found.merging.equal is None:
        return 0.0
    error = _change(found.moments, found.watertight)
    if error > UNION_ERROR:
        _, _, edges = merged_edges(replace(found.merging, point=found.merging.equal), found.surface)
        raise remarks.open_mesh(found.surface, edges, cut_at_corners(found.surface, edges))
    return error if error > EXACT else 0.0


def _change(moments: Moments, closed: Surface) -> float:
    """Return by how much moments differ from those of a surface: of volume, centroid and second moment the most."""
    try:
        return difference(moments, surface_moments(closed), moments).worst
    except InertiaError:  # zero_volume
        return 1.0
