# SPDX-License-Identifier: Apache-2.0
"""Points that a shape must enclose, their smallest enclosing ball, and the distances that shapes are built from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import combinations

import numpy as np

from ...arrays import FloatArray


def length(first: FloatArray, *others: FloatArray) -> FloatArray:
    """Return the lengths of vectors, given their coordinate arrays; `hypot` and `norm` take several times as long."""
    squares = first * first
    for other in others:
        squares += other * other
    lengths: FloatArray = np.sqrt(squares, out=squares)
    return lengths


def from_faces(*beyond: FloatArray) -> FloatArray:
    """Return the signed distance of points, given their distances beyond each pair of faces (negative: between
    them)."""
    inside: FloatArray = np.minimum(reduce(np.maximum, beyond), 0.0)
    outside: FloatArray = length(*(np.maximum(height, 0.0) for height in beyond))
    return outside + inside


@dataclass(frozen=True, eq=False)
class Cloud:
    """Points (n, 3), and `spread` (3,): the roots of their solid's second moments about its centroid."""

    points: FloatArray
    spread: FloatArray

    @cached_property
    def sides(self) -> FloatArray:
        sides: FloatArray = self.points.max(axis=0) - self._low
        return sides

    @cached_property
    def centre(self) -> FloatArray:
        """The centre of the bounding box."""
        centre: FloatArray = self._low + self.sides / 2.0
        return centre

    @cached_property
    def ball(self) -> tuple[FloatArray, float]:
        """Centre (3,) and radius of the smallest enclosing ball."""
        return smallest_ball(self.points)

    @cached_property
    def circle(self) -> tuple[FloatArray, float]:
        """Centre (2,) and radius of the smallest enclosing circle as seen along z."""
        return smallest_ball(self.points[:, :2])

    @cached_property
    def across(self) -> FloatArray:
        """Distance of each point from the circle's centre, as seen along z."""
        x, y = self.circle[0]
        return length(self.points[:, 0] - x, self.points[:, 1] - y)

    @cached_property
    def _low(self) -> FloatArray:
        low: FloatArray = self.points.min(axis=0)
        return low


SLACK = 1e-10
"""Points up to this far outside, in radii, are on the ball: a million roundings of float64."""


def smallest_ball(points: FloatArray) -> tuple[FloatArray, float]:
    """Return centre (d,) and radius of the smallest ball around points (n, d), d = 2 or 3.

    Start with the ball of a few support points and add the point farthest outside until none is left (an LP-type
    problem: Matousek, Sharir & Welzl 1996, Algorithmica 16). The radius grows with each step, so it ends.
    """
    columns = [np.ascontiguousarray(column) for column in points.T]
    centre = points[columns[0].argmin()]  # start with an extreme point
    support, radius = centre[None], 0.0
    slack = SLACK * max(float(np.ptp(column)) for column in columns)
    while True:
        away = length(*(column - x for column, x in zip(columns, centre.tolist(), strict=True)))
        farthest = int(away.argmax())
        distance = float(away[farthest])
        if distance <= radius + slack:
            return centre, distance
        held = _held(np.vstack([points[farthest], support]), slack)
        if held[2] <= radius:
            return centre, distance
        support, centre, radius = held


def _held(points: FloatArray, slack: float) -> tuple[FloatArray, FloatArray, float]:
    """Return the support points of the smallest ball of a few points, its centre and its radius, by trying all subsets.

    The first point is outside the ball of the others, so it is on this one.
    """
    best: tuple[FloatArray, FloatArray, float] | None = None
    dimension = points.shape[1]
    for count in range(1, min(len(points) - 1, dimension) + 1):
        for chosen in combinations(range(1, len(points)), count):
            some = points[[0, *chosen]]
            centre = _equally_far(some)
            if centre is None:
                continue
            radii = np.linalg.norm(points - centre, axis=1)
            supporting = radii[[0, *chosen]]
            radius = float(supporting.max())
            if (
                radius - supporting.min() <= slack
                and radii.max() <= radius + slack
                and (best is None or radius < best[2])
            ):
                best = some, centre, radius
        if count == 1 and best is not None:  # two points span the smallest possible ball
            break
    if best is None:  # because of rounding: all of them are nearly on one ball
        centre = points.mean(axis=0)
        return points, centre, float(np.linalg.norm(points - centre, axis=1).max())
    return best


def _equally_far(points: FloatArray) -> FloatArray | None:
    """Return the point in the span of two to four points that is equally far from all; None if they are degenerate.

    |x - a|² = |x|² for x = Σ tᵢ armᵢ is linear in t.
    """
    arms = points[1:] - points[0]
    products = arms @ arms.T
    try:
        centre: FloatArray = points[0] + np.linalg.solve(2.0 * products, np.diag(products)) @ arms
    except np.linalg.LinAlgError:
        return None
    return centre
