# SPDX-License-Identifier: GPL-3.0-or-later
"""The box."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from ...arrays import FloatArray
from ..moments import Moments
from .cloud import Cloud, from_faces
from .shape import Shape, Upright

_UNIT = Upright(1.0, 0.0, *(1 / 12,) * 3)

_FACES = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]


@dataclass(frozen=True)
class Box(Shape):
    """A box, centred, with the side lengths `size` [m]."""

    size: tuple[float, float, float]

    kind = "box"
    fields = {"size": 3}
    smooth = False

    def moments(self) -> Moments:
        return _UNIT.scaled(*self._lengths()).moments()

    def half_sizes(self, R: FloatArray) -> FloatArray:
        sizes: FloatArray = np.abs(R) @ (np.array(self.size) / 2.0)
        return sizes

    def distance(self, points: FloatArray) -> FloatArray:
        return from_faces(*(np.abs(one) - side / 2.0 for one, side in zip(points.T, self.size, strict=True)))

    def facets(self) -> tuple[FloatArray, list[tuple[int, ...]]]:
        corners = [(x, y, z) for z in (-0.5, 0.5) for y in (-0.5, 0.5) for x in (-0.5, 0.5)]
        return np.array(corners) * self.size, list(_FACES)

    @classmethod
    def _filling(cls, x: float, y: float, z: float) -> Box:
        return Box((x, y, z))

    @classmethod
    def proportioned(cls, x: float, y: float, z: float) -> Box:
        return Box((sqrt(12.0 * x), sqrt(12.0 * y), sqrt(12.0 * z)))

    @classmethod
    def enclosing(cls, cloud: Cloud) -> tuple[Box, FloatArray]:
        x, y, z = cloud.sides.tolist()
        return Box((x, y, z)), cloud.centre
