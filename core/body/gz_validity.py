# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2015 Open Source Robotics Foundation, 2026 SDF Inertia contributors
"""gz-math's own test of an inertia tensor: Gazebo does not load a body that it calls invalid.

It finds principal moments by a closed formula, whose rounding is larger than its tolerance: a thin plate at an angle
may be called impossible although it is valid. Which plates it rejects depends on every rounding: on the order in which
C++ evaluates ``a * pow(b, 2)`` (a port that computed ``a * b * b`` disagreed on 0.7 % of random plates and rods, and
wrote 0.2 % of them so that Drake refused them), and on fused multiply-adds, which compilers use on ARM by default (they
change the verdict on 5 %). So we test other people's tensors exactly as gz-math does, rounding for rounding, as
compiled for x86-64; the tensors that we write keep a margin for any rounding. (Rewritten from gz-math 9,
MassMatrix3::IsValid, see NOTICE; the formula is Kronenburg 2013, arXiv:1306.6291, equations 4.4 to 4.10.)
"""

from __future__ import annotations

from math import acos, copysign, cos, inf, nan, pi, sqrt

import numpy as np

from ..arrays import IDENTITY, FloatArray
from .inertial import VALIDITY_EPS, Inertial
from .pose import Pose

NEARLY_DIAGONAL = 1e-6
"""gz-math ignores products below this share of the largest diagonal entry."""

ROUNDING = 12 * float(np.finfo(np.float64).eps) / 2
"""Bound on the relative error of each monomial in gz-math's polynomials: at most twelve roundings each; a fused
multiply-add only removes some."""


def gz_accepts(inertia: FloatArray) -> bool:
    """Return True if gz-math accepts a tensor (3, 3) [kg·m²]."""
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = inertia.tolist()
    tolerance = VALIDITY_EPS * abs(xx + yy + zz)
    determinant = xx * (zz * yy - yz * yz) - xy * (zz * xy - yz * xz) + xz * (yz * xy - yy * xz)
    if xx + tolerance < 0 or xx * yy - xy * xy + tolerance < 0 or determinant + tolerance < 0:
        return False
    low, middle, high = sorted(_principal_moments(xx, yy, zz, xy, xz, yz))
    tolerance = VALIDITY_EPS * abs(low + middle + high)
    return low + tolerance >= 0 and low + middle + tolerance >= high


def loadable(body: Inertial) -> tuple[Pose, FloatArray]:
    """Return the pose and the tensor [kg·m²] to write for a body, so that gz-math accepts them whatever its rounding.

    The tensor is in link axes if possible. If gz-math's formula might err on it, it is in its principal axes, where the
    tensor is diagonal and the formula is not used.
    """
    if _surely_accepted(body.inertia):
        return Pose(IDENTITY, body.com), body.inertia
    principal = body.principal()
    low, middle, high = principal.moments.tolist()
    low = max(low, 0.0)  # rounding of a possible body's moments must not make an impossible one
    moments = [low, middle, min(high, low + middle)]
    return Pose(principal.axes.T, body.com), np.diag(moments)


def _surely_accepted(inertia: FloatArray) -> bool:
    """Return True if gz-math accepts a tensor whatever the rounding of its formula, by a running error bound.

    For a nearly diagonal tensor gz-math uses the diagonal itself. Else its moments are (b + 2 √p cos(α + 2kπ/3)) / 3
    with α = acos(q / 2 p^1.5) / 3 in [0, π/3]: the largest for k = 0, the smallest for k = 1; the two smaller ones less
    the largest are (b - 4 √p cos α) / 3. Both are evaluated at their worst α and p.
    """
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = inertia.tolist()
    products = max(abs(xy), abs(xz), abs(yz))
    b = xx + yy + zz
    # The sums of the magnitudes of the monomials in c and d, which bound their errors.
    C = xx * yy + xx * zz + yy * zz + xy * xy + xz * xz + yz * yz
    D = xx * yz * yz + yy * xz * xz + zz * xy * xy + xx * yy * zz + 2.0 * abs(xy * xz * yz)
    determinant = xx * (zz * yy - yz * yz) - xy * (zz * xy - yz * xz) + xz * (yz * xy - yy * xz)
    if products > 0.0 and not (xx > 0.0 and xx * yy - xy * xy > ROUNDING * C and determinant > ROUNDING * D):
        return False
    if products <= NEARLY_DIAGONAL * max(xx, yy, zz):
        low, middle, high = sorted((xx, yy, zz))
        return bool(low >= 0.0 and low + middle + VALIDITY_EPS / 2.0 * b >= high)
    _, p, q = _polynomials(xx, yy, zz, xy, xz, yz)
    error_of_p = ROUNDING * (b * b + 3.0 * C)
    if p + error_of_p < b * b / 64.0:  # no moment is further than b / 12 from the mean, b / 3
        return True
    p_32 = p * sqrt(p)
    cosine = 0.5 * q / p_32
    error = ROUNDING * ((2.0 * b * b * b + 9.0 * b * C + 27.0 * D) / (2.0 * p_32) + 1.0) + 1.5 * error_of_p / p
    least, most = (acos(min(max(value, -1.0), 1.0)) / 3.0 for value in (cosine + error, cosine - error))
    root, rounding = sqrt(p + error_of_p), ROUNDING * b
    lowest, excess = b + 2.0 * root * cos(most + 2.0 * pi / 3.0), b - 4.0 * root * cos(least)
    return bool(lowest > rounding and excess > rounding)


def _principal_moments(xx: float, yy: float, zz: float, xy: float, xz: float, yz: float) -> tuple[float, float, float]:
    tolerance = NEARLY_DIAGONAL * max(xx, yy, zz)
    if max(abs(xy), abs(xz), abs(yz)) <= tolerance:
        return xx, yy, zz
    b, p, q = _polynomials(xx, yy, zz, xy, xz, yz)
    if p < tolerance * tolerance:
        return b / 3, b / 3, b / 3
    power = _power(p, 1.5)  # for a tensor below 1e-100 this underflows to zero, and C++ divides by it too
    cosine = 0.5 * q / power if power else (copysign(1.0, q) if q else nan)
    angle = acos(min(max(cosine, -1.0), 1.0))
    first, second, third = ((b + 2 * sqrt(p) * cos((angle + turn) / 3)) / 3 for turn in (0.0, 2 * pi, -2 * pi))
    return first, second, third


def _polynomials(xx: float, yy: float, zz: float, xy: float, xz: float, yz: float) -> tuple[float, float, float]:
    """Return b, p and q of the formula, rounded as gz-math rounds them."""
    b = xx + yy + zz
    c = xx * yy - xy * xy + xx * zz - xz * xz + yy * zz - yz * yz
    d = xx * (yz * yz) + yy * (xz * xz) + zz * (xy * xy) - xx * yy * zz - 2 * xy * xz * yz
    return b, b * b - 3 * c, 2 * _power(b, 3) - 9 * b * c - 27 * d


def _power(number: float, exponent: float) -> float:
    """Return C's pow, which gives infinity where Python raises OverflowError."""
    try:
        return float(number**exponent)
    except OverflowError:
        return inf
