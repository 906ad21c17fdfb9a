# SPDX-License-Identifier: GPL-3.0-or-later
"""What a diagnosis has to say, in words that give the numbers and a remedy that works."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ...arrays import Bools, FloatArray, Ints, corner_blocks
from ...errors import Finding, InertiaError, Severity
from ..geometry.vectors import cross, dot
from ..surface import Surface
from ..topology.edges import Edges, loops, middle
from .self_crossing import Crossing

SMALLEST, LARGEST = 1e-4, 10.0
"""Longest sides of robot parts [m]: from a watch screw to a crane. Outside, the unit is in doubt."""

UNIT_SUSPICION = "unit_suspicion"

NOT_CHECKED = "not_checked"
"""Of a quick reading that left something unlooked for."""

COARSE_STEP = 1e-5
"""Steps of the coordinates above this share of the size cost digits: a hundred times float32's own step."""

BLOCK = 1 << 15
"""Faces that are looked at in turn. Fewer would stay in the cache, but then two threads wait for each other."""

SLIVER = 64 * float(np.finfo(np.float64).eps)
"""A face whose area is below this share of its longest side squared has none."""

ORIENT = "recalculate the normals (Mesh > Normals > Recalculate Outside)"
JOIN = "join the shells to one (Boolean union), or take them apart"


def _note(severity: Severity, code: str, message: str, remedy: str = "") -> Finding:
    return Finding(severity, code, "", message, remedy)


def _change(before: float, after: float) -> str:
    return f"its volume was {before:.6g} in its own units, and is read as {after:.6g}"


def _few(numbers: Iterable[int], most: int = 8) -> str:
    listed = list(numbers)
    return ", ".join(str(number) for number in listed[:most]) + (", ..." if len(listed) > most else "")


def _place(point: FloatArray) -> str:
    return "(" + ", ".join(f"{number:.4g}" for number in point) + ")"


def open_mesh(surface: Surface, edges: Edges, pieces: Edges) -> InertiaError:
    """The mesh has holes: how many of its edges are open, and where most of them are.

    Parameters
    ----------
    surface : Surface
    edges, pieces : Edges
        As the mesh has them, and cut where others meet them in part: an edge that closes so is not open.
    """
    edges, boundary = _open_edges(edges, pieces)
    chains = loops(edges, boundary)
    fins = int(np.count_nonzero(edges.count[boundary] > 1))
    single = len(boundary) - fins
    told = [f"{single} {_verb(single, 'edge has', 'edges have')} a face on one side only"] if single else []
    told += [f"{fins} {_verb(fins, 'edge joins', 'edges join')} three faces or more"] if fins else []
    places = ", ".join(
        f"{len(chain)} {_verb(len(chain), 'edge', 'edges')} about {_place(middle(surface, edges, chain))}"
        for chain in chains[:3]
    )
    return InertiaError(
        "open_mesh",
        "",
        f"the mesh is not closed: {' and '.join(told)}; they form {len(chains)} boundary"
        f" {_verb(len(chains), 'loop', 'loops')}: {places}{', ...' if len(chains) > 3 else ''} in local coordinates",
        "fill the holes (Mesh > Clean Up > Fill Holes) or merge the vertices by distance; or choose the method hull,"
        " shell or voxel; or fit a primitive",
    )


def _verb(count: int, one: str, many: str) -> str:
    return one if count == 1 else many


def _open_edges(edges: Edges, pieces: Edges) -> tuple[Edges, Ints]:
    """Return the edges of the mesh that are open, not the pieces of them that are: those may be more."""
    left = pieces.odd()
    if pieces.origin is None:
        return edges, left
    torn = edges.edge[pieces.origin[np.isin(pieces.edge, left)]]
    sides = np.intersect1d(torn, edges.odd())
    return (edges, sides) if len(sides) else (pieces, left)


def settled(hole: InertiaError, share: float) -> Finding:
    """Say how much of an open mesh voxels had to settle."""
    message = f"{hole.message}; {share:.2%} of the columns of voxels do not close, and are settled by majority"
    return _note("warning", hole.code, message, hole.remedy)


def negative_winding(negative: float, volume: float) -> InertiaError:
    """Part of the surface is inside out, and no turning of shells helps."""
    return InertiaError(
        "negative_winding",
        "",
        f"the surface crosses itself so that {negative:.4g} lie outside in; its signed volume of {volume:.6g}, in its"
        " own units, is that of no solid",
        "take the crossing faces apart (as in a bow-tie) or recalculate the normals; or choose the method hull or"
        " shell; or fit a primitive",
    )


def dropped(faces: Ints, before: float, after: float) -> Finding:
    message = f"{len(faces)} faces are there twice with the same winding and are read once: {_few(faces.tolist())}"
    return _note(
        "warning",
        "duplicate_faces",
        f"{message}; {_change(before, after)}",
        "merge the vertices by distance, and delete the faces named",
    )


def turned(faces: Ints, before: float, after: float) -> Finding:
    message = f"{len(faces)} faces look the other way than their neighbours and are read turned: {_few(faces.tolist())}"
    return _note("warning", "inconsistent_winding", f"{message}; {_change(before, after)}", ORIENT)


def solid_or_cavity(faces: int, to_solid: int, volume: float) -> InertiaError:
    """A shell inside another has faces that look either way, too many of either."""
    return InertiaError(
        "inconsistent_winding",
        "",
        f"a shell of {faces} faces, {volume:.6g} in its own units, lies inside another: with {to_solid} of them turned"
        f" it is solid, with the other {faces - to_solid} turned a cavity; neither is plainly meant",
        ORIENT,
    )


def inside_out(before: float, after: float, turned_shells: int, shells: int) -> Finding:
    what = "the mesh is" if turned_shells == shells else f"{turned_shells} of its {shells} shells are"
    return _note(
        "warning",
        "inside_out",
        f"{what} inside out (in its own units, its signed volume is {before:.6g});"
        f" it is read with those faces turned, as {after:.6g}",
        ORIENT,
    )


def cavities(volumes: FloatArray, volume: float) -> Finding:
    count = "1 cavity" if len(volumes) == 1 else f"{len(volumes)} cavities"
    return _note("info", "cavity", f"{count} of {volumes.sum():.6g} in all; {volume:.6g} are left, in its own units")


def overlapping(overlap: float, before: float, after: float, error: float = 0.0, exactly: bool = True) -> Finding:
    how = "exactly" if exactly else "by columns"
    how += f", estimated error {error:.1e}" if error else ""
    return _note(
        "warning",
        "overlapping_shells",
        f"the surface encloses {overlap:.4g} more than once ({overlap / after:.2%}), in its own units; the plain sum"
        f" would be {before:.6g}, its union is {after:.6g} ({how})",
        JOIN,
    )


def crossing(found: Crossing, error: float) -> Finding:
    counted = f"lines saw {found.overlap:.3g} enclosed twice and {found.negative:.3g} inside out, in its own units"
    if found.unseen:
        counted += f"; up to about {found.unseen:.3g} lie between the lines"
    if error:
        counted += f"; what is too little to act on leaves an error of {error:.1e}"
    few = _few(found.faces.tolist())
    return _note(
        "warning",
        "crossing_faces",
        f"{len(found.faces)} faces pass through others, most of them about {_place(found.middle)}: {few}; {counted}",
        "take these faces apart, or join what crosses to one (Boolean union, or Remesh)",
    )


def not_checked() -> Finding:
    """A quick reading did not look for faces that pass through others."""
    return _note(
        "info",
        NOT_CHECKED,
        "the mesh was not searched for faces that intersect others; what they enclose twice would be counted twice",
        "check the mesh in full",
    )


def touching(pairs: int, shells: int) -> Finding:
    return _note("info", "touching_shells", f"{pairs} pairs of its {shells} shells touch without overlapping")


def unseen(pairs: int) -> Finding:
    return _note(
        "warning",
        "overlaps_not_checked",
        f"{pairs} pairs of shells with meeting bounding boxes were too many to be checked for thin overlaps",
        JOIN,
    )


def t_junctions(edges: int) -> Finding:
    return _note(
        "warning",
        "t_junction",
        f"{edges} edges meet others only in part (T-junctions): the mesh is closed in space, but not by its edges",
        "merge the vertices by distance after cutting the longer edges at the corners that lie on them",
    )


def degenerate_faces(faces: Ints) -> Finding:
    message = f"{len(faces)} faces have no area, which changes nothing: {_few(faces.tolist())}"
    return _note("info", "degenerate_faces", message, "dissolve them (Mesh > Clean Up > Degenerate Dissolve)")


def cancelling_faces(faces: Ints) -> Finding:
    message = f"{len(faces)} faces lie back to back and cancel: {_few(faces.tolist())}"
    return _note("info", "inner_walls", message, "delete these inner walls")


def crowded_edges(edges: int, joints: int) -> Finding:
    """Edges of four faces and more: closed shells that touch there, or one surface that branches."""
    if not joints:
        return _note("info", "touching_shells", f"closed shells touch along {edges} edges of four or more faces")
    message = f"{joints} edges join four or more faces; all of them cancel in pairs, so the mesh is closed"
    return _note("warning", "non_manifold_edges", message, "merge the vertices by distance, and delete inner walls")


def unit(longest: float) -> tuple[Finding, ...]:
    """Say whether a longest side [m] makes the unit doubtful."""
    if not longest or SMALLEST <= longest <= LARGEST:
        return ()
    message = (
        f"its longest side is {longest:.3g} m: the {'unit' if longest < SMALLEST else 'unit or density'} may be wrong;"
        f" read as millimetres it would be {longest / 1000.0:.3g} m"
    )
    remedy = "check the unit of the file (scale 0.001 for millimetres) and the density"
    return (_note("warning", UNIT_SUSPICION, message, remedy),)


def precision(surface: Surface) -> tuple[Finding, ...]:
    """Say whether the mesh lies so far from its origin that its coordinates lack digits."""
    low, high = surface.bounds()
    longest, farthest = float((high - low).max()), float(np.abs([low, high]).max())
    step = surface.step()
    if not longest or step <= COARSE_STEP * longest:
        return ()
    message = (
        f"{farthest:.3g} from its origin, {surface.vertices.dtype} coordinates have steps of {step:.2g},"
        f" {step / longest:.1e} of the mesh's size of {longest:.3g} (in its own units)"
    )
    remedy = "move the mesh to its origin (Object > Set Origin) and place it by the object's transform"
    return (_note("warning", "precision_lost", message, remedy),)


def size(surface: Surface) -> tuple[Finding, ...]:
    """Say whether the unit, or the distance from the origin, makes the coordinates doubtful."""
    low, high = surface.bounds()
    return unit(float((high - low).max())) + precision(surface)


def without_area(surface: Surface, known: Bools) -> Ints:
    """Return the faces without area: those `known` to have two corners at one point, and slivers."""
    flat = known.copy()
    rows = np.ascontiguousarray(surface.vertices.T, dtype=np.float64)
    for some, index in corner_blocks(surface.triangles, BLOCK):
        a, b, c = (rows.take(corner, axis=1, mode="clip") for corner in index)
        u, v = b - a, c - a
        normal = cross(u, v)
        longest = np.maximum(dot(u, u), dot(v, v))
        flat[some] |= dot(normal, normal) <= (SLIVER * longest) ** 2
    return np.flatnonzero(flat)
