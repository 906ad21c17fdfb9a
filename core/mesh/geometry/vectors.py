# SPDX-License-Identifier: GPL-3.0-or-later
"""Products of many vectors at once, which lie as rows x, y, z: several times faster than numpy's own on such."""

from __future__ import annotations

import numpy as np

from ...arrays import FloatArray


def dot(u: FloatArray, v: FloatArray) -> FloatArray:
    """Return u · v of vectors (3, ...), each."""
    product: FloatArray = u[0] * v[0]
    product += u[1] * v[1]
    product += u[2] * v[2]
    return product


def cross(u: FloatArray, v: FloatArray) -> FloatArray:
    """Return u x v of vectors (3, ...), each."""
    product = np.empty((3, *np.broadcast(u[0], v[0]).shape), dtype=np.result_type(u[0], v[0]))
    other = np.empty(product.shape[1:], dtype=product.dtype)
    for x, y, z in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        np.multiply(u[y], v[z], out=product[x, ...])
        np.multiply(u[z], v[y], out=other)
        product[x, ...] -= other
    return product
