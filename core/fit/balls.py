# SPDX-License-Identifier: GPL-3.0-or-later
"""The smallest ball (or, in a plane, circle) around points."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray
from .distance import lengths

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
        distance = lengths(points - centre)
        farthest = int(distance.argmax())
        if distance[farthest] <= radius + SLACK * reach:
            return centre, float(distance[farthest])
        support, centre, grown = _held(np.vstack([support, points[farthest]]), reach)
        if grown <= radius:
            return centre, float(lengths(points - centre).max())
        radius = grown


def _held(points: FloatArray, reach: float) -> tuple[FloatArray, FloatArray, float]:
    """Return the points that hold the smallest ball of a few, its centre and its radius, by trying all.

    The last of them is outside the ball of the others, and so on this one.
    """
    last, size = len(points) - 1, min(len(points), points.shape[1] + 1)
    best: tuple[FloatArray, FloatArray, float] | None = None
    for count in range(2, size + 1):
        held = points[_choices(last, count)]
        centres, regular = _through(held)
        radii = lengths(held - centres[:, None])
        outer = radii.max(axis=1)
        farthest = lengths(points - centres[:, None]).max(axis=1)
        fits = regular & (outer - radii.min(axis=1) <= SLACK * reach) & (farthest <= outer + SLACK * reach)
        if fits.any():
            one = int(np.where(fits, outer, np.inf).argmin())
            if best is None or outer[one] < best[2]:
                best = held[one], centres[one], float(outer[one])
            if count == 2:  # none is smaller than what two points span
                break
    if best is None:  # rounding: all of them nearly on one ball
        centre = points.mean(axis=0)
        return points, centre, float(lengths(points - centre).max())
    return best


@cache
def _choices(last: int, count: int) -> list[list[int]]:
    """Return the ways to take so many of the points up to the last, always with that."""
    return [[last, *chosen] for chosen in combinations(range(last), count - 1)]


def _through(points: FloatArray) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
    """Return the centres (k, d) of the smallest balls through points (k, m, d), and which of them there are.

    They are equally far from all m, and in the plane that these span.
    """
    arms = points[:, 1:] - points[:, :1]
    # |x - a|² = |x|² for x = Σ tᵢ armᵢ: arms armsᵀ t = |arm|²/2.
    products = arms @ arms.transpose(0, 2, 1)
    regular: npt.NDArray[np.bool_] = np.linalg.det(products) > 0.0
    products = np.where(regular[:, None, None], products, np.eye(arms.shape[1]))
    squares = np.einsum("kii->ki", products)
    weights = np.linalg.solve(products, squares[:, :, None] / 2.0)
    centres: FloatArray = points[:, 0] + (weights * arms).sum(axis=1)
    return centres, regular
