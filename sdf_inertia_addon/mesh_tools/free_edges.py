# SPDX-License-Identifier: GPL-3.0-or-later
"""What to do about the free edges of a mesh: caps that close its holes, or the faces to delete.

Plain numpy: `repairs` edits the mesh.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
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
    except InertiaError:  # it has no faces, or something other than holes is wrong
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


Edge = tuple[int, int]


def loose_faces(vertices: VertexArray, rings: Sequence[Sequence[int]]) -> list[int]:
    """Find the faces to delete so that the rest has no free edge.

    Edges that exactly two faces share connect faces to patches. A patch with a free edge encloses nothing, whether it
    touches a body at an edge of the body or not. Without it, other edges may be free, and so on.

    Parameters
    ----------
    vertices : ndarray, shape (n, 3)
        Those at the same place are one.
    rings : sequence of sequence of int
        The vertices of each face.

    Returns
    -------
    list of int
        Numbers of faces, ascending; none where nothing would be left, such as of an open box.
    """
    if not len(rings):
        return []
    _points, same = np.unique(vertices + 0.0, axis=0, return_inverse=True)
    same = same.reshape(-1)  # numpy 2.0 gives it another shape
    edges = [_edges([int(same[vertex]) for vertex in ring]) for ring in rings]
    remaining = set(range(len(rings)))
    while remaining:
        sharing: dict[Edge, list[int]] = defaultdict(list)
        for face in sorted(remaining):
            for edge in edges[face]:
                sharing[edge].append(face)
        free = {faces[0] for faces in sharing.values() if len(faces) == 1}
        if not free:
            return sorted(set(range(len(rings))) - remaining)
        remaining -= _connected(free, edges, sharing)
    return []


def _edges(ring: Sequence[int]) -> set[Edge]:
    pairs = zip(ring, (*ring[1:], ring[0]), strict=True)
    return {(min(a, b), max(a, b)) for a, b in pairs if a != b}


def _connected(some: Iterable[int], edges: Sequence[set[Edge]], sharing: dict[Edge, list[int]]) -> set[int]:
    """Return the faces of all patches that some faces are in."""
    patches, waiting = set(some), list(some)
    while waiting:
        for edge in edges[waiting.pop()]:
            faces = sharing[edge]
            new = [face for face in faces if face not in patches] if len(faces) == 2 else []
            patches.update(new)
            waiting += new
    return patches
