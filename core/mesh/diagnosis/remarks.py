# SPDX-License-Identifier: Apache-2.0
"""The findings of a diagnosis, with the numbers and a remedy that works."""

from __future__ import annotations

import numpy as np

from ...arrays import Ints, corner_blocks
from ...errors import Finding, InertiaError, Severity
from ...findings.message import Message
from ...units import few_text, number_text, share_text
from ..surface import Surface
from ..topology.edges import Edges, chains
from ..topology.loops import Loops
from ..topology.orientation import non_manifold_edges, patches
from ..topology.vectors import cross, dot
from .checked_mesh import CheckedMesh
from .precision import precision

SMALLEST, LARGEST = 1e-4, 10.0
"""Longest sides of robot parts [m]: from a watch screw to a crane. Outside, the unit is doubtful."""

UNIT_SUSPICION = "unit_suspicion"

NOT_CHECKED = "not_checked"
"""For a quick diagnosis that skipped a search."""

REPORTED, WARNED = 1e-3, 1e-2
"""Shares of the volume: below the first the choice is smaller than other modelling errors, above the second it shows in
a simulation."""

USABLE = 0.1
"""Estimated error up to which a number may be used unchecked."""

BLOCK = 1 << 12
"""Faces per block: the temporaries stay in the cache, and need no fresh pages."""

SLIVER = 64 * float(np.finfo(np.float64).eps)
"""A face whose area is below this share of its longest side squared has no area."""


def open_mesh(edges: Edges, pieces: Edges, bound: float) -> InertiaError:
    """The mesh has holes: how many of its edges are open, and how they are connected.

    An edge that is closed in `pieces`, which are cut at T-junctions, is not open. The error is at most `bound` if fans
    close the holes.
    """
    edges, boundary = _open_edges(edges, pieces)
    lengths = chains(edges, boundary)
    fins = int(np.count_nonzero(edges.count[boundary] > 1))
    single = len(boundary) - fins
    off = share_text(bound) if round(bound, 2) < 1.0 else ""
    sizes = few_text(lengths[:4].tolist(), 3) if len(lengths) > 1 else ""
    form = "fins" if not single else ""
    return InertiaError.of("open_mesh", "", form, single=single, fins=fins, loops=len(lengths), sizes=sizes, off=off)


def holes_closed(code: str, holes: Loops, bound: float) -> Finding:
    """Holes were closed: because they are small, or at the user's request."""
    order = np.argsort(-holes.areas, kind="stable")[:4]  # of thousands only three are written
    places = [
        f"{int(count)} edges at ({', '.join(number_text(float(x), 3) for x in apex)})"
        for count, apex in zip(holes.counts[order], holes.apexes[order], strict=True)
    ]
    form = "" if bound < 1.0 else "too_large"
    return Finding.of("warning", code, "", form, count=len(holes), holes=few_text(places, 3), effect=share_text(bound))


def _open_edges(edges: Edges, pieces: Edges) -> tuple[Edges, Ints]:
    """Return the open edges of the mesh, not their open pieces, which may be more."""
    odd = pieces.odd()
    if pieces.origin is None:
        return edges, odd
    # The whole edges of open pieces; if none of these has an odd number of faces, only the pieces are open.
    torn = edges.edge[pieces.origin[np.isin(pieces.edge, odd)]]
    sides = np.intersect1d(torn, edges.odd())
    return (edges, sides) if len(sides) else (pieces, odd)


def by_winding(wrong: InertiaError, error: float, error_inertia: float) -> Finding:
    """Report what is wrong with a mesh that was still measured by winding numbers, and how far to trust the result."""
    values = {"reason": wrong.sentence, "error": share_text(error), "inertia": share_text(error_inertia)}
    form = "by_winding" if max(error, error_inertia) <= USABLE else "unsure"
    sentence = Message("open_mesh", form, values)
    return Finding("warning", wrong.code, "", sentence, sentence.remedy())


def corrected(code: str, faces: Ints, before: float, after: float, form: str = "corrected") -> Finding:
    """Faces were dropped or reversed, which changes the volume."""
    return Finding.of("warning", code, "", form, **_listed(faces), before=before, after=after)


def _listed(faces: Ints) -> dict[str, object]:
    """Return the count and first numbers of the user's faces, without those that close holes (-1)."""
    shown = faces[faces >= 0]
    return {"count": len(shown), "faces": few_text(shown.tolist())}


def inside_out(before: float, after: float, turned_components: int, components: int) -> Finding:
    form = "" if turned_components == components else "parts"
    counts = {"count": turned_components, "total": components}
    return Finding.of("warning", "inside_out", "", form, before=before, after=after, **counts)


def inner_walls(faces: Ints, form: str = "") -> Finding:
    """Faces lie back to back, which changes nothing; or ``single``: solid is on both sides, and they were left out."""
    severity: Severity = "warning" if form else "info"
    return Finding.of(severity, "inner_walls", "", form, **_listed(faces))


def doubled_sheets(faces: Ints, volume: float) -> Finding:
    """Open sheets have faces for both sides, which cancel; with one side they would enclose a volume [m³]."""
    return Finding.of("warning", "inner_walls", "", "sheets", **_listed(faces), volume=volume)


def sheets_left_out(faces: Ints, area: float, volume: float, inertia: float) -> Finding:
    """Open sheets were left out, which as walls would add these shares."""
    values = {"area": area, "volume": share_text(volume), "inertia": share_text(inertia)}
    return Finding.of("warning", "open_sheets", "", **_listed(faces), **values)


def overlapping(overlap: float, after: float, error: float = 0.0, exactly: bool = True) -> Finding:
    values = {"percent": 100.0 * overlap / after, "overlap": overlap, "error": share_text(error)}
    return Finding.of("warning", "overlapping_shells", "", "" if exactly else "voxels", **values)


def crossing(faces: Ints, error: float) -> Finding:
    doubt = share_text(max(error, 1e-3)) if error else ""
    return Finding.of("warning", "crossing_faces", **_listed(faces), doubt=doubt)


def unit(longest: float) -> tuple[Finding, ...]:
    """Report a longest side [m] that makes the unit doubtful."""
    if not longest or SMALLEST <= longest <= LARGEST:
        return ()
    values = {"longest": longest, "mm": longest * 0.001, "cm": longest * 0.01, "inches": longest * 0.0254}
    return (Finding.of("warning", UNIT_SUSPICION, "", "large" if longest > LARGEST else "small", **values),)


def size(surface: Surface) -> tuple[tuple[Finding, ...], float]:
    """Report a size, or a distance from the origin, that makes the coordinates doubtful, and the error that follows."""
    low, high = surface.bounds()
    lost, error = precision(surface)
    return unit(float((high - low).max())) + lost, error


def without_area(surface: Surface) -> Ints:
    """Return the faces without area: those with two corners at one place, and slivers."""
    flat = np.zeros(len(surface.triangles), dtype=bool)
    rows = np.ascontiguousarray(surface.vertices.T, dtype=np.float64)
    for some, index in corner_blocks(surface.triangles, BLOCK):
        a, b, c = (rows.take(corner, axis=1, mode="clip") for corner in index)
        u, v = b - a, c - a
        normal = cross(u, v)
        longest = np.maximum(dot(u, u), dot(v, v))
        flat[some] = dot(normal, normal) <= (SLIVER * longest) ** 2
    return np.flatnonzero(flat)


def diagonal_spread(surface: Surface) -> float:
    """Return the sum of the tetrahedra of a surface's quads, in its own units cubed: no choice of diagonals changes the
    volume by more."""
    if surface.quads is None:
        return 0.0
    rows = np.ascontiguousarray(surface.vertices.T, dtype=np.float64)
    total = 0.0
    for _, index in corner_blocks(surface.quads, BLOCK):
        a, b, c, d = (rows.take(corner, axis=1) for corner in index)
        total += float(np.abs(dot(b - a, cross(c - a, d - a))).sum())
    return total / 6.0


def bent_quads(surface: Surface, volume: float) -> tuple[Finding, ...]:
    """Report how much another choice of diagonals could change a volume, in the surface's own units cubed."""
    share = diagonal_spread(surface) / abs(volume) if volume else 0.0
    if not share > REPORTED:
        return ()
    return (Finding.of("warning" if share > WARNED else "info", "bent_quads", percent=100.0 * share),)


def oddities(given: Surface, checked: CheckedMesh) -> tuple[Finding, ...]:
    """Report what is unusual in a mesh that was read, but harmless: faces without area, inner walls, crowded edges."""
    findings: tuple[Finding, ...] = ()
    flat = without_area(given)
    if len(flat):
        findings += (Finding.of("info", "degenerate_faces", **_listed(flat)),)
    _, opposite = checked.repeats()
    edges = checked.edges
    if len(opposite):
        walls = checked.origin[opposite]
        findings += (inner_walls(walls),) if walls.max() >= 0 else ()
        others = np.setdiff1d(np.arange(len(checked.origin)), opposite)
        edges = Edges.around(checked.points, others)  # faces with vertices of their own only touch
    crowded = 0 if edges.plain else int(np.count_nonzero(edges.count > 2))
    if not crowded:
        return findings
    try:
        branching = non_manifold_edges(edges, *patches(edges, len(checked.origin))).count()
    except InertiaError:  # touching patches whose faces were paired wrongly: unusual, but closed
        branching = crowded
    if branching:
        return (*findings, Finding.of("warning", "non_manifold_edges", count=branching))
    return (*findings, Finding.of("info", "touching_shells", "", "edges", count=crowded))


def touching(checked: CheckedMesh) -> tuple[Finding, ...]:
    """Report corners at which components meet that have vertices of their own."""
    if checked.count == 1:
        return ()
    # Note one component at each place: corners of another one that find it there are shared.
    places, component = checked.places.T, checked.component
    noted = np.empty(len(checked.place), dtype=np.int64)
    for corner in places:
        noted[corner] = component
    shared = np.zeros(len(noted), dtype=bool)
    for corner in places:
        shared[corner[noted.take(corner) != component]] = True
    count = int(np.count_nonzero(shared))
    return (Finding.of("info", "touching_shells", "", "apart", count=count),) if count else ()
