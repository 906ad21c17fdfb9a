# SPDX-License-Identifier: GPL-3.0-or-later
"""The findings of a diagnosis, with the numbers and a remedy that works."""

from __future__ import annotations

import numpy as np

from ...arrays import FloatArray, Ints, corner_blocks
from ...errors import Finding, InertiaError
from ...findings.message import Message
from ...units import few_text, number_text, share_text
from ..geometry.vectors import cross, dot
from ..surface import Surface
from ..topology.edges import Edges, loops
from ..topology.loops import Loops
from .precision import precision

SMALLEST, LARGEST = 1e-4, 10.0
"""Longest sides of robot parts [m]: from a watch screw to a crane. Outside, the unit is doubtful."""

UNIT_SUSPICION = "unit_suspicion"

NOT_CHECKED = "not_checked"
"""For a quick reading that skipped a search."""

BLOCK = 1 << 12
"""Faces per block: the temporaries stay in the cache, and need no fresh pages."""

SLIVER = 64 * float(np.finfo(np.float64).eps)
"""A face whose area is below this share of its longest side squared has no area."""


def open_mesh(edges: Edges, pieces: Edges, bound: float) -> InertiaError:
    """The mesh has holes: how many of its edges are open, and how they are connected.

    Parameters
    ----------
    edges, pieces : Edges
        Those of the mesh, and those cut at T-junctions: an edge that this closes is not open.
    bound : float
        Maximum relative error of volume and tensor if they are closed by fans.
    """
    edges, boundary = _open_edges(edges, pieces)
    chains = loops(edges, boundary)
    fins = int(np.count_nonzero(edges.count[boundary] > 1))
    single = len(boundary) - fins
    off = share_text(bound) if round(bound, 2) < 1.0 else ""
    sizes = few_text((len(chain) for chain in chains), 3) if len(chains) > 1 else ""
    form = "fins" if not single else ""
    return InertiaError.of("open_mesh", "", form, single=single, fins=fins, loops=len(chains), sizes=sizes, off=off)


def small_holes(holes: Loops, bound: float) -> Finding:
    """Small holes were closed."""
    return _closed(holes, bound, "small_holes")


def holes_closed(holes: Loops, bound: float) -> Finding:
    """Holes were closed at the user's request."""
    return _closed(holes, bound, "holes_closed")


def _closed(holes: Loops, bound: float, code: str) -> Finding:
    order = np.argsort(-holes.areas, kind="stable")
    places = [
        f"{int(count)} edges at ({', '.join(number_text(float(x), 3) for x in apex)})"
        for count, apex in zip(holes.counts[order], holes.apexes[order], strict=True)
    ]
    form = "" if bound < 1.0 else "too_large"
    return Finding.of("warning", code, "", form, count=len(holes), holes=few_text(places, 3), effect=share_text(bound))


def _open_edges(edges: Edges, pieces: Edges) -> tuple[Edges, Ints]:
    """Return the open edges of the mesh, not their open pieces, which may be more."""
    left = pieces.odd()
    if pieces.origin is None:
        return edges, left
    torn = edges.edge[pieces.origin[np.isin(pieces.edge, left)]]
    sides = np.intersect1d(torn, edges.odd())
    return (edges, sides) if len(sides) else (pieces, left)


def by_winding(wrong: InertiaError, error: float) -> Finding:
    """Return findings about what is wrong with a mesh that was still measured by winding numbers."""
    values = {"reason": wrong.message, "error": share_text(error)}
    message = Message("open_mesh", "by_winding", values)
    return Finding("warning", wrong.code, "", message, message.remedy)


def ambiguous_inside(share: float) -> Finding:
    """An open mesh does not define an inside."""
    return Finding.of("warning", "ambiguous_inside", share=share_text(share))


def negative_winding(negative: float) -> InertiaError:
    """Part of the surface is inside out, and reversing components does not help."""
    return InertiaError.of("negative_winding", negative=negative)


def small_inside_out(negative: float, error: float) -> Finding:
    """Part of the surface is inside out, too little to matter."""
    return Finding.of("warning", "small_inside_out", negative=negative, error=share_text(error))


def dropped(faces: Ints, before: float, after: float) -> Finding:
    return _corrected("duplicate_faces", faces, before, after)


def turned(faces: Ints, before: float, after: float) -> Finding:
    return _corrected("inconsistent_winding", faces, before, after)


def _corrected(code: str, faces: Ints, before: float, after: float) -> Finding:
    shown = few_text(faces.tolist())
    return Finding.of("warning", code, "", "corrected", count=len(faces), faces=shown, before=before, after=after)


def inside_out(before: float, after: float, turned_components: int, components: int) -> Finding:
    form = "" if turned_components == components else "parts"
    counts = {"count": turned_components, "total": components}
    return Finding.of("warning", "inside_out", "", form, before=before, after=after, **counts)


def cavities(volumes: FloatArray, volume: float) -> Finding:
    return Finding.of("info", "cavity", count=len(volumes), cavities=float(volumes.sum()), volume=volume)


def overlapping(overlap: float, after: float, error: float = 0.0, exactly: bool = True) -> Finding:
    values = {"percent": 100.0 * overlap / after, "overlap": overlap, "error": share_text(error)}
    return Finding.of("warning", "overlapping_shells", "", "" if exactly else "voxels", **values)


def crossing(faces: Ints, error: float) -> Finding:
    doubt = share_text(max(error, 1e-3)) if error else ""
    shown = few_text(faces[faces >= 0].tolist())  # the others close holes
    return Finding.of("warning", "crossing_faces", count=len(faces), faces=shown, doubt=doubt)


def not_checked() -> Finding:
    """A quick reading did not search for faces that pass through others."""
    return Finding.of("info", NOT_CHECKED)


def touching(pairs: int, components: int) -> Finding:
    return Finding.of("info", "touching_shells", "", "apart", count=pairs, total=components)


def t_junctions(edges: int) -> Finding:
    return Finding.of("warning", "t_junction", count=edges)


def degenerate_faces(faces: Ints) -> Finding:
    return Finding.of("info", "degenerate_faces", count=len(faces), faces=few_text(faces.tolist()))


def cancelling_faces(faces: Ints) -> Finding:
    return Finding.of("info", "inner_walls", count=len(faces), faces=few_text(faces.tolist()))


def crowded_edges(edges: int, non_manifold: int) -> Finding:
    """Edges of four or more faces: closed components that touch there, or one surface that branches."""
    if not non_manifold:
        return Finding.of("info", "touching_shells", "", "edges", count=edges)
    return Finding.of("warning", "non_manifold_edges", count=non_manifold)


def unit(longest: float) -> tuple[Finding, ...]:
    """Return True if a longest side [m] makes the unit doubtful."""
    if not longest or SMALLEST <= longest <= LARGEST:
        return ()
    values = {"longest": longest, "mm": longest * 0.001, "cm": longest * 0.01, "inches": longest * 0.0254}
    return (Finding.of("warning", UNIT_SUSPICION, "", "large" if longest > LARGEST else "small", **values),)


def size(surface: Surface) -> tuple[Finding, ...]:
    """Return True if the unit, or the distance from the origin, makes the coordinates doubtful."""
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
