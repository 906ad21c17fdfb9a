# SPDX-License-Identifier: GPL-3.0-or-later
"""Straight lines through a mesh: where they cross its faces, and how often the surface winds in between.

Columns cover a whole mesh evenly; a few lines, put where two components come close, see what is thinner than a column.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from ...arrays import FloatArray, Ints, blocks
from ..progress import unless_unwanted
from ..surface import Surface

Corners = FloatArray
"""Shape (3, 3, m): axis, corner, face [m]."""

LINES = 32
"""Lines along each side of the window that is looked into."""

JITTER = (0.4142135623730951, 0.7320508075688772)
"""Lines keep off the places that people choose: where a cell's middle would be, √2 - 1 and √3 - 1 of it."""

WEIGHTS = np.array([0.4641016151377546, 0.3027756377319946, 0.2331227471302508])
"""A point inside a face, on none of its lines of symmetry: 2√3 - 3, √13 - 3.3028 and what is left of 1."""

BLOCK = 1 << 20

MOST_COMPARED = 1 << 24
"""Points and faces at a time that are compared, each with each."""

SOME = 1 << 16
"""Faces at a time whose corners are gathered."""

ROUNDING = 2.0**-40
"""A place on a side is known to this share of the coordinates, and far better: what is nearer to a line is tried."""


ON_SURFACE = 2.0**-20
"""A point nearer to a face than this share of the size is on it, as for merging."""


@dataclass(frozen=True, eq=False)
class BoxedFaces:
    """Faces, each with its bounding box.

    Parameters
    ----------
    corners : ndarray, shape (3, 3, m)
    low, high : ndarray, shape (3, m)
    """

    corners: Corners
    low: FloatArray
    high: FloatArray

    @classmethod
    def of(cls, corners: Corners) -> BoxedFaces:
        count = corners.shape[2]
        low, high = np.empty((3, count)), np.empty((3, count))
        for some in blocks(count, SOME):
            corners[:, :, some].min(axis=1, out=low[:, some])
            corners[:, :, some].max(axis=1, out=high[:, some])
        return cls(corners, low, high)

    def split(self, places: Ints) -> list[BoxedFaces]:
        """Return those before the first of some places, those from there to the second, and so on."""
        parts = (np.split(whole, places, axis=-1) for whole in (self.corners, self.low, self.high))
        return [BoxedFaces(*part) for part in zip(*parts, strict=True)]

    def flipped(self) -> BoxedFaces:
        """Return them wound the other way."""
        return replace(self, corners=self.corners[:, ::-1])


@dataclass(frozen=True)
class Sample:
    """What lines saw in a window.

    Parameters
    ----------
    overlap, negative : float
        Volume where the winding is above one, and below zero [m³]: the lines' own estimate.
    overlap_depth, negative_depth : float
        The longest stretch of a line in there [m].
    """

    overlap: float
    negative: float
    overlap_depth: float
    negative_depth: float

    def __or__(self, other: Sample) -> Sample:
        """Return the more that either saw."""
        return Sample(
            max(self.overlap, other.overlap),
            max(self.negative, other.negative),
            max(self.overlap_depth, other.overlap_depth),
            max(self.negative_depth, other.negative_depth),
        )


def face_corners(surface: Surface, faces: Ints) -> Corners:
    """Return the corners of some faces in float64."""
    corners = np.empty((3, 3, len(faces)))
    many = len(faces) > len(surface.vertices)  # then numbers are gathered from rows of x, y and z, which is quicker
    rows = np.ascontiguousarray(surface.vertices.T, dtype=np.float64) if many else None
    for some in blocks(len(faces), SOME):  # of all at once, what comes in between would not stay in the cache
        index = np.ascontiguousarray(surface.triangles.take(faces[some], axis=0).T, dtype=np.intp)
        if rows is None:
            corners[:, :, some] = surface.vertices.take(index, axis=0).transpose(2, 0, 1)
            continue
        for row, coordinates in zip(rows, corners, strict=True):
            for number, coordinate in zip(index, coordinates, strict=True):
                row.take(number, out=coordinate[some], mode="clip")
    return corners


def crossings(corners: Corners, axis: int, u: FloatArray, v: FloatArray) -> tuple[Ints, Ints, FloatArray, FloatArray]:
    """Find where lines along `axis` cross faces.

    Parameters
    ----------
    corners : ndarray, shape (3, 3, m)
    axis : int
    u, v : ndarray, shapes (k,) and (l,)
        Ascending coordinates along the two axes that follow; the lines, k l in all, stand at each u with each v, and
        are numbered so that v runs faster.

    Returns
    -------
    line, face, height, sign : ndarray
        The line, the face, where on the line, and +1 where the face looks along the axis, -1 where it looks back.
    """
    p, q = corners[(axis + 1) % 3], corners[(axis + 2) % 3]
    lines, faces = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    heights, signs = [np.zeros(0)], [np.zeros(0)]
    first_u, first_v = np.searchsorted(u, p.min(axis=0)), np.searchsorted(v, q.min(axis=0))
    rows = np.searchsorted(u, p.max(axis=0), side="right") - first_u
    rows[np.searchsorted(v, q.max(axis=0), side="right") == first_v] = 0
    for cut, i in _expanded(first_u, rows):
        first, row = _row(p[:, cut] - u[i], q[:, cut], v)
        for which, j in _expanded(first, row):
            face, k = cut[which], i[which]
            hit, height, sign = hits(corners[:, :, face], axis, u[k], v[j])
            lines.append(k[hit] * len(v) + j[hit])
            faces.append(face[hit])
            heights.append(height)
            signs.append(sign)
    return np.concatenate(lines), np.concatenate(faces), np.concatenate(heights), np.concatenate(signs)


def hits(corners: Corners, axis: int, y: FloatArray, z: FloatArray) -> tuple[Ints, FloatArray, FloatArray]:
    """Return which lines along `axis`, one for each face, cross it; where; and +1 where it looks along the axis."""
    a, b = corners[(axis + 1) % 3] - y, corners[(axis + 2) % 3] - z
    area = a[[1, 2, 0]] * b[[2, 0, 1]] - a[[2, 0, 1]] * b[[1, 2, 0]]  # twice that of (line, b, c) and so on
    hit = np.flatnonzero((area > 0.0).all(axis=0) | (area < 0.0).all(axis=0))
    area = area[:, hit]
    total = area.sum(axis=0)
    return hit, (area * corners[axis][:, hit]).sum(axis=0) / total, np.sign(total)


def _row(p: FloatArray, q: FloatArray, v: FloatArray) -> tuple[Ints, Ints]:
    """Return the first line, and how many, that may meet faces (3, k) where p is 0: of a long thin one, few of many."""
    start, end = np.full(p.shape[1], np.inf), np.full(p.shape[1], -np.inf)
    for a, b in ((0, 1), (1, 2), (2, 0)):
        meets = np.flatnonzero((p[a] <= 0.0) != (p[b] <= 0.0))
        share = p[a, meets] / (p[a, meets] - p[b, meets])
        place = q[a, meets] + share * (q[b, meets] - q[a, meets])
        start[meets], end[meets] = np.minimum(start[meets], place), np.maximum(end[meets], place)
    room = ROUNDING * np.abs(q).max(initial=0.0)
    first = np.searchsorted(v, start - room)
    return first, np.maximum(np.searchsorted(v, end + room, side="right") - first, 0)


def _expanded(first: Ints, count: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Yield all (i, first[i] + k) with k in 0..count[i], some `BLOCK` at a time."""
    ends = np.cumsum(count)
    for some in blocks(int(ends[-1]) if len(ends) else 0, BLOCK):
        number = np.arange(some.start, some.stop)
        which = np.searchsorted(ends, number, side="right")
        yield which, number - (ends[which] - count[which]) + first[which]


def winding_at(component: BoxedFaces, faces: Corners, tolerance: float) -> FloatArray:
    """Return how often a closed surface winds around a point of each of some faces.

    Parameters
    ----------
    component : BoxedFaces
        Of the surface.
    faces : ndarray, shape (3, 3, k)
    tolerance : float
        A point nearer to the surface than this, along the line through it, is on it [m].

    Returns
    -------
    ndarray, shape (k,)
        0.5 where the point lies on the surface, or where the line through it does not tell.
    """
    points = faces.transpose(0, 2, 1) @ WEIGHTS  # (3, k)
    edges = faces[:, 1:] - faces[:, :1]
    normal = np.abs(np.cross(edges[:, 0], edges[:, 1], axis=0))
    result = np.full(points.shape[1], 0.5)
    along = np.argmax(normal, axis=0)
    count = component.corners.shape[2]
    few = max(MOST_COMPARED // count, 1)
    for axis, begin in product(range(3), range(0, points.shape[1], few)):
        second, third = (axis + 1) % 3, (axis + 2) % 3
        chosen = begin + np.flatnonzero(along[begin : begin + few] == axis)
        x, y, z = points[[axis, second, third]][:, chosen]
        near = (component.low[second] <= y[:, None]) & (component.high[second] >= y[:, None])
        near &= (component.low[third] <= z[:, None]) & (component.high[third] >= z[:, None])
        line, face = np.divmod(np.flatnonzero(near), count)
        hit, height, sign = hits(component.corners[:, :, face], axis, y[line], z[line])
        line, above = line[hit], height - x[line[hit]]
        lines = len(chosen)
        decided = np.bincount(line, sign, lines) == 0.0
        decided[line[np.abs(above) <= tolerance]] = False
        result[chosen[decided]] = np.bincount(line, sign * (above > 0.0), lines)[decided]
    return result


def sample_window(corners: Corners, low: FloatArray, high: FloatArray, near: FloatArray, far: FloatArray) -> Sample:
    """Measure the winding inside a window, by lines along the shortest side of its core.

    Parameters
    ----------
    corners : ndarray, shape (3, 3, m)
        All faces of every component that meets the window.
    low, high : ndarray, shape (3,)
        The window [m].
    near, far : ndarray, shape (3,)
        Low and high corner of the part of the window that the lines run through [m].
    """
    unless_unwanted()
    extent = far - near
    axis = int(np.argmin(extent))
    second, third = (axis + 1) % 3, (axis + 2) % 3
    cell = extent / LINES
    step = np.arange(LINES)
    u, v = near[second] + (step + JITTER[0]) * cell[second], near[third] + (step + JITTER[1]) * cell[third]
    line, _, height, sign = crossings(corners, axis, u, v)
    order = np.lexsort((sign, height, line))
    line, height, sign = line[order], height[order], sign[order]
    torn = np.bincount(line, sign, minlength=LINES**2) != 0.0  # a line through an edge or a corner tells nothing
    kept = ~torn[line]
    line, height, sign = line[kept], np.clip(height[kept], low[axis], high[axis]), sign[kept]
    winding = -np.cumsum(sign)  # every line kept ends at 0, so the next begins there
    length = np.diff(height, append=0.0)
    length[winding == 0.0] = 0.0
    above, below = length[winding > 1.0], length[winding < 0.0]
    share = float(cell[second] * cell[third]) * torn.size / max(np.count_nonzero(~torn), 1)
    return Sample(
        float(above.sum()) * share,
        float(below.sum()) * share,
        float(above.max(initial=0.0)),
        float(below.max(initial=0.0)),
    )
