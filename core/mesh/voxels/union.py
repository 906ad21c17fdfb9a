# SPDX-License-Identifier: GPL-3.0-or-later
"""The union of shells that overlap: the space that a surface winds around at all, by columns that grow finer."""

from __future__ import annotations

from math import sqrt

import numpy as np

from ...errors import InertiaError
from ...moments import Moments
from ...pose import Pose
from ..surface import Surface
from .differences import apart
from .settled import enclosed

UNION_ERROR = 1e-4
"""The columns are made finer until the estimated error of the union, relative to volume and tensor, is below this."""

UNION_COLUMNS = (64, 128, 256, 512, 1024)
"""Columns along the longest side, tried in turn."""

UNION_STEPS = (1.0, 1.0905077326652577, 1.1892071150027210)
"""Each resolution is tried thrice, 2^(1/8) apart: edges fall differently among the columns, so the mean is better than
any, and the spread says how good it is."""

ASKEW = Pose.from_quaternion(np.zeros(3), [sqrt(5.0) - 2.0, sqrt(2.0) - 1.0, sqrt(3.0) - 1.0, 1.0]).R
"""The columns of a union stand askew, so that faces along the axes, which are the most common, do not run along them:
there columns are of first order, elsewhere of second."""


def union(surface: Surface, exact: Moments, overlap: float) -> tuple[Moments, float, float]:
    """Measure the space where the winding is not zero, by columns.

    The columns are asked only for what the union lacks of the signed sum, which is known exactly: what they miss of
    the rest of the surface cancels.

    Parameters
    ----------
    surface : Surface
        Closed, with no winding below zero.
    exact : Moments
        Its signed integral.
    overlap : float
        Volume of the overlap as lines saw it, which may be thinner than a column [m³].

    Returns
    -------
    moments : Moments
    error : float
        Estimated, relative: the spread over like resolutions or the difference to the coarser ones, and a quarter of
        their spread, which second order leaves of it (without, 11 of 2,500 unions of boxes were off by up to 1.8 times
        as much; with it, of 3,800, none by more than 0.92 of it). Or the overlap, where the columns see none of it.
    seen : float
        Volume of the overlap [m³].
    """
    low, high = surface.bounds()
    centre = low + (high - low) / 2.0
    askew = Surface((surface.vertices - centre) @ ASKEW.T, surface.triangles)
    longest = float(askew.extent().max())
    best = exact, 1.0
    coarser: Moments | None = None
    coarser_spread = 0.0
    for columns in UNION_COLUMNS:
        found, seen = [], []
        for step in UNION_STEPS:
            try:
                columned = enclosed(askew, longest / (columns * step))
                united, signed = columned.moments(), columned.signed_moments()
            except InertiaError:  # too fine; or the columns miss the solid
                continue
            found.append(exact + united.transformed(ASKEW.T, centre) + -signed.transformed(ASKEW.T, centre))
            seen.append(signed.volume - united.volume)
        if len(found) < 2:
            continue
        mean = Moments(
            float(np.mean([moments.volume for moments in found])),
            np.mean([moments.centroid for moments in found], axis=0),
            np.mean([moments.covariance for moments in found], axis=0),
        )
        missed = 0.0 if min(seen) > 0.0 else overlap / mean.volume
        spread = max(apart(moments, mean) for moments in found)
        if coarser is not None:
            error = max(max(spread, apart(coarser, mean)) + coarser_spread / 4.0, missed)
            if error < best[1]:
                best = mean, error
            if error < UNION_ERROR:
                break
        coarser, coarser_spread = mean, spread
    return best[0], best[1], exact.volume - best[0].volume
