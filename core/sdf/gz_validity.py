# SPDX-License-Identifier: GPL-3.0-or-later
"""gz-math's own judgement of an inertia tensor: a body that it calls invalid does not load.

It finds principal moments by a closed formula, whose rounding is larger than its tolerance: a thin plate at an angle
may be called impossible although it is not. So what we write is judged first, by the same arithmetic
(gz-math 9, MassMatrix3::IsValid; the formula is Kronenburg 2013, arXiv:1306.6291, equations 4.4 to 4.10).
"""

from __future__ import annotations

from math import acos, copysign, cos, inf, nan, pi, sqrt

import numpy as np

from ..arrays import IDENTITY, FloatArray
from ..inertial import VALIDITY_EPS, Inertial
from ..pose import Pose

NEARLY_DIAGONAL = 1e-6
"""Products below this part of the largest diagonal entry are ignored by gz-math."""


def gz_accepts(inertia: FloatArray) -> bool:
    """Say whether gz-math accepts a tensor (3, 3) [kg·m²]."""
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = inertia.tolist()
    tolerance = VALIDITY_EPS * abs(xx + yy + zz)
    determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz - xz * yz) + xz * (xy * yz - yy * xz)
    if xx + tolerance < 0 or xx * yy - xy * xy + tolerance < 0 or determinant + tolerance < 0:
        return False
    low, middle, high = sorted(_principal_moments(xx, yy, zz, xy, xz, yz))
    tolerance = VALIDITY_EPS * abs(low + middle + high)
    return low + tolerance >= 0 and low + middle + tolerance >= high


def loadable(body: Inertial) -> tuple[Pose, FloatArray]:
    """Return the pose and the tensor [kg·m²] to write for a body, so that gz-math accepts them.

    The tensor is in link axes where it can be. Where gz-math's formula errs on it, it is along its principal axes:
    there is nothing to err on.
    """
    if gz_accepts(body.inertia):
        return Pose(IDENTITY, body.com), body.inertia
    principal = body.principal()
    return Pose(principal.axes.T, body.com), np.diag(principal.moments)


def _principal_moments(xx: float, yy: float, zz: float, xy: float, xz: float, yz: float) -> tuple[float, float, float]:
    tolerance = NEARLY_DIAGONAL * max(xx, yy, zz)
    if max(abs(xy), abs(xz), abs(yz)) <= tolerance:
        return xx, yy, zz
    b = xx + yy + zz
    c = xx * yy - xy * xy + xx * zz - xz * xz + yy * zz - yz * yz
    d = xx * yz * yz + yy * xz * xz + zz * xy * xy - xx * yy * zz - 2 * xy * xz * yz
    p = b * b - 3 * c
    if p < tolerance * tolerance:
        return b / 3, b / 3, b / 3
    q = 2 * _power(b, 3) - 9 * b * c - 27 * d
    power = _power(p, 1.5)  # of a tensor below 1e-100, nothing is left of it: C++ divides all the same
    cosine = 0.5 * q / power if power else (copysign(1.0, q) if q else nan)
    angle = acos(min(max(cosine, -1.0), 1.0)) / 3
    first, second, third = ((b + 2 * sqrt(p) * cos(angle + turn)) / 3 for turn in (0.0, 2 * pi / 3, -2 * pi / 3))
    return first, second, third


def _power(number: float, exponent: float) -> float:
    """Return what C's pow does: infinity, where Python raises."""
    try:
        return float(number**exponent)
    except OverflowError:
        return inf
