# SPDX-License-Identifier: Apache-2.0
"""Finds digits that the coordinates of a mesh have lost to rounding, in any floating-point type.

Coordinates that were float32 once, or a text of few digits, lie on a grid: that of float32 where they are largest, or
one of a power of ten. So do those of a model that was drawn on a round grid, which is harmless. The last digits
distinguish the two: those of rounded numbers are arbitrary, those of a drawing are zeros.
"""

from __future__ import annotations

from math import ceil, log10, sqrt

import numpy as np

from ...arrays import FloatArray, VertexArray
from ...errors import Finding, InertiaError
from ...units import number_text, share_text
from ..integrate import enclosed_volume, surface_moments
from ..surface import Surface
from ..topology.merging import by_place

COARSE_STEP = 1e-5
"""Steps of the coordinates above this share of the size cost digits: a hundred times float32's own step."""

THIN_STEP, THIN_ERROR = 5e-5, 1e-3
"""Smaller steps are doubtful above the first share of the thickness, and reported above the second of error."""

CHANCE = 1e-3
"""A probability this small is not chance."""

SAMPLE = 64
"""Numbers that are tested first: if these have all their digits, the others need no test."""

MANY = 32
"""Different numbers on one axis that are enough to count their last digits."""

SPREAD = 4.0
"""A last digit shared by more numbers than one in ten by this factor is not chance."""

SMALLEST = 1e-290
"""Numbers below it have last digits that floating point does not hold."""

SURE = 3.0
"""Standard deviations of the error that is reported."""

LAST_BIT = 2.0 * float(np.finfo(np.float64).eps)

LARGEST_SINGLE = float(np.finfo(np.float32).max)
"""As a Python float: numpy 2 would round a number that is compared with a float32."""


def precision(surface: Surface) -> tuple[tuple[Finding, ...], float]:
    """Return a finding if the coordinates of a mesh have lost digits, and the error that follows for volume and tensor.

    Steps that are small for a part's size may be large for the thickness of a closed one, as of a foil.
    """
    low, high = surface.bounds()
    _, longer, longest = np.sort(high - low).tolist()
    if not longest:
        return (), 0.0
    used = surface.used()
    points = surface.vertices if used.all() else surface.vertices[used]
    thickness = abs(enclosed_volume(surface)) / (longest * (longer or longest))  # at most: of a box, that of a plate
    coarse = COARSE_STEP * longest
    fine = min(THIN_STEP * thickness, coarse) if thickness else coarse
    steps = lost_steps(points.T, fine, surface.vertices.dtype == np.float32)
    if not steps.any():
        return (), 0.0
    error = rounding_error(surface, steps)
    if steps.max() <= coarse and (error <= THIN_ERROR or not by_place(surface).edges.closed):
        return (), 0.0
    farthest = float(np.abs([low, high]).max())
    finding = Finding.of(
        "warning",
        "precision_lost",
        percent=100.0 * steps.max() / longest,
        distance=number_text(farthest / longest, 3),
        doubt="all of it" if round(error, 2) >= 1.0 else share_text(error),
    )
    return (finding,), error


def lost_steps(points: VertexArray, coarse: float, single: bool = False) -> FloatArray:
    """Return the step (3,) [m] to which coordinates (3, n) [m] were rounded along each axis.

    It is 0 if not above `coarse` [m]. They are float32 if `single`; otherwise they may have been.
    """
    axes = [_lost_step(row, coarse, single) for row in points]
    # If one axis shows it, the others need not, as they may have few numbers.
    steps: FloatArray = np.array([step for step, _ in axes]) * float(any(sure for _, sure in axes))
    return steps


def _lost_step(numbers: VertexArray, coarse: float, single: bool) -> tuple[float, bool]:
    """Return the step that numbers may have been rounded to, if above `coarse`, and True if they surely were."""
    # The step of float32 at the largest number. If it is fine, and a sample has all its digits, so do the numbers.
    largest = max(float(numbers.max()), -float(numbers.min()))
    step = float(np.spacing(np.float32(largest))) if largest < LARGEST_SINGLE else 0.0
    if step <= coarse and (single or decimal_grid(numbers[:: len(numbers) // SAMPLE + 1].astype(np.float64)) <= coarse):
        return 0.0, False
    numbers = np.unique(numbers.astype(np.float64))
    grid = decimal_grid(numbers)
    if step > coarse:
        off = np.abs(numbers - numbers.astype(np.float32)).max()
        # A text of float32 numbers may have more decimals than these, as with %.6f: then its rounding is smaller.
        if off == 0.0:
            return step, not _drawn(numbers / step)
        if off <= 0.51 * grid < step and (grid / step) ** len(numbers) < CHANCE:
            return step, True
    return (grid, _any_digit(np.rint(numbers / grid))) if grid > coarse else (0.0, False)


def _drawn(multiples: FloatArray) -> bool:
    """Return True if whole numbers all end with so many binary zeros that it is not chance."""
    # All bits of all numbers: the lowest that is set is the largest power of two that divides them all.
    odd = np.rint(multiples).astype(np.int64)
    largest = int(np.bitwise_or.reduce(odd))
    return bool(float(largest & -largest or 2**62) ** -float(len(odd)) < CHANCE)


def decimal_grid(numbers: FloatArray) -> float:
    """Return the largest power of ten of which all numbers are multiples; 0 if they have too many digits."""
    largest = float(np.abs(numbers).max())
    if largest < SMALLEST:
        return 0.0
    grid, place = 0.0, ceil(log10(largest)) - 14
    while place < 300:
        step = 10.0**place
        if not (np.abs(numbers - np.rint(numbers / step) * step) <= LAST_BIT * np.abs(numbers)).all():
            break
        grid, place = step, place + 1
    return grid


def _any_digit(multiples: FloatArray) -> bool:
    """Return True if whole numbers end with every digit about equally often."""
    if len(multiples) < MANY:
        return False
    often = np.bincount((np.abs(multiples) % 10.0).astype(np.int64), minlength=10) / len(multiples)
    return bool(often.max() <= SPREAD / 10.0)


def rounding_error(surface: Surface, steps: FloatArray) -> float:
    """Estimate the relative error of volume and second moment if the coordinates were rounded to `steps` (3,) [m].

    A vertex that moves by δ along an axis changes the volume by δ times a third of the area, seen along that axis, of
    the faces around it, and an integral of |x|² by that times its mean there, which is evaluated at the middles of
    sides. Coordinates that were equal move together. Each is off by any amount up to half a step, whose variance is
    step² / 12, and variances add up. This does not hold for parts thinner than a few steps.
    """
    try:
        moments = surface_moments(surface)
    except InertiaError:
        return 1.0
    # Each corner has a third of its face's vector area (`area`). There the mean of |x|², weighted by what moves with
    # the corner, is half of that at the middles of its two sides (`far`).
    points = surface.vertices.astype(np.float64) - moments.centroid
    a, b, c = (points[corner] for corner in surface.triangles.T)
    area = np.cross(b - a, c - a) / 6.0
    ab, bc, ca = (((start + end) ** 2).sum(axis=1) / 8.0 for start, end in ((a, b), (b, c), (c, a)))
    far = np.stack([ab + ca, ab + bc, bc + ca], axis=-1).ravel()
    variances = np.zeros(2)
    for axis in np.flatnonzero(steps):
        # Corners with equal coordinates move together, so that their terms add up before they are squared.
        _, number = np.unique(surface.vertices[:, axis], return_inverse=True)
        corner = surface.triangles.ravel()
        seen = np.repeat(area[:, axis], 3)
        for k, weight in enumerate((seen, seen * far)):
            moved = np.bincount(number.ravel()[corner], weight)
            variances[k] += float(moved @ moved) * steps[axis] ** 2 / 12.0
    whole = abs(moments.volume), abs(float(np.trace(moments.covariance)))
    return min(1.0, SURE * max(sqrt(variance) / (size or 1.0) for variance, size in zip(variances, whole, strict=True)))
