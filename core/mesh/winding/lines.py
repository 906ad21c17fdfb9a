# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines askew through a closed surface: samples of the space that it winds around at all."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

import numpy as np

from ...arrays import FloatArray
from ...body.moments import Moments
from ...body.pose import Pose
from ...errors import InertiaError
from ..integrate import surface_moments
from ..progress import unless_unwanted
from ..surface import Surface
from ..voxels.columns import Columns

ASKEW = Pose.from_quaternion(np.zeros(3), [sqrt(5.0) - 2.0, sqrt(2.0) - 1.0, sqrt(3.0) - 1.0, 1.0]).R
"""Lines stand askew, since most faces stand along the axes: there lines are of first order, elsewhere of second."""

PHASES = 0.7639320225002102, 0.4721359549995796, 0.1803398874989488
"""By how many cells the grid of lines along each axis reaches over the surface: what is as wide as high is met
otherwise along each."""

BESIDE = 1.0
"""Cells around a surface that belong to its grid: before a hole, space outside is wound around too."""


def askew(surface: Surface) -> tuple[Surface, Callable[[Moments], Moments]]:
    """Return a surface turned by `ASKEW` about its middle, and what turns moments back."""
    low, high = surface.bounds()
    centre = low + (high - low) / 2.0
    turned = Surface((surface.vertices.astype(np.float64) - centre) @ ASKEW.T, surface.triangles)
    return turned, lambda moments: moments.transformed(ASKEW.T, centre)


def grid(surface: Surface, axis: int, size: float) -> Columns:
    """Lay columns along an axis as wide as `size` [m], with cells all around the surface."""
    low, high = surface.bounds()
    window = low - (np.roll(PHASES, axis) + BESIDE) * size, high + BESIDE * size
    return Columns.around(surface, size, axis, window)


def union(surface: Surface, axis: int, size: float) -> tuple[FloatArray, FloatArray]:
    """Sample ∫ (1, p)(1, p)ᵀ dV, shape (4, 4), of where a closed surface winds at all, and of its winding number."""
    unless_unwanted()
    columns = grid(surface, axis, size)
    united, signed = columns.union_sums(surface.triangles)
    return columns.integrals(united), columns.integrals(signed)


def exact(surface: Surface) -> FloatArray | None:
    """Return the exact integral of the winding number of a closed surface, as `union` does; None if it is nothing."""
    try:
        moments = surface_moments(surface)
    except InertiaError:  # zero_volume
        return None
    sums = np.zeros((4, 4))
    first = moments.volume * moments.centroid
    sums[0, 0], sums[0, 1:], sums[1:, 0] = moments.volume, first, first
    sums[1:, 1:] = moments.covariance + np.outer(first, moments.centroid)
    return sums


def as_moments(sums: FloatArray) -> Moments | None:
    """Return sums as moments; None where they hold no volume."""
    volume = float(sums[0, 0])
    if not volume > 0.0:
        return None
    centroid = sums[0, 1:] / volume
    covariance = sums[1:, 1:] - volume * np.outer(centroid, centroid)
    return Moments(volume, centroid, (covariance + covariance.T) / 2.0)
