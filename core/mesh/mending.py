# SPDX-License-Identifier: GPL-3.0-or-later
"""A surface made closed and consistent by its edges: faces that repeat dropped, shells wound alike, T-junctions cut."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import Finding, InertiaError
from . import remarks
from .components import Shells, oriented, sheets, shells_of
from .integrate import surface_moments
from .surface import Surface
from .topology import Bools, Edges, perhaps_repeated, repeated, split_at_corners, welded_edges
from .topology import connected as components_of
from .weld import Ints, Welding


@dataclass(frozen=True, eq=False)
class Sorted:
    """A closed and consistent surface, its faces sorted into shells: a label for each, None where it is one shell."""

    surface: Surface
    welding: Welding
    label: Ints | None
    used: Bools | None
    findings: tuple[Finding, ...] = ()

    def shells(self) -> Shells | None:
        """Return the shells where there are two or more, faces without area apart."""
        if self.label is None or self.used is None:
            return None
        used = self.label[self.used]
        return shells_of(self.surface, self.label, self.used) if (used != used[:1]).any() else None


def signed_volume(surface: Surface) -> float:
    try:
        return surface_moments(surface).volume
    except InertiaError:  # zero_volume
        return 0.0


def repaired(surface: Surface, welding: Welding) -> Sorted:
    """Take steps 1, 2 and 7 of the policy, by the edges.

    Raises
    ------
    InertiaError
        ``open_mesh``, ``not_orientable``, ``inconsistent_winding``.
    """
    findings: tuple[Finding, ...] = ()
    points, faces, edges = welded_edges(welding, surface)
    excess, _ = repeated(points, perhaps_repeated(edges))
    excess = _droppable(edges, excess, len(points))
    if len(excess):
        kept = np.delete(np.arange(len(points)), excess)
        fewer = Surface(surface.vertices, surface.triangles[kept])
        findings += (remarks.dropped(excess, signed_volume(surface), signed_volume(fewer)),)
        surface = fewer
        points, faces, edges = welded_edges(welding, surface)
    boundary = whole = edges.odd()
    while len(boundary):
        pieces = split_at_corners(surface, edges, boundary)
        if pieces is None:
            break
        edges, boundary = pieces, pieces.odd()
    if len(boundary):
        sheets(edges, len(points))  # what has one side only is told first: closing it would not help
        raise remarks.open_mesh(surface, edges, boundary)
    shell, turned, _ = oriented(edges, len(points))
    if len(whole):
        findings += (remarks.t_junctions(len(whole)),)
    if turned.any() and edges.unbalanced():
        before = signed_volume(surface)
        surface = turned_round(surface, turned)
        findings += (remarks.turned(np.flatnonzero(turned), before, signed_volume(surface)),)
    used = np.zeros(len(points), dtype=bool)
    used[faces] = True
    return Sorted(surface, welding, shell, used, findings)


def merged(surface: Surface, welding: Welding) -> Surface:
    """Return a surface with each vertex moved to its point, less than a welding cell away."""
    if not welding.merging or np.array_equal(welding.point, np.arange(len(welding.point))):
        return surface
    return Surface(surface.vertices[welding.point], surface.triangles)


def turned_round(surface: Surface, which: Bools) -> Surface:
    return Surface(surface.vertices, np.where(which[:, None], surface.triangles[:, ::-1], surface.triangles))


def _droppable(edges: Edges, excess: Ints, count: int) -> Ints:
    """Return the repeating faces whose loss opens no edge: two shells may share a face and need it both."""
    if not len(excess):
        return excess
    dropped = np.zeros(count, dtype=bool)
    dropped[excess] = True
    sides = np.flatnonzero(dropped[edges.face])
    edge, face = edges.edge[sides], edges.face[sides]
    order = np.argsort(edge, kind="stable")
    following = np.flatnonzero(np.diff(edge[order]) == 0)
    cluster = components_of(face[order[following]], face[order[following + 1]], count)
    before = edges.count()[edge] % 2
    after = (edges.count()[edge] - np.bincount(edge, minlength=len(edges.edge))[edge]) % 2
    worse = np.bincount(cluster[face], after - before, minlength=count) > 0
    harmless: Ints = excess[~worse[cluster[excess]]]
    return harmless
