# SPDX-License-Identifier: GPL-3.0-or-later
"""The capsule."""

from __future__ import annotations

from math import pi, sqrt

import numpy as np

from ...arrays import FloatArray
from ..moments import Moments
from .cloud import Cloud, length
from .round import Round, arc
from .shape import UNIT_CYLINDER, Shape, Upright, equal
from .sphere import Sphere

LEAST = 1e-6
"""A capsule whose cylinder is shorter than this, in radii, is treated as a ball."""

LONGEST = 1e6
"""A capsule longer than this, in radii, is treated as a line."""

HALVINGS = 60
"""Bisections of the twelve powers of ten from `LEAST` to `LONGEST`: beyond float64's resolution."""

# The upper half of the unit ball, its flat face at z = 0.
_UNIT_HALF_BALL = Upright(2 * pi / 3, 3 / 8, 2 * pi / 3 * (1 / 5), 2 * pi / 3 * (1 / 5), 2 * pi / 3 * (19 / 320))


class Capsule(Round):
    """A cylinder along z, centred, with a half-ball on each end; `length` [m] is that of the cylinder alone."""

    kind = "capsule"

    def moments(self) -> Moments:
        radius, height = self._lengths()
        upper = _UNIT_HALF_BALL.scaled(radius, radius, radius).raised(height / 2)
        lower = upper._replace(z=-upper.z)
        return (UNIT_CYLINDER.scaled(radius, radius, height) + upper + lower).moments()

    def half_sizes(self, R: FloatArray) -> FloatArray:
        sizes: FloatArray = self.radius + np.abs(R[:, 2]) * self.length / 2.0
        return sizes

    def distance(self, points: FloatArray) -> FloatArray:
        x, y, z = points.T
        return length(x, y, np.maximum(np.abs(z) - self.length / 2.0, 0.0)) - self.radius

    def _outline(self) -> list[tuple[float, float]]:
        return arc(self.radius, self.length / 2.0)

    @classmethod
    def misfit(cls, x: float, y: float, z: float) -> str:
        too_short = "" if z >= x or equal(x, z) else "a capsule needs z no shorter than x"
        return super().misfit(x, y, z) or too_short

    @classmethod
    def _filling(cls, x: float, _y: float, z: float) -> Shape:
        return Sphere(x / 2.0) if equal(x, z) else Capsule(x / 2.0, z - x)

    @classmethod
    def proportioned(cls, x: float, y: float, z: float) -> Capsule | None:
        """Return the capsule with a given ∫z² over ∫x², found by bisection: the ratio grows with its length."""
        slenderness = z / ((x + y) / 2.0)
        low, high = LEAST, LONGEST
        for _ in range(HALVINGS):
            middle = sqrt(low * high)
            low, high = (middle, high) if _slenderness(middle) < slenderness else (low, middle)
        return Capsule(1.0, high) if low > LEAST else None  # otherwise a ball, or flat

    @classmethod
    def enclosing(cls, cloud: Cloud) -> tuple[Capsule, FloatArray] | None:
        """Return the shortest capsule with the smallest circle around the points as seen along z."""
        (x, y), radius = cloud.circle
        z = cloud.points[:, 2]
        cap = np.sqrt(np.maximum(radius**2 - cloud.across**2, 0.0))  # how far past a half-ball's centre it may be
        top, bottom = float((z - cap).max()), float((z + cap).min())
        between = top - bottom
        if between <= LEAST * radius:
            return None
        return Capsule(radius, between), np.array([x, y, bottom + between / 2.0])


def _slenderness(height: float) -> float:
    """Return ∫z² over ∫x² of a capsule of radius 1, summed over its cylinder and its two half-balls.

    A half-ball's centroid is 3/8 from its flat face, about which its ∫z² is 19/320 of its volume.
    """
    halves = 4.0 / 3.0
    along = height**3 / 12.0 + halves * (19.0 / 320.0 + (height / 2.0 + 3.0 / 8.0) ** 2)
    return along / (height / 4.0 + halves / 5.0)
