# SPDX-License-Identifier: GPL-3.0-or-later
"""The caps of a mesh's holes: faces that close it, and how far the volume within may be from what was meant."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...core.arrays import Bools, FloatArray, Ints, TriangleArray, VertexArray
from ...core.errors import InertiaError
from ...core.mesh.policy import close_holes
from ...core.mesh.surface import Surface

SAME = 1e-6
"""Vertices this near, as a share of the mesh's longest side, are one: sixteen times float32's step at its border."""


class HoleCaps(NamedTuple):
    """What closes a mesh.

    Parameters
    ----------
    vertices : ndarray, shape (k, 3)
        New ones, numbered after those of the mesh.
    triangles : ndarray, shape (m, 3), int64
        Wound as their neighbours are.
    bound : float
        How far the volume may be off, as a share of it.
    """

    vertices: FloatArray
    triangles: Ints
    bound: float


NO_CAPS = HoleCaps(np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64), 0.0)


def hole_caps(vertices: VertexArray, triangles: TriangleArray) -> HoleCaps:
    """Find the faces that close every hole of a mesh whose vertices are merged; none where it has no hole."""
    try:
        surface, bounds, _ = close_holes(Surface(vertices, triangles))
    except InertiaError:  # it has no faces, or what is wrong with it is no hole
        return NO_CAPS
    # The core is free to number again, to turn faces and to drop some: a vertex is known by its place.
    places = np.concatenate([vertices.astype(np.float64), surface.vertices.astype(np.float64)]) + 0.0
    _, first, same = np.unique(places, axis=0, return_index=True, return_inverse=True)
    number = first[same.reshape(-1)]
    known, closed = number[triangles], number[len(vertices) :][surface.triangles]
    caps = closed[~np.isin(_sets(closed), _sets(known))]
    caps = caps[(caps != np.roll(caps, 1, axis=1)).all(axis=1)]
    caps = caps[_is_hole(places, caps)]
    new = np.unique(caps[caps >= len(vertices)])
    numbers = np.arange(len(places))
    numbers[new] = len(vertices) + np.arange(len(new))
    return HoleCaps(places[new], numbers[caps], max(bounds))


def _is_hole(places: FloatArray, caps: Ints) -> Bools:
    """Return which caps have a fan wider than `SAME`: that of a T-junction's seam is not, and closes nothing."""
    a, b, c = np.moveaxis(places[caps], 1, 0)
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    fan = caps.max(axis=1)
    sides = sum(np.linalg.norm(start - end, axis=1) for start, end in ((a, b), (b, c), (c, a)))
    size = float(np.ptp(places, axis=0).max())
    wide: Bools = (np.bincount(fan, area) > SAME * size * np.bincount(fan, sides))[fan]
    return wide


def _sets(triangles: Ints) -> np.ndarray[tuple[int], np.dtype[np.void]]:
    """Return each face as one value, whichever way round it goes."""
    rows = np.ascontiguousarray(np.sort(triangles.astype(np.int64), axis=1))
    return rows.view(np.dtype((np.void, 24))).ravel()
