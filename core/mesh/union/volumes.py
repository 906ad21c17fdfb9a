# SPDX-License-Identifier: GPL-3.0-or-later
"""Volumes between corners, with the right sign: in floating point, or in whole numbers where that loses too much.

Corners stand on a grid so fine that whole numbers of its steps fill a float64 (for the idea of the filter, see Shewchuk
1997, Adaptive precision floating-point arithmetic and fast robust geometric predicates).
"""

from __future__ import annotations

import numpy as np

from ...arrays import FloatArray
from ..geometry.vectors import cross, dot

STEPS = 2.0**52
"""Steps of the grid to a length of 1."""

DOUBTFUL = 2.0**-24
"""A triple product that is a smaller share of the product of its vectors is worked out in whole numbers: rounding loses
2^-50 of that, the sign with it, or more than half of the digits."""


def on_grid(places: FloatArray) -> FloatArray:
    """Move places, of the size of 1, to the grid."""
    places *= STEPS
    np.rint(places, out=places)
    places /= STEPS
    return places


def triple(a: FloatArray, b: FloatArray, c: FloatArray) -> FloatArray:
    """Return a · (b x c) of differences (3, ...) between places on the grid, to 2^-26 of itself or better."""
    volume = np.asarray(dot(a, cross(b, c)))
    largest = np.abs(a).max(axis=0) * np.abs(b).max(axis=0) * np.abs(c).max(axis=0)
    doubtful = np.nonzero(np.abs(volume) <= DOUBTFUL * largest)
    if len(doubtful[0]):
        u, v, w = (
            [(np.broadcast_to(row, volume.shape)[doubtful] * STEPS).astype(np.int64).astype(object) for row in side]
            for side in (a, b, c)
        )
        whole = u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2])
        whole += u[2] * (v[0] * w[1] - v[1] * w[0])
        volume[doubtful] = [float(steps) for steps in whole]
        volume[doubtful] /= STEPS**3
    return volume
