# SPDX-License-Identifier: Apache-2.0
"""Tells the closed parts of an open mesh from open sheets and inner walls, and how much the sheets could mean."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...arrays import Bools, FloatArray, Ints
from ...body.compare import difference
from ...body.moments import Moments
from ...errors import InertiaError
from ..integrate import surface_moments
from ..surface import Surface
from ..surface import joined as all_of
from ..topology.cells import Bounds
from ..topology.edges import Edges
from ..topology.loops import Loops, boundary_loops, fans
from ..topology.orientation import joined, patches
from ..voxels.columns import Columns
from ..winding.lines import oblique
from ..winding.solid import room_of_sheets, solid_moments
from . import remarks
from .checked_mesh import CheckedMesh, share_of

MOST_SHEETS = 0.03
"""If sheets could enclose more than this share of the closed parts, voxels are better. Whether more within fans over
them is the room of a solid, or only that of bent sheets, their winding numbers decide."""

THIN = 1e-3
"""Thickness of a sheet, if it is one of material, as a share of the longest side of the closed parts: 1 mm of 1 m."""

FEWEST = 4
"""Fewer sheets that are flat enclose nothing together."""

COVERED = 1.25
"""Columns are accurate to some percent, and what could be added could also be missing."""

COLUMNS = 64.0
"""Along the longest side, for what sheets enclose."""


def _torn(checked: CheckedMesh, edges: Edges, loops: Loops, large: Bools) -> Bools:
    """Return the faces (m,) at open edges of large holes; the edges are cut at T-junctions."""
    torn = np.zeros(len(checked.origin), dtype=bool)
    # Open sides, by their whole edges where these were cut, and those edges of large holes.
    sides = np.flatnonzero(edges.count[edges.edge] == 1)
    original = sides if edges.origin is None else edges.origin[sides]
    large = large[loops.loop]
    there = _numbers(loops.vertices[large], loops.vertices[loops.following][large])
    here = _numbers(checked.edges.start[original], checked.edges.end[original])
    torn[edges.face[sides[np.isin(here, there)]]] = True
    return torn


def _numbers(start: Ints, end: Ints) -> Ints:
    """Return one number for each edge, whichever way it is traversed."""
    numbers: Ints = np.minimum(start, end) << 32 | np.maximum(start, end)
    return numbers


def closed_parts(checked: CheckedMesh, edges: Edges, closed: Surface, loops: Loops, small: float) -> CheckedMesh | None:
    """Return the closed parts of an open mesh, without open sheets and inner walls.

    Parameters
    ----------
    edges : Edges
        Cut at T-junctions.
    loops : Loops
        Its holes.
    closed : Surface
        With fans over the holes.
    small : float
        The smallest holes that together could change volume or tensor by at most this share do not make a sheet.

    Returns
    -------
    CheckedMesh or None
        Its error is the effect of the sheets, if they were solid or a wall of `THIN`. None if there are no closed
        parts, or if the sheets could enclose more than `MOST_SHEETS` of them.
    """
    if _torn(checked, edges, loops, np.ones(len(loops), dtype=bool)).all():
        return None  # all faces are loose
    # The holes in order of their effect: those that together change more than `small` are large.
    effect = np.minimum(_effects(held(closed), loops).max(axis=0), 1.0)
    order = np.argsort(effect)
    large = np.zeros(len(effect), dtype=bool)
    large[order[np.cumsum(effect[order]) > small]] = True
    patch, turned = patches(edges, len(checked.origin))
    try:
        _, bounds = joined(checked.surface, edges, patch, turned, _torn(checked, edges, loops, large))
    except InertiaError:  # faces cross where patches meet
        return None
    if bounds.bounding.all() or not bounds.bounding.any():
        return None
    points = np.where(bounds.turned[:, None], checked.points[:, ::-1], checked.points)
    return without_sheets(checked, checked.surface.with_faces(points), bounds)


def without_sheets(checked: CheckedMesh, consistent: Surface, bounds: Bounds) -> CheckedMesh | None:
    """Return a mesh without its inner walls and open sheets, as `closed_parts` does.

    Parameters
    ----------
    consistent : Surface
        The mesh with each component wound consistently.
    """
    parts = checked.some(bounds.bounding)
    inside = held(_with_fans(consistent.with_faces(consistent.triangles[bounds.bounding])))
    if not inside.volume > 0.0:
        return None
    error = COVERED * bounds.uncertain * share_of(parts.surface, inside)
    if error > 1.0:
        return None
    if bounds.wall.any():
        parts = parts.with_findings(remarks.inner_walls(checked.origin[bounds.wall], "single"))
    inertia = error
    if bounds.sheet.any():
        # A sheet may be the skin of a solid, or a thin wall: the larger effect of the two is the error.
        sheet = consistent.with_faces(consistent.triangles[bounds.sheet])
        most = MOST_SHEETS * inside.volume
        enclosed = _enclosed(sheet, most)
        if not enclosed.volume <= most:
            return None
        area, wall = _wall(sheet, THIN * float(parts.surface.extent().max()))
        added = [difference(inside, inside + extra, inside) for extra in (enclosed, wall)]
        finding = remarks.sheets_left_out(checked.origin[bounds.sheet], area, added[1].mass, added[1].inertia)
        parts = parts.with_findings(finding)
        error += COVERED * max(change.mass for change in added)
        inertia += COVERED * max(change.worst for change in added)
    # A ground plane as a wall may be many times as heavy, but hardly is one.
    return replace(parts, error=min(parts.error + error, 1.0), error_inertia=parts.error + inertia)


def _enclosed(sheets: Surface, most: float) -> Moments:
    """Return the moments of what sheets enclose, each with its fans, or all together if that is a larger volume.

    If the fans over loops enclose more than `most` [m³], it is the room that bent sheets leave.
    """
    loops = boundary_loops(sheets)
    alone = held(fans(sheets, loops))
    points = sheets.triangles.astype(np.int64)
    try:
        if alone.volume > most and len(loops):
            return room_of_sheets(sheets)
        if len(np.unique(Edges.around(points).parts(len(points)))) < FEWEST:
            return alone
        together = solid_moments(sheets, float(sheets.extent().max()) / COLUMNS).moments
    except InertiaError:  # no_inside
        return alone
    return together if together.volume > alone.volume else alone


def effect_of_holes(closed: Surface, loops: Loops) -> tuple[float, float]:
    """Return the maximum relative errors that closing holes by fans may cause in volume and second moment."""
    try:
        volume, second = _effects(surface_moments(closed), loops).sum(axis=1).tolist()
    except InertiaError:  # zero_volume
        return np.inf, np.inf
    return volume, second


def _effects(moments: Moments, loops: Loops) -> FloatArray:
    """Return the relative error of volume and second moment (2, k) by what a dome over each hole could hold."""
    second = loops.domes * loops.farthest(moments.centroid) ** 2
    whole = np.maximum(np.abs([[moments.volume], [np.trace(moments.covariance)]]), np.finfo(float).tiny)
    with np.errstate(over="ignore"):
        effects: FloatArray = np.stack([loops.domes, second]) / whole
    return effects


def _with_fans(surface: Surface) -> Surface:
    return fans(surface, boundary_loops(surface))


def held(surface: Surface) -> Moments:
    """Return the moments of the space where the winding number of a closed surface is not zero, by oblique columns."""
    try:
        turned, back = oblique(surface)
        columns = Columns.around(turned, float(turned.extent().max()) / COLUMNS)
        return back(columns.moments_of(columns.union_sums(turned.triangles)[0]))
    except InertiaError:  # zero_volume
        return Moments.zero


def volume_beyond(surface: Surface, solid: Surface) -> float:
    """Return the volume [m³] that a closed surface holds outside of a solid, by oblique columns of one grid.

    The faces of the solid count three times, so that the surface cancels none of it, however that is wound.
    """
    if not len(solid.triangles):
        return held(surface).volume
    turned, _ = oblique(all_of([solid, solid, solid, surface]))
    faces, count = turned.triangles, 3 * len(solid.triangles)
    points = turned.vertices[faces[count:].ravel()]
    window = points.min(axis=0), points.max(axis=0)  # what the solid holds elsewhere does not matter
    columns = Columns.around(turned, float((window[1] - window[0]).max()) / COLUMNS, window=window)
    try:
        added = columns.union_sums(faces)[0] - columns.union_sums(faces[:count])[0]
    except InertiaError:  # the solid is open
        return held(surface).volume
    return float(columns.integrals(added)[0, 0])


def _wall(surface: Surface, thickness: float) -> tuple[float, Moments]:
    """Return the area of a surface [m²], and its moments with a thickness [m], which adds nothing across it."""
    a, b, c = surface.vertices[surface.triangles.T].astype(np.float64)
    volume = thickness / 2.0 * np.linalg.norm(np.cross(b - a, c - a), axis=1)
    if not (total := float(volume.sum())) > 0.0:
        return 0.0, Moments.zero
    centroid = volume @ (a + b + c) / (3.0 * total)
    points = np.concatenate([a + b, b + c, c + a]) / 2.0 - centroid  # exact for polynomials of second degree
    covariance = (np.tile(volume, 3) / 3.0 * points.T) @ points
    return total / thickness, Moments(total, centroid, (covariance + covariance.T) / 2.0)
