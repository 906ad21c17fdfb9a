# SPDX-License-Identifier: GPL-3.0-or-later
"""What is odd about a closed mesh without any harm to its integral: faces without area, inner walls, crowded edges."""

from __future__ import annotations

import numpy as np

from ...errors import Finding, InertiaError
from ..topology.components import patches
from ..topology.edges import Edges, repeated
from ..topology.merging import Merging
from ..topology.non_manifold import non_manifold_edges
from . import remarks
from .closed import Closed


def oddities(found: Closed, merging: Merging) -> tuple[Finding, ...]:
    """Look for what is odd about a closed mesh.

    Parameters
    ----------
    found : Closed
    merging : Merging
        The least with which it is closed.
    """
    findings: tuple[Finding, ...] = ()
    surface = found.surface
    by_place = found.by_place  # what lies back to back often has vertices of its own
    points, collapsed = by_place.points, by_place.collapsed
    flat = remarks.without_area(surface, collapsed)
    if len(flat):
        findings += (remarks.degenerate_faces(flat),)
    if found.known_edges is None and by_place.plain:
        return findings
    faces = np.flatnonzero(~collapsed)
    edges = by_place.edges
    _, opposite = repeated(points, edges.perhaps_repeated)
    if len(opposite):
        findings += (remarks.cancelling_faces(opposite),)
        faces = np.setdiff1d(faces, opposite)
    if not len(faces):
        return findings
    if len(opposite) or not np.array_equal(by_place.merging.point, merging.point):
        edges = Edges.around(merging.triangles(surface), faces)  # what has vertices of its own only touches
    crowded = int(np.count_nonzero(edges.count > 2))
    if crowded:
        try:
            branching = non_manifold_edges(edges, *patches(edges, len(points))).count()
        except InertiaError:  # touching patches whose faces were paired wrongly: odd, but closed
            branching = crowded
        findings += (remarks.crowded_edges(crowded, branching),)
    return findings
