# SPDX-License-Identifier: GPL-3.0-or-later
"""Digits that the coordinates of a mesh have lost: by what rounding has done to them, whatever type they come in.

Coordinates that were float32 once, or a text of few digits, lie on a grid: that of float32 where they are largest, or
one of a power of ten. So do those of a model that was drawn on a round grid, and nothing is wrong with that. What tells
them apart is whether the last digits are used: those of numbers that were rounded are any, those of a drawing are
noughts.
"""

from __future__ import annotations

from math import ceil, log10, sqrt

import numpy as np

from ...arrays import FloatArray
from ...errors import Finding, InertiaError
from ...units import number_text, share_text
from ..integrate import surface_moments
from ..surface import Surface

COARSE_STEP = 1e-5
"""Steps of the coordinates above this share of the size cost digits: a hundred times float32's own step."""

ROUND = 64.0
"""Coordinates that are all multiples of so many steps were drawn so: of numbers rounded to a binary place, one in so
many is such a multiple by chance."""

CHANCE = 1e-3
"""How likely coordinates of many digits may be to lie beside those of float32 by chance."""

MANY = 32
"""So many different numbers of one axis, and the digits that they end with can be counted."""

SPREAD = 4.0
"""A last digit that this many times more numbers share than one in ten is no chance one."""

SURE = 3.0
"""Standard deviations of the error that is told."""

LAST_BIT = 2.0 * float(np.finfo(np.float64).eps)


def precision(surface: Surface) -> tuple[Finding, ...]:
    """Say whether the coordinates of a mesh have lost digits, and the error that follows for volume and tensor."""
    low, high = surface.bounds()
    longest = float((high - low).max())
    if not longest:
        return ()
    used = surface.used()
    points = surface.vertices[used].astype(np.float64)
    single = surface.vertices.dtype == np.float32
    steps = np.array([lost_step(row, COARSE_STEP * longest, single) for row in points.T])
    if not steps.any():
        return ()
    error = rounding_error(surface, steps)
    farthest = float(np.abs([low, high]).max())
    message = (
        f"its coordinates were rounded to steps of {100.0 * steps.max() / longest:.2g} % of its size,"
        f" {number_text(farthest / longest, 3)} times its size away from its origin; volume and tensor are uncertain by"
        f" {'all of it' if error >= 1.0 else share_text(error)}"
    )
    remedy = "move the mesh to its origin (Object > Set Origin) and place it by the object's transform"
    return (Finding("warning", "precision_lost", "", message, remedy),)


def lost_step(numbers: FloatArray, coarse: float, single: bool = False) -> float:
    """Return the step to which coordinates (n,) along one axis were rounded, if it is above `coarse`; else 0.

    Parameters
    ----------
    numbers : ndarray, shape (n,)
        [m].
    coarse : float
        [m].
    single : bool
        Whether they are float32, rather than may have been.
    """
    step = float(np.spacing(np.float32(np.abs(numbers).max())))
    if single and step <= coarse:
        return 0.0
    numbers = np.unique(numbers)
    grid = decimal_grid(numbers)
    if step > coarse:
        off = np.abs(numbers - numbers.astype(np.float32))
        within = 0.51 * grid  # a text of float32 numbers with more places than these have, as %.6f
        seldom = not within or (2.0 * within / step) ** len(numbers) < CHANCE
        if not off.any() or (seldom and (off <= within).all()):
            drawn = not (np.rint(numbers / step) % ROUND).any() and not off.any()
            return 0.0 if drawn else step
    return grid if grid > coarse and _any_digit(np.rint(numbers / grid)) else 0.0


def decimal_grid(numbers: FloatArray) -> float:
    """Return the largest power of ten of which all numbers are multiples; 0 where they have too many digits."""
    largest = float(np.abs(numbers).max())
    if not largest:
        return 0.0
    found, place = 0.0, ceil(log10(largest)) - 14
    while place < 300:
        step = 10.0**place
        if not (np.abs(numbers - np.rint(numbers / step) * step) <= LAST_BIT * np.abs(numbers)).all():
            break
        found, place = step, place + 1
    return found


def _any_digit(multiples: FloatArray) -> bool:
    """Say whether whole numbers end with any digit, all about as often."""
    if len(multiples) < MANY:
        return False
    often = np.bincount((np.abs(multiples) % 10.0).astype(np.int64), minlength=10) / len(multiples)
    return bool(often.max() <= SPREAD / 10.0)


def rounding_error(surface: Surface, steps: FloatArray) -> float:
    """Estimate the relative error of volume and second moment where the coordinates were rounded to `steps` (3,) [m].

    A vertex that moves by δ along an axis changes the volume by δ times a third of the area, seen along that axis, of
    the faces around it, and an integral of |x|² by that times its |x|². Coordinates that were equal move together.
    Each is off by any amount up to half a step, whose variance is step² / 12, and variances add up.
    """
    try:
        moments = surface_moments(surface)
    except InertiaError:
        return 1.0
    points = surface.vertices.astype(np.float64) - moments.centroid
    a, b, c = (points[corner] for corner in surface.triangles.T)
    area = np.cross(b - a, c - a) / 6.0
    far = (points**2).sum(axis=1)
    variances = np.zeros(2)
    for axis in np.flatnonzero(steps):
        _, number = np.unique(surface.vertices[:, axis], return_inverse=True)
        corner = surface.triangles.ravel()
        seen = np.repeat(area[:, axis], 3)
        for k, weight in enumerate((seen, seen * far[corner])):
            moved = np.bincount(number.ravel()[corner], weight)
            variances[k] += float(moved @ moved) * steps[axis] ** 2 / 12.0
    whole = abs(moments.volume), abs(float(np.trace(moments.covariance)))
    return min(1.0, SURE * max(sqrt(variance) / (one or 1.0) for variance, one in zip(variances, whole, strict=True)))
