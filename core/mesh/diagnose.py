# SPDX-License-Identifier: GPL-3.0-or-later
"""Is the surface closed, and wound consistently? Only then does it enclose a solid."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray, TriangleArray, readonly
from ..errors import InertiaError
from .surface import Surface

BLOCK = 8192
"""Triangles per block: the temporaries stay in the second-level cache."""

WELD_CELLS = 1 << 20
"""Corners that fall into the same of this many cells along the longest side are one point (topology only): sixteen
times the rounding of float32 coordinates."""

WELD_SHIFTS = (0.3819660112501051, 0.6319660112501051, 0.8819660112501051, 1.1319660112501051)
"""The grid of cells is laid four times, each a quarter of a cell further along the diagonal. Two points nearer than
that are parted by at most one grid per axis, so one is left in which they share a cell. Round coordinates lie on no
border."""


def check_closed(surface: Surface) -> None:
    """Pass if every edge is walked as often in one direction as in the other.

    Corners at the same place count as one, so a mesh whose faces share no vertices may be closed too.

    Raises
    ------
    InertiaError
        ``open_mesh`` (with the number of boundary edges and where one lies) or ``inconsistent_winding``.
    """
    if _balanced(surface.triangles):
        return
    for shifts in (WELD_SHIFTS[:1], WELD_SHIFTS):  # one grid welds what is equal, four what rounding parts
        welded = _welded(surface, shifts)[surface.triangles]
        if _balanced(welded):
            return
    start, end = np.stack([welded, np.roll(welded, -1, axis=1)]).reshape(2, -1)
    proper = start != end
    start, end = start[proper], end[proper]
    ends = np.stack([np.minimum(start, end), np.maximum(start, end)], axis=1)
    edges, inverse, faces = np.unique(ends, axis=0, return_inverse=True, return_counts=True)
    boundary = np.flatnonzero(faces % 2)
    if len(boundary):
        where = ", ".join(f"{number:.4g}" for number in _middle(surface, welded, edges[boundary[0]]))
        raise InertiaError(
            "open_mesh",
            "",
            f"the mesh is not closed: {len(boundary)} of its {len(edges)} edges have a face on one side only,"
            f" one at ({where}) in its own coordinates",
            "close the holes (Mesh > Clean Up > Fill Holes), or fit a primitive",
        )
    net = np.bincount(inverse.ravel(), np.where(start < end, 1.0, -1.0), minlength=len(edges))
    raise InertiaError(
        "inconsistent_winding",
        "",
        f"faces look inwards beside faces that look outwards, along {np.count_nonzero(net)} of {len(edges)} edges",
        "recalculate the normals (Mesh > Normals > Recalculate Outside)",
    )


def _balanced(triangles: TriangleArray) -> bool:
    """Say whether the directed edges cancel, by a 64-bit fingerprint of the multiset of edges.

    Each edge adds a well-mixed number (Steele, Lea & Flood 2014, Fast splittable pseudorandom number generators,
    SplitMix64's finaliser), with the sign of its direction. Sums of edges that do not cancel are zero with
    probability 2⁻⁶⁴; no sort and no table is needed.
    """
    fingerprint = np.zeros((), dtype=np.uint64)
    with np.errstate(over="ignore"):
        for begin in range(0, len(triangles), BLOCK):
            start = np.ascontiguousarray(triangles[begin : begin + BLOCK].T, dtype=np.uint64)
            end = np.roll(start, -1, axis=0)
            mixed = (np.minimum(start, end) << np.uint64(32)) ^ np.maximum(start, end)
            mixed *= np.uint64(0x9E3779B97F4A7C15)
            mixed ^= mixed >> np.uint64(30)
            mixed *= np.uint64(0xBF58476D1CE4E5B9)
            mixed ^= mixed >> np.uint64(27)
            mixed *= np.uint64(0x94D049BB133111EB)
            mixed ^= mixed >> np.uint64(31)
            fingerprint += (mixed * (start < end)).sum(dtype=np.uint64)
            fingerprint -= (mixed * (start > end)).sum(dtype=np.uint64)
    return int(fingerprint) == 0


def _welded(surface: Surface, shifts: tuple[float, ...]) -> npt.NDArray[np.int64]:
    """Return for each vertex the lowest vertex that it shares a cell of any grid with, directly or by others."""
    low, high = surface.bounds()
    position = (surface.vertices - low) / (float((high - low).max()) / WELD_CELLS or 1.0)
    grids = [_cell_numbers(position + shift) for shift in shifts]
    point, before = np.arange(len(position)), None
    while before is None or not np.array_equal(point, before):
        before = point
        for cell in grids:
            lowest = np.full(cell.max() + 1, len(point))
            np.minimum.at(lowest, cell, point)
            point = lowest[cell]
    return point


def _cell_numbers(position: FloatArray) -> npt.NDArray[np.int64]:
    # Unused vertices may lie anywhere; clipping lets three coordinates share one integer.
    x, y, z = np.clip(np.floor(position), -1, WELD_CELLS + 1).astype(np.int64).T + 1
    cells: npt.NDArray[np.int64] = np.unique((x << 42) | (y << 21) | z, return_inverse=True)[1].ravel()
    return cells


def _middle(surface: Surface, welded: TriangleArray, edge: TriangleArray) -> FloatArray:
    """Return the middle of an edge between two points, given by their numbers."""
    start, end = (surface.vertices[surface.triangles[welded == point][0]] for point in edge)
    return readonly((start.astype(np.float64) + end) / 2.0, (3,))
