# SPDX-License-Identifier: Apache-2.0
"""Box, ellipsoid and sphere: the shapes without a long axis of their own."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from ...arrays import FloatArray, diagonal
from ..moments import Moments
from .cloud import Cloud, from_faces, length
from .shape import UNIT_BALL, Shape, arc, equal, revolved, solid

UNIT_BOX = solid(1.0, 1 / 12, 1 / 12, 1 / 12)

_FACES = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]


@dataclass(frozen=True)
class Box(Shape):
    """A box, centred, with the side lengths `size` [m]."""

    size: tuple[float, float, float]

    kind = "box"
    fields = {"size": 3}
    formats = frozenset({"sdf", "urdf", "mjcf", "usd"})
    smooth = False

    def moments(self) -> Moments:
        return UNIT_BOX.transformed(diagonal(*self._lengths()))

    def half_sizes(self, R: FloatArray) -> FloatArray:
        sizes: FloatArray = np.abs(R) @ (np.array(self.size) / 2.0)
        return sizes

    def distance(self, points: FloatArray) -> FloatArray:
        return from_faces(
            *(np.abs(coordinate) - side / 2.0 for coordinate, side in zip(points.T, self.size, strict=True))
        )

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


@dataclass(frozen=True)
class Ellipsoid(Shape):
    """An ellipsoid with the semi-axes `radii` [m]."""

    radii: tuple[float, float, float]

    kind = "ellipsoid"
    fields = {"radii": 3}
    formats = frozenset({"sdf", "mjcf"})

    def moments(self) -> Moments:
        return UNIT_BALL.transformed(diagonal(*self._lengths()))

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


@dataclass(frozen=True)
class Sphere(Shape):
    """A ball of `radius` [m]."""

    radius: float

    kind = "sphere"
    fields = {"radius": 1}
    formats = frozenset({"sdf", "urdf", "mjcf", "usd"})
    turning_axes = 0

    def moments(self) -> Moments:
        return UNIT_BALL.transformed(diagonal(*self._lengths() * 3))

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
