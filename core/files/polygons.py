# SPDX-License-Identifier: Apache-2.0
"""Polygons of any number of corners as triangles."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..arrays import Ints, QuadArray, TriangleArray
from ..body.shapes import Shape
from ..mesh.surface import Surface


class Faces(NamedTuple):
    """Fans of triangles (m, 3), and those polygons that are quads (k, 4)."""

    triangles: TriangleArray
    quads: QuadArray


NO_QUADS: QuadArray = np.zeros((0, 4), dtype=np.int64)


def fans(count: Ints, corner: Ints) -> Faces:
    """Cut polygons into fans about their first corner.

    For a planar polygon of any shape, the integral over its fan is that of the polygon.

    Parameters
    ----------
    count : ndarray, shape (n,)
        Corners of each polygon, three or more.
    corner : ndarray, shape (sum of count,)
        Vertex indices, polygon after polygon.
    """
    if (count == 3).all():
        return Faces(corner.reshape(-1, 3), NO_QUADS)
    # Corner 0 of each polygon, then 1 and 2, 2 and 3, ...: the corner's number for each triangle.
    start = np.cumsum(count) - count
    first = np.repeat(start, count - 2)
    step = np.arange(len(first)) - np.repeat(np.cumsum(count - 2) - (count - 2), count - 2)
    triangles = corner[np.stack([first, first + step + 1, first + step + 2], axis=-1)]
    return Faces(triangles, corner[start[count == 4][:, None] + np.arange(4)])


def strips(count: Ints, corner: Ints) -> TriangleArray:
    """Cut strips into triangles: each corner makes one with the two before it, with alternating winding.

    Parameters
    ----------
    count : ndarray, shape (n,)
        Corners of each row.
    corner : ndarray, shape (sum of count,)
        Vertex indices, row after row; -1 begins a new strip. A repeated corner makes no triangle, but still
        alternates the winding.
    """
    corner = np.insert(corner, np.cumsum(count), -1)
    number = np.arange(len(corner))
    place = number - np.maximum.accumulate(np.where(corner == -1, number, -1))  # 1 for a strip's first corner
    a, b, c = corner[:-2], corner[1:-1], corner[2:]
    proper = (place[2:] > 2) & (a != b) & (b != c) & (c != a)
    backwards = place[2:] % 2 == 0
    triangles: TriangleArray = np.stack([np.where(backwards, b, a), np.where(backwards, a, b), c], axis=-1)[proper]
    return triangles


@lru_cache(maxsize=256)
def surface_of(shape: Shape) -> Surface:
    """Return a closed mesh with the extents of a shape."""
    vertices, faces = shape.facets()
    count = np.array([len(face) for face in faces])
    return Surface(vertices, fans(count, np.concatenate([np.array(face) for face in faces])).triangles)
