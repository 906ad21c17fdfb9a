# SPDX-License-Identifier: Apache-2.0
"""Cylinder, capsule and cone: a radius, a length along z, and a mesh made by revolving an outline."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from math import pi, sqrt
from typing import ClassVar

import numpy as np

from ...arrays import FloatArray, blocks, diagonal
from ..moments import Moments
from .box_ellipsoid import Sphere
from .cloud import Cloud, from_faces, length
from .shape import UNIT_CYLINDER, Shape, arc, equal, revolved, solid

LEAST = 1e-6
"""A capsule whose cylinder is shorter than this, in radii, is treated as a ball."""

LONGEST = 1e6
"""A capsule longer than this, in radii, is treated as a line."""

HALVINGS = 60
"""Bisections of the twelve powers of ten from `LEAST` to `LONGEST`: beyond float64's resolution."""

# The upper half of the unit ball, its flat face at z = 0.
UNIT_HALF_BALL = solid(2 * pi / 3, 1 / 5, 1 / 5, 19 / 320, 3 / 8)

SLOPES = 33
"""Slopes of a cone that are tried at a time; then as many between the neighbours of the best, three times."""

BLOCK = 4096
"""Points per block: their heights for all slopes take a megabyte."""

UNIT_CONE = solid(pi / 3, 3 / 20, 3 / 20, 3 / 80, -1 / 4)


@dataclass(frozen=True)
class Round(Shape):
    """A shape that is round about z; `radius` and `length` [m]."""

    radius: float
    length: float

    unit: ClassVar[Moments]
    """Of the shape with radius 1 and length 1."""

    fields = {"radius": 1, "length": 1}
    turning_axes = 2

    def moments(self) -> Moments:
        radius, height = self._lengths()
        return self.unit.transformed(diagonal(radius, radius, height))

    def half_sizes(self, R: FloatArray) -> FloatArray:
        across = self.radius * np.sqrt(np.maximum(1.0 - R[:, 2] ** 2, 0.0))
        sizes: FloatArray = across + np.abs(R[:, 2]) * self.length / 2.0
        return sizes

    def facets(self) -> tuple[FloatArray, list[tuple[int, ...]]]:
        return revolved(self._outline())

    @abstractmethod
    def _outline(self) -> list[tuple[float, float]]:
        """Return points of its outline from below: distance from z, and height."""

    @classmethod
    def misfit(cls, x: float, y: float, _z: float) -> str:
        return "" if equal(x, y) else f"a {cls.kind} needs equal ones in x and y"

    @classmethod
    def _filling(cls, x: float, _y: float, z: float) -> Shape:
        return cls(x / 2.0, z)


class Cylinder(Round):
    """A cylinder along z, centred; `radius` and `length` [m]."""

    kind = "cylinder"
    formats = frozenset({"sdf", "urdf", "mjcf", "usd"})
    smooth = False
    unit = UNIT_CYLINDER

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


class Capsule(Round):
    """A cylinder along z, centred, with a half-ball on each end; `length` [m] is that of the cylinder alone."""

    kind = "capsule"
    formats = frozenset({"sdf", "mjcf", "usd"})

    def moments(self) -> Moments:
        radius, height = self._lengths()
        cylinder = UNIT_CYLINDER.transformed(diagonal(radius, radius, height))
        upper = UNIT_HALF_BALL.transformed(diagonal(radius, radius, radius), [0.0, 0.0, height / 2])
        lower = Moments(upper.volume, -upper.centroid, upper.covariance)
        return cylinder + upper + lower

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


class Cone(Round):
    """A cone along z: base at -length/2, apex at +length/2; `radius` and `length` [m]."""

    kind = "cone"
    formats = frozenset({"sdf", "usd"})
    two_ended = False
    smooth = False
    unit = UNIT_CONE

    def distance(self, points: FloatArray) -> FloatArray:
        x, y, z = points.T
        outward, upward = length(x, y) - self.radius, z + self.length / 2.0
        base = length(np.maximum(outward, 0.0), upward)
        # Parameter along the side, from the rim (0) to the apex (1).
        share = (upward * self.length - outward * self.radius) / (self.radius**2 + self.length**2)
        share = np.minimum(np.maximum(share, 0.0), 1.0)
        side = length(outward + self.radius * share, upward - self.length * share)
        inside = (upward > 0.0) & (outward * self.length + upward * self.radius < 0.0)
        signed: FloatArray = np.where(inside, -1.0, 1.0) * np.minimum(base, side)
        return signed

    def _outline(self) -> list[tuple[float, float]]:
        return [(self.radius, -self.length / 2.0), (0.0, self.length / 2.0)]

    @classmethod
    def proportioned(cls, x: float, y: float, z: float) -> Cone:
        return Cone(sqrt((x + y) / 2.0 * 20.0 / 3.0), sqrt(z * 80.0 / 3.0))

    @classmethod
    def enclosing(cls, cloud: Cloud) -> tuple[Cone, FloatArray]:
        """Return the smallest cone whose axis is that of the smallest circle around the points as seen along z."""
        (x, y), _ = cloud.circle
        across, z = cloud.across, cloud.points[:, 2]
        bottom = float(z.min())
        middle = float(across.max()) / float(np.ptp(z))
        # Only a point that is higher than all points farther from the axis can touch the side.
        inward = np.argsort(-across)
        across, z = across[inward], z[inward]
        highest = np.maximum.accumulate(z)
        outer = np.concatenate([[True], z[1:] > highest[:-1]])
        across, z = across[outer], z[outer]
        low, high = np.log(middle / 16.0), np.log(middle * 16.0)
        steps = np.linspace(0.0, 1.0, SLOPES)
        for _ in range(4):
            slopes = np.exp(low + (high - low) * steps)
            some = blocks(len(z), BLOCK)
            heights = np.max([(z[part] + across[part] / slopes[:, None]).max(axis=1) for part in some], axis=0) - bottom
            best = int((slopes**2 * heights**3).argmin())
            low, high = np.log(slopes[max(best - 1, 0)]), np.log(slopes[min(best + 1, SLOPES - 1)])
        height = float(heights[best])
        return Cone(float(slopes[best]) * height, height), np.array([x, y, bottom + height / 2.0])
