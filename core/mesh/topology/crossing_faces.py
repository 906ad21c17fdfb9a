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
from dataclasses import dataclass

import numpy as np

from ...arrays import FloatArray, Ints, blocks
from ...errors import InertiaError
from ..progress import unless_unwanted
from .boxes import Sides, many_box_pairs
from .vectors import ROUNDING, Corners, cross, dot

BLOCK = 1 << 14
"""Pairs per block: the temporaries stay in the cache."""

OBLIQUE = 1e-4
"""Minimum sine of the angle between two planes whose line is accurate."""

MOST_MEETING = 1 << 23
"""Pairs of faces whose boxes meet, at most: about two seconds, and far more than any mesh of separate parts has."""


def face_pairs(corners: Corners, least: float, side: Sides | None = None) -> Iterator[tuple[Ints, Ints]]:
    """Yield, in blocks, the pairs of faces that no shift of `least` in any direction separates.

    Faces that share a side, or lie in one plane, are separated by a shift of 0: they touch. So do those with a common
    corner, unless they also meet elsewhere.

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
    planes = _Planes.of(scaled)
    for pairs in _close_pairs(scaled, least, side):
        for some in blocks(len(pairs[0]), BLOCK):
            face, other = planes.meeting(pairs[0][some], pairs[1][some], least)
            deep = _deeper(planes.corners_of(face), planes.corners_of(other), least)
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
    meeting = 0
    for face, other in many_box_pairs(corners.min(axis=1) - room, corners.max(axis=1) + room, side):
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


@dataclass(frozen=True, eq=False)
class _Planes:
    """Faces with their planes, which separate most pairs.

    Parameters
    ----------
    corners : ndarray, shape (9, m)
        Of each face; its size is 1.
    normal : ndarray, shape (3, m)
        Of each plane: twice the area of its face.
    offset, length : ndarray, shape (m,)
        Height of each plane over the origin, times the length of its normal; that length.
    """

    corners: FloatArray
    normal: FloatArray
    offset: FloatArray
    length: FloatArray

    @classmethod
    def of(cls, corners: Corners) -> _Planes:
        normal = cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        offset = dot(normal, corners[:, 0])
        return cls(corners.reshape(9, -1), normal, offset, np.sqrt(dot(normal, normal)))

    def corners_of(self, faces: Ints) -> Corners:
        """Return the corners (3, 3, k) of some faces; to take long rows is several times as fast as to index all."""
        return self.corners.take(faces, axis=1, mode="clip").reshape(3, 3, -1)

    def meeting(self, face: Ints, other: Ints, least: float) -> tuple[Ints, Ints]:
        """Return the pairs that are not separated along one of their normals, or by less along the planes' line."""
        for _ in range(2):  # each with the normal of its second face
            face, other = other, face
            heights, length = self._heights(face, other), self.length.take(face)
            # The least shift of the plane that leaves all corners of the other face on one side.
            depth = np.minimum(heights.max(axis=0), -heights.min(axis=0))
            met = np.flatnonzero((depth > least * length) | ((length == 0.0) & (least < 0.0)))
            face, other = face.take(met), other.take(met)
        if least < 0.0 or not len(face):
            return face, other
        # A shift along the line of the two planes, out of what the other face covers of it, separates them, too.
        line = cross(self.normal.take(face, axis=1), self.normal.take(other, axis=1))
        low, high = self._stretch(line, face, other)
        other_low, other_high = self._stretch(line, other, face)
        shift = np.minimum(high - other_low, other_high - low)
        length = np.sqrt(dot(line, line))
        oblique = length > OBLIQUE * self.length.take(face) * self.length.take(other)
        met = np.flatnonzero(~(oblique & (shift < least / 2.0 * length)))
        return face.take(met), other.take(met)

    def _heights(self, plane: Ints, face: Ints) -> FloatArray:
        """Return the heights (3, k) of the corners of faces over planes, times the lengths of the normals."""
        x, y, z = self.corners_of(face)
        a, b, c = self.normal.take(plane, axis=1, mode="clip")
        heights: FloatArray = a * x
        heights += b * y
        heights += c * z
        heights -= self.offset.take(plane, mode="clip")
        return heights

    def _stretch(self, line: FloatArray, face: Ints, plane: Ints) -> tuple[FloatArray, FloatArray]:
        """Return where faces begin and end to cover the line, along it, in which they meet planes that cut them."""
        heights = self._heights(plane, face)
        place = dot(line[:, None], self.corners_of(face))
        following = [1, 2, 0]
        parted = (heights > 0.0) != (heights[following] > 0.0)
        share = heights / np.where(parted, heights - heights[following], 1.0)
        ends = place + share * (place[following] - place)
        return np.where(parted, ends, np.inf).min(axis=0), np.where(parted, ends, -np.inf).max(axis=0)


def _deeper(triangles: Corners, others: Corners, least: float) -> Ints:
    """Return which pairs of faces (3, 3, k) no shift of `least` separates in a direction of their sides."""
    remaining = np.arange(triangles.shape[2])
    # Relative to a corner of the first triangle, so that products of coordinates do not cancel.
    origin = triangles[:, :1]
    triangles, others = triangles - origin, others - origin
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
