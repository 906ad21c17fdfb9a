# SPDX-License-Identifier: GPL-3.0-or-later
"""Closed forms. Axis z, centred as in SDFormat; each is its unit shape's Moments under a scale.

Second moments of the unit shapes: Beer & Johnston, Vector Mechanics for Engineers, inside back cover.
"""

from __future__ import annotations

from math import isfinite, pi

import numpy as np
import numpy.typing as npt

from .arrays import IDENTITY, diagonal
from .errors import InertiaError
from .moments import Moments

_UNIT_BOX = Moments(1.0, np.zeros(3), np.eye(3) / 12)
_UNIT_BALL = Moments(4 * pi / 3, np.zeros(3), 4 * pi / 3 * np.eye(3) / 5)
_UNIT_CYLINDER = Moments(pi, np.zeros(3), pi * np.diag([1 / 4, 1 / 4, 1 / 12]))
_UNIT_CONE = Moments(pi / 3, np.array([0, 0, -1 / 4]), pi / 3 * np.diag([3 / 20, 3 / 20, 3 / 80]))
# The upper half of the unit ball, its flat face at z = 0.
_UNIT_HALF_BALL = Moments(2 * pi / 3, np.array([0, 0, 3 / 8]), 2 * pi / 3 * np.diag([1 / 5, 1 / 5, 19 / 320]))


def box(size: npt.ArrayLike) -> Moments:
    """Return the moments of a box with the side lengths `size` (3,) [m]."""
    return _UNIT_BOX.transformed(diagonal(*_positive("box", size=size)))


def sphere(radius: float) -> Moments:
    """Return the moments of a ball of `radius` [m]."""
    return _UNIT_BALL.transformed(diagonal(*_positive("sphere", radius=radius) * 3))


def ellipsoid(radii: npt.ArrayLike) -> Moments:
    """Return the moments of an ellipsoid with the semi-axes `radii` (3,) [m]."""
    return _UNIT_BALL.transformed(diagonal(*_positive("ellipsoid", radii=radii)))


def cylinder(radius: float, length: float) -> Moments:
    """Return the moments of a cylinder of `radius` and `length` [m]."""
    return _UNIT_CYLINDER.transformed(_round("cylinder", radius, length))


def cone(radius: float, length: float) -> Moments:
    """Return the moments of a cone: base of `radius` [m] at z = -length/2, apex at z = +length/2."""
    return _UNIT_CONE.transformed(_round("cone", radius, length))


def capsule(radius: float, length: float) -> Moments:
    """Return the moments of a capsule: a cylinder of `radius` and `length` [m] with a half-ball on each end."""
    half_ball = _UNIT_HALF_BALL.transformed(_round("capsule", radius, length, height=radius))
    upper = half_ball.transformed(IDENTITY, [0, 0, length / 2])
    return cylinder(radius, length) + upper + upper.transformed(np.diag([1, 1, -1]))


def _round(shape: str, radius: float, length: float, height: float | None = None) -> npt.NDArray[np.float64]:
    radius, length = _positive(shape, radius=radius, length=length)
    return diagonal(radius, radius, length if height is None else height)


def _positive(shape: str, **sizes: npt.ArrayLike) -> list[float]:
    numbers: list[float] = []
    for name, value in sizes.items():
        for number in np.asarray(value, np.float64).ravel().tolist():
            if not (isfinite(number) and number > 0.0):
                raise InertiaError(
                    "bad_size", "", f"the {name} of a {shape} is {number:g} m", "give every size a length above 0"
                )
            numbers.append(number)
    return numbers
