# SPDX-License-Identifier: Apache-2.0
"""Many vectors at once, as rows x, y, z: corners of faces, fast products, and straight lines that cross faces."""

from __future__ import annotations

import numpy as np

from ...arrays import FloatArray, Ints, blocks, ranges
from ..progress import unless_unwanted
from ..surface import Surface

Corners = FloatArray
"""Shape (3, 3, m): axis, corner, face [m]."""

SOME, PAIRS = 1 << 16, 1 << 18
"""Faces per block when corners are gathered; and pairs of a line and a face per block."""

ROUNDING = 2.0**-40
"""A position on a side is accurate to this share of the coordinates, usually far better: anything nearer to a line is
tested."""


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


def sizes(surface: Surface) -> tuple[FloatArray, FloatArray]:
    """Return the area of each face, and the signed volume between it and the middle of the surface."""
    low, high = surface.bounds()
    corners = face_corners(surface, np.arange(len(surface.triangles))) - (low + (high - low) / 2.0)[:, None, None]
    a, b, c = corners.transpose(1, 0, 2)
    normal = cross(b - a, c - a)
    return np.sqrt(dot(normal, normal)) / 2.0, dot(a, normal) / 6.0


def crossings(corners: Corners, axis: int, y: FloatArray, z: FloatArray) -> tuple[Ints, Ints, FloatArray, FloatArray]:
    """Return where lines along `axis`, by their places (y, z), cross faces: the line, the face, the height along the
    axis, and +1 if the face looks along the axis, else -1."""
    p, q = corners[(axis + 1) % 3], corners[(axis + 2) % 3]
    # Pairs of a face and a line between its extents in y, by blocks; then only those between its extents in z.
    low, high, order = q.min(axis=0), q.max(axis=0), np.argsort(y, kind="stable")
    parts = [(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0), np.zeros(0))]
    for face, place in ranges(*_beside(p, y), PAIRS):
        unless_unwanted()
        line = order[place]
        meet = np.flatnonzero((low[face] <= z[line]) & (z[line] <= high[face]))
        line, face = line[meet], face[meet]
        # The corners relative to the line: it hits the face if it is on the same side of all three sides.
        a, b = p[:, face] - y[line], q[:, face] - z[line]
        area = a[[1, 2, 0]] * b[[2, 0, 1]] - a[[2, 0, 1]] * b[[1, 2, 0]]  # twice the area of (line, b, c) and so on
        hit = np.flatnonzero((area > 0.0).all(axis=0) | (area < 0.0).all(axis=0))
        line, face, area = line[hit], face[hit], area[:, hit]
        total = area.sum(axis=0)
        parts.append((line, face, (area * corners[axis][:, face]).sum(axis=0) / total, np.sign(total)))
    lines, faces, places, signs = (np.concatenate(part) for part in zip(*parts, strict=True))
    return lines, faces, places, signs


def compared(corners: Corners, axis: int, y: FloatArray) -> int:
    """Return the number of pairs that `crossings` tests."""
    return int(_beside(corners[(axis + 1) % 3], y)[1].sum())


def _beside(p: FloatArray, y: FloatArray) -> tuple[Ints, Ints]:
    """Return for each face, by its p (3, m), the first of the sorted places within its extent, and how many there
    are."""
    ordered = np.sort(y)
    first = np.searchsorted(ordered, p.min(axis=0))
    return first, np.searchsorted(ordered, p.max(axis=0), side="right") - first
