# SPDX-License-Identifier: GPL-3.0-or-later
"""The angles of a surface: between the faces around each edge, and those missing to a full turn at each vertex."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

import numpy as np

from ...arrays import Bools, FloatArray, Ints


@dataclass(frozen=True, eq=False)
class Faces:
    """Triangles with a normal.

    Parameters
    ----------
    corners : ndarray, shape (m, 3, 3)
        Their corners' coordinates [m].
    points : ndarray, shape (m, 3)
        Their corners' point numbers, equal for the same point.
    normal : ndarray, shape (m, 3)
        Unit vectors, on the side from which the corners wind counter-clockwise.
    area : ndarray, shape (m,)
        [m²].
    """

    corners: FloatArray
    points: Ints
    normal: FloatArray
    area: FloatArray


@dataclass(frozen=True, eq=False)
class Wedges:
    """The spaces between neighbouring faces around an edge: k in total, none at the rim, n around an edge of n faces.

    Parameters
    ----------
    edge : ndarray, shape (k,)
        The edge's number; ascending.
    opening : ndarray, shape (k,)
        The angle between the two faces, 0..2π; those around an edge add up to 2π.
    axis, toward : ndarray, shape (k, 3)
        Unit vectors along the edge, and from it into the space, half-way between the faces.
    middle, length : ndarray, shapes (k, 3) and (k,)
        The edge's middle and length [m].
    smaller, both : ndarray, shape (k,)
        The area of the smaller face and that of the two [m²].
    """

    edge: Ints
    opening: FloatArray
    axis: FloatArray
    toward: FloatArray
    middle: FloatArray
    length: FloatArray
    smaller: FloatArray
    both: FloatArray

    def between_two(self) -> Bools:
        """Return for each wedge True if its edge has two faces."""
        two: Bools = np.bincount(self.edge)[self.edge] == 2
        return two


@dataclass(frozen=True, eq=False)
class Angles:
    """The result of `angles`.

    Parameters
    ----------
    vertices : ndarray, shape (p, 3)
        The vertices around which faces close, two at each edge.
    defect : ndarray, shape (p,)
        2π minus the faces' angles there: the Gaussian curvature of the vertex.
    closed : bool
        Every edge has faces on both sides, wound the same way.
    """

    wedges: Wedges
    vertices: FloatArray
    defect: FloatArray
    closed: bool


def angles(faces: Faces) -> Angles:
    """Compute all angles of a surface with faces of any winding.

    Faces without three distinct points are ignored.
    """
    proper = (faces.points != np.roll(faces.points, 1, axis=1)).all(axis=1)
    faces = Faces(faces.corners[proper], faces.points[proper], faces.normal[proper], faces.area[proper])
    # One side of all faces after the other: all first sides, then all second, then all third.
    start, end = faces.points.T.ravel(), np.roll(faces.points, -1, axis=1).T.ravel()
    key = (np.minimum(start, end) << 32) | np.maximum(start, end)
    _, first, edge, count = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
    wedges = _wedges(faces, first, edge, count)
    turns = np.bincount(edge, np.where(start < end, 1.0, -1.0), minlength=len(count))
    rim = np.zeros(int(faces.points.max(initial=-1)) + 1, dtype=bool)
    odd = count[edge] != 2
    rim[start[odd]] = rim[end[odd]] = True
    vertices, defect = _defects(faces, rim)
    return Angles(wedges, vertices, defect, bool((count % 2 == 0).all() and not turns.any()))


def _wedges(faces: Faces, first: Ints, edge: Ints, count: Ints) -> Wedges:
    """Sort the sides of faces by edge and angle; a wedge is between one and the next."""
    face = np.tile(np.arange(len(faces.area)), 3)
    corners = faces.corners.transpose(1, 0, 2)
    a, b = corners.reshape(-1, 3), np.roll(corners, -1, axis=0).reshape(-1, 3)
    inner = np.flatnonzero(count[edge] > 1)
    along = b[first] - a[first]
    length = np.linalg.norm(along, axis=1)
    axis, middle = along / length[:, None], (a[first] + b[first]) / 2.0
    # From the edge into the face, for either winding.
    inward = np.cross(faces.normal[face], b - a)
    inward /= np.linalg.norm(inward, axis=1)[:, None]
    base = inward[first]
    side = np.cross(axis, base)
    edge, inward, face = edge[inner], inward[inner], face[inner]
    angle = np.arctan2((inward * side[edge]).sum(axis=1), (inward * base[edge]).sum(axis=1))

    order = np.lexsort((angle, edge))
    edge, angle, area = edge[order], angle[order], faces.area[face[order]]
    last = np.flatnonzero(np.diff(edge, append=-1))
    following = np.arange(1, len(edge) + 1)
    following[last] = np.concatenate((np.zeros(1, dtype=np.int64), last[:-1] + 1))[: len(last)]
    opening = angle[following] - angle
    opening[last] += 2.0 * pi
    half_way = angle + opening / 2.0
    toward = np.cos(half_way)[:, None] * base[edge] + np.sin(half_way)[:, None] * side[edge]
    smaller, both = np.minimum(area, area[following]), area + area[following]
    return Wedges(edge, opening, axis[edge], toward, middle[edge], length[edge], smaller, both)


def _defects(faces: Faces, rim: Bools) -> tuple[FloatArray, FloatArray]:
    """Return the vertices (p, 3) off the rim and their angle defects (p,)."""
    u = np.roll(faces.corners, -1, axis=1) - faces.corners
    v = np.roll(faces.corners, 1, axis=1) - faces.corners
    angle = np.arctan2(np.linalg.norm(np.cross(u, v), axis=2), (u * v).sum(axis=2))
    total = np.bincount(faces.points.ravel(), angle.ravel(), minlength=len(rim))
    points, at = np.unique(faces.points, return_index=True)
    off = ~rim[points]
    return faces.corners.reshape(-1, 3)[at[off]], 2.0 * pi - total[points[off]]
