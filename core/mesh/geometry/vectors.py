# SPDX-License-Identifier: GPL-3.0-or-later
"""Products of many vectors at once, which lie as rows x, y, z: several times faster than numpy's own on such."""

from __future__ import annotations

import numpy as np

from ...arrays import FloatArray


def dot(u: FloatArray, v: FloatArray) -> FloatArray:
    """Return u · v of vectors (3, ...), each."""
    (ux, uy, uz), (vx, vy, vz) = u, v
    product: FloatArray = ux * vx + uy * vy + uz * vz
    return product


def cross(u: FloatArray, v: FloatArray) -> FloatArray:
    """Return u x v of vectors (3, ...), each."""
    (ux, uy, uz), (vx, vy, vz) = u, v
    return np.stack([uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx])
