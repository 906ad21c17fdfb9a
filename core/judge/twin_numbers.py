# SPDX-License-Identifier: GPL-3.0-or-later
"""The numbers of mirrored twins: what is copied between two inertials, and which of them fits its geometry."""

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
"""The sign of a coordinate or product below this share of the radius of gyration or the trace does not matter."""

ROUNDINGS = 10.0
"""A number of the wrong sign is off by at least this many roundings of the file."""

CERTAIN, LIKELY = 3.0, 1.5
"""An inertial that is this many times nearer to the geometry with one sign than with the other has that sign. Of 3,200
uniform bodies with a motor in one part, a tenth to a half of the mass, 3 was wrong for one."""

SIGNS = {axis: np.where(np.arange(3) == axis, -1.0, 1.0) for axis in range(3)}
"""What a mirror normal to each axis does to coordinates; to products, their outer product."""

TINY = float(np.finfo(np.float64).tiny)
"""Divides instead of a zero."""


@dataclass(frozen=True, eq=False)
class Copied:
    """The numbers of an inertial that are copied although a mirror normal to `axis` changes their signs.

    Parameters
    ----------
    axis : int
        Of both links.
    com : ndarray of bool, shape (3,)
    inertia : ndarray of bool, shape (3, 3)
        Products alone.
    matters : tuple of bool
        True if those of the centre of mass, and of the products, are large enough to matter.
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
    """Yield the copied numbers of two inertials, for each mirror after which all of their other numbers agree."""
    if abs(a.mass - b.mass) > SAME * a.mass:
        return
    trace = float(np.trace(a.inertia))
    com, tensor = _shares(a.com, b.com, float(np.sqrt(trace / a.mass))), _shares(a.inertia, b.inertia, trace)
    if com is None or tensor is None:
        return
    for axis, signs in SIGNS.items():
        turned = ((com, signs < 0.0), (tensor, np.outer(signs, signs) < 0.0))
        others_agree = all(np.all(shares[~of_mirror] > -1.0) for shares, of_mirror in turned)
        matters = [bool(np.any(shares[of_mirror] > 1.0)) for shares, of_mirror in turned]
        if others_agree and any(matters):
            of_com, of_tensor = (of_mirror & (shares > 0.0) for shares, of_mirror in turned)
            yield Copied(axis, of_com, of_tensor, (matters[0], matters[1]))


def _shares(a: FloatArray, b: FloatArray, size: float) -> FloatArray | None:
    """Return how large each number is, over the least that matters; below zero if its sign differs between the two.

    None if they differ in more than signs.
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
    """Return True if the first of two twins is the sound one, and True if that is certain; None if undecided.

    It is if its centre of mass and its products, each if copied, are nearer to its uniform `shape` of 1 kg as they are
    than with the other signs.
    """
    given = a.scaled_to(1.0)
    turned = copied.mirrored(given)
    times = []
    products = np.triu_indices(3, 1)
    numbers = [(body.com, body.inertia[products]) for body in (given, turned, shape)]
    for matters, near, far, right in zip(copied.matters, *numbers, strict=True):
        if matters:
            off_near, off_far = (float(np.linalg.norm(one - right)) for one in (near, far))
            times.append((off_far + TINY) / (off_near + TINY))
    if min(times) > LIKELY:
        return True, min(times) > CERTAIN
    if max(times) < 1.0 / LIKELY:
        return False, max(times) < 1.0 / CERTAIN
    return None


def mirror(body: Inertial, axis: int) -> Inertial:
    """Return a body mirrored across the plane through the origin that is normal to an axis."""
    signs = SIGNS[axis]
    return Inertial(body.mass, signs * body.com, np.outer(signs, signs) * body.inertia)
