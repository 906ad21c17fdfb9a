# SPDX-License-Identifier: GPL-3.0-or-later
"""How a mesh is read: what is wrong with it, and what is made of that, each step with the number before and after.

The order is that of the policy: (1) faces that repeat are dropped; (2) each shell is wound consistently; (3) a shell
inside no other that looks inwards is turned, with all inside it; (4) one that looks inwards inside another is a
cavity; (5) where the surface still winds more than once around space, the solid is the union; (6) a winding below
zero is refused; (7) so is an open mesh. The user's mesh is never touched.

What is guaranteed: faces and edges are looked at exactly, and so are the nesting and the sum of shells that are apart
(no face of one near a face of the other). What overlaps is found by sampling: between two shells with 32 x 32 lines
in a window drawn close around the faces that meet, within one shell with columns of 1/64 of the longest side. A
surface that cuts through itself by less than a column may go unseen; so may corners of two shells that pierce each
other between the lines, whose overlap is some 1e-7 of the volume; so may what is less than a welding cell (a millionth
of the size) deep, which counts as touching.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..errors import Finding, InertiaError
from ..moments import Moments
from . import remarks
from .components import Shells, oriented, point_components, sheets, shells_of
from .integrate import surface_moments
from .overlap import Windings, close_look, coarse_look
from .surface import Surface
from .topology import Bools, Edges, degenerate, perhaps_repeated, repeated, split_at_corners, welded_edges
from .topology import connected as components_of
from .weld import Ints, Welding, weld

DETAILS_BELOW = 1 << 17
"""Faces up to which harmless oddities (touching edges, faces without area) are told unasked."""


@dataclass(frozen=True, eq=False)
class Reading:
    """A mesh as it is read.

    Parameters
    ----------
    surface : Surface
        After corrections: closed, and wound so that outside is outside.
    corrected : bool
        Whether it differs from the mesh as it came.
    moments : Moments
        Its exact signed integral.
    windings : Windings
        Where it winds around space more than once.
    swallowed : float
        Volume of shells that were left out since they lie inside the solid [m³].
    findings : tuple of Finding
    welding : Welding
        Its points.
    """

    surface: Surface
    corrected: bool
    moments: Moments
    windings: Windings
    swallowed: float
    findings: tuple[Finding, ...]
    welding: Welding

    def watertight(self) -> Surface:
        """Return the surface with each vertex at its point, so that no column falls through a crack."""
        return merged(self.surface, self.welding)


@dataclass(frozen=True, eq=False)
class _Sorted:
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


def read_surface(surface: Surface, details: bool | None = None) -> Reading:
    """Decide by the policy how a surface is read.

    Parameters
    ----------
    surface : Surface
    details : bool, optional
        Tell harmless oddities too, which takes as long as a full diagnosis; for meshes of up to 131,072 faces where
        not given.

    Raises
    ------
    InertiaError
        ``open_mesh``, ``not_orientable``, ``inconsistent_winding``, ``negative_winding``, ``zero_volume``.
    """
    welding = weld(surface)
    if welding.verdict.consistent:
        points = welding.triangles(surface)
        label = point_components(points, len(welding.point))
        plain = _Sorted(surface, welding, label, None if label is None else ~degenerate(points))
        seen = coarse_look(merged(surface, welding))
        unclear = seen.overlap > 0.0
        try:
            if not unclear:
                reading = _settled(surface, plain, seen)
                unclear = reading.windings.overlap > 0.0 or reading.swallowed > 0.0
        except InertiaError as error:
            if error.code not in ("zero_volume", "negative_winding"):
                raise
            unclear = True
        if unclear:  # shells that share points, or are there twice, are told apart by their edges
            reading = _settled(surface, _repaired(surface, weld(surface, tolerant=True)))
    else:
        reading = _settled(surface, _repaired(surface, welding))
    notes = remarks.size(surface)
    if details or (details is None and len(surface.triangles) <= DETAILS_BELOW):
        notes += _details(reading.surface, welding)
    known = {finding.code for finding in reading.findings}
    return replace(reading, findings=reading.findings + tuple(note for note in notes if note.code not in known))


def _volume(surface: Surface) -> float:
    try:
        return surface_moments(surface).volume
    except InertiaError:  # zero_volume
        return 0.0


def _repaired(surface: Surface, welding: Welding) -> _Sorted:
    """Take steps 1, 2 and 7 of the policy, by the edges."""
    findings: tuple[Finding, ...] = ()
    points, faces, edges = welded_edges(welding, surface)
    excess, _ = repeated(points, perhaps_repeated(edges))
    excess = _droppable(edges, excess, len(points))
    if len(excess):
        kept = np.delete(np.arange(len(points)), excess)
        fewer = Surface(surface.vertices, surface.triangles[kept])
        findings += (remarks.dropped(excess, _volume(surface), _volume(fewer)),)
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
        before = _volume(surface)
        surface = _turned(surface, turned)
        findings += (remarks.turned(np.flatnonzero(turned), before, _volume(surface)),)
    used = np.zeros(len(points), dtype=bool)
    used[faces] = True
    return _Sorted(surface, welding, shell, used, findings)


def merged(surface: Surface, welding: Welding) -> Surface:
    """Return a surface with each vertex moved to its point, less than a welding cell away."""
    if not welding.merging or np.array_equal(welding.point, np.arange(len(welding.point))):
        return surface
    return Surface(surface.vertices[welding.point], surface.triangles)


def _turned(surface: Surface, which: Bools) -> Surface:
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


def _settled(original: Surface, found: _Sorted, seen: Windings | None = None) -> Reading:
    """Take steps 3 to 6 of the policy: nesting, cavities and windings; `seen` is what a coarse look at it saw."""
    surface, findings, windings = found.surface, found.findings, Windings()
    inner = 0.0
    shells = found.shells()
    if shells is not None:
        inward = _inward(shells)
        if inward.any():
            before = _volume(surface)
            surface, shells = _turned(surface, shells.mask(inward, len(surface.triangles))), shells.flipped(inward)
            findings += (remarks.inside_out(before, _volume(surface), int(inward.sum()), len(inward)),)
        if seen is None or surface is not found.surface:
            seen = coarse_look(merged(surface, found.welding))
        windings, winding = close_look(surface, shells, seen.overlap), shells.winding()
        moments = surface_moments(surface)
        findings += _told_of(shells, winding, windings, moments.volume)
        if (winding < 0).any():
            raise remarks.negative_winding(-float(shells.volume[winding < 0].sum()), moments.volume)
        swallowed = _swallowed(shells, winding, windings)
        if swallowed.any():  # as good as the columns, and exact
            kept = ~shells.mask(swallowed, len(surface.triangles))
            surface = Surface(surface.vertices, surface.triangles[kept])
            before, moments = moments.volume, surface_moments(surface)
            inner = before - moments.volume
            findings += (remarks.overlapping(inner, before, moments.volume, 0.0),)
        elif (winding > 1).any():
            windings = replace(windings, overlap=max(windings.overlap, float(shells.volume[winding > 1].sum())))
    else:
        moments = surface_moments(surface)
        if moments.volume < 0.0:
            findings += (remarks.inside_out(moments.volume, -moments.volume, 1, 1),)
            surface, moments = surface.flipped(), -moments
    if seen is None or surface is not found.surface:
        seen = coarse_look(merged(surface, found.welding))
    negative = max(windings.negative, seen.negative, -moments.volume)
    if negative > 0.0:
        raise remarks.negative_winding(negative, moments.volume)
    windings = replace(windings, overlap=max(windings.overlap, seen.overlap))
    return Reading(surface, surface is not original, moments, windings, inner, findings, found.welding)


def _told_of(shells: Shells, winding: Ints, windings: Windings, volume: float) -> tuple[Finding, ...]:
    findings: tuple[Finding, ...] = ()
    cavities = np.flatnonzero((winding == 0) & (shells.volume < 0.0))
    if len(cavities):
        findings += (remarks.cavities(-shells.volume[cavities], volume),)
    if windings.touching:
        findings += (remarks.touching(windings.touching, len(shells.faces)),)
    if windings.unseen:
        findings += (remarks.unseen(windings.unseen),)
    return findings


def _swallowed(shells: Shells, winding: Ints, windings: Windings) -> Bools:
    """Return the shells that lie well inside the solid, apart from all others: the union does without them."""
    outside = winding - np.sign(shells.volume).astype(np.int64)
    apart = np.ones(len(winding), dtype=bool)
    apart[list(windings.near)] = False
    swallowed: Bools = (winding > 0) & (outside > 0) & apart
    return swallowed


def _inward(shells: Shells) -> Bools:
    """Return the shells to turn: those inside no other that look inwards, and all that lie inside them."""
    outermost = np.array([not around for around in shells.within])
    roots = outermost & (shells.volume < 0.0)
    return np.array([roots[k] or any(roots[outer] for outer in shells.within[k]) for k in range(len(roots))])


def _details(surface: Surface, welding: Welding) -> tuple[Finding, ...]:
    """Look for what is odd about a closed mesh without any harm to its integral."""
    findings: tuple[Finding, ...] = ()
    equal = weld(surface, tolerant=True)  # what lies back to back often has vertices of its own
    points = equal.triangles(surface)
    collapsed = degenerate(points)
    flat = remarks.without_area(surface, collapsed)
    if len(flat):
        findings += (remarks.degenerate_faces(flat),)
    faces = np.flatnonzero(~collapsed)
    edges = Edges.around(points, faces)
    _, opposite = repeated(points, perhaps_repeated(edges))
    if len(opposite):
        findings += (remarks.cancelling_faces(opposite),)
        faces = np.setdiff1d(faces, opposite)
    if not len(faces):
        return findings
    if len(opposite) or not np.array_equal(equal.point, welding.point):
        edges = Edges.around(welding.triangles(surface), faces)  # what has vertices of its own only touches
    crowded = int(np.count_nonzero(edges.count() > 2))
    if crowded:
        try:
            _, _, joints = oriented(edges, len(points))
        except InertiaError:  # touching sheets whose faces were paired wrongly: odd, but closed
            joints = crowded
        findings += (remarks.crowded_edges(crowded, joints),)
    return findings
