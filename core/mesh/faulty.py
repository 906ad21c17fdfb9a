# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a finding about a mesh is to be seen: the faces, edges or vertices that it counts, by their indices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from ..arrays import Ints, TriangleArray
from ..errors import InertiaError
from .diagnose import read_surface
from .diagnosis import remarks
from .diagnosis.self_crossing import crossing_pairs, meeting_pairs
from .surface import Surface
from .topology.components import patches
from .topology.edges import Edges, degenerate, merged_edges, repeated
from .topology.junctions import cut_at_corners
from .topology.merging import Merging, merge
from .topology.orientation import joined


def _none(*shape: int) -> Ints:
    return np.zeros(shape, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Faulty:
    """Elements of a mesh, of one kind; the others are empty.

    Parameters
    ----------
    faces : ndarray, shape (k,), int64
        Triangles.
    edges : ndarray, shape (k, 2), int64
        The two vertices of each edge; one may be there several times.
    vertices : ndarray, shape (k,), int64
    """

    faces: Ints = field(default_factory=lambda: _none(0))
    edges: Ints = field(default_factory=lambda: _none(0, 2))
    vertices: Ints = field(default_factory=lambda: _none(0))

    @property
    def found(self) -> bool:
        return bool(len(self.faces) or len(self.edges) or len(self.vertices))


def faulty(vertices: npt.ArrayLike, triangles: npt.ArrayLike, code: str) -> Faulty:
    """Find what a finding counts.

    Parameters
    ----------
    vertices : array_like, shape (n, 3), float
        Corners, in any unit.
    triangles : array_like, shape (m, 3), int
        Vertex indices.
    code : str
        The finding's, one of `PLACES`.

    Returns
    -------
    Faulty
        Empty where there is no such thing (any more).
    """
    corners = np.asarray(vertices)
    if code == "not_finite":
        return Faulty(vertices=np.flatnonzero(~np.isfinite(corners).all(axis=1)))
    try:
        return PLACES[code](Surface(corners, np.asarray(triangles)))
    except InertiaError:  # something worse than the finding is wrong with it
        return Faulty()


def _edges_of(surface: Surface, merging: Merging | None = None) -> tuple[Ints, Edges]:
    """Return the faces that count, and their edges: faces that repeat are left out where that opens less."""
    points, faces, edges = merged_edges(merging or merge(surface), surface)
    excess, _ = repeated(points, faces)
    if len(excess):
        fewer = np.setdiff1d(faces, excess)
        without = Edges.around(points, fewer)
        if len(without.odd()) <= len(edges.odd()):
            return fewer, without
    return faces, edges


def _ends(surface: Surface, faces: Ints, sides: Ints) -> Ints:
    """Return the two vertices (k, 2) of sides of `Edges.around(points, faces)`, as the mesh numbers them."""
    corner, face = np.divmod(sides, max(len(faces), 1))
    rows = surface.triangles[faces[face]].astype(np.int64)
    at = np.arange(len(sides))
    return np.stack([rows[at, corner], rows[at, (corner + 1) % 3]], axis=1)


def _boundary(surface: Surface) -> Faulty:
    merging = merge(surface)
    if merging.verdict.closed and merging.equal is not None:  # by merging more than a crack
        merging = replace(merging, point=merging.equal)
    faces, edges = _edges_of(surface, merging)
    whole, pieces = edges.odd(), cut_at_corners(surface, edges)
    left = pieces.odd()
    open_faces = np.isin(edges.face, pieces.face[left])
    sides = np.flatnonzero(np.isin(edges.edge, whole) & open_faces)
    return Faulty(edges=_ends(surface, faces, sides))


def _t_junctions(surface: Surface) -> Faulty:
    faces, edges = _edges_of(surface)
    pieces = cut_at_corners(surface, edges)
    patch, turned = patches(pieces, len(surface.triangles))
    _, turned = joined(surface, pieces, patch, turned)
    return Faulty(edges=_ends(surface, faces, np.flatnonzero(np.isin(edges.edge, edges.uneven(turned)))))


def _crowded(surface: Surface) -> Faulty:
    faces, edges = _edges_of(surface)
    return Faulty(edges=_ends(surface, faces, np.flatnonzero(edges.count[edges.edge] > 2)))


def _turned(surface: Surface) -> Faulty:
    """Return the faces that are read turned; of an open mesh, those that look other than their neighbours."""
    try:
        read = read_surface(surface, quick=True).surface
    except InertiaError:
        _, edges = _edges_of(surface)
        _, turned = patches(edges, len(surface.triangles))
        return Faulty(faces=np.flatnonzero(turned))
    return Faulty(faces=turned_faces(surface.triangles, read.triangles))


def turned_faces(triangles: TriangleArray, read: TriangleArray) -> Ints:
    """Return the faces of `triangles` (m, 3) that are among `read` (k, 3) only the other way round."""
    kept = _rings(read)
    there, back = np.isin(_rings(triangles), kept), np.isin(_rings(triangles[:, ::-1]), kept)
    return np.flatnonzero(~there & back)


def _rings(triangles: TriangleArray) -> npt.NDArray[np.void]:
    """Return each face as one value, the same for whichever corner it starts with."""
    first = np.argmin(triangles, axis=1)[:, None]
    rings = np.take_along_axis(triangles.astype(np.int64), (first + np.arange(3)) % 3, axis=1)
    return np.ascontiguousarray(rings).view(np.dtype((np.void, 24))).ravel()


def _crossing(surface: Surface) -> Faulty:
    merging = merge(surface)
    one, other = crossing_pairs(merging.merged(surface), closed=merging.verdict.consistent)
    return Faulty(faces=np.union1d(one, other))


def _overlapping(surface: Surface) -> Faulty:
    """Return the faces that pass through others; else those that meet others elsewhere; else those left out."""
    found = _crossing(surface)
    if found.found:
        return found
    one, other = meeting_pairs(merge(surface).merged(surface))
    if len(one):
        return Faulty(faces=np.union1d(one, other))
    try:
        read = _rings(read_surface(surface, quick=True).surface.triangles)
    except InertiaError:
        return Faulty()
    left = ~np.isin(_rings(surface.triangles), read) & ~np.isin(_rings(surface.triangles[:, ::-1]), read)
    return Faulty(faces=np.flatnonzero(left))


def _crossing_or_turned(surface: Surface) -> Faulty:
    found = _crossing(surface)
    return found if found.found else _turned(surface)


def _repeated(surface: Surface) -> Faulty:
    points, faces, _ = merged_edges(merge(surface, tolerant=True), surface)
    return Faulty(faces=repeated(points, faces)[0])


def _back_to_back(surface: Surface) -> Faulty:
    points, faces, _ = merged_edges(merge(surface, tolerant=True), surface)
    return Faulty(faces=repeated(points, faces)[1])


def _without_area(surface: Surface) -> Faulty:
    points = merge(surface, tolerant=True).triangles(surface)
    return Faulty(faces=remarks.without_area(surface, degenerate(points)))


PLACES: Mapping[str, Callable[[Surface], Faulty]] = MappingProxyType(
    {
        "open_mesh": _boundary,
        "open_columns": _boundary,
        "t_junction": _t_junctions,
        "non_manifold_edges": _crowded,
        "inconsistent_winding": _turned,
        "inside_out": _turned,
        "negative_winding": _crossing_or_turned,
        "crossing_faces": _crossing,
        "overlapping_shells": _overlapping,
        "duplicate_faces": _repeated,
        "inner_walls": _back_to_back,
        "degenerate_faces": _without_area,
    }
)
"""How what a finding counts is found, by its code; ``not_finite`` besides."""

SELECTABLE = frozenset({*PLACES, "not_finite"})
"""Codes of the findings whose place can be shown."""
