# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of faces that pass through each other, and pairs that come close: by the least shift that parts them.

Two triangles are parted by a shift that lifts their extents along some direction off each other. Of all directions
only those at right angles to a face of their Minkowski difference matter: the two normals, and those at right angles
to a side of either; in one plane, those at right angles to one side and the normal. Along any other direction the
shift is longer, so that a direction spoilt by rounding does no harm (Gottschalk, Lin & Manocha 1996, OBBTree, section
5; Ericson 2005, Real-Time Collision Detection, 5.2.1).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..arrays import FloatArray
from .boxes import many_box_pairs
from .probe import Corners
from .topology import Bools
from .weld import Ints

BLOCK = 1 << 14
"""Pairs at a time: the temporaries stay in the cache."""


def face_pairs(corners: Corners, least: float, side: Bools | None = None) -> Iterator[tuple[Ints, Ints]]:
    """Yield, in blocks, the pairs of faces that are `deeper` in each other than `least`.

    Parameters
    ----------
    corners : ndarray, shape (3, 3, m)
        [m].
    least : float
        [m]; below zero, faces count that are apart by less.
    side : ndarray, shape (m,), bool, optional
        Only faces of different sides make a pair.
    """
    if not corners.shape[2]:
        return
    low, high = corners.min(axis=1), corners.max(axis=1)
    origin = low.min(axis=1)[:, None]
    size = float((high.max(axis=1)[:, None] - origin).max()) or 1.0
    room = max(-least, 0.0) / size / 2.0
    scaled = (corners - origin[:, None]) / size
    for one, other in many_box_pairs((low - origin) / size - room, (high - origin) / size + room, side):
        found = deeper(scaled[:, :, one], scaled[:, :, other], least / size)
        if len(found):
            yield one[found], other[found]


def deeper(one: Corners, other: Corners, least: float) -> Ints:
    """Return which pairs of faces are not parted by a shift of `least`, whatever its direction.

    Faces that share a side, or lie in one plane, are parted by no shift at all (0): they touch. So do those with a
    corner in common, unless they meet elsewhere too.

    Parameters
    ----------
    one, other : ndarray, shape (3, 3, k)
        Axis, corner, pair.
    least : float
        A length, in the unit of the corners. Below zero, pairs count that are apart by less.
    """
    blocks = [slice(begin, begin + BLOCK) for begin in range(0, one.shape[2], BLOCK)]
    kept = [_deeper(one[:, :, block], other[:, :, block], least) + block.start for block in blocks]
    return np.concatenate(kept) if kept else np.zeros(0, np.int64)


def _deeper(one: Corners, other: Corners, least: float) -> Ints:
    origin = one[:, :1]
    one, other = one - origin, other - origin
    left = np.arange(one.shape[2])
    for which in range(17 if least < 0.0 else 11):
        if not len(left):
            break
        axis = _direction(one, other, which)
        length = np.sqrt((axis * axis).sum(axis=0))
        a, b = (axis[:, None] * one).sum(axis=0), (axis[:, None] * other).sum(axis=0)
        depth = np.minimum(a.max(axis=0) - b.min(axis=0), b.max(axis=0) - a.min(axis=0))
        kept = np.flatnonzero((depth > least * length) | (length == 0.0))
        if len(kept) < len(left):
            one, other, left = one[:, :, kept], other[:, :, kept], left[kept]
    return left


def _direction(one: Corners, other: Corners, which: int) -> FloatArray:
    """Return a direction (3, k): the normals first, which part most; then one for each two sides; then in the plane."""
    if which < 2:
        return _normal((other, one)[which])
    if which < 11:
        return _cross(_side(one, (which - 2) // 3), _side(other, (which - 2) % 3))
    triangle = (one, other)[which % 2]
    return _cross(_normal(triangle), _side(triangle, (which - 11) // 2))


def _side(corners: Corners, which: int) -> FloatArray:
    side: FloatArray = corners[:, (which + 1) % 3] - corners[:, which]
    return side


def _normal(corners: Corners) -> FloatArray:
    return _cross(_side(corners, 0), _side(corners, 1))


def _cross(u: FloatArray, v: FloatArray) -> FloatArray:
    (ux, uy, uz), (vx, vy, vz) = u, v
    return np.stack([uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx])
