# SPDX-License-Identifier: Apache-2.0
"""Bodies that have a second face for the back of each, as modellers write them whose faces show one side only.

Both copies of a flat polygon have the same boundary, though they may be cut into different triangles. So patches are
compared, which are the faces between edges of more than two.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...arrays import Bools
from ..surface import Surface
from ..topology.connected import MIX, alike, connected
from ..topology.edges import Edges
from ..topology.junctions import cut_at_corners
from ..topology.loops import boundary_loops, fans
from ..topology.orientation import patches
from ..topology.vectors import cross, dot, face_corners, sizes
from . import remarks
from .checked_mesh import CheckedMesh
from .sheets import COVERED, effect_of_holes, volume_beyond

SAME = 1e-6
"""Two patches are copies if the sum of their vector areas, and the bend of each, is below this share of their area."""

NO_AREA = 1e-12
"""Patches with less than this share of the largest area have no sides."""


def keep_one_side(checked: CheckedMesh, small: float) -> CheckedMesh:
    """Of faces for both sides keep the outer one in bodies that these close.

    Others, such as walls between two solids, cancel: what is left without them is closed, or nothing is closed.

    Parameters
    ----------
    small : float
        A body that is there for both sides as a whole may have holes of at most this effect.
    """
    surface, points, count = checked.surface, checked.places, len(checked.origin)
    edges = checked.edges if checked.plain else Edges.around(points)
    if edges.plain:
        return checked
    both, second = _copies(surface, edges)
    if not second.any():
        return checked
    part, none = edges.parts(count), np.zeros(count, dtype=bool)
    cancelled, left = none.copy(), none.copy()  # parts with open edges without both sides, and without the second
    for without, is_open in ((both, cancelled), (second, left)):
        pieces = cut_at_corners(surface, Edges.around(points, np.flatnonzero(~without)))
        is_open[part[pieces.face[np.isin(pieces.edge, pieces.odd())]]] = True
    whole = np.bincount(part, ~both, count) == 0
    body = (cancelled | whole) & ~left
    holed = surface.with_faces(points[(whole & left)[part] & ~second])
    if len(holed.triangles):
        loops = boundary_loops(holed)
        closed = fans(holed, loops)
        body |= whole & left & (max(effect_of_holes(closed, loops)) <= small)
        solid = surface.with_faces(points[~(whole & left)[part]])
        lost, volume = volume_beyond(closed, solid), abs(checked.volume)
        if lost > small * volume > 0.0 and not (body & left).any():
            sheets = checked.origin[(whole & left)[part]]
            error = max(checked.error, min(COVERED * lost / volume, 1.0))
            checked = replace(checked, error=error).with_findings(remarks.doubled_sheets(sheets, lost))
    # A body that touches others at its edges is closed by its own faces alone.
    own = Edges.around(points, np.flatnonzero(both))
    twin = own.parts(count)
    pieces = cut_at_corners(surface, Edges.around(points, np.flatnonzero(both & ~second)))
    torn = none.copy()
    torn[twin[pieces.face[np.isin(pieces.edge, pieces.odd())]]] = True
    closing = body[part] | ~torn[twin]
    both, second = both & closing, second & closing
    if not second.any():
        return checked
    patch, turned = patches(Edges.around(points, np.flatnonzero(~second)), count)
    _, cone = sizes(surface)
    outward = np.where(turned, -1.0, 1.0) * cone * ~second
    turned ^= (np.bincount(patch, outward, count) < 0.0)[patch]
    found = checked.flipped(both & ~second & turned).some(~second)
    faces = checked.origin[second]
    finding = remarks.corrected("duplicate_faces", faces, checked.volume, found.volume, "both_sides")
    return found.with_findings(finding)


def _copies(surface: Surface, edges: Edges) -> tuple[Bools, Bools]:
    """Return which faces belong to flat patches of opposite winding with one boundary, and to the second of two."""
    count = len(edges.face) // 3
    a, b, c = face_corners(surface, np.arange(count)).transpose(1, 0, 2)
    normal = cross(b - a, c - a)
    first, other = edges.pairs
    one, two = edges.face[first], edges.face[other]
    along = np.where(edges.sign[first] == edges.sign[other], -1.0, 1.0) * dot(normal[:, one], normal[:, two])
    size = np.sqrt(dot(normal, normal))
    folded = along < (SAME - 1.0) * size[one] * size[two]  # front and back at the rim of a hole
    patch = connected(one[~folded], two[~folded], count)
    area = np.bincount(patch, size, count)
    vector = np.array([np.bincount(patch, row, count) for row in normal])
    rim = edges.count[edges.edge] > 2
    rim[first[folded]] = rim[other[folded]] = True
    code = (edges.edge.astype(np.uint64) + np.uint64(1)) * MIX
    code ^= code >> np.uint64(29)
    boundary = np.zeros(count, dtype=np.uint64)
    np.add.at(boundary, patch[edges.face[rim]], code[rim] * code[rim])
    flat = (np.sqrt(dot(vector, vector)) >= (1.0 - SAME) * area) & (area > NO_AREA * area.max())
    some = np.flatnonzero((np.bincount(patch, minlength=count) > 0) & flat & (boundary > 0))
    lowest = some[alike(boundary[some].view(np.int64))]
    apart = vector[:, some] + vector[:, lowest]
    opposite = np.sqrt(dot(apart, apart)) <= SAME * area[some]
    both, second = np.zeros((2, count), dtype=bool)
    second[some[opposite]] = both[some[opposite]] = both[lowest[opposite]] = True
    return both[patch], second[patch]
