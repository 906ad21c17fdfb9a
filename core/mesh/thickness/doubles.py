# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds what a thin wall would count twice: faces that lie on others, and patches nearer than the thickness."""

from __future__ import annotations

import numpy as np

from ...arrays import Bools, FloatArray, Ints
from ..geometry.lines import JITTER, LINES, crossings
from .dihedral import Faces

FLAT = 1e-6
"""Four corners are in a plane if the fourth is at most this share of their distances off: the tolerance of merging."""


def counted_once(points: Ints, corners: FloatArray) -> Bools:
    """Return which triangles to use so that none is counted twice, in either winding.

    Duplicates are triangles of the same three points, and flat quadrangles of the same four, cut along different
    diagonals (as Blender may cut front and back of one). Larger polygons that are cut differently are not detected.

    Parameters
    ----------
    points : ndarray, shape (m, 3)
        The corners' point numbers, equal for the same point.
    corners : ndarray, shape (m, 3, 3)
        The corners' coordinates.

    Returns
    -------
    ndarray, shape (m,)
    """
    # Slivers with fewer than three points may share them and still be different faces.
    proper = (points != np.roll(points, 1, axis=1)).all(axis=1)
    kept: Bools = _first_of_each(np.sort(points, axis=1)) | ~proper
    faces, quads = _flat_quads(points, corners, np.flatnonzero(kept & proper))
    # A quadrangle is found by its diagonal, so the same four points again are the same one cut differently.
    kept[faces[~_first_of_each(quads)]] = False
    return kept


def _flat_quads(points: Ints, corners: FloatArray, which: Ints) -> tuple[Ints, Ints]:
    """Return the pairs (k, 2) of triangles that form a flat convex quadrangle by themselves, and its points (k, 4)."""
    start, end = points[which].ravel(), np.roll(points[which], -1, axis=1).ravel()
    key = (np.minimum(start, end) << 32) | np.maximum(start, end)
    order = np.argsort(key, kind="stable")
    first = np.flatnonzero(np.diff(key[order], prepend=-1))
    pair = first[np.diff(first, append=len(order)) == 2]
    side = np.stack([order[pair], order[pair + 1]], axis=1)
    faces, corner = which[side // 3], side % 3
    a, b, c = (corners[faces[:, 0], (corner[:, 0] + step) % 3] for step in range(3))
    d = corners[faces[:, 1], (corner[:, 1] + 2) % 3]
    normal, other = np.cross(b - a, c - a), np.cross(b - a, d - a)
    longest = np.maximum(np.linalg.norm(c - a, axis=1), np.linalg.norm(d - a, axis=1))
    height = np.abs(((d - a) * normal).sum(axis=1))
    flat = (height <= FLAT * longest * np.linalg.norm(normal, axis=1)) & ((normal * other).sum(axis=1) < 0.0)
    apex = points[faces, (corner + 2) % 3]
    ends = points[faces[:, 0, None], (corner[:, :1] + [[0, 1]]) % 3]
    return faces[flat], np.sort(np.concatenate([ends, apex], axis=1)[flat], axis=1)


def _first_of_each(rows: Ints) -> Bools:
    """Return for each row True if no equal one comes before it."""
    order = np.lexsort(rows.T)
    repeats = np.zeros(len(rows), dtype=bool)
    repeats[order[1:]] = (rows[order[1:]] == rows[order[:-1]]).all(axis=1)
    return ~repeats


PARALLEL = 0.875
"""Cosine of 29°, the angle of an edge below which a mitre is cut off: faces that meet at a larger angle are left to the
wedge between them, and so are oblique patches that do not meet."""


def side_by_side(faces: Faces, thickness: float) -> tuple[float, float]:
    """Estimate what is counted twice where patches that are not neighbours are nearer than the thickness.

    32 x 32 lines along each axis cross the surface. Where a line meets two nearly parallel faces in succession, their
    slabs overlap by the thickness less their distance.

    Parameters
    ----------
    thickness : float
        [m].

    Returns
    -------
    volume : float
        [m³]; parts narrower than a 32nd of the bounding box may be missed.
    distance : float
        The smallest between two such patches [m]; the thickness if there are none.
    """
    corners = np.ascontiguousarray(faces.corners.transpose(2, 1, 0))
    low, high = corners.min(axis=(1, 2)), corners.max(axis=(1, 2))
    cell = (high - low) / LINES
    step = np.arange(LINES)
    volume, distance = 0.0, thickness
    for axis in range(3):
        second, third = (axis + 1) % 3, (axis + 2) % 3
        u, v = low[second] + (step + JITTER[0]) * cell[second], low[third] + (step + JITTER[1]) * cell[third]
        line, face, height, _ = crossings(corners, axis, u, v)
        order = np.lexsort((height, line))
        line, face, height = line[order], face[order], height[order]
        slope = np.abs(faces.normal[face[:-1], axis])
        gap = np.diff(height) * slope
        here = (line[1:] == line[:-1]) & (gap < thickness)
        here &= slope >= np.abs(faces.normal[face[:-1]]).max(axis=1)  # otherwise lines along another axis count it
        here &= np.abs((faces.normal[face[:-1]] * faces.normal[face[1:]]).sum(axis=1)) >= PARALLEL
        if here.any():
            volume += float(((thickness - gap[here]) / slope[here]).sum() * cell[second] * cell[third])
            distance = min(distance, float(gap[here].min()))
    return volume, distance
