# SPDX-License-Identifier: Apache-2.0
"""A few points that represent a surface, and candidate frames for fitting a primitive to it.

A frame is a rotation (3, 3) whose columns are the axes.
Principal axes find long or flat solids. A cube or a short cylinder has no distinct ones, but it has faces: so the
normals with most surface are tried too, each with the rectangle of least area around the solid as seen along it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import permutations, product
from math import pi, sqrt

import numpy as np

from ..arrays import FloatArray, blocks
from ..body.moments import Moments
from ..mesh.surface import Surface

SPREAD = 2048
"""Points spread over the surface: the error of an average over them is about two percent of its spread."""

FEW = 1024
"""Up to this many vertices are all used; of more, only those extreme in some direction."""

VIEWS = 512
"""Directions of extreme vertices. They are 5 degrees apart, so other vertices reach at most a thousandth farther."""

BLOCK = 4096
"""Vertices per block: their reach in all directions stays within 16 MB."""

DIRECTIONS = 8
"""Directions of faces to try, those with most surface first."""

SAME = 0.999
"""Directions whose cosine is above this (2.6 degrees) are the same."""


@dataclass(frozen=True, eq=False)
class Sample:
    """Points of a surface, in its frame.

    Parameters
    ----------
    spread : ndarray, shape (SPREAD, 3)
        Spread evenly over the faces; each stands for the same area.
    normals : ndarray, shape (k, 3)
        Unit normals of the faces that they lie on, each face once.
    reach : ndarray, shape (m, 3)
        The extreme vertices.
    points : ndarray, shape (n, 3)
        All vertices that faces use.
    area : float
        Of the surface.
    """

    spread: FloatArray
    normals: FloatArray
    reach: FloatArray
    points: FloatArray
    area: float


def sampled(surface: Surface) -> Sample:
    """Sample a surface, the same points every time."""
    corners = surface.vertices.astype(np.float64)
    points = corners[np.unique(surface.triangles)]
    a, b, c = (corners[surface.triangles[:, corner]] for corner in range(3))
    normals = np.cross(b - a, c - a)
    doubled = np.linalg.norm(normals, axis=1)
    total = np.cumsum(doubled)
    number = np.arange(SPREAD)
    face = np.minimum(np.searchsorted(total, (number + 0.5) / SPREAD * total[-1]), len(total) - 1)
    # Two coordinates that fill a square evenly (Roberts 2018, the R2 sequence), folded into a triangle.
    plastic = 1.32471795724474602596
    u, v = (0.5 + number / plastic) % 1.0, (0.5 + number / plastic**2) % 1.0
    fold = u + v > 1.0
    u, v = np.where(fold, 1.0 - u, u)[:, None], np.where(fold, 1.0 - v, v)[:, None]
    spread = a[face] + u * (b - a)[face] + v * (c - a)[face]
    seen = np.unique(face[doubled[face] > 0.0])
    return Sample(spread, normals[seen] / doubled[seen, None], _reach(points), points, float(total[-1]) / 2.0)


def _reach(points: FloatArray) -> FloatArray:
    if len(points) <= FEW:
        return points
    directions = _directions()
    best, value = np.zeros(VIEWS, dtype=np.intp), np.full(VIEWS, -np.inf)
    for some in blocks(len(points), BLOCK):
        along = directions @ points[some].T
        highest = along.argmax(axis=1)
        reach = along[np.arange(VIEWS), highest]
        best = np.where(reach > value, some.start + highest, best)
        value = np.maximum(value, reach)
    return points[np.unique(best)]


def _directions() -> FloatArray:
    """Return unit vectors (VIEWS, 3) that spiral evenly round the sphere."""
    number = np.arange(VIEWS) + 0.5
    z = 1.0 - 2.0 * number / VIEWS
    turn, across = pi * (1.0 + sqrt(5.0)) * number, np.sqrt(1.0 - z * z)
    return np.stack([across * np.cos(turn), across * np.sin(turn), z], axis=1)


def candidate_frames(sample: Sample, moments: Moments) -> list[FloatArray]:
    """Return right-handed candidate frames, the mesh's own first."""
    frames = [np.eye(3), _right_handed(np.linalg.eigh(moments.covariance)[1])]
    frames.append(_right_handed(np.linalg.eigh(np.cov(sample.spread.T))[1]))
    frames += [_least_rectangle(sample.reach, normal) for normal in _main_normals(sample.normals)]
    return frames


def axes_of(frames: list[FloatArray]) -> list[FloatArray]:
    """Return frames whose z axes are the distinct axes of `frames`, for solids of revolution."""
    along_axes: list[FloatArray] = []
    for frame in frames:
        for axis in frame.T:
            if all(abs(float(axis @ other[:, 2])) < 1.0 - 1e-9 for other in along_axes):
                along_axes.append(along(axis))
    return along_axes


def along(axis: FloatArray) -> FloatArray:
    """Return the frame whose z axis is a unit vector, and that is the smallest rotation away."""
    x, y, z = axis.tolist()
    if z < -1.0 + 1e-12:
        return np.diag([1.0, -1.0, -1.0])
    # Rodrigues' formula for the rotation from (0, 0, 1), expanded.
    k = 1.0 / (1.0 + z)
    return np.array([[1.0 - k * x * x, -k * x * y, x], [-k * x * y, 1.0 - k * y * y, y], [-x, -y, z]])


def seen_from(frame: FloatArray, points: FloatArray) -> FloatArray:
    """Return points (n, 3) in a frame's axes, each coordinate contiguous for the speed of what follows."""
    seen: FloatArray = (frame.T @ points.T).T
    return seen


@cache
def turns(angle: float, axes: int) -> list[FloatArray]:
    """Return the rotations (3, 3) by plus and minus an angle [rad] about the first `axes` axes."""
    cos, sin = np.cos(angle), np.sin(angle)
    rotations: list[FloatArray] = []
    for axis in range(axes):
        x, y = (axis + 1) % 3, (axis + 2) % 3
        rotation = np.eye(3)
        rotation[[x, y], [x, y]], rotation[y, x], rotation[x, y] = cos, sin, -sin
        rotations += [rotation, rotation.T]
    return rotations


def uprighted(frame: FloatArray) -> tuple[FloatArray, list[int]]:
    """Return the same axes, permuted and reversed to be as near the mesh's own as possible, and the permutation."""
    best = max(_renamings(), key=lambda renaming: float(np.trace(frame @ renaming)))
    upright: FloatArray = frame @ best
    return upright, np.abs(best).argmax(axis=0).tolist()


def _renamings() -> list[FloatArray]:
    """Return the 24 rotations that map axes to axes."""
    signed = product(permutations(range(3)), product((1.0, -1.0), repeat=3))
    maps = [np.eye(3)[:, list(order)] * signs for order, signs in signed]
    return [rotation for rotation in maps if np.linalg.det(rotation) > 0.0]


def _right_handed(axes: FloatArray) -> FloatArray:
    right: FloatArray = axes * [1.0, 1.0, np.sign(np.linalg.det(axes))]
    return right


def _main_normals(normals: FloatArray) -> list[FloatArray]:
    """Return the directions of most faces' normals, opposite ones merged."""
    remaining = normals
    main: list[FloatArray] = []
    while len(remaining) and len(main) < DIRECTIONS:
        cosines = np.abs(remaining[:: max(len(remaining) // 64, 1)] @ remaining.T) > SAME
        near = cosines[cosines.sum(axis=1).argmax()]
        main.append(remaining[near][0])
        remaining = remaining[~near]
    return main


def _least_rectangle(points: FloatArray, normal: FloatArray) -> FloatArray:
    """Return the frame with z along `normal` whose bounding box of points (n, 3) is least; one side touches the
    hull."""
    frame = along(normal)
    hull = _hull(points @ frame[:, :2])
    edges = np.roll(hull, -1, axis=0) - hull
    lengths = np.linalg.norm(edges, axis=1)
    edges = edges[lengths > 0.0] / lengths[lengths > 0.0, None]
    if not len(edges):
        return frame
    along_edges, across = hull @ edges.T, hull @ (edges[:, ::-1] * [-1.0, 1.0]).T
    area = np.ptp(along_edges, axis=0) * np.ptp(across, axis=0)
    cos, sin = edges[int(area.argmin())]
    spun: FloatArray = frame @ np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
    return spun


def _hull(points: FloatArray) -> FloatArray:
    """Return the convex hull (m, 2) of points in a plane, in order (Andrew's monotone chain)."""
    ordered = sorted(set(map(tuple, points.tolist())))
    ends: list[list[tuple[float, float]]] = []
    for run in (ordered, ordered[::-1]):
        chain: list[tuple[float, float]] = []
        for x, y in run:
            while len(chain) > 1:
                (ax, ay), (bx, by) = chain[-2:]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0.0:
                    break
                chain.pop()
            chain.append((x, y))
        ends.append(chain[:-1])
    return np.array(ends[0] + ends[1] or ordered)
