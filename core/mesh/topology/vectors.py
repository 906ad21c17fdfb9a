# SPDX-License-Identifier: GPL-3.0-or-later
"""Many vectors at once, as rows x, y, z: corners of faces, fast products, and straight lines that cross faces."""

from __future__ import annotations

from collections.abc import Iterator

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

PAIRS = 1 << 20
"""Pairs of a line and a face per block."""


def face_corners(surface: Surface, faces: Ints) -> Corners:
    """Return the corners of some faces in float64."""
    rows = np.ascontiguousarray(surface.vertices.T, dtype=np.float64)
    corners = np.empty((3, 3, len(faces)))
    for some in blocks(len(faces), SOME):  # all at once, the temporaries would not stay in the cache
        index = np.ascontiguousarray(surface.triangles.take(faces[some], axis=0).T, dtype=np.intp)
        corners[:, :, some] = rows.take(index, axis=1, mode="clip")
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


def hits(corners: Corners, axis: int, y: FloatArray, z: FloatArray) -> tuple[Ints, FloatArray, FloatArray]:
    """Return which lines along `axis`, one for each face, cross it, where, and +1 if it faces along the axis, else
    -1."""
    a, b = corners[(axis + 1) % 3] - y, corners[(axis + 2) % 3] - z
    area = a[[1, 2, 0]] * b[[2, 0, 1]] - a[[2, 0, 1]] * b[[1, 2, 0]]  # twice the area of (line, b, c) and so on
    hit = np.flatnonzero((area > 0.0).all(axis=0) | (area < 0.0).all(axis=0))
    area = area[:, hit]
    total = area.sum(axis=0)
    return hit, (area * corners[axis][:, hit]).sum(axis=0) / total, np.sign(total)


def under_faces(corners: Corners, axis: int, y: FloatArray, z: FloatArray) -> Iterator[tuple[Ints, Ints]]:
    """Yield, in blocks, pairs of a line along `axis`, by its place (y, z), and a face whose bounding box it crosses."""
    q = corners[(axis + 2) % 3]
    low, high = q.min(axis=0), q.max(axis=0)
    order, first, count = _beside(corners[(axis + 1) % 3], y)
    for face, place in _expanded(first, count):
        line = order[place]
        meet = np.flatnonzero((low[face] <= z[line]) & (z[line] <= high[face]))
        yield line[meet], face[meet]


def compared(corners: Corners, axis: int, y: FloatArray) -> int:
    """Return the number of pairs that `under_faces` tests."""
    return int(_beside(corners[(axis + 1) % 3], y)[2].sum())


def _beside(p: FloatArray, y: FloatArray) -> tuple[Ints, Ints, Ints]:
    """Return the order of places, and for each face (3, m) the first place in its extent, and how many."""
    order = np.argsort(y, kind="stable")
    first = np.searchsorted(y[order], p.min(axis=0))
    return order, first, np.searchsorted(y[order], p.max(axis=0), side="right") - first


def _expanded(first: Ints, count: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Yield all (i, first[i] + k) with k in 0..count[i], about `PAIRS` at a time."""
    ends = np.cumsum(count)
    for some in blocks(int(ends[-1]) if len(ends) else 0, PAIRS):
        number = np.arange(some.start, some.stop)
        which = np.searchsorted(ends, number, side="right")
        yield which, number - (ends[which] - count[which]) + first[which]
