# SPDX-License-Identifier: Apache-2.0
"""The numbers of an inertial as written in a file: in the axes of its origin, with their digits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

import numpy as np

from ...arrays import IDENTITY, Bools, FloatArray
from ...body.inertial import COMPONENTS, Inertial

SIX = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")

THREE_DIGITS = 0.005
"""A number with three digits is rounded by at most this share: 100 stands for 99.5 to 100.5."""

APART = 0.01
"""Numbers whose relative difference is smaller are not independent."""

BY_PROGRAM = 6
"""Numbers with this many digits were printed by a program, which drops the zeros at their end."""

TINY = 1e-300
"""In place of a rounding of zero, whose logarithm does not exist."""

FINEST = 1e-5
"""Geometry in a file is no more exact than this share of a tensor's size: π/2 is written as 1.5708."""


@dataclass(frozen=True, eq=False)
class Written:
    """The six components (6,) [kg·m²] in the order of `SIX`, in the axes of the inertial's origin, and their rounding.

    The rounding is half a unit of the last digit of each; for a zero, that of the coarsest other number; for the mass,
    a share of it. `R` (3, 3) is the rotation of the inertial's origin in the link.
    """

    six: FloatArray
    rounding: FloatArray
    mass_rounding: float
    R: FloatArray

    @property
    def is_distinctive(self) -> bool:
        """True if the numbers identify a geometry: two of them differ and have at least three digits."""
        return self._count_exact(self.rounding) >= 2

    @property
    def is_slipped(self) -> bool:
        """True if iyy repeats ixy in three digits, as the fourth of nine numbers repeats the second."""
        xx, yy, _, xy, *_ = self.six
        return bool(self.is_distinctive and yy == xy != 0.0 and xx != yy and self.rounding[1] <= THREE_DIGITS * abs(yy))

    def multiples(self, six: FloatArray, roundings: float = 1.0) -> tuple[float, float]:
        """Return the smallest and the largest factor by which some numbers are within `roundings` of these.

        The first is larger than the second if there is no such factor.
        """
        # Numbers of about zero must be so in the file; each of the others allows a range of factors, and all overlap.
        margin, nonzero = roundings * self._tolerance(six), np.abs(six) > 0.1 * FINEST * size(six)
        if not nonzero.any() or np.any(np.abs(self.six[~nonzero]) > margin[~nonzero]):
            return 1.0, 0.0
        divisor = np.where(nonzero, six, 1.0)
        ends = np.sort([((self.six + sign * margin) / divisor)[nonzero] for sign in (-1.0, 1.0)], axis=0)
        return float(ends[0].max()), float(ends[1].min())

    def may_fit(self, sixes: FloatArray) -> Bools:
        """Return for each row (n, 6) True if it may fit: a fast test that rejects most rows."""
        margin = self.rounding + (FINEST + 2.0 * self.mass_rounding) * np.abs(sixes).sum(axis=1, keepdims=True)
        near: Bools = np.all(np.abs(sixes - self.six) <= margin, axis=1)
        return near

    def fits(self, six: FloatArray, roundings: float = 1.0) -> bool:
        """Return True if numbers agree with these, whose mass may be rounded or truncated."""
        low, high = self.multiples(six, roundings)
        return max(low, 1.0 - self.mass_rounding) <= min(high, 1.0 + 2.0 * self.mass_rounding)

    def proves(self, six: FloatArray) -> bool:
        """Return True if numbers agree, at least two distinct ones of them in three digits."""
        return self.fits(six) and self._count_exact(self._tolerance(six) / 2.0) >= 2

    def _tolerance(self, six: FloatArray) -> FloatArray:
        tolerance: FloatArray = self.rounding + FINEST * size(six)
        return tolerance

    def _count_exact(self, rounding: FloatArray) -> int:
        """Return the number of distinct components with three digits, given this rounding and their own."""
        # In ascending order, a number counts if it is apart from the one before; the first counts always.
        exact = np.maximum(rounding, self.rounding) <= THREE_DIGITS * np.abs(self.six)
        ascending = np.sort(np.abs(self.six[exact & (self.six != 0.0)]))
        return int(len(ascending) > 0) + int(np.sum(np.diff(ascending) > APART * ascending[1:]))


def written(texts: Mapping[str, str], mass: str, R: FloatArray = IDENTITY) -> Written:
    """Read the texts of an inertial's numbers, by the names of `SIX`; a missing one is 0."""
    numbers = [_number(texts.get(name, "0")) for name in SIX]
    six, rounding = (np.array(column) for column in zip(*numbers, strict=True))
    zero = six == 0.0
    if not zero.all():
        rounding[~zero] = _to_the_same_digits(np.abs(six[~zero]), rounding[~zero])
        rounding[zero] = rounding[~zero].max()
    kilograms, half = _number(mass)
    return Written(six, rounding, half / abs(kilograms) if kilograms else 0.0, R)


def _to_the_same_digits(sizes: FloatArray, rounding: FloatArray) -> FloatArray:
    """Return the rounding of numbers above 0 that a program wrote: 0.0025 next to 0.001666666667 is exact, too."""
    # The power of ten of the first digit of each, and the most digits that one of them has.
    first = np.floor(np.log10(np.clip(sizes, TINY, 1.0 / TINY)))
    digits = float(np.max(first - np.floor(np.log10(np.maximum(2.0 * rounding, TINY))))) + 1.0
    return rounding if digits < BY_PROGRAM else np.minimum(rounding, 0.5 * 10.0 ** (first - digits + 1.0))


def as_written(body: Inertial) -> Written:
    """Return the numbers of a body as a user would write them in the link's axes; float32 has seven digits."""

    def text(number: float) -> str:
        with np.errstate(over="ignore"):
            single = np.float32(number)
        return str(single) if float(single) == number else repr(number)

    return written({name: text(float(body.inertia[COMPONENTS[name]])) for name in SIX}, text(body.mass))


def six_of(tensor: FloatArray) -> FloatArray:
    """Return the components of tensors (..., 3, 3) in the order of `SIX`, shape (..., 6)."""
    six: FloatArray = tensor[..., [0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    return six


def size(six: FloatArray) -> float:
    """Return the sum of the magnitudes of six components."""
    return float(np.abs(six).sum())


def _number(text: str) -> tuple[float, float]:
    """Return a number that was parsed before, and half a unit of its last digit."""
    text = text.strip()
    try:
        number = float(text)
    except ValueError:
        return float.fromhex(text), 0.0
    try:
        exponent = Decimal(text).as_tuple().exponent
    except InvalidOperation:  # an exponent of 20 digits
        return number, 0.0
    return number, 0.5 * 10.0 ** min(max(exponent, -300), 300) if isinstance(exponent, int) else 0.0
