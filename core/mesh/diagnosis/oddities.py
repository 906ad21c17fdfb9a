# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds what is unusual in a closed mesh but harmless to its integral: bent quads, faces without area, inner walls."""

from __future__ import annotations

import numpy as np

from ...arrays import corner_blocks
from ...errors import Finding, InertiaError
from ..geometry.vectors import cross, dot
from ..surface import BLOCK, Surface
from ..topology.edges import Edges
from ..topology.orientation import non_manifold_edges, patches
from . import remarks
from .reading import Reading

TOLD, WARNED = 1e-3, 1e-2
"""Shares of the volume: below the first the choice is smaller than other modelling errors, above the second it shows in
a simulation."""


def diagonal_spread(surface: Surface) -> float:
    """Return how much volume depends on the choice of diagonals.

    Returns
    -------
    float
        The sum of the tetrahedra of `surface.quads`, in its own units cubed: no choice of diagonals changes the volume
        by more. 0 without quads.
    """
    if surface.quads is None:
        return 0.0
    rows = np.ascontiguousarray(surface.vertices.T, dtype=np.float64)
    total = 0.0
    for _, index in corner_blocks(surface.quads, BLOCK):
        a, b, c, d = (rows.take(corner, axis=1) for corner in index)
        total += float(np.abs(dot(b - a, cross(c - a, d - a))).sum())
    return total / 6.0


def bent_quads(surface: Surface, volume: float) -> tuple[Finding, ...]:
    """Check how much another choice of diagonals could change the volume of a mesh.

    Parameters
    ----------
    volume : float
        As measured, in the surface's own units cubed.
    """
    share = diagonal_spread(surface) / abs(volume) if volume else 0.0
    if not share > TOLD:
        return ()
    return (Finding.of("warning" if share > WARNED else "info", "bent_quads", percent=100.0 * share),)


def oddities(given: Surface, reading: Reading) -> tuple[Finding, ...]:
    """Return what is unusual in a mesh that was read."""
    findings: tuple[Finding, ...] = ()
    flat = remarks.without_area(given)
    if len(flat):
        findings += (remarks.degenerate_faces(flat),)
    _, opposite = reading.repeats()
    edges = reading.edges
    if len(opposite):
        findings += (remarks.cancelling_faces(reading.origin[opposite]),)
        left = np.setdiff1d(np.arange(len(reading.origin)), opposite)
        edges = Edges.around(reading.points, left)  # faces with vertices of their own only touch
    crowded = 0 if edges.plain else int(np.count_nonzero(edges.count > 2))
    if crowded:
        try:
            branching = non_manifold_edges(edges, *patches(edges, len(reading.origin))).count()
        except InertiaError:  # touching patches whose faces were paired wrongly: unusual, but closed
            branching = crowded
        findings += (remarks.crowded_edges(crowded, branching),)
    return findings
