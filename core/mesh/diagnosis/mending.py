# SPDX-License-Identifier: GPL-3.0-or-later
"""A surface made closed and consistent by its edges: faces that repeat dropped, shells wound alike, T-junctions cut."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...arrays import Bools, Ints
from ...errors import Finding, InertiaError
from ..integrate import surface_moments
from ..surface import Surface
from ..topology.components import Shells, sheets, shells_of
from ..topology.connected import connected
from ..topology.edges import Edges, perhaps_repeated, repeated, welded_edges
from ..topology.junctions import cut_at_corners
from ..topology.orientation import SURE, UNSURE, joined, surprise
from ..topology.weld import Welding
from . import remarks


@dataclass(frozen=True, eq=False)
class Sorted:
    """A closed and consistent surface, its faces sorted into shells: a label for each, None where it is one shell.

    And its edges where they have been looked at, some faces perhaps wound the other way then.
    """

    surface: Surface
    welding: Welding
    label: Ints | None
    used: Bools | None
    findings: tuple[Finding, ...] = ()
    edges: Edges | None = None

    def shells(self) -> Shells | None:
        """Return the shells where there are two or more, faces without area apart."""
        if self.label is None or self.used is None:
            return None
        used = self.label[self.used]
        if not (used != used[:1]).any():
            return None
        return shells_of(merged(self.surface, self.welding), self.label, self.used)  # so that a flat one is just that


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
    used = np.zeros(len(points), dtype=bool)
    used[faces] = True
    excess, _ = repeated(points, perhaps_repeated(edges))
    excess = _droppable(edges, excess, len(points))
    if len(excess):
        kept = np.delete(np.arange(len(points)), excess)
        fewer = Surface(surface.vertices, surface.triangles[kept])
        findings += (remarks.dropped(excess, signed_volume(surface), signed_volume(fewer)),)
        surface, edges = fewer, edges.without(excess, len(points))
        used = used[kept]
    pieces = cut_at_corners(surface, edges)
    sheet, turned = sheets(pieces, len(used))  # what has one side only is told first: closing it would not help
    boundary = pieces.odd()
    if len(boundary):
        raise remarks.open_mesh(surface, pieces, boundary)
    shell, turned = joined(surface, pieces, sheet, turned)
    in_part = () if pieces is edges else edges.uneven(turned)
    if len(in_part):
        findings += (remarks.t_junctions(len(in_part)),)
    if turned.any() and len(pieces.uneven()):
        before = signed_volume(surface)
        turned ^= _against_nesting(Sorted(turned_round(surface, turned), welding, shell, used), turned)
        surface = turned_round(surface, turned)
        findings += (remarks.turned(np.flatnonzero(turned), before, signed_volume(surface)),)
    return Sorted(surface, welding, shell, used, findings, edges)


def merged(surface: Surface, welding: Welding) -> Surface:
    """Return a surface with each vertex moved to its point, less than a welding cell away."""
    if welding.equal is None:
        return surface
    return Surface(surface.vertices[welding.point], surface.triangles)


def turned_round(surface: Surface, which: Bools) -> Surface:
    triangles = surface.triangles.copy()
    triangles[which] = triangles[which, ::-1]
    return Surface(surface.vertices, triangles)


def _against_nesting(found: Sorted, turned: Bools) -> Bools:
    """Return the faces of shells that had better look the other way: hardly more say what they do now.

    By its place, a shell inside another is a cavity, and one in a cavity is solid.
    """
    other = np.zeros(len(turned), dtype=bool)
    shells = found.shells()
    if shells is None:
        return other
    size = np.array([len(faces) for faces in shells.faces])
    against = np.array([np.count_nonzero(turned[faces]) for faces in shells.faces])
    depth = np.array([len(around) for around in shells.within])
    looks = np.sign(shells.volume) * np.where(shells.inward() ^ (depth % 2 == 1), -1, 1)
    odd = np.flatnonzero((looks < 0) & (depth > 0))
    if not len(odd):
        return other
    so_far, whole = np.count_nonzero(turned), len(turned)
    instead = np.minimum(so_far + size[odd] - 2 * against[odd], whole / 2)
    odds = surprise(instead, whole) - surprise(so_far, whole)
    for shell in odd[(against[odd] > 0) & (odds > UNSURE) & (odds <= SURE)].tolist():
        to_solid = int(against[shell] if depth[shell] % 2 else size[shell] - against[shell])
        raise remarks.solid_or_cavity(int(size[shell]), to_solid, abs(float(shells.volume[shell])))
    wrong = np.zeros(len(size), dtype=bool)
    wrong[odd[odds <= UNSURE]] = True
    return shells.mask(wrong, len(turned)) if wrong.any() else other


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
    cluster = connected(face[order[following]], face[order[following + 1]], count)
    before = edges.count[edge] % 2
    after = (edges.count[edge] - np.bincount(edge, minlength=len(edges.edge))[edge]) % 2
    worse = np.bincount(cluster[face], after - before, minlength=count) > 0
    harmless: Ints = excess[~worse[cluster[excess]]]
    return harmless
