# SPDX-License-Identifier: GPL-3.0-or-later
"""Is the surface closed, and wound consistently? Only then does it enclose a solid."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..errors import InertiaError
from .surface import Surface

BLOCK = 8192
"""Triangles per block: the temporaries stay in the second-level cache."""

WELD_CELLS = 1 << 20
"""Corners that fall into the same of this many cells along the longest side are one point (topology only): sixteen
times the rounding of float32 coordinates."""

WELD_SHIFT = 0.3819660112501051
"""The cells are shifted by this part of a cell, so that round coordinates do not lie on a border between two."""


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
    welded = _welded(surface)[surface.triangles]
    if _balanced(welded):
        return
    start, end = np.stack([welded, np.roll(welded, -1, axis=1)]).reshape(2, -1)
    proper = start != end
    start, end = start[proper], end[proper]
    ends = np.stack([np.minimum(start, end), np.maximum(start, end)], axis=1)
    edges, inverse, faces = np.unique(ends, axis=0, return_inverse=True, return_counts=True)
    boundary = np.flatnonzero(faces % 2)
    if len(boundary):
        where = ", ".join(f"{number:.4g}" for number in _place(surface, welded, edges[boundary[0]]))
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


def _balanced(triangles: npt.NDArray[np.integer]) -> bool:
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


def _welded(surface: Surface) -> npt.NDArray[np.int64]:
    """Return for each vertex the number of the point it stands on."""
    low, high = surface.bounds()
    cell = float((high - low).max()) / WELD_CELLS or 1.0
    cells = np.floor((surface.vertices - low) / cell + WELD_SHIFT)
    # Unused vertices may lie anywhere; clipping lets three coordinates share one integer.
    x, y, z = np.clip(cells, -1, WELD_CELLS + 1).astype(np.int64).T + 1
    return np.unique((x << 42) | (y << 21) | z, return_inverse=True)[1].ravel()


def _place(surface: Surface, welded: npt.NDArray[np.integer], edge: npt.NDArray[np.integer]) -> npt.NDArray[np.floating]:
    corners = [surface.vertices[surface.triangles[welded == point][0]] for point in edge]
    middle: npt.NDArray[np.floating] = (corners[0].astype(np.float64) + corners[1]) / 2.0
    return middle
