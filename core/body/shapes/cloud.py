# SPDX-License-Identifier: GPL-3.0-or-later
"""Points that a shape must enclose, their smallest enclosing ball, and the distances that shapes are built from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import combinations
from math import dist

import numpy as np

from ...arrays import FloatArray


def length(first: FloatArray, *others: FloatArray) -> FloatArray:
    """Return the lengths of vectors, given their coordinate arrays; `hypot` and `norm` take several times as long."""
    squares = first * first
    for other in others:
        squares += other * other
    found: FloatArray = np.sqrt(squares, out=squares)
    return found


def from_faces(*beyond: FloatArray) -> FloatArray:
    """Return the signed distance of points, given their distances beyond each pair of faces (negative: between
    them)."""
    inside: FloatArray = np.minimum(reduce(np.maximum, beyond), 0.0)
    outside: FloatArray = length(*(np.maximum(one, 0.0) for one in beyond))
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

Point = tuple[float, ...]
"""Vectors of two or three numbers: for a few points, Python's floats are faster than arrays."""


def smallest_ball(points: FloatArray) -> tuple[FloatArray, float]:
    """Return centre (d,) and radius of the smallest ball around points (n, d), d = 2 or 3.

    Start with the ball of a few support points and add the point farthest outside until none is left (an LP-type
    problem: Matousek, Sharir & Welzl 1996, Algorithmica 16). The radius grows with each step, so it ends.
    """
    columns = [np.ascontiguousarray(column) for column in points.T]
    centre: Point = tuple(points[columns[0].argmin()].tolist())  # start with an extreme point
    support, radius = [centre], 0.0
    slack = SLACK * max(float(np.ptp(column)) for column in columns)
    while True:
        away = length(*(column - x for column, x in zip(columns, centre, strict=True)))
        farthest = int(away.argmax())
        distance = float(away[farthest])
        if distance <= radius + slack:
            return np.array(centre), distance
        held = _held([*support, tuple(points[farthest].tolist())], slack)
        if held[2] <= radius:
            return np.array(centre), distance
        support, centre, radius = held


def _held(points: list[Point], slack: float) -> tuple[list[Point], Point, float]:
    """Return the support points of the smallest ball of a few points, its centre and its radius, by trying all subsets.

    The last point is outside the ball of the others, so it is on this one.
    """
    *others, last = points
    best: tuple[list[Point], Point, float] | None = None
    for count in range(1, min(len(others), len(last)) + 1):
        for chosen in combinations(others, count):
            centre = _equally_far(last, *chosen)
            if centre is None:
                continue
            radii = [dist(centre, point) for point in (last, *chosen)]
            radius = max(radii)
            if radius - min(radii) > slack or (best is not None and radius >= best[2]):
                continue
            if all(dist(centre, point) <= radius + slack for point in others):
                best = [last, *chosen], centre, radius
        if count == 1 and best is not None:  # two points span the smallest possible ball
            break
    if best is None:  # because of rounding: all of them are nearly on one ball
        centre = tuple(sum(numbers) / len(points) for numbers in zip(*points, strict=True))
        return points, centre, max(dist(centre, point) for point in points)
    return best


def _equally_far(start: Point, *ends: Point) -> Point | None:
    """Return the point in the span of two to four points that is equally far from all; None if they are degenerate.

    |x - a|² = |x|² for x = Σ tᵢ armᵢ is linear in t: its solution by Cramer's rule.
    """
    if len(ends) == 1:
        return tuple([(a + b) / 2.0 for a, b in zip(start, ends[0], strict=True)])
    arms = [tuple([b - a for a, b in zip(start, end, strict=True)]) for end in ends]
    squares = [_dot(arm, arm) for arm in arms]
    if len(arms) == 2:
        (u, v), (uu, vv) = arms, squares
        uv = _dot(u, v)
        span = 2.0 * (uu * vv - uv * uv)
        weights = [vv * (uu - uv), uu * (vv - uv)]
    else:
        u, v, w = arms
        arms, weights = [_cross(v, w), _cross(w, u), _cross(u, v)], squares
        span = 2.0 * _dot(u, arms[0])
    if span == 0.0:
        return None
    return tuple([a + _dot(weights, along) / span for a, *along in zip(start, *arms, strict=True)])


def _dot(u: Sequence[float], v: Sequence[float]) -> float:
    return sum([a * b for a, b in zip(u, v, strict=True)])


def _cross(u: Point, v: Point) -> Point:
    (a, b, c), (d, e, f) = u, v
    return b * f - c * e, c * d - a * f, a * e - b * d
