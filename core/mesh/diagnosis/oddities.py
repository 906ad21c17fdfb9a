# SPDX-License-Identifier: GPL-3.0-or-later
"""What is odd about a closed mesh without harm to its integral: bent quads, faces without area, inner walls."""

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
"""Shares of the volume: below the first the choice is lost in other errors of modelling, above the second it shows in
a simulation."""


def diagonal_spread(surface: Surface) -> float:
    """Return how much volume hangs on the choice of diagonals.

    Returns
    -------
    float
        The sum of the tetrahedra of `surface.quads`, in its own units cubed: no choice of diagonals moves the volume
        by more. 0 where it has no quads.
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
    """Say how far another choice of diagonals could move the volume of a mesh, if it matters.

    Parameters
    ----------
    volume : float
        As it was measured, in the surface's own units cubed.
    """
    share = diagonal_spread(surface) / abs(volume) if volume else 0.0
    if not share > TOLD:
        return ()
    return (Finding.of("warning" if share > WARNED else "info", "bent_quads", percent=100.0 * share),)


def oddities(given: Surface, reading: Reading) -> tuple[Finding, ...]:
    """Look for what is odd about a mesh that was read."""
    findings: tuple[Finding, ...] = ()
    flat = remarks.without_area(given)
    if len(flat):
        findings += (remarks.degenerate_faces(flat),)
    _, opposite = reading.repeats()
    edges = reading.edges
    if len(opposite):
        findings += (remarks.cancelling_faces(reading.origin[opposite]),)
        left = np.setdiff1d(np.arange(len(reading.origin)), opposite)
        edges = Edges.around(reading.points, left)  # what has vertices of its own only touches
    crowded = 0 if edges.plain else int(np.count_nonzero(edges.count > 2))
    if crowded:
        try:
            branching = non_manifold_edges(edges, *patches(edges, len(reading.origin))).count()
        except InertiaError:  # touching patches whose faces were paired wrongly: odd, but closed
            branching = crowded
        findings += (remarks.crowded_edges(crowded, branching),)
    return findings
