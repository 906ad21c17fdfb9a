# SPDX-License-Identifier: GPL-3.0-or-later
"""The ellipsoid."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from ...arrays import FloatArray
from ..moments import Moments
from .cloud import Cloud, length
from .round import arc, revolved
from .shape import UNIT_BALL, Shape


@dataclass(frozen=True)
class Ellipsoid(Shape):
    """An ellipsoid with the semi-axes `radii` [m]."""

    radii: tuple[float, float, float]

    kind = "ellipsoid"
    fields = {"radii": 3}

    def moments(self) -> Moments:
        return UNIT_BALL.scaled(*self._lengths()).moments()

    def half_sizes(self, R: FloatArray) -> FloatArray:
        return np.sqrt(R**2 @ np.array(self.radii) ** 2)

    def distance(self, points: FloatArray) -> FloatArray:
        """Return the distance of points from its surface, negative inside, correct to first order; shape (n,).

        It is the level over its gradient; the least radius at the centre, where the gradient is zero.
        """
        a, b, c = self.radii
        x, y, z = points.T / np.array([[a], [b], [c]])
        level, slope = length(x, y, z), length(x / a, y / b, z / c)
        return np.where(slope > 0.0, level * (level - 1.0) / np.where(slope > 0.0, slope, 1.0), -min(self.radii))

    def facets(self) -> tuple[FloatArray, list[tuple[int, ...]]]:
        vertices, faces = revolved(arc(1.0))
        return vertices * self.radii, faces

    @classmethod
    def _filling(cls, x: float, y: float, z: float) -> Ellipsoid:
        return Ellipsoid((x / 2.0, y / 2.0, z / 2.0))

    @classmethod
    def proportioned(cls, x: float, y: float, z: float) -> Ellipsoid:
        return Ellipsoid((sqrt(5.0 * x), sqrt(5.0 * y), sqrt(5.0 * z)))

    @classmethod
    def enclosing(cls, cloud: Cloud) -> tuple[Ellipsoid, FloatArray]:
        """Return the smaller of two ellipsoids: in the proportions of the points' box, or of the solid's spread."""
        centred = cloud.points - cloud.centre
        around = [radii * length(*(centred / radii).T).max() for radii in (cloud.sides, cloud.spread)]
        a, b, c = min(around, key=lambda radii: float(radii.prod())).tolist()
        return Ellipsoid((a, b, c)), cloud.centre
