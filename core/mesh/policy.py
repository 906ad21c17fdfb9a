# SPDX-License-Identifier: GPL-3.0-or-later
"""How a mesh is read: the seven steps of the policy for awkward meshes, in their order.

If the edges of a mesh balance, its components nest as solids and cavities, and no face passes through another, its
winding number is 0 or 1 everywhere. The exact integral requires that, and it holds for most meshes. For others, each
step takes a reading and returns a corrected one with its finding; the user's mesh never changes.

(1) Faces that repeat are dropped. (2) Small holes are closed; larger ones refuse the mesh. (3) Each component is wound
consistently. (4) An outermost component that is wound inward is reversed, with all inside it. (5) One wound inward
inside another is a cavity. (6) Where the winding number is still above one, the solid is the union. (7) A remaining
winding number below zero is an error of that size, or refuses the mesh.

See docs/adr/0003 and 0004.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..arrays import Ints
from ..errors import Finding, InertiaError
from ..units import share_text
from .diagnosis import remarks
from .diagnosis.overlaps import Overlaps, United, by_columns, by_manifold, find_overlaps
from .diagnosis.reading import Reading
from .integrate import surface_moments
from .progress import Progress, interruptible
from .surface import Surface
from .topology.edges import Edges, droppable
from .topology.junctions import cut_at_corners
from .topology.loops import Loops, boundary_loops, fans
from .topology.merging import merging_size
from .topology.orientation import joined, patches, refuse_undecided

SMALL = 1e-3
"""Holes, and parts inside out, that change volume and tensor by no more than this are tolerated, with a finding."""

READ_IN_FULL = 1 << 10
"""Up to this number of faces a quick reading skips nothing."""


def read_surface(surface: Surface, quick: bool = False, progress: Progress | None = None) -> Reading:
    """Return the reading of a surface by the policy.

    Parameters
    ----------
    quick : bool
        Search for faces that pass through others only in a mesh of up to `READ_IN_FULL` faces, or if columns find an
        overlap; a skipped search is reported (``not_checked``). A union that takes long is left to columns.
    progress : callable, optional
        Called regularly; can cancel the work: see `interruptible`.

    Raises
    ------
    InertiaError
        ``open_mesh``, ``not_orientable``, ``inconsistent_winding``, ``negative_winding``, ``zero_volume``.
    """
    in_full = not quick or len(surface.triangles) <= READ_IN_FULL
    with interruptible(progress):
        reading = oriented(surface)
        overlaps = find_overlaps(reading, in_full)
        reading = tolerate_negative_winding(unite(reading, overlaps, quick), overlaps)
    odd = remarks.oddities(surface, reading)
    if overlaps.touching and reading.method == "exact" and not odd:
        counts = {"count": overlaps.touching, "total": reading.count}
        odd = (Finding.of("info", "touching_shells", "", "apart", **counts),)
    notes = remarks.size(surface) + odd + (overlaps.unchecked if reading.method == "exact" else ())
    codes = {finding.code for finding in reading.findings}
    return reading.with_findings(*(note for note in notes if note.code not in codes))


def oriented(surface: Surface) -> Reading:
    """Run the first five steps: the surface closed, each component wound as a solid or a cavity."""
    reading = Reading.of(surface)
    for step in (drop_duplicates, close_small_holes, make_consistent, turn_outwards, report_cavities):
        reading = step(reading)
    return reading


def drop_duplicates(reading: Reading) -> Reading:
    """(1) Drop faces that are repeated with the same winding, unless that opens an edge."""
    there, _ = reading.repeats()
    if not len(there):
        return reading
    edges, count = Edges.around(reading.places), len(reading.origin)
    excess = droppable(edges, there, count)
    if len(excess) < len(there):  # at a T-junction an edge is open already, and its pieces decide
        excess = droppable(cut_at_corners(reading.surface, edges), there, count)
    if not len(excess):
        return reading
    kept = np.delete(np.arange(count), excess)
    fewer = Reading.of(reading.surface.with_faces(reading.points[kept]), reading.origin[kept])
    finding = remarks.corrected("duplicate_faces", reading.origin[excess], reading.volume, fewer.volume)
    return replace(fewer, corrected=True, error=max(fewer.error, reading.error)).with_findings(finding)


def close_small_holes(reading: Reading) -> Reading:
    """(2) Close holes by fans if the possible error is at most `SMALL`; T-junctions are not holes."""
    edges = reading.edges if reading.edges.closed else cut_at_corners(reading.surface, reading.edges)
    if edges.closed:
        return reading
    closed, loops = _closed(reading)
    bound = _bound(closed.surface, loops)
    if bound > SMALL:
        raise remarks.open_mesh(reading.edges, edges, bound)
    finding = remarks.holes_closed("small_holes", _holes(loops, reading.surface), bound)
    return replace(closed, error=max(closed.error, bound)).with_findings(finding)


def close_holes(surface: Surface) -> tuple[Surface, float, tuple[Finding, ...]]:
    """Close every hole of a surface by a fan from its middle, at the user's request.

    Returns
    -------
    Surface
        The surface itself if it has no holes.
    float
        Maximum relative error of volume or tensor: see `Loops.domes`; infinite if it encloses nothing.
    tuple of Finding
        ``holes_closed``.

    Raises
    ------
    InertiaError
        ``not_orientable``.
    """
    reading = drop_duplicates(Reading.of(surface))
    if reading.edges.closed or cut_at_corners(reading.surface, reading.edges).closed:
        return surface, 0.0, ()
    closed, loops = _closed(reading)
    bound = _bound(closed.surface, loops)
    return closed.surface, bound, (remarks.holes_closed("holes_closed", _holes(loops, reading.surface), bound),)


def normalized(surface: Surface) -> Surface:
    """Return a surface merged, without faces that repeat, and each patch wound consistently if it is orientable."""
    reading = drop_duplicates(Reading.of(surface))
    try:
        _, turned = patches(reading.edges, len(reading.origin))
    except InertiaError:  # not_orientable
        return reading.surface
    return reading.flipped(turned).surface


def _closed(reading: Reading) -> tuple[Reading, Loops]:
    """Return an open reading, each patch wound consistently, with fans over its boundary; and that boundary."""
    _, turned = patches(reading.edges, len(reading.origin))
    consistent = reading.flipped(turned) if turned.any() else reading
    loops = boundary_loops(consistent.surface)
    surface = fans(consistent.surface, loops)
    triangles = surface.triangles.copy()
    triangles[: len(turned)][turned] = triangles[: len(turned)][turned, ::-1]  # reversing is the next step's task
    caps = np.full(len(triangles) - len(turned), -1)
    return reading.of_surface(surface.with_faces(triangles), np.append(reading.origin, caps)), loops


def _holes(loops: Loops, surface: Surface) -> Loops:
    """Return the loops that are holes: wider than a merging cell, unlike the seam of a T-junction."""
    return loops.some(np.flatnonzero(2.0 * loops.areas > merging_size(surface) * loops.lengths))


def _bound(closed: Surface, loops: Loops) -> float:
    """Return the maximum relative error of volume or second moment by fans over holes."""
    try:
        moments = surface_moments(closed)
    except InertiaError:  # zero_volume
        return np.inf
    trace = abs(float(np.trace(moments.covariance)))
    second = float((loops.domes * loops.farthest(moments.centroid) ** 2).sum())
    return max(float(loops.domes.sum()) / abs(moments.volume), second / trace if trace else np.inf)


def make_consistent(reading: Reading) -> Reading:
    """(3) Reverse the fewest faces that make each component consistent."""
    surface, edges = reading.surface, reading.edges
    pieces = edges if edges.consistent else cut_at_corners(surface, edges)
    patch, turned = patches(pieces, len(reading.origin))
    component, turned = joined(surface, pieces, patch, turned)
    findings: tuple[Finding, ...] = ()
    if pieces is not edges and len(in_part := edges.uneven(turned)):
        findings += (Finding.of("warning", "t_junction", count=len(in_part)),)
    if not turned.any() or pieces.consistent:
        return _without_inverses(reading.with_components(component).with_findings(*findings))
    consistent = reading.flipped(turned).with_components(component)
    refuse_undecided(consistent.nesting, consistent.component, turned)
    faces = _given(reading.origin[turned])
    findings += (remarks.corrected("inconsistent_winding", faces, reading.volume, consistent.volume),)
    return _without_inverses(consistent.with_findings(*findings))


def _without_inverses(reading: Reading) -> Reading:
    """Drop components that are present in both windings: they cancel, and cannot be nested."""
    if reading.count == 1:
        return reading
    _, opposite = reading.repeats()
    cancelling = np.bincount(reading.component[opposite], minlength=reading.count)
    kept = (cancelling < np.bincount(reading.component))[reading.component]
    if kept.all():
        return reading
    if not kept.any():
        surface_moments(reading.surface)  # raises the error that it encloses nothing
    finding = remarks.inner_walls(_given(reading.origin[~kept]))
    fewer = reading.of_surface(reading.surface.with_faces(reading.points[kept]), reading.origin[kept])
    return replace(fewer.with_components(reading.component[kept]), corrected=reading.corrected).with_findings(finding)


def _given(origin: Ints) -> Ints:
    """Return the given faces among some, ascending; a cap has none."""
    given: Ints = np.unique(origin[origin >= 0])
    return given


def turn_outwards(reading: Reading) -> Reading:
    """(4) Reverse outermost components that are wound inward, with all that is inside them."""
    inward = reading.nesting.inward()
    if not inward.any():
        return reading
    outward = reading.flipped(inward[reading.component], reading.nesting.flipped(inward))
    finding = remarks.inside_out(reading.volume, outward.volume, int(inward.sum()), len(inward))
    return outward.with_findings(finding)


def report_cavities(reading: Reading) -> Reading:
    """(5) Report components that are wound inward inside others: they are cavities."""
    nesting = reading.nesting
    cavities = (nesting.winding() == 0) & (nesting.volume < 0.0)
    if not cavities.any():
        return reading
    volumes = -nesting.volume[cavities]
    counts = {"count": len(volumes), "cavities": float(volumes.sum())}
    return reading.with_findings(Finding.of("info", "cavity", **counts, volume=reading.moments.volume))


def unite(reading: Reading, overlaps: Overlaps, quick: bool) -> Reading:
    """(6) Count once what is enclosed more than once: by Manifold, or by columns if a component crosses itself."""
    found: United | None = None
    # For solids that pass through themselves, Manifold's result is arbitrary.
    if overlaps.clusters and not len(overlaps.crossing):
        found = by_manifold(reading, overlaps, quick)
    if found is None and max(overlaps.overlap, overlaps.crossed) > reading.negligible:
        found = by_columns(reading, max(overlaps.overlap, overlaps.crossed))
    if found is not None and found.overlap <= (0.0 if overlaps.deep else reading.negligible):
        found = None
    if len(overlaps.crossing):
        twice = min(overlaps.crossed, reading.negligible) if found is None else 0.0
        error = max(reading.error, reading.share * (overlaps.unseen + twice))
        reading = replace(reading, error=error).with_findings(remarks.crossing(overlaps.crossing, error))
    if found is None:
        return reading
    exactly = found.surface is not None
    reading = reading.with_findings(remarks.overlapping(found.overlap, found.moments.volume, found.error, exactly))
    if found.surface is None:
        reading = replace(reading, united=found.moments)
    else:
        reading = reading.of_surface(found.surface, np.full(len(found.surface.triangles), -1))
    return replace(reading, error=max(reading.error, found.error), method="union")


def tolerate_negative_winding(reading: Reading, overlaps: Overlaps) -> Reading:
    """(7) Tolerate a winding number below zero up to `SMALL`, as an error of that size."""
    moments = reading.moments
    if not moments.volume > 0.0:
        raise InertiaError.of("negative_winding", negative=-moments.volume)
    if overlaps.negative <= reading.negligible:
        return replace(reading, error=max(reading.error, overlaps.negative * reading.share))
    error = overlaps.negative * reading.share
    if error > SMALL:
        raise InertiaError.of("negative_winding", negative=overlaps.negative)
    values = {"negative": overlaps.negative, "error": share_text(error)}
    finding = Finding.of("warning", "small_inside_out", **values)
    return replace(reading, error=reading.error + error).with_findings(finding)
