# SPDX-License-Identifier: GPL-3.0-or-later
"""From the way of a mouse to numbers: plain numpy, nothing of Blender's."""

from __future__ import annotations

from math import ceil, log, log10

import numpy as np
import numpy.typing as npt

from ...core.arrays import FloatArray
from ...core.units import rounded as to_significant
from ..overlay.camera import Camera

FINE = 0.1
"""What a way of the mouse counts for while Shift is held."""

STEP = 12.0
"""The least length of a step on the screen while Ctrl is held [px]."""

GRAIN = 0.01
"""The least length of a step otherwise [px]: it leaves no digits behind that nobody aimed at."""

DIGITS, MORE_DIGITS = 2, 4
"""Significant digits of a mass while Ctrl is held, one more with Shift; and otherwise."""

SEEN_FROM_ITS_END = 1e-3
"""Sine of the angle between an axis and the line of sight below which dragging along the axis is impossible."""


def nearest(pixels: FloatArray, mouse: npt.ArrayLike, reach: npt.ArrayLike) -> int | None:
    """Return the number of the point (n, 2) nearest to the mouse (2,); None where none is in its reach (n,) [px]."""
    distance = np.linalg.norm(pixels - np.asarray(mouse, dtype=np.float64), axis=1)
    within = np.where(distance <= reach, distance, np.inf)  # not what is behind the camera: NaN is in no reach
    best = int(np.argmin(within)) if len(within) else 0
    return best if len(within) and np.isfinite(within[best]) else None


def moved(camera: Camera, point: FloatArray, way: npt.ArrayLike, axis: FloatArray | None = None) -> FloatArray:
    """Move a point (3,) by a way (2,) [px] on the screen, in Blender units.

    Parameters
    ----------
    camera : Camera
    point : ndarray, shape (3,)
    way : array_like, shape (2,)
        To the right and up.
    axis : ndarray, shape (3,), optional
        Unit vector to stay on: then the point nearest to the line of sight. Without one it stays as far away.
    """
    right, up = camera.view[0, :3], camera.view[1, :3]
    x, y = np.asarray(way, dtype=np.float64) * camera.units_per_pixel(point)
    there: FloatArray = point + x * right + y * up
    if axis is None:
        return there
    eye = camera.eye()
    sight = there - eye[:3] if eye[3] else eye[:3]
    sight = sight / np.linalg.norm(sight)
    across = axis - sight * (axis @ sight)  # at right angles to the line of sight
    squared = float(across @ across)
    if squared <= SEEN_FROM_ITS_END**2:
        return point
    along: FloatArray = point + axis * float((there - point) @ across) / squared
    return along


def decimals(unit: float, pixels: float) -> int:
    """Return how many decimals make the least step that is at least so many pixels long, at `unit` per pixel."""
    return -ceil(round(log10(pixels * unit), 9))  # 9: the last bit of a length decides nothing


def rounded(values: npt.ArrayLike, places: int) -> FloatArray:
    """Return values to so many decimals, 0 without a sign."""
    result: FloatArray = np.round(np.asarray(values, dtype=np.float64), places) + 0.0
    return result


def growth(before: float, after: float) -> float:
    """Return by how much ln(mass) grows as the radius [px] of a ball of that mass does: mass goes with its cube."""
    return 3.0 * log(max(after, 1.0) / max(before, 1.0))


def rounded_mass(mass: float, digits: int) -> float:
    """Return a positive mass to so many significant digits."""
    return to_significant(mass, digits)
