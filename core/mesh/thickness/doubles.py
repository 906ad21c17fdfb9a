# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds what a thin wall would count twice: faces that lie on others, and patches nearer than the thickness."""

from __future__ import annotations

import numpy as np

from ...arrays import Bools, FloatArray, Ints
from ..topology.connected import alike
from ..topology.edges import Edges, degenerate
from ..topology.vectors import hits, under_faces
from .bodies import Faces

FLAT = 1e-6
"""Four corners are in a plane if the fourth is at most this share of their distances off: the tolerance of merging."""

PARALLEL = 0.875
"""Cosine of 29°, the angle of an edge below which a mitre is cut off: faces that meet at a larger angle are left to the
wedge between them, and so are oblique patches that do not meet."""

LINES = 32
"""Lines along each side of the window."""

JITTER = (0.4142135623730951, 0.7320508075688772)
"""Lines avoid coordinates that people choose: they are not in a cell's middle, but at √2 - 1 and √3 - 1 of it."""


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
    proper = ~degenerate(points)
    kept: Bools = _is_first(np.sort(points, axis=1)) | ~proper
    faces, quads = _flat_quads(points, corners, np.flatnonzero(kept & proper))
    # A quadrangle is found by its diagonal, so the same four points again are the same one cut differently.
    kept[faces[~_is_first(quads)]] = False
    return kept


def _flat_quads(points: Ints, corners: FloatArray, which: Ints) -> tuple[Ints, Ints]:
    """Return the pairs (k, 2) of triangles that form a flat convex quadrangle by themselves, and its points (k, 4)."""
    edges = Edges.around(points, which)
    side = np.stack(edges.pairs, axis=1)
    side = np.take_along_axis(side, np.argsort(edges.face[side], axis=1), axis=1)  # the lower face first
    faces, corner = edges.face[side], side // len(which)
    a, b, c = (corners[faces[:, 0], (corner[:, 0] + step) % 3] for step in range(3))
    d = corners[faces[:, 1], (corner[:, 1] + 2) % 3]
    normal, other = np.cross(b - a, c - a), np.cross(b - a, d - a)
    longest = np.maximum(np.linalg.norm(c - a, axis=1), np.linalg.norm(d - a, axis=1))
    height = np.abs(((d - a) * normal).sum(axis=1))
    flat = (height <= FLAT * longest * np.linalg.norm(normal, axis=1)) & ((normal * other).sum(axis=1) < 0.0)
    apex = points[faces, (corner + 2) % 3]
    ends = points[faces[:, 0, None], (corner[:, :1] + [[0, 1]]) % 3]
    return faces[flat], np.sort(np.concatenate([ends, apex], axis=1)[flat], axis=1)


def _is_first(rows: Ints) -> Bools:
    """Return for each row True if no equal one comes before it."""
    return np.equal(alike(*rows.T), np.arange(len(rows)))


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
        y, z = np.repeat(u, LINES), np.tile(v, LINES)
        found = [(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))]
        for at, below in under_faces(corners, axis, y, z):
            hit, where, _ = hits(corners[:, :, below], axis, y[at], z[at])
            found.append((at[hit], below[hit], where))
        line, face, height = (np.concatenate(part) for part in zip(*found, strict=True))
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
