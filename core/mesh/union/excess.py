# SPDX-License-Identifier: GPL-3.0-or-later
"""What a surface encloses more than once, integrated exactly."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

from ...arrays import Ints, corner_blocks
from ...body.moments import Moments
from ...errors import InertiaError
from ..geometry.probe import SOME
from ..geometry.vectors import cross, dot
from ..integrate import surface_moments
from ..surface import Surface
from .buried import buried
from .placed import SHIFT, TooMuch, Undecided

APART = 2.0 * sqrt(3.0) * SHIFT
"""Two corners are shifted against each other by so much at most, as a share of the longest side."""


@dataclass(frozen=True)
class Excess:
    """By how much the plain sum is more than the union.

    Parameters
    ----------
    moments : Moments
    off : float
        How far off it may be, as a volume [m³]; infinite where finding out would take longer than columns do.
    """

    moments: Moments
    off: float


def excess(surface: Surface, component: Ints | None = None, near: Ints | None = None) -> Excess | None:
    """Measure what a closed surface encloses more than once, as often as that is too often.

    The parameters are those of `buried`; None where that finds nothing.
    """
    try:
        twice = buried(surface, component, near)
        if twice is None:
            return None
        moments, (gap, area) = surface_moments(twice), _openness(twice)
    except TooMuch:
        return Excess(Moments.zero, inf)
    except (InertiaError, Undecided):  # zero_volume
        return None
    return Excess(moments, gap + APART * float(surface.extent().max()) * area)


def _openness(surface: Surface) -> tuple[float, float]:
    """Return by how much the surface of a solid is not closed, as a volume [m³], and its area [m²].

    Of a closed one, the areas cancel as vectors, and ∫ x nᵀ dA is the volume times 1, wherever the origin is: twelve
    numbers, which hardly all come out so by chance.
    """
    low, high = surface.bounds()
    middle, extent = low + (high - low) / 2.0, float((high - low).max())
    area, vector, moment = 0.0, np.zeros(3), np.zeros((3, 3))
    rows = np.ascontiguousarray(surface.vertices.T, dtype=np.float64) - middle[:, None]
    for _, index in corner_blocks(surface.triangles, SOME):
        a, b, c = (rows.take(corner, axis=1, mode="clip") for corner in index)
        normal = cross(b - a, c - a) / 2.0
        area += float(np.sqrt(dot(normal, normal)).sum())
        vector += normal.sum(axis=1)
        moment += (a + b + c) / 3.0 @ normal.T
    off = moment - np.eye(3) * np.trace(moment) / 3.0
    return float(max(np.abs(off).max(), extent * np.abs(vector).max())), area
