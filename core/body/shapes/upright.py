# SPDX-License-Identifier: GPL-3.0-or-later
"""Moments of solids that are their own mirror images in x and in y.

Second moments of the unit shapes: Beer & Johnston, Vector Mechanics for Engineers, inside back cover.
"""

from __future__ import annotations

from math import pi
from typing import NamedTuple

from ...arrays import diagonal, readonly_of
from ..moments import Moments


class Upright(NamedTuple):
    """Volume, the centroid's height, and central second moments: five numbers say it all.

    Arithmetic on them is that of `Moments`, without the arrays: worlds have thousands of such solids.
    """

    volume: float
    z: float
    xx: float
    yy: float
    zz: float

    def scaled(self, x: float, y: float, z: float) -> Upright:
        """Return the solid with its axes stretched by factors above 0."""
        factor = x * (y * z)
        return Upright(
            factor * self.volume,
            z * self.z,
            factor * (x * self.xx * x),
            factor * (y * self.yy * y),
            factor * (z * self.zz * z),
        )

    def raised(self, by: float) -> Upright:
        return self._replace(z=self.z + by)

    def __add__(self, other: Upright) -> Upright:  # type: ignore[override]
        volume = self.volume + other.volume
        between = other.z - self.z
        parallel_axis = (self.volume * other.volume / volume) * (between * between) if volume else 0.0
        z = self.z + between * (other.volume / volume) if volume else 0.0
        return Upright(volume, z, self.xx + other.xx, self.yy + other.yy, self.zz + other.zz + parallel_axis)

    def moments(self) -> Moments:
        return Moments(self.volume, readonly_of([0.0, 0.0, self.z]), diagonal(self.xx, self.yy, self.zz))


UNIT_BALL = Upright(4 * pi / 3, 0.0, *(4 * pi / 3 * (1 / 5),) * 3)
UNIT_CYLINDER = Upright(pi, 0.0, pi * (1 / 4), pi * (1 / 4), pi * (1 / 12))
