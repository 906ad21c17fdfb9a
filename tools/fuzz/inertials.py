# SPDX-License-Identifier: GPL-3.0-or-later
"""Inertials as files give them: mostly of a body that there could be, some as editors and hasty hands leave them."""

from __future__ import annotations

from math import sqrt
from random import Random

COMPONENTS = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")

TEMPLATES = (
    (1.0, 0.0, 0.0, 1.0, 0.0, 1.0),
    (0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    (0.166667, 0.0, 0.0, 0.166667, 0.0, 0.166667),
    (1e-6, 0.0, 0.0, 1e-6, 0.0, 1e-6),
    (1.0, 0.9, 0.0, 1.0, 0.0, 1.0),
    (0.1, 0.0, 0.0, 0.1, 0.0, 0.9),
)
"""Of others' files: placeholders, and tensors that no body has."""


def inertial(random: Random) -> tuple[float, dict[str, float]]:
    """Return a mass [kg] and the six components of a tensor [kg·m²]."""
    mass = float(f"{10.0 ** random.uniform(-3, 2):.4g}")
    if random.random() < 0.15:
        return mass, dict(zip(COMPONENTS, random.choice(TEMPLATES), strict=True))
    a, b, c = (mass * (0.3 * 10.0 ** random.uniform(-2, 0)) ** 2 for _ in range(3))
    moments = b + c, a + c, a + b
    R = _rotation(random) if random.random() < 0.5 else [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    cells = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
    tensor = [sum(R[i][k] * moments[k] * R[j][k] for k in range(3)) for i, j in cells]
    digits = random.choice(("%.3g", "%.6g", "%.17g"))
    return mass, {name: float(digits % value) for name, value in zip(COMPONENTS, tensor, strict=True)}


def quaternion(random: Random) -> tuple[float, float, float, float]:
    """Return a unit quaternion (x, y, z, w)."""
    q = [random.gauss(0, 1) for _ in range(4)]
    length = sqrt(sum(one * one for one in q)) or 1.0
    x, y, z, w = (one / length for one in q)
    return x, y, z, w


def _rotation(random: Random) -> list[list[float]]:
    x, y, z, w = quaternion(random)
    return [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
