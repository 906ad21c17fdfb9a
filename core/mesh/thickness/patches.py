# SPDX-License-Identifier: GPL-3.0-or-later
"""Patches of a thin wall that lie side by side, nearer than its thickness: there their material would count twice."""

from __future__ import annotations

import numpy as np

from ..geometry.lines import JITTER, LINES, crossings
from .dihedral import Faces

PARALLEL = 0.875
"""Cosine of 29°, the angle of an edge below which a mitre is cut short: faces that meet there at a larger one are left
to the wedge between them, and so are patches askew that do not meet at all."""


def side_by_side(faces: Faces, thickness: float) -> tuple[float, float]:
    """Estimate what counts twice where patches that are no neighbours come nearer than the thickness.

    32 x 32 lines along each axis cross the surface. Where a line meets two faces in turn that are about parallel, their
    slabs overlap by what the thickness is more than their distance.

    Parameters
    ----------
    faces : Faces
    thickness : float
        [m].

    Returns
    -------
    volume : float
        [m³]; what is narrower than a 32nd of the bounding box may go unseen.
    distance : float
        The smallest between two such patches [m]; the thickness where there are none.
    """
    corners = np.ascontiguousarray(faces.corners.transpose(2, 1, 0))
    low, high = corners.min(axis=(1, 2)), corners.max(axis=(1, 2))
    cell = (high - low) / LINES
    step = np.arange(LINES)
    volume, distance = 0.0, thickness
    for axis in range(3):
        second, third = (axis + 1) % 3, (axis + 2) % 3
        u, v = low[second] + (step + JITTER[0]) * cell[second], low[third] + (step + JITTER[1]) * cell[third]
        line, face, height, _ = crossings(corners, axis, u, v)
        order = np.lexsort((height, line))
        line, face, height = line[order], face[order], height[order]
        slope = np.abs(faces.normal[face[:-1], axis])
        gap = np.diff(height) * slope
        here = (line[1:] == line[:-1]) & (gap < thickness)
        here &= slope >= np.abs(faces.normal[face[:-1]]).max(axis=1)  # else lines along another axis count it
        here &= np.abs((faces.normal[face[:-1]] * faces.normal[face[1:]]).sum(axis=1)) >= PARALLEL
        if here.any():
            volume += float(((thickness - gap[here]) / slope[here]).sum() * cell[second] * cell[third])
            distance = min(distance, float(gap[here].min()))
    return volume, distance
