# SPDX-License-Identifier: GPL-3.0-or-later
"""The cylinder."""

from __future__ import annotations

from math import sqrt

import numpy as np

from ...arrays import FloatArray
from ..moments import Moments
from .cloud import Cloud, from_faces, length
from .round import Round
from .shape import UNIT_CYLINDER


class Cylinder(Round):
    """A cylinder along z, centred; `radius` and `length` [m]."""

    kind = "cylinder"
    smooth = False

    def moments(self) -> Moments:
        radius, height = self._lengths()
        return UNIT_CYLINDER.scaled(radius, radius, height).moments()

    def distance(self, points: FloatArray) -> FloatArray:
        x, y, z = points.T
        return from_faces(length(x, y) - self.radius, np.abs(z) - self.length / 2.0)

    def _outline(self) -> list[tuple[float, float]]:
        return [(self.radius, -self.length / 2.0), (self.radius, self.length / 2.0)]

    @classmethod
    def proportioned(cls, x: float, y: float, z: float) -> Cylinder:
        return Cylinder(2.0 * sqrt((x + y) / 2.0), sqrt(12.0 * z))

    @classmethod
    def enclosing(cls, cloud: Cloud) -> tuple[Cylinder, FloatArray]:
        (x, y), radius = cloud.circle
        return Cylinder(radius, float(cloud.sides[2])), np.array([x, y, cloud.centre[2]])
