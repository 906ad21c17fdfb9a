# SPDX-License-Identifier: Apache-2.0
"""An inertial as USD's attributes, and numbers as USD's text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from ...arrays import FloatArray
from ...body.inertial import Inertial
from ...body.pose import Pose
from ...document.numbers import number

MASS_SCHEMAS = ("PhysicsMassAPI", "NewtonMassAPI")
"""The schemas whose attributes `mass_lines` returns; Newton reads its tensor only with its own."""

DIAGONAL = 1e-12
"""A tensor is diagonal if its products are at most this share of its trace: single precision has 6e-8."""


class Units(NamedTuple):
    """The units of a stage [m, kg], and the scale (3,) above a body, which multiplies its centre of mass alone."""

    meters: float = 1.0
    kilograms: float = 1.0
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0)

    @property
    def density(self) -> float:
        """That of a density [kg/m³]."""
        return self.kilograms / self.meters**3

    @property
    def moment(self) -> float:
        """That of a moment of inertia [kg·m²]."""
        return self.kilograms * self.meters**2


SI = Units()


def single(value: float) -> str:
    """Return the fewest digits that read back as the same number in single precision."""
    return str(np.float32(value) + np.float32(0.0)).removesuffix(".0")  # which makes -0 a 0


def values_text(values: Iterable[float] | FloatArray, text: Callable[[float], str] = number) -> str:
    """Return numbers as a tuple of USD."""
    return f"({', '.join(text(float(value)) for value in values)})"


def quaternion_text(pose: Pose, text: Callable[[float], str] = number) -> str:
    """Return a rotation as USD's (w, x, y, z), with w not below 0."""
    x, y, z, w = pose.to_quaternion().tolist()
    sign = -1.0 if w < 0.0 else 1.0
    return values_text((sign * w, sign * x, sign * y, sign * z), text)


def mass_lines(inertial: Inertial, units: Units = SI) -> list[str]:
    """Return the attributes of a body: the four of PhysicsMassAPI, and Newton's tensor in double precision.

    All are always written: an engine takes one that is absent from the colliders. Newton prefers its own tensor.

    Parameters
    ----------
    inertial : Inertial
        In the link's frame, about its centre of mass.
    units : Units
    """
    tensor = inertial.inertia / units.moment
    moments, axes = np.diag(tensor), Pose.identity
    if np.abs(tensor - np.diag(moments)).max() > DIAGONAL * np.trace(tensor):
        principal = inertial.principal()
        # The rows of `axes` are the principal axes, so its transpose turns their frame into the link's.
        moments, axes = principal.moments / units.moment, Pose(principal.axes.T, np.zeros(3))
    com = inertial.com / units.meters / np.array(units.scale)
    six = (*np.diag(tensor), tensor[0, 1], tensor[0, 2], tensor[1, 2])
    return [
        f"double[] newton:inertia = [{', '.join(number(value) for value in six)}]",
        f"point3f physics:centerOfMass = {values_text(com, single)}",
        f"float3 physics:diagonalInertia = {values_text(_single_moments(moments), single)}",
        f"float physics:mass = {single(inertial.mass / units.kilograms)}",
        f"quatf physics:principalAxes = {quaternion_text(axes, single)}",
    ]


def _single_moments(moments: FloatArray) -> FloatArray:
    """Return moments (3,) in single precision; one that rounding alone makes too large for the others is smaller.

    A third of all plates, whose largest moment is the sum of the others, would be impossible.
    """
    rounded = np.asarray(moments, dtype=np.float32)
    high = int(np.argmax(rounded))
    is_possible = 2.0 * moments.max() <= (1.0 + DIAGONAL) * moments.sum()
    while is_possible and 2.0 * float(rounded[high]) > float(rounded.sum(dtype=np.float64)):
        rounded[high] = np.nextafter(rounded[high], np.float32(0.0))
    return rounded.astype(np.float64)
