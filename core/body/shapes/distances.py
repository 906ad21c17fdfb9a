# SPDX-License-Identifier: GPL-3.0-or-later
"""Distances that several shapes are made of."""

from __future__ import annotations

from functools import reduce

import numpy as np

from ...arrays import FloatArray


def length(first: FloatArray, *others: FloatArray) -> FloatArray:
    """Return the lengths of vectors, given each of their coordinates; `hypot` and `norm` take several times as long."""
    squares = first * first
    for other in others:
        squares += other * other
    found: FloatArray = np.sqrt(squares, out=squares)
    return found


def from_faces(*beyond: FloatArray) -> FloatArray:
    """Return the signed distance from how far points are beyond each pair of faces (negative: between them)."""
    inside: FloatArray = np.minimum(reduce(np.maximum, beyond), 0.0)
    outside: FloatArray = length(*(np.maximum(one, 0.0) for one in beyond))
    return outside + inside
