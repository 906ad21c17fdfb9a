# SPDX-License-Identifier: GPL-3.0-or-later
"""The numbers of an inertial as a file has them: in the axes of its origin, with the digits that are written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

import numpy as np

from ...arrays import IDENTITY, FloatArray
from ...body.inertial import COMPONENTS, Inertial

SIX = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")

THREE_DIGITS = 0.005
"""A number with three digits is rounded by at most this share of itself: 100 stands for 99.5 to 100.5."""

APART = 0.01
"""Numbers that differ less, relatively, are not independent."""


@dataclass(frozen=True, eq=False)
class Written:
    """The six components, in the order of `SIX`, and how they are rounded.

    Parameters
    ----------
    six : ndarray, shape (6,)
        [kg·m²] about the centre of mass, in the axes of the inertial's origin.
    rounding : ndarray, shape (6,)
        Half a unit of the last digit of each; of a zero, that of the coarsest other number.
    mass_rounding : float
        That of the mass, as a share of it.
    R : ndarray, shape (3, 3)
        Rotation of the inertial's origin in the link.
    """

    six: FloatArray
    rounding: FloatArray
    mass_rounding: float
    R: FloatArray

    @property
    def exact(self) -> FloatArray:
        """Return for each component if it has at least three digits, shape (6,)."""
        exact: FloatArray = (self.rounding <= THREE_DIGITS * np.abs(self.six)) & (self.six != 0.0)
        return exact

    @property
    def is_telling(self) -> bool:
        """True if the numbers tell one geometry from another: two have at least three digits, and differ."""
        return count_apart(self.six[self.exact]) >= 2


def written(texts: Mapping[str, str], mass: str, R: FloatArray = IDENTITY) -> Written:
    """Return what texts say; a component without a text is 0.

    Parameters
    ----------
    texts : mapping of str to str
        By the names of `SIX`; each is a number.
    mass : str
        [kg].
    R : ndarray, shape (3, 3)
        As of `Written`.
    """
    values = [texts.get(name, "0") for name in SIX]
    six = np.array([float(text) for text in values])
    rounding = np.array([_rounding(text) for text in values])
    zero = six == 0.0
    if zero.any() and not zero.all():
        rounding[zero] = rounding[~zero].max()
    return Written(six, rounding, _rounding(mass) / abs(float(mass)) if float(mass) else 0.0, R)


def as_written(body: Inertial) -> Written:
    """Return the numbers of a body as a user would write them in the link's axes; float32 has seven digits."""
    with np.errstate(over="ignore"):
        texts = {name: _shortest(float(body.inertia[COMPONENTS[name]])) for name in SIX}
        return written(texts, _shortest(body.mass))


def six_of(tensor: FloatArray) -> FloatArray:
    """Return the components of tensors (..., 3, 3) in the order of `SIX`, shape (..., 6)."""
    six: FloatArray = tensor[..., [0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    return six


def count_apart(numbers: FloatArray) -> int:
    """Return how many of some numbers, signs aside, are not about equal."""
    ascending = np.sort(np.abs(numbers))
    return int(len(ascending) > 0) + int(np.sum(np.diff(ascending) > APART * ascending[1:]))


def _rounding(text: str) -> float:
    try:
        exponent = Decimal(text.strip()).as_tuple().exponent
    except InvalidOperation:  # hexadecimal
        return 0.0
    return 0.5 * 10.0 ** max(exponent, -300) if isinstance(exponent, int) else 0.0


def _shortest(number: float) -> str:
    single = np.float32(number)
    return str(single) if float(single) == number else repr(number)
