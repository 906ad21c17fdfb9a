# SPDX-License-Identifier: Apache-2.0
"""Rounds what is written to the fewest digits that keep it."""

from __future__ import annotations

from math import sqrt

import numpy as np

from ..arrays import FloatArray
from ..units import NOTHING, fewest_digits
from .gz_validity import loadable
from .inertial import VALIDITY_EPS, Inertial

KEPT = 5e-10
"""Share of itself by which a written number may be off: half of 1e-9, so that two of them still agree to that."""

MORE = 8
"""Digits more that a tensor may need so that simulators accept it."""


def kept(value: float, size: float = 0.0, share: float = KEPT) -> float:
    """Return a number with the fewest digits that keep 1e-9 of it; 0 if it is nothing beside a size."""
    return 0.0 if abs(value) <= NOTHING * size else fewest_digits(value, share * abs(value))


def shortened(inertial: Inertial, share: float = KEPT) -> Inertial:
    """Return an inertial with few digits, each number off by at most a share of itself; its mass is as it is.

    A coordinate is nothing beside the body's radius of gyration or its distance from the origin, a product Iij beside
    √(Iii Ijj). A tensor that a simulator might not accept so, such as a turned plate's, keeps as many more as it needs.
    """
    moments = np.diag(inertial.inertia)
    if not (inertial.is_finite() and inertial.mass > 0.0 and moments.min() >= 0.0 and moments.max() > 0.0):
        return inertial
    size = max(float(np.abs(inertial.com).max()), sqrt(float(moments.sum()) / inertial.mass))
    com = np.array([kept(along, size, share) for along in inertial.com.tolist()])
    for more in range(MORE):
        tensor = _with_few_digits(inertial.inertia, share / 10.0**more)
        if _lacking(tensor) <= 0.0 and np.array_equal(loadable(Inertial(inertial.mass, com, tensor))[1], tensor):
            return Inertial(inertial.mass, com, tensor)
    lacking = max(_lacking(inertial.inertia), 0.0)
    nudge = lacking if lacking <= KEPT * moments.min() else 0.0  # more would change what is impossible
    return Inertial(inertial.mass, com, inertial.inertia + nudge * np.eye(3))


def _lacking(tensor: FloatArray) -> float:
    """Return what all moments need more so that the principal moments satisfy the triangle inequality; <= 0 if they do.

    gz-math ignores small products. Drake 1.51 does not, and allows an excess of 16 roundings; MuJoCo 4.0 allows none.
    So it must hold in spite of rounding; a diagonal tensor has none.
    """
    moments = np.diag(tensor)
    diagonal = not np.any(tensor - np.diag(moments))
    low, middle, high = np.sort(moments) if diagonal else np.linalg.eigvalsh(tensor)
    return float(high - (low + middle) + (0.0 if diagonal else VALIDITY_EPS * float(moments.sum())))


def _with_few_digits(inertia: FloatArray, share: float) -> FloatArray:
    """Return a tensor whose numbers are off by at most a share of themselves, and that stays possible if diagonal."""
    moments = np.diag(inertia)
    tensor: FloatArray = np.vectorize(kept)(inertia, np.outer(np.sqrt(moments), np.sqrt(moments)), share)
    if not np.any(tensor - np.diag(np.diag(tensor))):
        low, middle, high = np.argsort(moments, kind="stable")
        most = float(tensor[low, low] + tensor[middle, middle])  # a plate has exactly this
        if tensor[high, high] > most:
            half = share / 2.0 * most
            tensor[high, high] = max(fewest_digits(most - half, half), tensor[middle, middle])
    return tensor
