# SPDX-License-Identifier: GPL-3.0-or-later
"""Which faces of a mesh enclose nothing, beside others that do."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from ...core.arrays import VertexArray

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
        remaining -= _hanging_together(free, edges, sharing)
    return []


def _edges(ring: Sequence[int]) -> set[Edge]:
    pairs = zip(ring, (*ring[1:], ring[0]), strict=True)
    return {(min(a, b), max(a, b)) for a, b in pairs if a != b}


def _hanging_together(some: Iterable[int], edges: Sequence[set[Edge]], sharing: dict[Edge, list[int]]) -> set[int]:
    """Return the faces of all patches that some faces are in."""
    patches, waiting = set(some), list(some)
    while waiting:
        for edge in edges[waiting.pop()]:
            faces = sharing[edge]
            new = [face for face in faces if face not in patches] if len(faces) == 2 else []
            patches.update(new)
            waiting += new
    return patches
