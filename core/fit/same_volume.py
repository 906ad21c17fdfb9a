# SPDX-License-Identifier: GPL-3.0-or-later
"""Primitives of a given orientation with the volume, the centroid and the proportions of a solid.

The proportions are those of the second moments, so that mass, centre of mass and inertia come out nearly the same.
"""

from __future__ import annotations

from math import pi, sqrt

import numpy as np

from ..arrays import FloatArray
from ..body.moments import Moments
from ..robot.model import Box, Capsule, Cone, Cylinder, Ellipsoid, Primitive, Sphere
from .enclosing import LEAST, Placed

LONGEST = 1e6
"""A capsule longer than this, in radii, is a line."""

HALVINGS = 60
"""Of the twelve powers of ten from `LEAST` to `LONGEST`: more than float64 can tell."""


def same_volume(kind: str, moments: Moments, frame: FloatArray) -> Placed | None:
    """Return a primitive with z along the frame's, and its centre in the frame; None where there is none of that kind.

    Parameters
    ----------
    kind : str
    moments : Moments
        Of the solid; its volume is positive.
    frame : ndarray, shape (3, 3)
        A rotation whose columns are the axes.
    """
    centre = moments.centroid @ frame
    x, y, z = (np.maximum(np.diag(frame.T @ moments.covariance @ frame), 0.0) / moments.volume).tolist()
    across = (x + y) / 2.0
    if not min(x, y, z) > 0.0:
        return None
    if kind == "sphere":
        return Sphere((3.0 * moments.volume / (4.0 * pi)) ** (1.0 / 3.0)), centre
    if kind in ("box", "ellipsoid"):
        factor = 12.0 if kind == "box" else 5.0
        a, b, c = (sqrt(factor * square) for square in (x, y, z))
        scale = _scale(Box((a, b, c)) if kind == "box" else Ellipsoid((a, b, c)), moments.volume)
        sides = (scale * a, scale * b, scale * c)
        return (Box(sides) if kind == "box" else Ellipsoid(sides)), centre
    if kind == "cylinder":
        radius, length = 2.0 * sqrt(across), sqrt(12.0 * z)
        scale = _scale(Cylinder(radius, length), moments.volume)
        return Cylinder(scale * radius, scale * length), centre
    if kind == "cone":
        radius, length = sqrt(across * 20.0 / 3.0), sqrt(z * 80.0 / 3.0)
        scale = _scale(Cone(radius, length), moments.volume)
        length *= scale
        return Cone(scale * radius, length), centre + [0.0, 0.0, length / 4.0]
    ratio = _capsule_ratio(z / across)
    if ratio is None:
        return None
    scale = _scale(Capsule(1.0, ratio), moments.volume)
    return Capsule(scale, scale * ratio), centre


def _scale(shape: Primitive, volume: float) -> float:
    return float((volume / shape.moments().volume) ** (1.0 / 3.0))


def _capsule_ratio(slenderness: float) -> float | None:
    """Return length over radius of the capsule whose ∫z² is `slenderness` times its ∫x²; None if it is a ball or flat.

    The ratio of the two grows with the length, so halving finds it.
    """
    low, high = LEAST, LONGEST
    for _ in range(HALVINGS):
        middle = sqrt(low * high)
        low, high = (middle, high) if _capsule_slenderness(middle) < slenderness else (low, middle)
    return high if low > LEAST else None


def _capsule_slenderness(length: float) -> float:
    """Return ∫z² over ∫x² of a capsule of radius 1: those of its cylinder and of its two half-balls.

    A half-ball's centroid is 3/8 from its flat face, about which its ∫z² is 19/320 of its volume (`primitives`).
    """
    halves = 4.0 / 3.0
    along = length**3 / 12.0 + halves * (19.0 / 320.0 + (length / 2.0 + 3.0 / 8.0) ** 2)
    return along / (length / 4.0 + halves / 5.0)
