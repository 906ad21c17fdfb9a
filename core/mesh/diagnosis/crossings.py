# SPDX-License-Identifier: GPL-3.0-or-later
"""Faces of a closed surface that pass through others, and what it encloses twice or negatively around them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...arrays import FloatArray, Ints
from ..progress import unless_unwanted
from ..surface import Surface
from ..topology.connected import connected
from ..topology.crossing_faces import face_pairs, too_many
from ..topology.edges import repeated
from ..topology.merging import merging_size
from ..topology.single_patches import perhaps_crossing
from ..topology.vectors import Corners, cross, dot, face_corners
from ..voxels.columns import WindingVolumes, winding_volumes
from ..voxels.grid import Window

MOST_PLACES = 16
"""Places that columns inspect, those with the longest crossing lines first."""

MOST_APART = 80_000
"""Pairs of faces of different solids: with more, columns find the union sooner than Manifold."""

COLUMNS, MOST_COLUMNS = 32, 1024
"""Columns along the second longest side of a window, and their maximum along the longest."""

AROUND = 2.0**-2, 2.0**-6, 2.0**-10
"""Margins of the windows around crossing faces, as shares of their size: each is tried if columns find nothing with the
one before."""


def crossing_pairs(surface: Surface, closed: bool = True, solid: Ints | None = None) -> tuple[Ints, Ints]:
    """Return the pairs of faces that pass through each other by more than a merging cell.

    Faces that are present in both windings, and so enclose nothing, are left out.

    Parameters
    ----------
    surface : Surface
        Its corners merged to points.
    closed : bool
        True if it is closed and wound consistently, which saves time.
    solid : ndarray, shape (m,), int64, optional
        The solid of each face.

    Returns
    -------
    one, other : ndarray, shape (k,), int64

    Raises
    ------
    InertiaError
        ``overlaps_not_checked`` if there are too many pairs to compare, or more than `MOST_APART` of two solids.
    """
    faces = perhaps_crossing(surface) if closed else np.arange(len(surface.triangles))
    found, apart = [], 0
    for i, j in face_pairs(face_corners(surface, faces), merging_size(surface)):
        one, other = faces[i], faces[j]
        found.append((one, other))
        apart += 0 if solid is None else int(np.count_nonzero(solid[one] != solid[other]))
        if apart > MOST_APART:
            raise too_many(len(faces))
    one, other = _joined(found)
    if not len(one):
        return one, other
    some = np.union1d(one, other)
    _, walls = repeated(surface.triangles.astype(np.int64), some)
    kept = ~(np.isin(one, walls) | np.isin(other, walls))
    return one[kept], other[kept]


def near_pairs(surface: Surface, side: Ints, some: Ints) -> tuple[Ints, Ints]:
    """Return pairs of `some` faces of different sides (m,) that come nearer than a merging cell."""
    corners = face_corners(surface, some)
    return _joined([(some[one], some[other]) for one, other in face_pairs(corners, -merging_size(surface), side[some])])


def _joined(found: list[tuple[Ints, Ints]]) -> tuple[Ints, Ints]:
    one, other = zip(*found, strict=True) if found else ((), ())
    return np.concatenate([np.zeros(0, np.int64), *one]), np.concatenate([np.zeros(0, np.int64), *other])


@dataclass(frozen=True)
class Doubt:
    """Volumes that a surface encloses wrongly where faces pass through others.

    Parameters
    ----------
    overlap, negative : float
        Volume where the winding is above one, and below zero, as measured by columns [m³].
    unseen : float
        Volume between the columns at the places where they found neither [m³].
    """

    overlap: float
    negative: float
    unseen: float


def doubt(surface: Surface, one: Ints, other: Ints) -> Doubt:
    """Measure with fine columns the places where pairs of faces pass through each other.

    Parameters
    ----------
    surface : Surface
        As for `crossing_pairs`.
    one, other : ndarray, shape (k,), int64
        Its result, at least one pair.
    """
    lines = crossing_lines(face_corners(surface, one), face_corners(surface, other))
    along = lines[:, 1] - lines[:, 0]
    length = np.sqrt(dot(along, along))
    place = connected(one, other, len(surface.triangles))[one]
    places, number = np.unique(place, return_inverse=True)
    total = np.bincount(number, length)
    looked = overlap = negative = unseen = 0.0
    for which in np.argsort(-total, kind="stable")[:MOST_PLACES].tolist():
        unless_unwanted()
        own = np.flatnonzero(number == which)
        looked += float(total[which])
        seen = _seen(surface, lines[:, :, own])
        overlap, negative = overlap + seen.overlap, negative + seen.negative
        # Slivers no deeper than a merging cell are missed; if nothing was found, as much as fits between columns.
        finest = 2.0 * AROUND[-1] * float(length[own].max())
        unseen += float(total[which]) * finest * max(merging_size(surface), 0.0 if seen.depth else finest / COLUMNS**2)
    more = float(total.sum()) / looked if looked else 1.0  # extrapolates to the other places
    return Doubt(more * overlap, more * negative, more * unseen)


def _seen(surface: Surface, lines: FloatArray) -> WindingVolumes:
    depth = merging_size(surface)
    for window in _windows(lines, surface.bounds()):
        extent = window[1] - window[0]
        _, middle, longest = np.sort(extent).tolist()
        width = max(middle / COLUMNS, longest / MOST_COLUMNS)
        seen = winding_volumes(surface, width, int(np.argmin(extent)), window)
        if seen.depth > depth:
            return seen
    return WindingVolumes()


def _windows(lines: FloatArray, bounds: Window) -> Iterator[Window]:
    """Yield windows around lines (3, 2, k): around all, then around the middle of the longest, which may be oblique.

    Along the shortest side, which columns run along, a window reaches through the whole surface.
    """
    longest = lines[:, :, np.argmax(np.ptp(lines, axis=1).max(axis=0))]
    for near, far in (
        (lines.min(axis=(1, 2)), lines.max(axis=(1, 2))),
        (longest.mean(axis=1), longest.mean(axis=1)),
    ):
        size = max(float((far - near).max()), float(np.ptp(longest, axis=1).max()))
        for share in AROUND:
            low, high = np.maximum(near - share * size, bounds[0]), np.minimum(far + share * size, bounds[1])
            yield low, high


def crossing_lines(one: Corners, other: Corners) -> FloatArray:
    """Return the two ends (3, 2, k) of the line along which two faces cross, for pairs that pass through each other."""
    ends = np.concatenate([_cut_by_plane(one, other), _cut_by_plane(other, one)], axis=1)
    axis = np.argmax(np.ptp(ends, axis=1), axis=0)
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
    start = np.stack([np.argmax(parted, axis=0), 2 - np.argmax(parted[::-1], axis=0)])
    end = (start + 1) % 3
    h, g = np.take_along_axis(height, start, axis=0), np.take_along_axis(height, end, axis=0)
    p, q = np.take_along_axis(faces, start[None], axis=1), np.take_along_axis(faces, end[None], axis=1)
    points: FloatArray = p + h / (h - g) * (q - p)
    return points
