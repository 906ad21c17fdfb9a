# SPDX-License-Identifier: GPL-3.0-or-later
"""The difference of two results for one solid."""

from __future__ import annotations

from math import sqrt

import numpy as np

from ...body.compare import difference
from ...body.moments import Moments
from ..surface import Surface

UP = 1.0 + 64 * float(np.finfo(np.float64).eps)
"""Errors are rounded up, since a comparison with the true one also rounds."""


def relative_error(found: Moments, truth: Moments) -> float:
    """Return the relative error of a result.

    Returns
    -------
    float
        Of volume, of the centroid's coordinates (relative to the true radius of gyration) and of covariance (to its
        true trace), the worst; 1 if the truth has no volume or no extent.
    """
    trace = float(np.trace(truth.covariance))
    if not (truth.volume > 0.0 and trace > 0.0):
        return 1.0
    apart = difference(found, truth, truth)
    # The worst coordinate, not the distance as in `apart.com`: reported errors, and limits on them, are defined so.
    centroid = float(np.abs(found.centroid - truth.centroid).max()) / sqrt(trace / truth.volume)
    return UP * max(apart.mass, centroid, apart.inertia)


def mutual_error(one: Moments, other: Moments) -> float:
    """Return the relative error of either result if the other were true, the larger."""
    return max(relative_error(one, other), relative_error(other, one))


def error_per_volume(surface: Surface, moments: Moments) -> float:
    """Return the relative error of a solid's moments per wrong volume [1/m³].

    That of the second moment, at the farthest corner.
    """
    low, high = surface.bounds()
    farthest = np.maximum(high - moments.centroid, moments.centroid - low)
    spread = float(np.trace(moments.covariance)) / moments.volume
    weight = max(float(farthest @ farthest) / spread, 1.0) if spread > 0.0 else 1.0
    return weight / moments.volume
