# SPDX-License-Identifier: Apache-2.0
"""Finds pairs of faces that pass through each other, or are close, by the smallest shift that separates them.

Two triangles are separated by a shift that moves their extents along some direction apart. Only directions
perpendicular to a face of their Minkowski difference matter: the two normals, and those perpendicular to a side of
both; in one plane, those perpendicular to one side and the normal. Along any other direction the shift is longer, so
that rounding errors of a direction are harmless (Gottschalk, Lin & Manocha 1996, OBBTree, section 5; Ericson 2005,
Real-Time Collision Detection, 5.2.1).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...arrays import FloatArray, Ints, blocks
from ...errors import InertiaError
from ..progress import unless_unwanted
from .boxes import ManyBoxes, Sides
from .vectors import ROUNDING, Corners, cross, dot

BLOCK = 1 << 14
"""Pairs per block: the temporaries stay in the cache."""

MOST_COMPARED, MOST_MEETING = 3 << 25, 1 << 23
"""Pairs of boxes that are compared, and pairs of faces whose boxes meet, at most: about two seconds for either, and far
more than any mesh of separate parts has."""


def face_pairs(corners: Corners, least: float, side: Sides | None = None) -> Iterator[tuple[Ints, Ints]]:
    """Yield, in blocks, the pairs of faces that are `deeper` in each other than `least`.

    Parameters
    ----------
    corners : ndarray, shape (3, 3, m)
        [m].
    least : float
        [m]; below zero, pairs at a smaller distance are included; above, only faces whose heights are all larger.
    side : ndarray, shape (m,), bool or int, optional
        Only faces of different sides make a pair.

    Raises
    ------
    InertiaError
        ``overlaps_not_checked`` if faces are so close together that there are too many pairs to compare.
    """
    if not corners.shape[2]:
        return
    # Lengths relative to the size, so that rounding errors are, too.
    origin = corners.min(axis=(1, 2))[:, None, None]
    size = float((corners - origin).max()) or 1.0
    scaled, least = (corners - origin) / size, least / size
    for face, other in _close_pairs(scaled, least, side):
        deep = deeper(scaled[:, :, face], scaled[:, :, other], least)
        if len(deep):
            yield face[deep], other[deep]


def _close_pairs(corners: Corners, least: float, side: Sides | None) -> Iterator[tuple[Ints, Ints]]:
    """Yield, in blocks, pairs of faces that include all of `face_pairs`; the size of the corners is 1."""
    faces = np.arange(corners.shape[2]) if least < 0.0 else _thicker(corners, least)
    if not len(faces):
        return
    if len(faces) < corners.shape[2]:
        corners, side = corners[:, :, faces], None if side is None else side[faces]
    # If boxes overlap by at most `least` along an axis, a shift along it separates their faces.
    room = ROUNDING - least / 2.0
    boxes = ManyBoxes(corners.min(axis=1) - room, corners.max(axis=1) + room, side)
    if boxes.compared() > MOST_COMPARED:
        raise too_many(len(faces))
    meeting = 0
    for face, other in boxes.pairs():
        unless_unwanted()
        meeting += len(face)
        if meeting > MOST_MEETING:
            raise too_many(len(faces))
        yield faces[face], faces[other]


def too_many(faces: int) -> InertiaError:
    """Return the error that so many faces were not compared."""
    return InertiaError.of("overlaps_not_checked", faces=faces)


def _thicker(corners: Corners, least: float) -> Ints:
    """Return the faces whose smallest height is larger than a length."""
    sides = corners[:, [1, 2, 0]] - corners
    longest = np.sqrt(dot(sides, sides).max(axis=0))
    normal = cross(sides[:, 0], sides[:, 1])
    return np.flatnonzero(np.sqrt(dot(normal, normal)) > least * longest)


def deeper(triangles: Corners, others: Corners, least: float) -> Ints:
    """Return which pairs of faces (3, 3, k) are not separated by a shift of `least` in any direction.

    Below zero, pairs at a smaller distance are included. Faces that share a side, or lie in one plane, are separated by
    a shift of 0: they touch. So do those with a common corner, unless they also meet elsewhere.
    """
    some = blocks(triangles.shape[2], BLOCK)
    deep = [_deeper(triangles[:, :, block], others[:, :, block], least) + block.start for block in some]
    return np.concatenate(deep) if deep else np.zeros(0, np.int64)


def _deeper(triangles: Corners, others: Corners, least: float) -> Ints:
    remaining = np.arange(triangles.shape[2])
    for plane, across in ((triangles, others), (others, triangles)):  # these separate most pairs
        meeting = _across(plane[:, :, remaining], across[:, :, remaining], least)
        remaining = remaining[meeting]
    # Relative to a corner of the first triangle, so that products of coordinates do not cancel.
    origin = triangles[:, :1, remaining]
    triangles, others = triangles[:, :, remaining] - origin, others[:, :, remaining] - origin
    for which in range(15 if least < 0.0 else 9):
        if not len(remaining):
            break
        axis = _direction(triangles, others, which)
        length = np.sqrt(dot(axis, axis))
        # By how much the extents of both overlap along this direction: the smaller of the two shifts that part them.
        a0, a1, a2 = (dot(axis, triangles[:, corner]) for corner in range(3))
        b0, b1, b2 = (dot(axis, others[:, corner]) for corner in range(3))
        depth = np.minimum(
            np.maximum(np.maximum(a0, a1), a2) - np.minimum(np.minimum(b0, b1), b2),
            np.maximum(np.maximum(b0, b1), b2) - np.minimum(np.minimum(a0, a1), a2),
        )
        meeting = np.flatnonzero((depth > least * length) | (length == 0.0))
        if len(meeting) < len(remaining):
            triangles, others, remaining = triangles[:, :, meeting], others[:, :, meeting], remaining[meeting]
    return remaining


def _across(plane: Corners, other: Corners, least: float) -> Ints:
    """Return which faces are not separated by such a shift along the normal of the first, which itself has no depth."""
    origin = plane[:, 0]
    normal = cross(plane[:, 1] - origin, plane[:, 2] - origin)
    # Heights of the other's corners over the plane, of which the least shift leaves all on one side.
    a, b, c = (dot(normal, other[:, corner] - origin) for corner in range(3))
    depth = np.minimum(np.maximum(np.maximum(a, b), c), -np.minimum(np.minimum(a, b), c))
    length = np.sqrt(dot(normal, normal))
    return np.flatnonzero((depth > least * length) | ((length == 0.0) & (least < 0.0)))


def _direction(triangles: Corners, others: Corners, which: int) -> FloatArray:
    """Return a direction (3, k) perpendicular to two sides; from the tenth on, in the plane of one face."""
    if which < 9:
        return cross(_side(triangles, which // 3), _side(others, which % 3))
    triangle = (triangles, others)[which % 2]
    return cross(cross(_side(triangle, 0), _side(triangle, 1)), _side(triangle, (which - 9) // 2))


def _side(corners: Corners, which: int) -> FloatArray:
    side: FloatArray = corners[:, (which + 1) % 3] - corners[:, which]
    return side


def crossing_lines(triangles: Corners, others: Corners) -> FloatArray:
    """Return the two ends (3, 2, k) of the line along which two faces cross, for pairs that pass through each other."""
    ends, normals = [], []
    for faces, planes in ((triangles, others), (others, triangles)):
        # Each side of the one whose ends are on different sides of the other's plane meets it at a share of its length.
        normals.append(cross(planes[:, 1] - planes[:, 0], planes[:, 2] - planes[:, 0]))
        height = dot(normals[-1][:, None], faces - planes[:, :1])
        fall = height - height[[1, 2, 0]]
        parted = (height > 0.0) != (height[[1, 2, 0]] > 0.0)
        share = np.where(parted, height / np.where(parted, fall, 1.0), np.nan)
        ends.append(faces + share * (faces[:, [1, 2, 0]] - faces))
    # Both faces cross the line of the two planes in a stretch: the inner two of the four ends are in both.
    points = np.concatenate(ends, axis=1)  # of four sides; the others, not numbers, are sorted last
    order = np.argsort(dot(cross(*normals)[:, None], points), axis=0)
    lines: FloatArray = np.take_along_axis(points, order[None, 1:3], axis=1)
    return lines
