# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a closed surface passes through itself, and what that encloses twice, or less than never."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import FloatArray
from .crossing_faces import face_pairs
from .probe import LINES, Corners, Look, face_corners, look
from .single_sheets import perhaps_crossing
from .surface import Surface
from .topology import connected, repeated
from .weld import Ints, weld_size

MANY = 1 << 11
"""Faces from which on it pays to look for single sheets before pairs."""

MAX_PLACES = 32
"""Places that lines look into, those where the most faces cross first."""

AROUND = 2.0**-2, 2.0**-6, 2.0**-10
"""Lines go through the box around a place where faces cross, wider by that share of its longest side: by the first
share, then, where they see nothing of it, closer to where the faces cross."""


@dataclass(frozen=True, eq=False)
class Crossing:
    """Faces that pass through others, and what lines saw around them.

    Parameters
    ----------
    faces : ndarray, shape (k,), int64
    overlap, negative : float
        Volume where the winding is above one, and below zero [m³].
    unseen : float
        Volume between the lines at the places where they saw neither [m³].
    middle : ndarray, shape (3,)
        Of the place where the most faces cross [m].
    """

    faces: Ints
    overlap: float
    negative: float
    unseen: float
    middle: FloatArray


def crossing_pairs(surface: Surface, closed: bool = True) -> tuple[Ints, Ints]:
    """Return the pairs of faces that pass through each other by more than a welding cell.

    Parameters
    ----------
    surface : Surface
        Its corners merged to points.
    closed : bool
        Whether it is closed and wound consistently, which saves time.

    Returns
    -------
    one, other : ndarray, shape (k,), int64
    """
    many = closed and len(surface.triangles) >= MANY
    faces = perhaps_crossing(surface) if many else np.arange(len(surface.triangles))
    found = list(face_pairs(face_corners(surface, faces), weld_size(surface)))
    one, other = (faces[np.concatenate([np.zeros(0, np.int64), *(pair[k] for pair in found)])] for k in (0, 1))
    if not len(one):
        return one, other
    walls = _cancelling(surface, np.union1d(one, other))
    kept = ~(np.isin(one, walls) | np.isin(other, walls))
    return one[kept], other[kept]


def meeting_pairs(surface: Surface) -> tuple[Ints, Ints]:
    """Return the pairs of faces that come nearer than a welding cell and share no corner. The rest is as above."""
    corners = face_corners(surface, np.arange(len(surface.triangles)))
    found = list(face_pairs(corners, -weld_size(surface)))
    one, other = (np.concatenate([np.zeros(0, np.int64), *(pair[k] for pair in found)]) for k in (0, 1))
    a, b = (corners[:, :, faces] for faces in (one, other))
    apart = ~(a[:, :, None] == b[:, None]).all(axis=0).any(axis=(0, 1))
    return one[apart], other[apart]


def _cancelling(surface: Surface, faces: Ints) -> Ints:
    """Return those of some faces that are there both ways round, so that they enclose nothing."""
    _, number = np.unique(surface.vertices[surface.triangles[faces]].reshape(-1, 3), axis=0, return_inverse=True)
    _, opposite = repeated(number.ravel().reshape(-1, 3), np.arange(len(faces)))
    return faces[opposite]


def look_closely(surface: Surface, one: Ints, other: Ints) -> Crossing:
    """Look with lines through the places where faces cross.

    Parameters
    ----------
    surface : Surface
        As for `crossing_pairs`.
    one, other : ndarray, shape (k,), int64
        As it gives them.
    """
    corners = face_corners(surface, np.arange(len(surface.triangles)))
    low, high = corners.min(axis=1), corners.max(axis=1)
    cuts = crossing_lines(corners[:, :, one], corners[:, :, other])
    place = connected(one, other, len(surface.triangles))[one]
    order = np.argsort(place, kind="stable")
    places = sorted(np.split(order, np.flatnonzero(np.diff(place[order])) + 1), key=len, reverse=True)
    depth = weld_size(surface)
    overlap = negative = unseen = 0.0
    for number, pairs in enumerate(places):
        line = pairs[np.argmax(np.ptp(cuts[:, :, pairs], axis=1).max(axis=0))]
        for lines, times in ((pairs, 1), ([line], len(pairs))):  # the whole place; the longest line of it, for all
            near, far = cuts[:, :, lines].min(axis=(1, 2)), cuts[:, :, lines].max(axis=(1, 2))
            longest = float((far - near).max())
            seen = Look(0.0, 0.0, 0.0, 0.0)
            for share in AROUND if number < MAX_PLACES else ():
                seen |= _through(corners, low, high, near - share * longest, far + share * longest)
                if max(seen.overlap_depth, seen.negative_depth) > depth:
                    break
            if max(seen.overlap_depth, seen.negative_depth) > depth:
                overlap += times * seen.overlap if seen.overlap_depth > depth else 0.0
                negative += times * seen.negative if seen.negative_depth > depth else 0.0
                break
        else:
            unseen += times * longest**3 / LINES**2
    middle = cuts[:, :, places[0]].mean(axis=(1, 2))
    return Crossing(np.unique(np.concatenate([one, other])), overlap, negative, unseen, middle)


def crossing_lines(one: Corners, other: Corners) -> FloatArray:
    """Return the two ends (3, 2, k) of the line along which two faces cross, for pairs that pass through each other."""
    ends = np.concatenate([_cut_by_plane(one, other), _cut_by_plane(other, one)], axis=1)
    along = ends.max(axis=1) - ends.min(axis=1)
    axis = np.argmax(along, axis=0)
    order = np.argsort(np.take_along_axis(ends, axis[None, None], axis=0)[0], axis=0)
    lines: FloatArray = np.take_along_axis(ends, order[None, 1:3], axis=1)
    return lines


def _cut_by_plane(faces: Corners, planes: Corners) -> FloatArray:
    """Return the two points (3, 2, k) where the sides of each face go through the plane of another."""
    origin = planes[:, 0]
    normal = np.cross(planes[:, 1] - origin, planes[:, 2] - origin, axis=0)
    height = (normal[:, None] * (faces - origin[:, None])).sum(axis=0)
    above = height > 0.0
    parted = above != above[[1, 2, 0]]
    first, last = np.argmax(parted, axis=0), 2 - np.argmax(parted[::-1], axis=0)
    start = np.stack([first, last])
    end = (start + 1) % 3
    h, g = np.take_along_axis(height, start, axis=0), np.take_along_axis(height, end, axis=0)
    p, q = np.take_along_axis(faces, start[None], axis=1), np.take_along_axis(faces, end[None], axis=1)
    points: FloatArray = p + h / (h - g) * (q - p)
    return points


def _through(corners: Corners, low: FloatArray, high: FloatArray, near: FloatArray, far: FloatArray) -> Look:
    """Look with lines through a window along its shortest side, but all the way."""
    axis = int(np.argmin(far - near))
    met = np.ones(corners.shape[2], dtype=bool)
    for across in ((axis + 1) % 3, (axis + 2) % 3):
        met &= (low[across] <= far[across]) & (high[across] >= near[across])
    bottom, top = near.copy(), far.copy()
    bottom[axis], top[axis] = low[axis, met].min(), high[axis, met].max()
    return look(corners[:, :, met], bottom, top, near, far)
