# SPDX-License-Identifier: GPL-3.0-or-later
"""How far points are from the surface of a primitive, inside or out."""

from __future__ import annotations

from functools import reduce

import numpy as np

from ..arrays import FloatArray
from ..robot.model import Box, Capsule, Cone, Cylinder, Ellipsoid, Primitive, Sphere


def distance(shape: Primitive, points: FloatArray) -> FloatArray:
    """Return the distance [m] of points (n, 3), in the shape's frame, from its surface; shape (n,).

    Exact, but for an ellipsoid's, which is of first order in it.
    """
    x, y, z = points.T
    if isinstance(shape, Box):
        a, b, c = shape.size
        return _box(np.abs(x) - a / 2.0, np.abs(y) - b / 2.0, np.abs(z) - c / 2.0)
    if isinstance(shape, Sphere):
        radial: FloatArray = length(x, y, z) - shape.radius
        return np.abs(radial)
    if isinstance(shape, Ellipsoid):
        a, b, c = shape.radii
        x, y, z = x / a, y / b, z / c
        level, slope = length(x, y, z), length(x / a, y / b, z / c)
        # The level over its gradient; at the centre, where there is none, the least radius.
        return np.where(slope > 0.0, level * np.abs(level - 1.0) / np.where(slope > 0.0, slope, 1.0), min(shape.radii))
    across, half = length(x, y), shape.length / 2.0
    if isinstance(shape, Cylinder):
        return _box(across - shape.radius, np.abs(z) - half)
    if isinstance(shape, Capsule):
        from_axis: FloatArray = length(across, np.maximum(np.abs(z) - half, 0.0)) - shape.radius
        return np.abs(from_axis)
    assert isinstance(shape, Cone)
    outward, upward = across - shape.radius, z + half
    base = length(np.maximum(outward, 0.0), upward)
    # Along the side, from the rim (0) to the apex (1).
    share = (upward * shape.length - outward * shape.radius) / (shape.radius**2 + shape.length**2)
    share = np.minimum(np.maximum(share, 0.0), 1.0)
    side = length(outward + shape.radius * share, upward - shape.length * share)
    nearest: FloatArray = np.minimum(base, side)
    return nearest


def length(first: FloatArray, *others: FloatArray) -> FloatArray:
    """Return the lengths of vectors, given each of their coordinates; `hypot` and `norm` take several times as long."""
    squares = first * first
    for other in others:
        squares += other * other
    found: FloatArray = np.sqrt(squares, out=squares)
    return found


def _box(*beyond: FloatArray) -> FloatArray:
    """Return the distance from how far points are beyond each pair of faces (negative: between them)."""
    inside: FloatArray = np.minimum(reduce(np.maximum, beyond), 0.0)
    outside: FloatArray = length(*(np.maximum(one, 0.0) for one in beyond))
    return outside - inside
