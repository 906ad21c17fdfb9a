# SPDX-License-Identifier: GPL-3.0-or-later
"""A few points that represent a surface of any size: an even spread, and the extreme vertices."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi, sqrt

import numpy as np

from ..arrays import FloatArray, blocks
from ..mesh.surface import Surface

SPREAD = 2048
"""Points spread over the surface: the error of an average over them is about two percent of its spread."""

FEW = 1024
"""Up to this many vertices are all used; of more, only those extreme in some direction."""

DIRECTIONS = 512
"""Directions of extreme vertices. They are 5 degrees apart, so other vertices reach at most a thousandth farther."""

BLOCK = 4096
"""Vertices per block: their reach in all directions stays within 16 MB."""


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
    best, value = np.zeros(DIRECTIONS, dtype=np.intp), np.full(DIRECTIONS, -np.inf)
    for some in blocks(len(points), BLOCK):
        along = directions @ points[some].T
        highest = along.argmax(axis=1)
        found = along[np.arange(DIRECTIONS), highest]
        best = np.where(found > value, some.start + highest, best)
        value = np.maximum(value, found)
    return points[np.unique(best)]


def _directions() -> FloatArray:
    """Return unit vectors (DIRECTIONS, 3) that spiral evenly round the sphere."""
    number = np.arange(DIRECTIONS) + 0.5
    z = 1.0 - 2.0 * number / DIRECTIONS
    turn, across = pi * (1.0 + sqrt(5.0)) * number, np.sqrt(1.0 - z * z)
    return np.stack([across * np.cos(turn), across * np.sin(turn), z], axis=1)
