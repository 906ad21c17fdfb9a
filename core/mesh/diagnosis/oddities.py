# SPDX-License-Identifier: GPL-3.0-or-later
"""What is odd about a closed mesh without any harm to its integral: faces without area, inner walls, crowded edges."""

from __future__ import annotations

import numpy as np

from ...errors import Finding, InertiaError
from ..topology.components import sheets
from ..topology.edges import Edges, degenerate, perhaps_repeated, repeated
from ..topology.joints import joints
from ..topology.weld import Welding, tolerantly
from . import remarks
from .closed import Closed


def oddities(found: Closed, welding: Welding) -> tuple[Finding, ...]:
    """Look for what is odd about a closed mesh.

    Parameters
    ----------
    found : Closed
    welding : Welding
        The least with which it is closed.
    """
    findings: tuple[Finding, ...] = ()
    surface = found.surface
    equal = tolerantly(found.welding, surface)  # what lies back to back often has vertices of its own
    points = equal.triangles(surface)
    collapsed = degenerate(points)
    flat = remarks.without_area(surface, collapsed)
    if len(flat):
        findings += (remarks.degenerate_faces(flat),)
    faces = np.flatnonzero(~collapsed)
    edges = found.edges_by(equal) or Edges.around(points, faces)
    _, opposite = repeated(points, perhaps_repeated(edges))
    if len(opposite):
        findings += (remarks.cancelling_faces(opposite),)
        faces = np.setdiff1d(faces, opposite)
    if not len(faces):
        return findings
    if len(opposite) or not np.array_equal(equal.point, welding.point):
        edges = Edges.around(welding.triangles(surface), faces)  # what has vertices of its own only touches
    crowded = int(np.count_nonzero(edges.count > 2))
    if crowded:
        try:
            branching = joints(edges, *sheets(edges, len(points))).count()
        except InertiaError:  # touching sheets whose faces were paired wrongly: odd, but closed
            branching = crowded
        findings += (remarks.crowded_edges(crowded, branching),)
    return findings
