# SPDX-License-Identifier: Apache-2.0
"""Diagnoses and corrects a mesh by the policy for awkward meshes, in seven steps.

The exact integral requires that the winding number is 0 or 1 everywhere. That holds if every edge is used equally often
in both directions, the components nest as solids and cavities, and no face passes through another, as in most meshes.
For other meshes, each step takes a checked mesh and returns a corrected one with a finding; the user's mesh never
changes.

(1) Repeated faces are dropped; of a body with faces for both sides, one side is kept. (2) Small holes are closed, and
open sheets beside closed parts are left out; a mesh with larger holes is rejected. (3) Inner walls are left out, and
each component is wound consistently. (4) An outermost component that is wound inward is reversed, with all inside it.
(5) A component wound inward inside another is a cavity. (6) Where the winding number is still above one, the solid is
the union. (7) If the winding number is still below zero somewhere, that volume is added to the estimated error if it is
small; otherwise the mesh is rejected.

See docs/adr/0003 and 0004.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..arrays import Bools
from ..body.moments import Moments
from ..errors import Finding, InertiaError
from ..units import share_text
from .diagnosis import remarks
from .diagnosis.checked_mesh import CheckedMesh
from .diagnosis.overlaps import Overlaps, United, by_columns, by_manifold, find_overlaps, rough_overlaps
from .diagnosis.sheets import closed_parts, effect_of_holes, without_sheets
from .diagnosis.sides import keep_one_side
from .progress import Progress, interruptible
from .surface import Surface
from .topology.edges import Edges, droppable
from .topology.junctions import cut_at_corners
from .topology.loops import Loops
from .topology.merging import merging_size
from .topology.orientation import joined, patches

SMALL = 1e-3
"""Holes and parts inside out that change volume and tensor by at most this share are tolerated, with a finding."""

UNDECIDED = 0.25
"""If more than this share of the faces of a component inside another is reversed, it may be a solid or a cavity."""

ROUGH = 0.01
"""The error of a rough measurement, relative to volume and tensor."""

READ_IN_FULL = 1 << 10
"""Maximum number of faces of a mesh of which a quick diagnosis skips nothing."""


READ = "_read"
"""What comes of the first step is kept under this name with an open surface, like a cached property."""


def diagnose_surface(surface: Surface, quick: bool = False, progress: Progress | None = None) -> CheckedMesh:
    """Diagnose and correct a surface by the policy.

    Parameters
    ----------
    quick : bool
        Skip the search for intersecting faces in a mesh of more than `READ_IN_FULL` faces, unless columns of voxels
        find an overlap; that is reported (``not_checked``). Compute a union that would be slow with columns, too.
    progress : callable, optional
        Called regularly; can cancel the work: see `interruptible`.

    Raises
    ------
    InertiaError
        ``open_mesh``, ``not_orientable``, ``inconsistent_winding``, ``negative_winding``, ``zero_volume``.
    """
    checked = CheckedMesh.of_star(surface)
    notes: tuple[Finding, ...] = ()
    if checked is None:
        checked, notes = _by_steps(surface, quick, progress)
    doubts, lost = remarks.size(surface)
    checked = replace(checked, error=max(checked.error, lost))
    notes = doubts + notes
    codes = {finding.code for finding in checked.findings}
    return checked.with_findings(*(note for note in notes if note.code not in codes))


def _by_steps(surface: Surface, quick: bool, progress: Progress | None) -> tuple[CheckedMesh, tuple[Finding, ...]]:
    """Run all steps; return what is unusual but harmless beside the corrected mesh."""
    in_full = not quick or len(surface.triangles) <= READ_IN_FULL
    with interruptible(progress):
        checked = oriented(surface)
        overlaps = find_overlaps(checked, in_full)
        checked = tolerate_negative_winding(unite(checked, overlaps, quick), overlaps)
    notes = remarks.oddities(surface, checked)
    if checked.method != "exact":
        return checked, notes
    return checked, (notes or remarks.touching(checked)) + overlaps.unchecked


def rough_moments(surface: Surface) -> Moments:
    """Measure what a surface encloses to about `ROUGH`, to compare inertials by percents; nothing is reported.

    Overlaps that change the tensor by at most `ROUGH` are left in the exact signed integral; larger ones are counted
    once by columns, to that accuracy. Faces that pass through others are only searched for if coarse columns find parts
    inside out, which may have to be rejected. The columns can miss thin parts of a mesh of few faces, of which a quick
    diagnosis is fast and skips nothing.

    Raises
    ------
    InertiaError
        As `diagnose_surface`.
    """
    checked = oriented(surface)
    overlaps = rough_overlaps(checked)
    if overlaps.negative > checked.negligible:
        overlaps = find_overlaps(checked, in_full=True)
    overlap = max(overlaps.overlap, overlaps.crossed)
    if overlap * checked.share > ROUGH:
        checked = replace(checked, united=by_columns(checked, overlap, ROUGH).moments)
    return tolerate_negative_winding(checked, overlaps).moments


def oriented(surface: Surface) -> CheckedMesh:
    """Run the first five steps: the surface closed, each component wound as a solid or a cavity."""
    checked = read(surface)
    for step in (close_small_holes, make_consistent, turn_outwards, report_cavities):
        checked = step(checked)
    return checked


def read(surface: Surface) -> CheckedMesh:
    """Merge the vertices of a surface, and run the first step; for an open one only once, since all remedies that are
    tried after its refusal begin with that."""
    checked: CheckedMesh = vars(surface).get(READ) or drop_duplicates(CheckedMesh.of(surface))
    if not checked.edges.closed:
        vars(surface)[READ] = checked
    return checked


def drop_duplicates(checked: CheckedMesh) -> CheckedMesh:
    """(1) Drop repeated faces of the same winding, unless that opens an edge, and the second side of bodies."""
    duplicates, _ = checked.repeats()
    if len(duplicates):
        edges, count = Edges.around(checked.places), len(checked.origin)
        excess = droppable(edges, duplicates, count)
        if len(excess) < len(duplicates):  # at a T-junction an edge is open already, and its pieces decide
            excess = droppable(cut_at_corners(checked.surface, edges), duplicates, count)
        if len(excess):
            needed = np.ones(count, dtype=bool)
            needed[excess] = False
            once = CheckedMesh.of(checked.surface.with_faces(checked.points[needed]), checked.origin[needed])
            finding = remarks.corrected("duplicate_faces", checked.origin[excess], checked.volume, once.volume)
            error = max(once.error, checked.error)
            checked = replace(once, findings=checked.findings, corrected=True, error=error).with_findings(finding)
    return keep_one_side(checked, SMALL)


def close_small_holes(checked: CheckedMesh) -> CheckedMesh:
    """(2) Close holes with flat triangles if the possible error is at most `SMALL`; T-junctions are not holes.

    Otherwise leave out open sheets and inner walls, if there are closed parts without them.
    """
    pieces = checked.pieces
    if pieces.closed:
        return checked
    closed, loops = checked.capped
    bound = with_sheets = max(effect_of_holes(closed.surface, loops))
    if bound > SMALL and (parts := closed_parts(checked, pieces, closed.surface, loops, SMALL)):
        if parts.pieces.closed:
            return parts
        closed, loops = parts.capped
        bound = max(effect_of_holes(closed.surface, loops))
    if bound > SMALL:
        raise remarks.open_mesh(checked.edges, pieces, with_sheets)
    finding = remarks.holes_closed("small_holes", _holes(loops, closed.surface), bound)
    return replace(closed, error=max(closed.error, bound)).with_findings(finding)


def close_holes(surface: Surface) -> tuple[Surface, tuple[float, float], tuple[Finding, ...]]:
    """Close every hole of a surface by a fan from its middle, at the user's request.

    Returns
    -------
    Surface
        The surface itself if it has no holes.
    tuple of float
        Maximum relative errors of volume and tensor: see `Loops.domes`; infinite if it encloses nothing.
    tuple of Finding
        ``holes_closed``.

    Raises
    ------
    InertiaError
        ``not_orientable``.
    """
    checked = read(surface)
    if checked.pieces.closed:
        return surface, (0.0, 0.0), ()
    closed, loops = checked.capped
    bounds = effect_of_holes(closed.surface, loops)
    return closed.surface, bounds, (remarks.holes_closed("holes_closed", _holes(loops, checked.surface), max(bounds)),)


def normalized(surface: Surface) -> Surface:
    """Return a surface with merged vertices and without repeated faces, wound consistently if it is orientable."""
    checked = read(surface)
    try:
        _, turned = patches(checked.edges, len(checked.origin))
    except InertiaError:  # not_orientable
        return checked.surface
    return checked.flipped(turned).surface


def _holes(loops: Loops, surface: Surface) -> Loops:
    """Return the loops that are holes, without the seams of T-junctions, which are narrower than a merging cell."""
    holes = np.flatnonzero(2.0 * loops.areas > merging_size(surface) * loops.lengths)
    return loops.some(holes) if len(holes) else loops


def make_consistent(checked: CheckedMesh) -> CheckedMesh:
    """(3) Leave out inner walls, and reverse the fewest faces that make each component consistent."""
    surface, edges = checked.surface, checked.edges
    pieces = edges if edges.consistent else cut_at_corners(surface, edges)
    component, bounds = joined(surface, pieces, *patches(pieces, len(checked.origin)))
    turned, bounding = bounds.turned, bounds.bounding
    findings: tuple[Finding, ...] = ()
    if pieces is not edges and len(in_part := edges.uneven(turned)):
        findings += (Finding.of("warning", "t_junction", count=len(in_part)),)
    checked = checked.with_components(component).with_findings(*findings)
    if turned.any() and not pieces.consistent:
        consistent = checked.flipped(turned)
        faces = checked.origin[turned & bounding]
        finding = remarks.corrected("inconsistent_winding", faces, checked.volume, consistent.volume)
        checked = with_uncertain_cavities(consistent.with_findings(finding), turned)
    if bounding.all():
        return checked
    parts = without_sheets(checked, checked.surface, bounds)
    if parts is None:
        raise InertiaError.of("inconsistent_winding", "", "walls", edges=int(np.count_nonzero(pieces.count > 2)))
    return parts.with_components(component[bounding])


def with_uncertain_cavities(checked: CheckedMesh, turned: Bools) -> CheckedMesh:
    """Add to the error components inside others with so many reversed faces that they may be solids or cavities."""
    size, against = np.bincount(checked.component), np.bincount(checked.component, turned)
    uncertain = np.flatnonzero((against > UNDECIDED * size) & (checked.nesting.depth() > 0))
    if not len(uncertain):
        return checked
    error = float(np.abs(checked.nesting.volume[uncertain]).sum()) * checked.share
    if error >= 1.0:
        raise InertiaError.of("inconsistent_winding", "", "cavities", count=len(uncertain))
    return replace(checked, error=checked.error + error)


def turn_outwards(checked: CheckedMesh) -> CheckedMesh:
    """(4) Reverse outermost components that are wound inward, with all that is inside them."""
    inward = checked.nesting.inward()
    if not inward.any():
        return checked
    outward = checked.flipped(inward[checked.component], checked.nesting.flipped(inward))
    finding = remarks.inside_out(checked.volume, outward.volume, int(inward.sum()), len(inward))
    return outward.with_findings(finding)


def report_cavities(checked: CheckedMesh) -> CheckedMesh:
    """(5) Report components that are wound inward inside others: they are cavities."""
    nesting = checked.nesting
    cavities = (nesting.winding() == 0) & (nesting.volume < 0.0)
    if not cavities.any():
        return checked
    volumes = -nesting.volume[cavities]
    counts = {"count": len(volumes), "cavities": float(volumes.sum())}
    return checked.with_findings(Finding.of("info", "cavity", **counts, volume=checked.moments.volume))


def unite(checked: CheckedMesh, overlaps: Overlaps, quick: bool) -> CheckedMesh:
    """(6) Count overlaps once: by Manifold, or by columns of voxels if a component crosses itself."""
    # What is inside out is too much even if the union fills the box of the mesh.
    if overlaps.negative > SMALL * float(np.prod(checked.surface.extent())) and checked.moments.volume > 0.0:
        raise InertiaError.of("negative_winding", negative=overlaps.negative)
    union: United | None = None
    # For solids that pass through themselves, Manifold's result is arbitrary.
    if overlaps.clusters and not len(overlaps.crossing):
        union = by_manifold(checked, overlaps, quick)
    if union is None and max(overlaps.overlap, overlaps.crossed) > checked.negligible:
        union = by_columns(checked, max(overlaps.overlap, overlaps.crossed))
    if union is not None and union.overlap <= (0.0 if overlaps.deep else checked.negligible):
        union = None
    # Where faces cross within their solid, what columns miss stays in doubt; without a union, also what is counted
    # twice.
    if len(overlaps.crossing):
        twice = min(overlaps.crossed, checked.negligible) if union is None else 0.0
        error = max(checked.error, checked.share * (overlaps.unseen + twice))
        checked = replace(checked, error=error).with_findings(remarks.crossing(overlaps.crossing, error))
    if union is None:
        return checked
    exactly = union.surface is not None
    checked = checked.with_findings(remarks.overlapping(union.overlap, union.moments.volume, union.error, exactly))
    if union.surface is None:
        checked = replace(checked, united=union.moments)
    else:
        checked = checked.of_surface(union.surface, np.full(len(union.surface.triangles), -1))
    return replace(checked, error=max(checked.error, union.error), method="union")


def tolerate_negative_winding(checked: CheckedMesh, overlaps: Overlaps) -> CheckedMesh:
    """(7) Add a volume with a winding number below zero to the error, up to `SMALL`; reject a larger one."""
    moments = checked.moments
    if not moments.volume > 0.0:
        raise InertiaError.of("negative_winding", negative=-moments.volume)
    if overlaps.negative <= checked.negligible:
        return replace(checked, error=max(checked.error, overlaps.negative * checked.share))
    error = overlaps.negative * checked.share
    if error > SMALL:
        raise InertiaError.of("negative_winding", negative=overlaps.negative)
    values = {"negative": overlaps.negative, "error": share_text(error)}
    finding = Finding.of("warning", "small_inside_out", **values)
    return replace(checked, error=checked.error + error).with_findings(finding)
