# SPDX-License-Identifier: Apache-2.0
"""The numbers of mirrored twins: which were copied from one inertial to the other, and which of the two is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray
from ..body.inertial import Inertial

SAME = 5e-3
"""Numbers this close, relatively, agree to three digits."""

SMALL = 1e-2
"""The sign does not matter for a coordinate below this share of the radius of gyration, or for a product below this
share of the trace."""

ROUNDINGS = 10.0
"""A wrong sign must change a number by at least this many rounding errors of the file's digits."""

CERTAIN, LIKELY = 3.0, 1.5
"""A sign is certain, or likely, if it brings the inertial this many times nearer to the geometry than the other sign.
Of 3,200 uniform bodies with a motor in one part, a tenth to a half of the mass, 3 was wrong for one."""

SIGNS = {axis: np.where(np.arange(3) == axis, -1.0, 1.0) for axis in range(3)}
"""Factors by which a mirror normal to each axis multiplies coordinates; their outer product multiplies the tensor."""

TINY = float(np.finfo(np.float64).tiny)
"""Added to a divisor that may be zero."""


@dataclass(frozen=True, eq=False)
class Copied:
    """The numbers that two inertials share although a mirror between them would change their signs.

    Parameters
    ----------
    axis : int
        The mirror's normal, in the axes of both links.
    com : ndarray of bool, shape (3,)
        True for each copied coordinate.
    inertia : ndarray of bool, shape (3, 3)
        True for each copied product.
    matters : tuple of bool
        Whether the copied coordinates, and the copied products, are large enough to matter.
    """

    axis: int
    com: npt.NDArray[np.bool_]
    inertia: npt.NDArray[np.bool_]
    matters: tuple[bool, bool]

    def mirrored(self, body: Inertial) -> Inertial:
        """Return a body with these signs reversed."""
        com, tensor = np.where(self.com, -body.com, body.com), np.where(self.inertia, -body.inertia, body.inertia)
        return Inertial(body.mass, com, tensor)


def copied_signs(a: Inertial, b: Inertial) -> Iterator[Copied]:
    """Yield the numbers that one inertial copied from the other, for each possible mirror.

    A mirror is possible if all numbers agree whose signs it does not change.
    """
    if abs(a.mass - b.mass) > SAME * a.mass:
        return
    trace = float(np.trace(a.inertia))
    com, tensor = _shares(a.com, b.com, float(np.sqrt(trace / a.mass))), _shares(a.inertia, b.inertia, trace)
    if com is None or tensor is None:
        return
    # Shares are negative where the signs of the twins differ, and above 1 in magnitude where the sign matters. A number
    # whose sign the mirror changes is copied if the twins have the same sign; the others must not differ in sign.
    for axis, signs in SIGNS.items():
        turned = ((com, signs < 0.0), (tensor, np.outer(signs, signs) < 0.0))
        others_agree = all(np.all(shares[~of_mirror] > -1.0) for shares, of_mirror in turned)
        matters = [bool(np.any(shares[of_mirror] > 1.0)) for shares, of_mirror in turned]
        if others_agree and any(matters):
            of_com, of_tensor = (of_mirror & (shares > 0.0) for shares, of_mirror in turned)
            yield Copied(axis, of_com, of_tensor, (matters[0], matters[1]))


def _shares(a: FloatArray, b: FloatArray, size: float) -> FloatArray | None:
    """Return the magnitude of each number, relative to the smallest that matters; negative if the signs differ.

    None if the two differ in more than signs.
    """
    least = max(SMALL * size, ROUNDINGS / 2.0 * _rounding(np.vstack([a, b])))
    if np.any(np.abs(np.abs(a) - np.abs(b)) > SAME * np.maximum(np.abs(a), SMALL * size)):
        return None
    shares: FloatArray = np.sign(a * b) * np.minimum(np.abs(a), np.abs(b)) / least
    return shares


def _rounding(numbers: FloatArray) -> float:
    """Return half a unit of the last decimal that any of the numbers has."""
    return 0.5 * 10.0 ** min(int(Decimal(repr(number)).as_tuple().exponent) for number in numbers.ravel().tolist())


def which_fits(a: Inertial, shape: Inertial, copied: Copied) -> tuple[bool, bool] | None:
    """Return whether the first of two twins is the sound one, and whether that is certain; None if undecided.

    It is sound if its copied numbers are nearer to those of its uniform geometry, `shape` of 1 kg, as they are than
    with the other signs.
    """
    given = a.scaled_to(1.0)
    turned = copied.mirrored(given)
    # How many times nearer to the geometry the centre is as it is than with the other signs; then the products.
    times = []
    products = np.triu_indices(3, 1)
    numbers = [(body.com, body.inertia[products]) for body in (given, turned, shape)]
    for matters, as_is, mirrored, right in zip(copied.matters, *numbers, strict=True):
        if matters:
            off_as_is, off_mirrored = (float(np.linalg.norm(of_sign - right)) for of_sign in (as_is, mirrored))
            times.append((off_mirrored + TINY) / (off_as_is + TINY))
    if min(times) > LIKELY:
        return True, min(times) > CERTAIN
    if max(times) < 1.0 / LIKELY:
        return False, max(times) < 1.0 / CERTAIN
    return None


def mirror(body: Inertial, axis: int) -> Inertial:
    """Return a body mirrored across the plane through the origin that is normal to an axis."""
    signs = SIGNS[axis]
    return Inertial(body.mass, signs * body.com, np.outer(signs, signs) * body.inertia)
