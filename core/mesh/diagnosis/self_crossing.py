# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a closed surface passes through itself, and what that encloses twice, or less than never."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...arrays import FloatArray, Ints
from ..geometry.crossing_faces import face_pairs
from ..geometry.probe import LINES, Corners, Sample, face_corners, sample_window
from ..geometry.vectors import cross, dot
from ..surface import Surface
from ..topology.connected import connected
from ..topology.edges import repeated
from ..topology.merging import merging_size
from ..topology.single_patches import perhaps_crossing

MAX_PLACES = 32
"""Places that lines look into, those where the most faces cross first."""

AROUND = 2.0**-2, 2.0**-6, 2.0**-10
"""How much wider than where faces cross the windows are that lines go through, as shares of the longest side: each is
tried where lines see nothing in the one before."""

WIDER, MORE = 0.5, 1.25
"""A window that lines saw something in is widened by that share, as long as they see that many times more."""


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
    """

    faces: Ints
    overlap: float
    negative: float
    unseen: float


def crossing_pairs(surface: Surface, closed: bool = True) -> tuple[Ints, Ints]:
    """Return the pairs of faces that pass through each other by more than a merging cell.

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
    faces = perhaps_crossing(surface) if closed else np.arange(len(surface.triangles))
    return without_walls(surface, *passing_pairs(surface, faces, merging_size(surface)))


def passing_pairs(surface: Surface, faces: Ints, depth: float) -> tuple[Ints, Ints]:
    """Return the pairs of some faces that pass through each other by more than a depth [m].

    Among them are walls that are there both ways round, which hang on how faces are wound.
    """
    found = list(face_pairs(face_corners(surface, faces), depth))
    one, other = (faces[np.concatenate([np.zeros(0, np.int64), *(pair[k] for pair in found)])] for k in (0, 1))
    return one, other


def without_walls(surface: Surface, one: Ints, other: Ints) -> tuple[Ints, Ints]:
    """Return the pairs of faces none of which is there both ways round."""
    if not len(one):
        return one, other
    walls = _cancelling(surface, np.union1d(one, other))
    kept = ~(np.isin(one, walls) | np.isin(other, walls))
    return one[kept], other[kept]


def meeting_pairs(surface: Surface) -> tuple[Ints, Ints]:
    """Return the pairs of faces that come nearer than a merging cell and share no corner. The rest is as above."""
    corners = face_corners(surface, np.arange(len(surface.triangles)))
    found = list(face_pairs(corners, -merging_size(surface)))
    one, other = (np.concatenate([np.zeros(0, np.int64), *(pair[k] for pair in found)]) for k in (0, 1))
    a, b = (corners[:, :, faces] for faces in (one, other))
    apart = ~(a[:, :, None] == b[:, None]).all(axis=0).any(axis=(0, 1))
    return one[apart], other[apart]


def _cancelling(surface: Surface, faces: Ints) -> Ints:
    """Return those of some faces that are there both ways round, so that they enclose nothing."""
    _, number = np.unique(surface.vertices[surface.triangles[faces]].reshape(-1, 3), axis=0, return_inverse=True)
    _, opposite = repeated(number.ravel().reshape(-1, 3), np.arange(len(faces)))
    return faces[opposite]


def sample_crossings(surface: Surface, one: Ints, other: Ints) -> Crossing:
    """Sample with lines through the places where faces cross.

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
    depth = merging_size(surface)
    along = cuts[:, 1] - cuts[:, 0]
    lengths = np.sqrt(dot(along, along))
    overlap = negative = unseen = 0.0
    for number, pairs in enumerate(places):
        for near, far in _windows(cuts[:, :, pairs]) if number < MAX_PLACES else ():
            seen = _through(corners, low, high, near, far)
            if max(seen.overlap_depth, seen.negative_depth) > depth:
                seen, side = _widened(corners, low, high, near, far, seen)
                times = max(float(lengths[pairs].sum()) / side, 1.0)  # what there is of it elsewhere
                overlap += times * seen.overlap if seen.overlap_depth > depth else 0.0
                negative += times * seen.negative if seen.negative_depth > depth else 0.0
                break
        else:
            unseen += float(lengths[pairs].sum()) * (2.0 * AROUND[-1] * float(lengths[pairs].max()) / LINES) ** 2
    return Crossing(np.unique(np.concatenate([one, other])), overlap, negative, unseen)


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
    normal = cross(planes[:, 1] - origin, planes[:, 2] - origin)
    height = dot(normal[:, None], faces - origin[:, None])
    above = height > 0.0
    parted = above != above[[1, 2, 0]]
    first, last = np.argmax(parted, axis=0), 2 - np.argmax(parted[::-1], axis=0)
    start = np.stack([first, last])
    end = (start + 1) % 3
    h, g = np.take_along_axis(height, start, axis=0), np.take_along_axis(height, end, axis=0)
    p, q = np.take_along_axis(faces, start[None], axis=1), np.take_along_axis(faces, end[None], axis=1)
    points: FloatArray = p + h / (h - g) * (q - p)
    return points


def _windows(cuts: FloatArray) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield windows around lines (3, 2, k) along which faces cross: around all, then around the middle of the longest.

    A long line askew leaves its own box by far.
    """
    near, far = cuts.min(axis=(1, 2)), cuts.max(axis=(1, 2))
    longest = cuts[:, :, np.argmax(np.ptp(cuts, axis=1).max(axis=0))]
    middle = longest.mean(axis=1)
    for share in AROUND:
        room = share * float((far - near).max())
        yield near - room, far + room
    for share in AROUND:
        room = share * float(np.ptp(longest, axis=1).max())
        yield middle - room, middle + room


def _through(corners: Corners, low: FloatArray, high: FloatArray, near: FloatArray, far: FloatArray) -> Sample:
    """Sample with lines through a window along its shortest side, but all the way."""
    axis = int(np.argmin(far - near))
    met = np.ones(corners.shape[2], dtype=bool)
    for across in ((axis + 1) % 3, (axis + 2) % 3):
        met &= (low[across] <= far[across]) & (high[across] >= near[across])
    bottom, top = near.copy(), far.copy()
    bottom[axis], top[axis] = low[axis, met].min(), high[axis, met].max()
    return sample_window(corners[:, :, met], bottom, top, near, far)


def _widened(
    corners: Corners, low: FloatArray, high: FloatArray, near: FloatArray, far: FloatArray, seen: Sample
) -> tuple[Sample, float]:
    """Widen a window as long as lines see more, since what begins where faces cross may reach far.

    Returns
    -------
    seen : Sample
    side : float
        The longest of the window at last [m].
    """
    bottom, top = low.min(axis=1), high.max(axis=1)
    while (near > bottom).any() or (far < top).any():
        room = WIDER * float((far - near).max())
        wider = np.maximum(near - room, bottom), np.minimum(far + room, top)
        more = seen | _through(corners, low, high, *wider)
        if more.overlap + more.negative <= MORE * (seen.overlap + seen.negative):
            break
        seen, (near, far) = more, wider
    return seen, float((far - near).max())
