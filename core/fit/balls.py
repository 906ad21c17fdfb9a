# SPDX-License-Identifier: GPL-3.0-or-later
"""The smallest ball (or, in a plane, circle) around points."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from ..arrays import FloatArray

SLACK = 1e-10
"""Points this far outside, in radii, are on the ball: a million roundings of float64."""


def smallest_ball(points: FloatArray) -> tuple[FloatArray, float]:
    """Return centre (d,) and radius of the smallest ball around points (n, d).

    The ball of a few points that hold it is made larger by the point farthest outside, until none is (an LP-type
    problem: Matousek, Sharir & Welzl 1996, Algorithmica 16). The radius grows with each step, so it ends.
    """
    support = points[:1]
    centre, radius = support[0], 0.0
    reach = float(np.abs(points - centre).max())
    while True:
        distance = np.linalg.norm(points - centre, axis=1)
        farthest = int(distance.argmax())
        if distance[farthest] <= radius + SLACK * reach:
            return centre, float(distance[farthest])
        support, centre, grown = _held(np.vstack([support, points[farthest]]), reach)
        if grown <= radius:
            return centre, float(np.linalg.norm(points - centre, axis=1).max())
        radius = grown


def _held(points: FloatArray, reach: float) -> tuple[FloatArray, FloatArray, float]:
    """Return the points that hold the smallest ball of a few, its centre and its radius, by trying all."""
    best: tuple[FloatArray, FloatArray, float] | None = None
    for count in range(2, min(len(points), points.shape[1] + 1) + 1):
        for chosen in combinations(range(len(points)), count):
            held = points[list(chosen)]
            centre = _through(held)
            radius = float(np.linalg.norm(held - centre, axis=1).max())
            inside = np.linalg.norm(points - centre, axis=1).max() <= radius + SLACK * reach
            if inside and (best is None or radius < best[2]):
                best = held, centre, radius
    if best is None:  # rounding: all of them nearly on one ball
        centre = points.mean(axis=0)
        return points, centre, float(np.linalg.norm(points - centre, axis=1).max())
    return best


def _through(points: FloatArray) -> FloatArray:
    """Return the centre of the smallest ball through points: equally far from all, and in the plane they span."""
    arms = points[1:] - points[0]
    # |x - a|² = |x|² for x = Σ tᵢ armᵢ: arms armsᵀ t = |arm|²/2.
    weights = np.linalg.lstsq(arms @ arms.T, (arms**2).sum(axis=1) / 2.0, rcond=None)[0]
    centre: FloatArray = points[0] + weights @ arms
    return centre
