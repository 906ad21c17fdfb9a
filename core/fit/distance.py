# SPDX-License-Identifier: GPL-3.0-or-later
"""How far points are from the surface of a primitive, inside or out."""

from __future__ import annotations

import numpy as np

from ..arrays import FloatArray
from ..model import Box, Capsule, Cone, Cylinder, Ellipsoid, Primitive, Sphere


def lengths(rows: FloatArray) -> FloatArray:
    """Return the lengths of vectors along the last axis; numpy's own `norm` takes three times as long."""
    found: FloatArray = np.sqrt(np.einsum("...i,...i->...", rows, rows))
    return found


def distance(shape: Primitive, points: FloatArray) -> FloatArray:
    """Return the distance [m] of points (n, 3), in the shape's frame, from its surface; shape (n,).

    Exact, but for an ellipsoid's, which is of first order in it.
    """
    if isinstance(shape, Box):
        return _box(np.abs(points) - np.array(shape.size) / 2.0)
    if isinstance(shape, Sphere):
        radial: FloatArray = lengths(points) - shape.radius
        return np.abs(radial)
    if isinstance(shape, Ellipsoid):
        scaled = points / shape.radii
        level = lengths(scaled)
        slope = lengths(scaled / shape.radii)
        # The level over its gradient; at the centre, where there is none, the least radius.
        return np.where(slope > 0.0, level * np.abs(level - 1.0) / np.where(slope > 0.0, slope, 1.0), min(shape.radii))
    across, z = lengths(points[:, :2]), points[:, 2]
    half = shape.length / 2.0
    if isinstance(shape, Cylinder):
        return _box(np.stack([across - shape.radius, np.abs(z) - half], axis=1))
    if isinstance(shape, Capsule):
        from_axis: FloatArray = np.hypot(across, np.maximum(np.abs(z) - half, 0.0))
        from_axis -= shape.radius
        return np.abs(from_axis)
    assert isinstance(shape, Cone)
    base = np.hypot(np.maximum(across - shape.radius, 0.0), z + half)
    # Along the side, from the rim (0) to the apex (1).
    share = np.clip(((across - shape.radius) * -shape.radius + (z + half) * shape.length), 0.0, None)
    share = np.minimum(share / (shape.radius**2 + shape.length**2), 1.0)
    side: FloatArray = np.hypot(across - shape.radius * (1.0 - share), z + half - shape.length * share)
    nearest: FloatArray = np.minimum(base, side)
    return nearest


def _box(beyond: FloatArray) -> FloatArray:
    """Return the distance from how far points are beyond each pair of faces (negative: between them)."""
    inside: FloatArray = np.minimum(beyond.max(axis=1), 0.0)
    return lengths(np.maximum(beyond, 0.0)) - inside
