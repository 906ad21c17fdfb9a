# SPDX-License-Identifier: Apache-2.0
"""Faces of a closed surface that pass through others, and what it encloses twice or negatively around them."""

from __future__ import annotations

import numpy as np

from ...arrays import FloatArray, Ints
from ..progress import unless_unwanted
from ..surface import Surface
from ..topology.connected import connected
from ..topology.crossing_faces import crossing_lines, face_pairs, too_many
from ..topology.edges import repeated
from ..topology.merging import merging_size
from ..topology.vectors import dot, face_corners
from ..voxels.columns import winding_volumes
from .single_patches import perhaps_crossing

MOST_PLACES = 16
"""Places that columns inspect, those with the most crossing faces first."""

MOST_APART = 30_000
"""Pairs of faces of different solids: with more, columns find the union sooner than Manifold."""

COLUMNS, MOST_COLUMNS = 64, 1024
"""Columns along the second longest side of a window, and their maximum along the longest."""

NEARER = 2.0**-2, 2.0**-6, 2.0**-10
"""Margins of nearer windows, as shares of the line's length."""


def crossing_pairs(surface: Surface, faces: Ints | None = None, solid: Ints | None = None) -> tuple[Ints, Ints]:
    """Return the pairs of faces that pass through each other by more than a merging cell.

    Faces that are present in both windings, and so enclose nothing, are left out.

    Parameters
    ----------
    surface : Surface
        Its corners merged to points.
    faces : ndarray, optional
        Those to compare; by default `perhaps_crossing`, for a surface that is closed and wound consistently.
    solid : ndarray, shape (m,), int64, optional
        The solid of each face.

    Returns
    -------
    face, other : ndarray, shape (k,), int64

    Raises
    ------
    InertiaError
        ``overlaps_not_checked`` if there are too many pairs to compare, or more than `MOST_APART` of two solids.
    """
    faces = perhaps_crossing(surface) if faces is None else faces
    pairs, apart = [], 0
    for i, j in face_pairs(face_corners(surface, faces), merging_size(surface)):
        face, other = faces[i], faces[j]
        pairs.append((face, other))
        apart += 0 if solid is None else int(np.count_nonzero(solid[face] != solid[other]))
        if apart > MOST_APART:
            raise too_many(len(faces))
    face, other = _joined(pairs)
    if not len(face):
        return face, other
    some = np.union1d(face, other)
    _, walls = repeated(surface.triangles.astype(np.int64), some)
    enclosing = ~(np.isin(face, walls) | np.isin(other, walls))
    return face[enclosing], other[enclosing]


def doubt(surface: Surface, face: Ints, other: Ints) -> tuple[float, float, float]:
    """Measure with fine columns where pairs of faces (k,) of `crossing_pairs` pass through each other.

    Returns
    -------
    overlap, negative : float
        Volume where the winding number is above one, and below zero [m³].
    unseen : float
        What columns may have missed where they found neither [m³].
    """
    # Crossing pairs that share a face are at one place; the places with most pairs stand for all.
    lines = crossing_lines(face_corners(surface, face), face_corners(surface, other))
    label = connected(face, other, len(surface.triangles))[face]
    places, sizes = np.unique(label, return_counts=True)
    places = places[np.argsort(-sizes, kind="stable")[:MOST_PLACES]]
    sums = np.zeros(3)
    for place in places.tolist():
        unless_unwanted()
        sums += _seen(surface, lines[:, :, label == place])
    overlap, negative, unseen = (len(face) / np.count_nonzero(np.isin(label, places)) * sums).tolist()
    return overlap, negative, unseen


def _joined(pairs: list[tuple[Ints, Ints]]) -> tuple[Ints, Ints]:
    faces, others = zip(*pairs, strict=True) if pairs else ((), ())
    return np.concatenate([np.zeros(0, np.int64), *faces]), np.concatenate([np.zeros(0, np.int64), *others])


def _seen(surface: Surface, lines: FloatArray) -> FloatArray:
    """Return the volumes above one, below zero and unseen around crossing lines (3, 2, k): by columns around all of
    them, or if these find nothing, around the middle of the longest, which may be oblique."""
    # First a window around all lines, then ever nearer ones around the middle of the longest line.
    along = lines[:, 1] - lines[:, 0]
    length = np.sqrt(dot(along, along))
    total, longest = float(length.sum()), lines[:, :, np.argmax(length)]
    middle, (lowest, highest) = longest.mean(axis=1), surface.bounds()
    around = (lines.min(axis=(1, 2)), lines.max(axis=(1, 2)), 2.0**-2), *((middle, middle, room) for room in NEARER)
    for low, high, room in around:
        # The columns run along the shortest side of the window.
        room *= float(np.ptp(longest, axis=1).max() if low is high else (high - low).max())
        window = np.maximum(low - room, lowest), np.minimum(high + room, highest)
        extent = window[1] - window[0]
        width = max(float(np.median(extent)) / COLUMNS, float(extent.max()) / MOST_COLUMNS)
        seen = winding_volumes(surface, width, int(np.argmin(extent)), window)
        if seen.depth > merging_size(surface):
            # A window on one line stands for as much of all lines as its length is of theirs.
            share = 1.0 if low is not high else total / min(2.0 * room, total)
            return np.array([share * seen.overlap, share * seen.negative, 0.0])
    return np.array([0.0, 0.0, total * width**2])  # hardly wider or deeper than the columns
