# SPDX-License-Identifier: GPL-3.0-or-later
"""Many vectors at once, as rows x, y, z: corners of faces, and products several times faster than numpy's."""

from __future__ import annotations

import numpy as np

from ...arrays import FloatArray, Ints, blocks
from ..surface import Surface

Corners = FloatArray
"""Shape (3, 3, m): axis, corner, face [m]."""

SOME = 1 << 16
"""Faces per block when corners are gathered."""

ROUNDING = 2.0**-40
"""A position on a side is accurate to this share of the coordinates, usually far better: anything nearer to a line is
tested."""


def face_corners(surface: Surface, faces: Ints) -> Corners:
    """Return the corners of some faces in float64."""
    corners = np.empty((3, 3, len(faces)))
    many = len(faces) > len(surface.vertices)  # then gathering from rows of x, y and z is faster
    rows = np.ascontiguousarray(surface.vertices.T, dtype=np.float64) if many else None
    for some in blocks(len(faces), SOME):  # all at once, the temporaries would not stay in the cache
        index = np.ascontiguousarray(surface.triangles.take(faces[some], axis=0).T, dtype=np.intp)
        if rows is None:
            corners[:, :, some] = surface.vertices.take(index, axis=0).transpose(2, 0, 1)
            continue
        for row, coordinates in zip(rows, corners, strict=True):
            for number, coordinate in zip(index, coordinates, strict=True):
                row.take(number, out=coordinate[some], mode="clip")
    return corners


def dot(u: FloatArray, v: FloatArray) -> FloatArray:
    """Return u · v for vectors (3, ...)."""
    product: FloatArray = u[0] * v[0]
    product += u[1] * v[1]
    product += u[2] * v[2]
    return product


def cross(u: FloatArray, v: FloatArray) -> FloatArray:
    """Return u x v for vectors (3, ...)."""
    product = np.empty((3, *np.broadcast(u[0], v[0]).shape), dtype=np.result_type(u[0], v[0]))
    other = np.empty(product.shape[1:], dtype=product.dtype)
    for x, y, z in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        np.multiply(u[y], v[z], out=product[x, ...])
        np.multiply(u[z], v[y], out=other)
        product[x, ...] -= other
    return product
