# SPDX-License-Identifier: GPL-3.0-or-later
"""How a mesh is read: what is wrong with it, and what is made of that, each step with the number before and after.

The order is that of the policy: (1) faces that repeat are dropped; (2) each component is wound consistently; (3) a
component inside no other that looks inwards is turned, with all inside it; (4) one that looks inwards inside another is
a cavity; (5) where the surface still winds more than once around space, the solid is the union; (6) a winding below
zero is refused; (7) so is an open mesh. The user's mesh is never touched.

In (2) as few faces are turned as will do. Where patches meet four at an edge, or a component lies inside another, and
what its faces say for an overlap is hardly more than chance, the reading that encloses nothing twice is taken instead;
where it is more, but not plainly meant, the mesh is refused. What is consistent as it comes, or once (1) is done, is
read so.

What is guaranteed: faces and edges are looked at exactly, and so are the nesting and the sum of components that are
apart (no face of one near a face of the other). Faces that pass through others are found exactly, however thin what
they enclose twice, and lines measure it. The rest is sampling: lines between two components, 32 x 32 in a window drawn
close around the faces that meet; columns of 1/64 of the longest side elsewhere. What is enclosed twice where that is
seen is not sampled: it is integrated (`union.buried`), unless faces fold over at a corner.

A quick reading does not look for such faces in a mesh of more than `CROSSING_BELOW`, and says so (``not_checked``): a
surface may go unseen there that cuts through itself by less than a column, corners of two components that pierce each
other between the lines, and (above `DETAILS_BELOW`, where nothing overlaps) that a component thinner than a column is
inside out if it shares a point with another.

What is less than a merging cell (a millionth of the size) deep counts as touching. So do faces that pass through
others just along edges of both, as on one grid of cells: there, the lines and columns see what they see.

Cracks are closed to know the topology, not in the integral. What that leaves is estimated by the integral with them
closed: up to `UNION_ERROR` it is the estimated error, above it the mesh is open after all (`diagnosis.cracks`).

A mesh whose faces cross is told so whatever comes of it. What is enclosed twice or less than never there counts by its
volume. It is negligible if it is less than a layer of one merging cell all over the bounding box, which merging points
may move as well, and puts the number no further off than a union by columns may be. Then the number stays the plain
integral, with that for its estimated error: a sliver folded over in a sloppy CAD mesh is no reason to refuse the whole,
nor to be silent. What is more goes by (5) and (6) as everywhere: the union, and the refusal. What lies inside out where
components touch, as the wall of a cavity in another's wall by the rounding of float32, is judged alike.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Bools, Ints
from ..errors import Finding, InertiaError
from .diagnosis import remarks
from .diagnosis.closed import Closed
from .diagnosis.cracks import left_open
from .diagnosis.crossed import crossed
from .diagnosis.doubled import doubled
from .diagnosis.mending import doubtful_corners, repaired, without_repeats
from .diagnosis.negligible import negligible
from .diagnosis.oddities import oddities
from .diagnosis.overlap import Windings, sample_closely
from .diagnosis.reading import Reading
from .surface import Surface
from .topology.components import Components
from .topology.merging import merge
from .two_threads import at_once

Findings = tuple[Finding, ...]

DETAILS_BELOW = 1 << 17
"""Faces up to which a quick reading tells harmless oddities (touching edges, faces without area)."""

CROSSING_BELOW = 1 << 10
"""Faces up to which a quick reading looks for those that pass through others, which takes some 5 ms more there."""


def read_surface(surface: Surface, quick: bool = False) -> Reading:
    """Decide by the policy how a surface is read.

    Parameters
    ----------
    surface : Surface
    quick : bool
        Look for faces that pass through others, and tell harmless oddities, only in a mesh of up to `CROSSING_BELOW`
        and `DETAILS_BELOW` faces.

    Raises
    ------
    InertiaError
        ``open_mesh``, ``not_orientable``, ``inconsistent_winding``, ``negative_winding``, ``zero_volume``.
    """
    count = len(surface.triangles)
    how = _How(
        detailed=not quick or count <= DETAILS_BELOW,
        crossing=not quick or is_read_in_full(surface),
        large=count > DETAILS_BELOW,
    )
    given = Closed(surface, merge(surface))
    fewer = None if given.merging.verdict.closed else without_repeats(given)
    if fewer is not None:
        found, dropped = fewer
        reading = _read(found, how)
        told = {finding.code for finding in reading.findings}
        if dropped.code not in told:  # else all is read again, and told at once
            return replace(reading, findings=(dropped, *reading.findings), corrected=True)
    return _read(given, how)


def is_read_in_full(surface: Surface) -> bool:
    """Say whether a quick reading of a surface leaves nothing unlooked for."""
    return len(surface.triangles) <= CROSSING_BELOW


@dataclass(frozen=True)
class _How:
    """Whether to tell harmless oddities, and to look for faces that cross; and whether another thread helps."""

    detailed: bool
    crossing: bool
    large: bool


def _read(given: Closed, how: _How) -> Reading:
    return _read_by_points(given, how) or _read_by_edges(given, how)


def _read_by_points(given: Closed, how: _How) -> Reading | None:
    """Read a surface as it comes, if it is consistent and its points tell its components."""
    if not given.merging.verdict.consistent:
        return None
    if how.large and how.detailed:  # both will be asked for
        at_once(lambda: given.coarsely, lambda: given.by_place)
    if given.coarsely.overlap > 0.0 and given.by_place is not given:
        return None
    return _read_nested(lambda: _nested_by_points(given, how), given, given, how)


def _read_by_edges(given: Closed, how: _How) -> Reading:
    """Read a surface once it has been mended."""
    found, findings = repaired(given.by_place) if given.merging.verdict.consistent else _mended(given, how)
    reading = _read_nested(lambda: _nested(given.surface, found, findings), found, given, how)
    assert reading is not None
    return reading


def _mended(given: Closed, how: _How) -> tuple[Closed, Findings]:
    """Do the work of `repaired`, and look for faces that may cross meanwhile."""
    if not (how.large and how.crossing):
        return repaired(given)
    (found, findings), corners = at_once(lambda: repaired(given), lambda: doubtful_corners(given))
    found.passing.corners = corners
    return found, findings


def _read_nested(nest: Callable[[], Reading | None], closed: Closed, given: Closed, how: _How) -> Reading | None:
    """Take the steps from nesting on for what has been closed of what is given, and tell what is odd about it."""

    def nested() -> tuple[Reading | None, Findings]:
        reading = nest()
        return reading, oddities(reading.found, given.merging) if reading is not None and how.detailed else ()

    def searched() -> tuple[Reading | None, Findings]:
        reading, odd = nested()
        return crossed(reading) if reading is not None and how.crossing else reading, odd

    def will_be_asked_for() -> None:  # of these faces, if none is turned
        _ = closed.excess if closed.label is None else closed.excess_of_components

    if how.large and closed.coarsely.overlap > 0.0:
        _ = closed.points  # both threads begin with these
        (reading, odd), _ = at_once(searched, will_be_asked_for)
    elif how.large and how.crossing:
        (reading, odd), _ = at_once(nested, lambda: closed.passing_pairs(alone=False))
        reading = None if reading is None else crossed(reading)
    else:
        reading, odd = searched()
    if reading is None:
        return None
    notes = remarks.size(given.surface) + odd
    if not how.crossing:
        notes += (remarks.not_checked(),)
    told = {finding.code for finding in reading.findings}
    return replace(reading, findings=reading.findings + tuple(note for note in notes if note.code not in told))


def _nested_by_points(found: Closed, how: _How) -> Reading | None:
    """Do the work of `_nested` where points tell the components; None where edges may tell otherwise.

    What is enclosed twice may be a component there twice, or several may be one: that is left to edges, unless these
    are plain. Where columns see nothing of the kind, edges are asked about components too thin for that; in a large
    mesh only if it is diagnosed in full.
    """
    overlap = found.coarsely.overlap > 0.0
    if (overlap or how.detailed) and not found.plain and (overlap or _nested_wrongly(found)):
        return None
    try:
        reading = _nested(found.surface, found, ())
    except InertiaError as error:
        if error.code in ("zero_volume", "negative_winding"):
            return None
        raise
    return reading if overlap or not (reading.swallowed > 0.0 or reading.windings.overlap > 0.0) else None


def _nested_wrongly(found: Closed) -> bool:
    """Say whether components, told by edges, are inside out, or by nesting enclose anything twice or less than
    never."""
    components = repaired(found.by_place)[0].components()
    if components is None:
        return False
    winding = components.winding()
    return bool(components.inward().any() or (winding < 0).any() or (winding > 1).any())


def _nested(original: Surface, found: Closed, findings: Findings) -> Reading:
    """Take steps 3 to 6 of the policy: nesting, cavities and windings."""
    count = len(found.surface.triangles)
    windings, window, inner = Windings(), None, 0.0
    components = found.components()
    if components is not None:
        inward = components.inward()
        if inward.any():
            before, found = found.volume, found.turned(components.mask(inward, count))
            components = components.flipped(inward)
            findings += (remarks.inside_out(before, found.volume, int(inward.sum()), len(inward)),)
        windings, winding = sample_closely(found.surface, components, found.coarsely.overlap), components.winding()
        findings += _told_of(components, winding, windings, found.moments.volume)
        if (winding < 0).any():
            raise remarks.negative_winding(-float(components.volume[winding < 0].sum()))
        swallowed = _swallowed(components, winding, windings)
        twice = ~swallowed & (winding > 1)
        if windings.overlap or found.coarsely.overlap or twice.any():
            window = doubled(found.watertight, components, winding, windings.near, ~swallowed)
        if swallowed.any():  # as good as the columns, and exact
            before, found = found.moments.volume, found.without(components.mask(swallowed, count))
            inner = before - found.moments.volume
            findings += (remarks.overlapping(inner, found.moments.volume),)
        if twice.any():
            windings = replace(windings, overlap=max(windings.overlap, float(np.abs(components.volume[twice]).sum())))
    elif found.moments.volume < 0.0:
        before, found = found.moments.volume, found.turned(np.ones(count, dtype=bool))
        findings += (remarks.inside_out(before, found.moments.volume, 1, 1),)
    moments, seen = found.moments, found.coarsely
    negative = max(windings.negative, seen.negative, -moments.volume)
    least, share = negligible(found.surface, moments) if moments.volume > 0.0 else (0.0, 0.0)
    if negative > least:
        raise remarks.negative_winding(negative)
    windings = replace(windings, overlap=max(windings.overlap, seen.overlap))
    error = max(left_open(found), negative * share)
    return Reading(found, findings, found.surface is not original, windings, window, inner, error)


def _told_of(components: Components, winding: Ints, windings: Windings, volume: float) -> Findings:
    findings: Findings = ()
    cavities = np.flatnonzero((winding == 0) & (components.volume < 0.0))
    if len(cavities):
        findings += (remarks.cavities(-components.volume[cavities], volume),)
    if windings.touching:
        findings += (remarks.touching(windings.touching, len(components.faces)),)
    if windings.unseen:
        findings += (remarks.unseen(windings.unseen),)
    return findings


def _swallowed(components: Components, winding: Ints, windings: Windings) -> Bools:
    """Return the components that lie well inside the solid, apart from all others: the union does without them.

    One that is stays if a cavity in it does: without it the cavity would be one of the solid.
    """
    outside = winding - np.sign(components.volume).astype(np.int64)
    apart = np.ones(len(winding), dtype=bool)
    apart[[component for pair in windings.near for component in pair]] = False
    swallowed: Bools = (winding > 0) & (outside > 0) & apart
    while swallowed.any():
        cavities = np.flatnonzero((components.volume < 0.0) & ~swallowed)
        needed = [outer for cavity in cavities for outer in components.within[cavity] if swallowed[outer]]
        if not needed:
            break
        swallowed[needed] = False
    return swallowed
