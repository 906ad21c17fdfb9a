# SPDX-License-Identifier: GPL-3.0-or-later
"""Straight lines along an axis, and the faces that they cross."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...arrays import FloatArray, Ints, blocks
from .vectors import ROUNDING, Corners

WEIGHTS = np.array([0.4641016151377546, 0.3027756377319946, 0.2331227471302508])
"""A point inside a face, on none of its lines of symmetry: 2√3 - 3, √13 - 3.3028 and what is left of 1."""


LINES = 32
"""Lines along each side of the window."""

JITTER = (0.4142135623730951, 0.7320508075688772)
"""Lines avoid coordinates that people choose: they are not in a cell's middle, but at √2 - 1 and √3 - 1 of it."""

BLOCK = 1 << 20


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


def crossings(corners: Corners, axis: int, u: FloatArray, v: FloatArray) -> tuple[Ints, Ints, FloatArray, FloatArray]:
    """Find where lines along `axis` cross faces.

    Parameters
    ----------
    corners : ndarray, shape (3, 3, m)
    u, v : ndarray, shapes (k,) and (l,)
        Ascending coordinates along the two axes that follow; the lines, k l in all, stand at each u with each v, and
        are numbered with v fastest.

    Returns
    -------
    line, face, height, sign : ndarray
        The line, the face, the position on the line, and +1 if the face's normal points along the axis, else -1.
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


def _row(p: FloatArray, q: FloatArray, v: FloatArray) -> tuple[Ints, Ints]:
    """Return the first line, and how many, that may meet faces (3, k) where p is 0: few of many for a long thin
    face."""
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
    """Yield all (i, first[i] + k) with k in 0..count[i], about `BLOCK` at a time."""
    ends = np.cumsum(count)
    for some in blocks(int(ends[-1]) if len(ends) else 0, BLOCK):
        number = np.arange(some.start, some.stop)
        which = np.searchsorted(ends, number, side="right")
        yield which, number - (ends[which] - count[which]) + first[which]
