# SPDX-License-Identifier: Apache-2.0
"""One unit for all numbers of a column: they can be compared at a glance, and hardly ever need a power of ten."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import floor, isfinite, log10
from typing import Self

import numpy as np

from ..body.inertial import Inertial
from ..units import DIGITS, number_text, rounded

LEAST_TYPICAL = 0.1
"""The median of a column is at least this in its unit, if there is a unit so small."""

DECIMALS = 3
"""Digits after the point at most, unless a number then has fewer than two significant digits."""

PLAIN_FROM, PLAIN_TO = 1e-6, 1e7
"""Only numbers beyond these have a power of ten: an absurd one should catch the eye."""


@dataclass(frozen=True)
class Unit:
    """A unit of a column, and how many of it make one SI unit."""

    name: str
    per_si: float

    @classmethod
    def for_all(cls, values: Iterable[float], units: Iterable[Self]) -> Self:
        """Return the largest unit in which half of the numbers are not small; zeros do not count."""
        sizes = [abs(value) for value in values if value and isfinite(value)]
        typical = float(np.median(sizes)) if sizes else 1.0
        *larger, smallest = units
        fits = (unit for unit in larger if rounded(typical * unit.per_si) >= LEAST_TYPICAL)
        return next(fits, smallest)

    def text(self, value: float, digits: int = DIGITS, decimals: int = DECIMALS) -> str:
        """Write a number given in SI: 12.34, 0.012, 850000."""
        scaled = rounded(float(value) * self.per_si, digits) + 0.0
        if not PLAIN_FROM <= abs(scaled) < PLAIN_TO:
            return number_text(scaled, digits)
        exponent = floor(log10(abs(scaled)))
        return f"{scaled:.{max(min(digits - 1 - exponent, max(decimals, 1 - exponent)), 0)}f}"

    def precise(self, value: float) -> str:
        """Write a number given in SI with five digits, to be compared with another one."""
        return self.text(value, 5, 7)


MASS = Unit("kg", 1.0), Unit("g", 1e3)
LENGTH = Unit("m", 1.0), Unit("mm", 1e3)
INERTIA = Unit("kg·m²", 1.0), Unit("g·m²", 1e3), Unit("kg·mm²", 1e6), Unit("g·mm²", 1e9)


@dataclass(frozen=True)
class Units:
    """The units of the columns of a table: of masses, of coordinates, of moments and products of inertia."""

    mass: Unit
    length: Unit
    inertia: Unit

    @classmethod
    def for_all(cls, inertials: Iterable[Inertial | None]) -> Self:
        """Return those that suit the inertials of a table."""
        known = [inertial.as_read() for inertial in inertials if inertial is not None]
        return cls(
            Unit.for_all((inertial.mass for inertial in known), MASS),
            Unit.for_all((coordinate for inertial in known for coordinate in inertial.com.tolist()), LENGTH),
            Unit.for_all((moment for inertial in known for moment in inertial.inertia.diagonal().tolist()), INERTIA),
        )
