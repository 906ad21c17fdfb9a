# SPDX-License-Identifier: GPL-3.0-or-later
"""A surface made closed and consistent by its edges: repeats dropped, components wound alike, T-junctions cut."""

from __future__ import annotations

import numpy as np

from ...arrays import Bools, Ints
from ...errors import Finding
from ..surface import Surface
from ..topology.components import patches
from ..topology.connected import connected
from ..topology.edges import Edges, degenerate, repeated
from ..topology.junctions import cut_at_corners
from ..topology.merging import merge
from ..topology.orientation import SURE, UNSURE, joined, surprise
from ..topology.single_patches import perhaps_crossing
from . import remarks
from .closed import Closed

MOST_LOOSE = 2.0**-6
"""If edges do not balance at more than this share of the vertices, crossing faces are looked for when they do."""


def without_repeats(given: Closed) -> tuple[Closed, Finding] | None:
    """Drop faces that repeat, if the surface is consistent without them; else None.

    Only faces at all of whose corners edges do not balance are looked at, which spares the edges of all others. Of a
    patch of faces there twice, that is its rim: then, and where something else is wrong too, `repaired` finds out.
    """
    surface, points = given.surface, given.points
    some = surface.between(given.loose)
    excess, _ = repeated(points, some[~degenerate(points[some])])
    if not len(excess):
        return None
    fewer = _without(surface, excess)
    found = Closed(fewer, merge(fewer))
    return (found, remarks.dropped(excess, given.volume, found.volume)) if found.merging.verdict.consistent else None


def repaired(given: Closed) -> tuple[Closed, tuple[Finding, ...]]:
    """Take steps 1, 2 and 7 of the policy, by the edges; return what they lead to, and what was corrected.

    Raises
    ------
    InertiaError
        ``open_mesh``, ``not_orientable``, ``inconsistent_winding``.
    """
    surface, merging, edges, points = given.surface, given.merging, given.edges, given.points
    excess, _ = repeated(points, edges.perhaps_repeated)
    excess = _droppable(edges, excess, len(points))
    if len(excess):
        surface = _without(surface, excess)
        fewer = None if merging.equal is None else Closed(surface, merge(surface, tolerant=True))
        if fewer is None or not fewer.merging.verdict.closed:
            edges = edges.without(excess, len(points))
        else:  # more was merged than is equal, in vain: no merging closes edges with a face too many
            merging, edges = fewer.merging, fewer.edges
    pieces = edges if merging.verdict.consistent and not len(excess) else cut_at_corners(surface, edges)
    # What has one side only is told first: closing it would not help.
    patch, turned = patches(pieces, len(surface.triangles))
    if len(pieces.odd()):
        raise remarks.open_mesh(surface, edges, pieces)
    component, turned = joined(surface, pieces, patch, turned)
    found = Closed(surface, merging, component, edges)
    findings: tuple[Finding, ...] = ()
    if len(excess):
        findings += (remarks.dropped(excess, given.volume, found.volume),)
    in_part = () if pieces is edges else edges.uneven(turned)
    if len(in_part):
        findings += (remarks.t_junctions(len(in_part)),)
    if turned.any() and len(pieces.uneven()):
        before, found = found, found.turned(turned)
        against = _against_nesting(found, turned)
        if against.any():
            turned ^= against
            found = before.turned(turned)
        findings += (remarks.turned(np.flatnonzero(turned), before.volume, found.volume),)
    return found, findings


def doubtful_corners(given: Closed) -> Bools | None:
    """Say of each vertex whether a face that may pass through others has it for a corner, before all is mended.

    Dropping faces and turning them changes nothing about that but for the faces nearby. None where that is most of it.
    """
    if np.count_nonzero(given.loose) > MOST_LOOSE * len(given.loose):
        return None
    return given.surface.corners_of(perhaps_crossing(given.watertight, given.loose))


def _without(surface: Surface, faces: Ints) -> Surface:
    return Surface(surface.vertices, np.delete(surface.triangles, faces, axis=0))


def _against_nesting(found: Closed, turned: Bools) -> Bools:
    """Return the faces of components that had better look the other way: hardly more say what they do now.

    By its place, a component inside another is a cavity, and one in a cavity is solid.
    """
    other = np.zeros(len(turned), dtype=bool)
    components = found.components()
    if components is None:
        return other
    size = np.array([len(faces) for faces in components.faces])
    against = np.array([np.count_nonzero(turned[faces]) for faces in components.faces])
    depth = np.array([len(around) for around in components.within])
    looks = np.sign(components.volume) * np.where(components.inward() ^ (depth % 2 == 1), -1, 1)
    odd = np.flatnonzero((looks < 0) & (depth > 0))
    if not len(odd):
        return other
    so_far, whole = np.count_nonzero(turned), len(turned)
    instead = np.minimum(so_far + size[odd] - 2 * against[odd], whole / 2)
    odds = surprise(instead, whole) - surprise(so_far, whole)
    for component in odd[(against[odd] > 0) & (odds > UNSURE) & (odds <= SURE)].tolist():
        to_solid = int(against[component] if depth[component] % 2 else size[component] - against[component])
        raise remarks.solid_or_cavity(int(size[component]), to_solid, abs(float(components.volume[component])))
    wrong = np.zeros(len(size), dtype=bool)
    wrong[odd[odds <= UNSURE]] = True
    return components.mask(wrong, len(turned)) if wrong.any() else other


def _droppable(edges: Edges, excess: Ints, count: int) -> Ints:
    """Return the repeating faces whose loss opens no edge: two components may share a face and need it both."""
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
