# SPDX-License-Identifier: GPL-3.0-or-later
"""What a diagnosis has to say, in words that give the numbers and a remedy that works."""

from __future__ import annotations

import numpy as np

from ...arrays import FloatArray, Ints, corner_blocks
from ...errors import Finding, InertiaError, Severity
from ...remedies import Remedy
from ...units import few_text, number_text, share_text
from ..geometry.vectors import cross, dot
from ..surface import Surface
from ..topology.edges import Edges, loops
from ..topology.loops import Loops
from ..volume_message import VolumeMessage
from .precision import precision

SMALLEST, LARGEST = 1e-4, 10.0
"""Longest sides of robot parts [m]: from a watch screw to a crane. Outside, the unit is in doubt."""

UNIT_SUSPICION = "unit_suspicion"

NOT_CHECKED = "not_checked"
"""Of a quick reading that left something unlooked for."""

BLOCK = 1 << 12
"""Faces that are looked at in turn: the temporaries stay in the cache, and fresh pages are not asked for."""

SLIVER = 64 * float(np.finfo(np.float64).eps)
"""A face whose area is below this share of its longest side squared has none."""

ORIENT = Remedy("{outside}")
JOIN = Remedy("{union}, or move them apart")
FILL = Remedy("{fill}")


def _note(severity: Severity, code: str, message: str, remedy: str = "") -> Finding:
    return Finding(severity, code, "", message, remedy)


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {_verb(count, one, many)}"


def _verb(count: int, one: str, many: str) -> str:
    return one if count == 1 else many


def open_mesh(edges: Edges, pieces: Edges, bound: float) -> InertiaError:
    """The mesh has holes: how many of its edges are open, and how they hang together.

    Parameters
    ----------
    edges, pieces : Edges
        As the mesh has them, and cut where others meet them in part: an edge that closes so is not open.
    bound : float
        By how much volume and tensor may be off if they are closed by fans, relative.
    """
    edges, boundary = _open_edges(edges, pieces)
    chains = loops(edges, boundary)
    fins = int(np.count_nonzero(edges.count[boundary] > 1))
    single = len(boundary) - fins
    told = [f"{_counted(single, 'edge has', 'edges have')} only one face"] if single else []
    told += [f"{_counted(fins, 'edge joins', 'edges join')} three faces or more"] if fins else []
    sizes = f" ({few_text((len(chain) for chain in chains), 3)} edges)" if len(chains) > 1 else ""
    off = (
        f"; closed as they are, the volume or inertia could be {share_text(bound)} off" if round(bound, 2) < 1.0 else ""
    )
    return InertiaError(
        "open_mesh",
        "",
        f"the mesh is not closed: {' and '.join(told)}, in {_counted(len(chains), 'loop', 'loops')}{sizes}{off}",
        Remedy("{voxel}", "{close_holes}", "{merge}", "{hull}", "{shell}", "{fit}"),
    )


def small_holes(holes: Loops, bound: float) -> Finding:
    """Small holes were closed."""
    return _note("warning", "small_holes", f"{_closed_holes(holes)} measured as closed{_at_most(bound)}", FILL)


def holes_closed(holes: Loops, bound: float) -> Finding:
    """Holes were closed as the user asked for."""
    return _note("warning", "holes_closed", f"{_closed_holes(holes)} closed{_at_most(bound)}", FILL)


def _closed_holes(holes: Loops) -> str:
    order = np.argsort(-holes.areas, kind="stable")
    places = [
        f"{int(count)} edges at ({', '.join(number_text(float(x), 3) for x in apex)})"
        for count, apex in zip(holes.counts[order], holes.apexes[order], strict=True)
    ]
    return f"{_counted(len(holes), 'hole', 'holes')} ({few_text(places, 3)}) {_verb(len(holes), 'was', 'were')}"


def _at_most(bound: float) -> str:
    return (
        f"; volume or inertia may be {share_text(bound)} off at most"
        if bound < 1.0
        else "; they are so large that nothing vouches for the number"
    )


def _open_edges(edges: Edges, pieces: Edges) -> tuple[Edges, Ints]:
    """Return the edges of the mesh that are open, not the pieces of them that are: those may be more."""
    left = pieces.odd()
    if pieces.origin is None:
        return edges, left
    torn = edges.edge[pieces.origin[np.isin(pieces.edge, left)]]
    sides = np.intersect1d(torn, edges.odd())
    return (edges, sides) if len(sides) else (pieces, left)


def by_winding(wrong: InertiaError, error: float) -> Finding:
    """Say what is wrong with a mesh that was measured by winding numbers all the same."""
    message = f"{wrong.message}; what its faces go round was measured (estimated error {share_text(error)})"
    return _note("warning", wrong.code, message, Remedy("{close_holes}", "{merge}", "{hull}", "{shell}"))


def ambiguous_inside(share: float) -> Finding:
    """An open mesh does not say what is inside."""
    message = f"its holes leave open what is inside: {share_text(share)} of the volume is in doubt"
    return _note("warning", "ambiguous_inside", message, FILL)


def negative_winding(negative: float) -> InertiaError:
    """Part of the surface is inside out, and no turning of components helps."""
    return InertiaError(
        "negative_winding",
        "",
        VolumeMessage("part of the surface is inside out ({}): the mesh has no definite volume", negative),
        Remedy("{voxel}", "{outside}, or separate the faces that cross (as in a bow tie)", "{hull}", "{shell}"),
    )


def small_inside_out(negative: float, error: float) -> Finding:
    """Part of the surface is inside out, too little to mind."""
    message = f"a small part of the surface is inside out ({{}}); volume and inertia may be {share_text(error)} off"
    return _note("warning", "small_inside_out", VolumeMessage(message, negative), ORIENT)


def dropped(faces: Ints, before: float, after: float) -> Finding:
    count = _counted(len(faces), "duplicate face was", "duplicate faces were")
    return _note(
        "warning",
        "duplicate_faces",
        VolumeMessage(f"{count} counted once: {few_text(faces.tolist())}; the volume is {{}}, not {{}}", after, before),
        Remedy("{merge}, and delete the faces named"),
    )


def turned(faces: Ints, before: float, after: float) -> Finding:
    count = _counted(len(faces), "face has a flipped normal; it was", "faces have flipped normals; they were")
    few = few_text(faces.tolist())
    message = VolumeMessage(f"{count} measured as if corrected: {few}; the volume is {{}}, not {{}}", after, before)
    return _note("warning", "inconsistent_winding", message, ORIENT)


def inside_out(before: float, after: float, turned_components: int, components: int) -> Finding:
    what = f"{turned_components} of its {components} loose parts {_verb(turned_components, 'is', 'are')}"
    if turned_components == components:
        what = "the mesh is"
    message = f"{what} inside out; measured as if corrected, the volume is {{}}, not {{}}"
    return _note("warning", "inside_out", VolumeMessage(message, after, before), ORIENT)


def cavities(volumes: FloatArray, volume: float) -> Finding:
    count = _counted(len(volumes), "cavity", "cavities")
    message = VolumeMessage(f"{count} of {{}} in all; {{}} of material is left", float(volumes.sum()), volume)
    return _note("info", "cavity", message)


def overlapping(overlap: float, after: float, error: float = 0.0, exactly: bool = True) -> Finding:
    message = f"parts of the mesh overlap by {100.0 * overlap / after:.3g} % of its volume ({{}}); the overlap was"
    message += " counted once" if exactly else f" counted once, by voxels (estimated error {share_text(error)})"
    return _note("warning", "overlapping_shells", VolumeMessage(message, overlap), JOIN)


def crossing(faces: Ints, error: float) -> Finding:
    count = _counted(len(faces), "face intersects", "faces intersect")
    doubt = f"; at most {share_text(max(error, 1e-3))} of the volume is in doubt" if error else ""
    return _note(
        "warning",
        "crossing_faces",
        f"{count} others: {few_text(faces.tolist())}{doubt}",
        Remedy("separate these faces", "{union}", "{remesh}"),
    )


def not_checked() -> Finding:
    """A quick reading did not look for faces that pass through others."""
    return _note(
        "info",
        NOT_CHECKED,
        "faces that intersect others were not looked for; an overlap would be counted twice",
        Remedy("{check}"),
    )


def touching(pairs: int, components: int) -> Finding:
    count = f"{_counted(pairs, 'pair', 'pairs')} of its {components} loose parts {_verb(pairs, 'touches', 'touch')}"
    return _note("info", "touching_shells", f"{count} without overlapping")


def t_junctions(edges: int) -> Finding:
    count = _counted(edges, "edge meets", "edges meet")
    return _note(
        "warning",
        "t_junction",
        f"{count} others only in part (T-junctions); no gap is left, so the mesh was measured as closed",
        Remedy("subdivide the longer edges where vertices lie on them, and {merge}"),
    )


def degenerate_faces(faces: Ints) -> Finding:
    count = _counted(len(faces), "face has", "faces have")
    message = f"{count} no area, which changes nothing: {few_text(faces.tolist())}"
    return _note("info", "degenerate_faces", message, Remedy("{dissolve}"))


def cancelling_faces(faces: Ints) -> Finding:
    message = f"{len(faces)} faces lie back to back as inner walls, which changes nothing: {few_text(faces.tolist())}"
    return _note("info", "inner_walls", message, "delete these inner walls")


def crowded_edges(edges: int, non_manifold: int) -> Finding:
    """Edges of four faces and more: closed components that touch there, or one surface that branches."""
    if not non_manifold:
        count = _counted(edges, "edge", "edges")
        return _note("info", "touching_shells", f"loose parts touch along {count} of four or more faces")
    count = _counted(non_manifold, "edge joins", "edges join")
    message = f"{count} four or more faces; the mesh is closed all the same, and was measured as it is"
    return _note("warning", "non_manifold_edges", message, Remedy("{merge}, and delete inner walls"))


def unit(longest: float) -> tuple[Finding, ...]:
    """Say whether a longest side [m] makes the unit doubtful."""
    if not longest or SMALLEST <= longest <= LARGEST:
        return ()
    message = f"its longest side is {longest:.3g} m: the unit may be wrong"
    if longest > LARGEST:
        mm, cm, inches = (f"{longest * unit:.3g}" for unit in (0.001, 0.01, 0.0254))
        message = (
            f"its longest side is {longest:.3g} m: the unit or density may be wrong;"
            f" in mm, cm or inches it would be {mm}, {cm} or {inches} m"
        )
    return (_note("warning", UNIT_SUSPICION, message, Remedy("{unit}")),)


def size(surface: Surface) -> tuple[Finding, ...]:
    """Say whether the unit, or the distance from the origin, makes the coordinates doubtful."""
    low, high = surface.bounds()
    return unit(float((high - low).max())) + precision(surface)


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
