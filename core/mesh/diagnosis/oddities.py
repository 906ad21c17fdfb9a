# SPDX-License-Identifier: GPL-3.0-or-later
"""What is odd about a closed mesh without any harm to its integral: faces without area, inner walls, crowded edges."""

from __future__ import annotations

import numpy as np

from ...errors import Finding, InertiaError
from ..surface import Surface
from ..topology.edges import Edges, degenerate, repeated
from ..topology.merging import by_place
from ..topology.non_manifold import non_manifold_edges
from ..topology.patches import patches
from . import remarks
from .reading import Reading


def oddities(given: Surface, reading: Reading) -> tuple[Finding, ...]:
    """Look for what is odd about a mesh that was read.

    What lies back to back often has vertices of its own: so vertices that are equal are merged for it.
    """
    findings: tuple[Finding, ...] = ()
    merged = by_place(given)
    flat = remarks.without_area(given, degenerate(merged.points))
    if len(flat):
        findings += (remarks.degenerate_faces(flat),)
    surface, edges = reading.surface, reading.edges
    place = merged if surface.triangles is given.triangles else by_place(surface)
    points, by_points = place.points, edges
    if (place.point != np.arange(len(place.point))).any():
        by_points = place.edges
    if (by_points.count <= 2).all():
        return findings
    _, opposite = repeated(points, by_points.perhaps_repeated)
    if len(opposite):
        findings += (remarks.cancelling_faces(reading.origin[opposite]),)
        left = np.setdiff1d(np.arange(len(points)), opposite)
        edges = Edges.around(reading.points, left)  # what has vertices of its own only touches
    crowded = int(np.count_nonzero(edges.count > 2))
    if crowded:
        try:
            branching = non_manifold_edges(edges, *patches(edges, len(points))).count()
        except InertiaError:  # touching patches whose faces were paired wrongly: odd, but closed
            branching = crowded
        findings += (remarks.crowded_edges(crowded, branching),)
    return findings
