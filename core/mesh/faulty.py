# SPDX-License-Identifier: Apache-2.0
"""Where a finding about a mesh is: the faces, edges or vertices that it counts, by their indices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from ..arrays import Ints
from ..errors import InertiaError
from .diagnosis import remarks
from .diagnosis.checked_mesh import CheckedMesh
from .diagnosis.crossings import crossing_pairs
from .diagnosis.overlaps import find_overlaps
from .policy import close_small_holes, make_consistent, oriented, read
from .surface import Surface
from .topology.edges import Edges, degenerate, repeated
from .topology.junctions import cut_at_corners
from .topology.merging import by_place, merge
from .topology.orientation import joined, patches


@dataclass(frozen=True, eq=False)
class Faulty:
    """Elements of a mesh, of one kind, by their indices; the others are empty."""

    faces: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))  # (k,)
    edges: Ints = field(default_factory=lambda: np.zeros((0, 2), dtype=np.int64))  # (k, 2) vertices; some are repeated
    vertices: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))  # (k,)

    @property
    def found(self) -> bool:
        return bool(len(self.faces) or len(self.edges) or len(self.vertices))


def faulty(vertices: npt.ArrayLike, triangles: npt.ArrayLike, code: str) -> Faulty:
    """Find the elements that a finding counts.

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
        Empty if there are none (any more).
    """
    corners = np.asarray(vertices)
    if code == "not_finite":
        return Faulty(vertices=np.flatnonzero(~np.isfinite(corners).all(axis=1)))
    try:
        return PLACES[code](Surface(corners, np.asarray(triangles)))
    except InertiaError:  # the mesh has a worse fault than the finding
        return Faulty()


def _ends(surface: Surface, checked: CheckedMesh, sides: Ints) -> Faulty:
    """Return the edges of some sides of a mesh's edges, by the vertices of the mesh."""
    # A side's number is its corner times the number of faces, plus the face: see `Edges.around`.
    corner, face = np.divmod(sides, len(checked.origin))
    rows = surface.triangles[checked.origin[face]].astype(np.int64)
    at = np.arange(len(sides))
    return Faulty(edges=np.stack([rows[at, corner], rows[at, (corner + 1) % 3]], axis=1))


def _sides(surface: Surface) -> tuple[CheckedMesh, Edges, Edges]:
    """Return the mesh, its edges, and these cut at T-junctions."""
    checked = read(surface)
    return checked, checked.edges, cut_at_corners(checked.surface, checked.edges)


def _boundary(surface: Surface) -> Faulty:
    checked, edges, pieces = _sides(surface)
    open_faces = np.isin(edges.face, pieces.face[pieces.odd()])
    return _ends(surface, checked, np.flatnonzero(np.isin(edges.edge, edges.odd()) & open_faces))


def _t_junctions(surface: Surface) -> Faulty:
    checked, edges, pieces = _sides(surface)
    _, bounds = joined(checked.surface, pieces, *patches(pieces, len(checked.origin)))
    return _ends(surface, checked, np.flatnonzero(np.isin(edges.edge, edges.uneven(bounds.turned))))


def _crowded(surface: Surface) -> Faulty:
    checked = read(surface)
    return _ends(surface, checked, np.flatnonzero(checked.edges.count[checked.edges.edge] > 2))


def _turned(surface: Surface) -> Faulty:
    """Return the faces that are reversed; for an open mesh, those that differ from their neighbours."""
    try:
        checked = oriented(surface)
    except InertiaError:
        checked = read(surface)
        _, turned = patches(checked.edges, len(checked.origin))
        return Faulty(faces=np.sort(checked.origin[turned]))
    there = np.flatnonzero(checked.origin >= 0)
    origin = checked.origin[there]
    first = checked.surface.vertices[checked.surface.triangles[there, 0]]
    # A reversed face has its corners in the opposite order; merging moves them only slightly.
    same, back = (np.abs(first - surface.vertices[surface.triangles[origin, corner]]).max(axis=1) for corner in (0, 2))
    return Faulty(faces=np.sort(origin[back < same]))


def _crossing(surface: Surface) -> Faulty:
    checked = CheckedMesh.of(surface)
    face, other = crossing_pairs(checked.surface, None if checked.edges.consistent else np.arange(len(checked.origin)))
    return Faulty(faces=np.union1d(checked.origin[face], checked.origin[other]))


def _overlapping(surface: Surface) -> Faulty:
    """Return the faces that pass through others; else those of solids that overlap others."""
    crossing = _crossing(surface)
    if crossing.found:
        return crossing
    checked = oriented(surface)
    twice = checked.nesting.winding() > 1
    if not twice.any():
        solids = np.concatenate([np.zeros(0, np.int64), *find_overlaps(checked, in_full=True).clusters])
        twice = np.isin(checked.nesting.solids(), solids)
    faces = checked.origin[twice[checked.component]]
    return Faulty(faces=np.sort(faces[faces >= 0]))


def _crossing_or_turned(surface: Surface) -> Faulty:
    crossing = _crossing(surface)
    return crossing if crossing.found else _turned(surface)


def _left_out(surface: Surface) -> Faulty:
    checked = read(surface)
    return Faulty(faces=np.setdiff1d(checked.origin, make_consistent(close_small_holes(checked)).origin))


def _walls(surface: Surface) -> Faulty:
    _, opposite = _repeats(surface)
    return Faulty(faces=opposite) if len(opposite) else _left_out(surface)


def _split(surface: Surface) -> Faulty:
    equal = by_place(surface)
    return Faulty(vertices=np.flatnonzero(merge(surface, equal).point != equal.point))


def _repeats(surface: Surface) -> tuple[Ints, Ints]:
    """Return the repeated faces, with at least equal vertices merged."""
    equal = by_place(surface)
    merging = merge(surface, equal)
    points = (merging if merging.tolerant else equal).points
    return repeated(points, np.flatnonzero(~degenerate(points)))


PLACES: Mapping[str, Callable[[Surface], Faulty]] = MappingProxyType(
    {
        "open_mesh": _boundary,
        "no_inside": _boundary,
        "small_holes": _boundary,
        "t_junction": _t_junctions,
        "non_manifold_edges": _crowded,
        "inconsistent_winding": _turned,
        "inside_out": _turned,
        "negative_winding": _crossing_or_turned,
        "small_inside_out": _crossing_or_turned,
        "crossing_faces": _crossing,
        "overlapping_shells": _overlapping,
        "duplicate_faces": lambda surface: Faulty(faces=_repeats(surface)[0]),
        "inner_walls": _walls,
        "open_sheets": _left_out,
        "split_vertices": _split,
        "degenerate_faces": lambda surface: Faulty(faces=remarks.without_area(surface)),
    }
)
"""Functions that find what a finding counts, by its code; ``not_finite`` is separate."""

SELECTABLE = frozenset({*PLACES, "not_finite"})
"""Codes of findings with elements to show."""
