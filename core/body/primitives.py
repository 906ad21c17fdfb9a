# SPDX-License-Identifier: GPL-3.0-or-later
"""Closed forms. Axis z, centred as in SDFormat; each is its unit shape's Moments under a scale.

Second moments of the unit shapes: Beer & Johnston, Vector Mechanics for Engineers, inside back cover.
"""

from __future__ import annotations

from math import isfinite, pi
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..arrays import diagonal, readonly_of
from ..errors import InertiaError
from .moments import Moments


class _Upright(NamedTuple):
    """Moments of a solid that is its own mirror image in x and in y: five numbers say it all.

    Arithmetic on them is that of `Moments`, without the arrays: worlds have thousands of such solids.
    """

    volume: float
    z: float
    xx: float
    yy: float
    zz: float

    def scaled(self, x: float, y: float, z: float) -> _Upright:
        """Return the solid with its axes stretched by factors above 0."""
        factor = x * (y * z)
        return _Upright(
            factor * self.volume,
            z * self.z,
            factor * (x * self.xx * x),
            factor * (y * self.yy * y),
            factor * (z * self.zz * z),
        )

    def raised(self, by: float) -> _Upright:
        return self._replace(z=self.z + by)

    def __add__(self, other: _Upright) -> _Upright:  # type: ignore[override]
        volume = self.volume + other.volume
        between = other.z - self.z
        parallel_axis = (self.volume * other.volume / volume) * (between * between) if volume else 0.0
        z = self.z + between * (other.volume / volume) if volume else 0.0
        return _Upright(volume, z, self.xx + other.xx, self.yy + other.yy, self.zz + other.zz + parallel_axis)

    def moments(self) -> Moments:
        return Moments(self.volume, readonly_of([0.0, 0.0, self.z]), diagonal(self.xx, self.yy, self.zz))


_UNIT_BOX = _Upright(1.0, 0.0, *(1 / 12,) * 3)
_UNIT_BALL = _Upright(4 * pi / 3, 0.0, *(4 * pi / 3 * (1 / 5),) * 3)
_UNIT_CYLINDER = _Upright(pi, 0.0, pi * (1 / 4), pi * (1 / 4), pi * (1 / 12))
_UNIT_CONE = _Upright(pi / 3, -1 / 4, pi / 3 * (3 / 20), pi / 3 * (3 / 20), pi / 3 * (3 / 80))
# The upper half of the unit ball, its flat face at z = 0.
_UNIT_HALF_BALL = _Upright(2 * pi / 3, 3 / 8, 2 * pi / 3 * (1 / 5), 2 * pi / 3 * (1 / 5), 2 * pi / 3 * (19 / 320))


def box(size: npt.ArrayLike) -> Moments:
    """Return the moments of a box with the side lengths `size` (3,) [m]."""
    return _UNIT_BOX.scaled(*_positive("box", size=size)).moments()


def sphere(radius: float) -> Moments:
    """Return the moments of a ball of `radius` [m]."""
    return _UNIT_BALL.scaled(*_positive("sphere", radius=radius) * 3).moments()


def ellipsoid(radii: npt.ArrayLike) -> Moments:
    """Return the moments of an ellipsoid with the semi-axes `radii` (3,) [m]."""
    return _UNIT_BALL.scaled(*_positive("ellipsoid", radii=radii)).moments()


def cylinder(radius: float, length: float) -> Moments:
    """Return the moments of a cylinder of `radius` and `length` [m]."""
    radius, length = _positive("cylinder", radius=radius, length=length)
    return _UNIT_CYLINDER.scaled(radius, radius, length).moments()


def cone(radius: float, length: float) -> Moments:
    """Return the moments of a cone: base of `radius` [m] at z = -length/2, apex at z = +length/2."""
    radius, length = _positive("cone", radius=radius, length=length)
    return _UNIT_CONE.scaled(radius, radius, length).moments()


def capsule(radius: float, length: float) -> Moments:
    """Return the moments of a capsule: a cylinder of `radius` and `length` [m] with a half-ball on each end."""
    radius, length = _positive("capsule", radius=radius, length=length)
    upper = _UNIT_HALF_BALL.scaled(radius, radius, radius).raised(length / 2)
    lower = upper._replace(z=-upper.z)
    return (_UNIT_CYLINDER.scaled(radius, radius, length) + upper + lower).moments()


def _positive(shape: str, **sizes: npt.ArrayLike) -> list[float]:
    numbers: list[float] = []
    for name, value in sizes.items():
        for number in (value,) if type(value) is float else np.asarray(value, np.float64).ravel().tolist():
            if not (isfinite(number) and number > 0.0):
                raise InertiaError(
                    "bad_size", "", f"the {name} of a {shape} is {number:g} m", "give every size a length above 0"
                )
            numbers.append(number)
    return numbers
