# SPDX-License-Identifier: GPL-3.0-or-later
"""The ball, which SDF calls a sphere."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...arrays import FloatArray
from ..moments import Moments
from .cloud import Cloud, length
from .round import arc, revolved
from .shape import UNIT_BALL, Shape, equal


@dataclass(frozen=True)
class Sphere(Shape):
    """A ball of `radius` [m]."""

    radius: float

    kind = "sphere"
    fields = {"radius": 1}
    turning_axes = 0

    def moments(self) -> Moments:
        return UNIT_BALL.scaled(*self._lengths() * 3).moments()

    def half_sizes(self, _R: FloatArray) -> FloatArray:
        return np.full(3, self.radius)

    def distance(self, points: FloatArray) -> FloatArray:
        return length(*points.T) - self.radius

    def facets(self) -> tuple[FloatArray, list[tuple[int, ...]]]:
        return revolved(arc(self.radius))

    @classmethod
    def misfit(cls, x: float, y: float, z: float) -> str:
        return "" if equal(x, y) and equal(y, z) and equal(x, z) else "a sphere needs three equal ones"

    @classmethod
    def _filling(cls, x: float, _y: float, _z: float) -> Sphere:
        return Sphere(x / 2.0)

    @classmethod
    def proportioned(cls, _x: float, _y: float, _z: float) -> Sphere:
        return Sphere(1.0)

    @classmethod
    def enclosing(cls, cloud: Cloud) -> tuple[Sphere, FloatArray]:
        centre, radius = cloud.ball
        return Sphere(radius), centre
