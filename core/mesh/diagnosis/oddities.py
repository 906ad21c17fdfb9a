# SPDX-License-Identifier: GPL-3.0-or-later
"""What is odd about a closed mesh without any harm to its integral: faces without area, inner walls, crowded edges."""

from __future__ import annotations

import numpy as np

from ...errors import Finding, InertiaError
from ..surface import Surface
from ..topology.edges import Edges
from ..topology.orientation import non_manifold_edges, patches
from . import remarks
from .reading import Reading


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
