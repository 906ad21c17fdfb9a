# SPDX-License-Identifier: GPL-3.0-or-later
"""Primitives of a given orientation around points: none of the solid sticks out."""

from __future__ import annotations

import numpy as np

from ..arrays import FloatArray, blocks
from ..robot.model import Box, Capsule, Cone, Cylinder, Ellipsoid, Primitive, Sphere
from .balls import smallest_ball
from .distance import length

Placed = tuple[Primitive, FloatArray]
"""A shape and its centre (3,), both in the frame of the points."""

SLOPES = 33
"""Slopes of a cone that are tried at a time; then as many between the two beside the best, three times."""

STEPS = np.linspace(0.0, 1.0, SLOPES)

BLOCK = 4096
"""Points looked at together: their heights for all slopes take a megabyte."""

LEAST = 1e-6
"""A capsule whose cylinder is shorter than this, in radii, is a ball."""


def enclosing(kind: str, points: FloatArray, spread: FloatArray) -> Placed | None:
    """Return a small primitive around points (n, 3), in their axes; None where there is none of that kind.

    Box and ball are the smallest; cylinder, capsule and cone have the smallest circle around the points as seen along
    z, and are the shortest with it; an ellipsoid has the proportions of the box, or those of `spread` (3,), the roots
    of the solid's second moments, whichever is the smaller.
    """
    low, high = points.min(axis=0), points.max(axis=0)
    sides, centre = high - low, low + (high - low) / 2.0
    if not (sides > 0.0).all():
        return None
    x, y, z = centre.tolist()
    if kind == "sphere":
        middle, radius = smallest_ball(points)
        return Sphere(radius), middle
    if kind == "box":
        return Box((float(sides[0]), float(sides[1]), float(sides[2]))), centre
    if kind == "ellipsoid":
        around = [radii * length(*((points - centre) / radii).T).max() for radii in (sides, spread)]
        a, b, c = min(around, key=lambda radii: float(radii.prod())).tolist()
        return Ellipsoid((a, b, c)), centre
    (x, y), radius = smallest_ball(points[:, :2])
    if kind == "cylinder":
        return Cylinder(radius, float(sides[2])), np.array([x, y, z])
    across = length(points[:, 0] - x, points[:, 1] - y)
    if kind == "capsule":
        return _capsule(across, points[:, 2], radius, x, y)
    return _cone(across, points[:, 2], x, y)


def _capsule(across: FloatArray, z: FloatArray, radius: float, x: float, y: float) -> Placed | None:
    cap = np.sqrt(np.maximum(radius**2 - across**2, 0.0))  # how far beyond a half-ball's centre it may be
    top, bottom = float((z - cap).max()), float((z + cap).min())
    length = top - bottom
    if length <= LEAST * radius:
        return None
    return Capsule(radius, length), np.array([x, y, bottom + length / 2.0])


def _cone(across: FloatArray, z: FloatArray, x: float, y: float) -> Placed:
    bottom = float(z.min())
    middle = float(across.max()) / float(np.ptp(z))
    # Only what is higher than all that is farther from the axis can touch the side.
    inward = np.argsort(-across)
    across, z = across[inward], z[inward]
    highest = np.maximum.accumulate(z)
    outer = np.concatenate([[True], z[1:] > highest[:-1]])
    across, z = across[outer], z[outer]
    low, high = np.log(middle / 16.0), np.log(middle * 16.0)
    for _ in range(4):
        slopes = np.exp(low + (high - low) * STEPS)
        some = blocks(len(z), BLOCK)
        heights = np.max([(z[part] + across[part] / slopes[:, None]).max(axis=1) for part in some], axis=0) - bottom
        best = int((slopes**2 * heights**3).argmin())
        low, high = np.log(slopes[max(best - 1, 0)]), np.log(slopes[min(best + 1, SLOPES - 1)])
    height = float(heights[best])
    return Cone(float(slopes[best]) * height, height), np.array([x, y, bottom + height / 2.0])
