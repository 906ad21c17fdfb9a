# SPDX-License-Identifier: Apache-2.0
"""Bodies that have a second face for the back of each, as modellers write them whose faces show one side only.

Both copies of a flat polygon have the same boundary, though they may be cut into different triangles. So patches are
compared, which are the faces between edges of more than two.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from ...arrays import Bools, Ints
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


@dataclass(frozen=True, eq=False)
class _Copies:
    """Masks of the faces (m,) of flat patches that come in two copies, one for each side."""

    both: Bools  # of either copy
    second: Bools  # of the copy to drop

    @property
    def first(self) -> Bools:
        """Faces of the copy that stays."""
        return self.both & ~self.second

    def where(self, faces: Bools) -> _Copies:
        """Return those among some faces (m,)."""
        return _Copies(self.both & faces, self.second & faces)


@dataclass(frozen=True, eq=False)
class _Parts:
    """The parts of a mesh that edges connect: masks (m,) by the label of a part."""

    label: Ints  # of the part of each face (m,)
    doubled: Bools  # all its faces are there for both sides
    closed: Bools  # with only the first copy of such faces it is closed
    needs_a_side: Bools  # with neither copy it is open

    @classmethod
    def of(cls, surface: Surface, points: Ints, label: Ints, copies: _Copies) -> Self:
        """Return the parts of the merged triangles `points` (m, 3)."""
        return cls(
            label,
            doubled=np.bincount(label, ~copies.both, len(label)) == 0,
            closed=~_with_open_edges(surface, points, ~copies.second, label),
            needs_a_side=_with_open_edges(surface, points, ~copies.both, label),
        )

    @property
    def bodies(self) -> Bools:
        """Parts that one side of their doubled faces closes."""
        return (self.needs_a_side | self.doubled) & self.closed

    @property
    def sheets(self) -> Bools:
        """Parts that are open and have a second side for each face: sheets, or bodies with holes."""
        return self.doubled & ~self.closed


def keep_one_side(checked: CheckedMesh, small: float) -> CheckedMesh:
    """Of faces for both sides keep the outer one in bodies that these close.

    Others, such as walls between two solids, cancel: what is left without them is closed, or nothing is closed.

    Parameters
    ----------
    small : float
        A body that is there for both sides as a whole may have holes of at most this effect.
    """
    surface, points = checked.surface, checked.places
    edges = checked.edges if checked.plain else Edges.around(points)
    if edges.plain:
        return checked
    copies = _copies(surface, edges)
    if not copies.second.any():
        return checked
    parts = _Parts.of(surface, points, edges.parts(len(points)), copies)
    bodies = parts.bodies
    holed = surface.with_faces(points[parts.sheets[parts.label] & ~copies.second])
    if len(holed.triangles):
        loops = boundary_loops(holed)
        closed = fans(holed, loops)
        if max(effect_of_holes(closed, loops)) <= small:
            bodies = bodies | parts.sheets
        else:
            checked = _with_sheets(checked, parts, closed, small)
    # A body that touches others at its edges is closed by its own faces alone: so connect only doubled faces.
    label = Edges.around(points, np.flatnonzero(copies.both)).parts(len(points))
    closed_alone = ~_with_open_edges(surface, points, copies.first, label)
    copies = copies.where(bodies[parts.label] | closed_alone[label])
    return _without_second(checked, copies) if copies.second.any() else checked


def _with_open_edges(surface: Surface, points: Ints, faces: Bools, label: Ints) -> Bools:
    """Return which labels (m,) have a face with an open edge, if only some faces (m,) were there."""
    pieces = cut_at_corners(surface, Edges.around(points, np.flatnonzero(faces)))
    is_open = np.zeros(len(label), dtype=bool)
    is_open[label[pieces.face[np.isin(pieces.edge, pieces.odd())]]] = True
    return is_open


def _with_sheets(checked: CheckedMesh, parts: _Parts, closed: Surface, small: float) -> CheckedMesh:
    """Return the mesh with a finding if its doubled sheets, which enclose nothing, could be a body.

    `closed` are the sheets with one side and fans over their holes. What that holds outside of the rest is the error.
    """
    is_sheet = parts.sheets[parts.label]
    rest = checked.surface.with_faces(checked.places[~is_sheet])
    lost, volume = volume_beyond(closed, rest), abs(checked.volume)
    if not lost > small * volume > 0.0:
        return checked
    error = max(checked.error, min(COVERED * lost / volume, 1.0))
    return replace(checked, error=error).with_findings(remarks.doubled_sheets(checked.origin[is_sheet], lost))


def _without_second(checked: CheckedMesh, copies: _Copies) -> CheckedMesh:
    """Return the mesh without the second copies, the first ones wound outward."""
    count = len(checked.origin)
    patch, turned = patches(Edges.around(checked.places, np.flatnonzero(~copies.second)), count)
    # A patch is wound outward if the cones from the middle of the mesh to its faces have a volume above zero.
    _, cone = sizes(checked.surface)
    volume = np.bincount(patch, np.where(turned, -1.0, 1.0) * cone * ~copies.second, count)
    turned ^= (volume < 0.0)[patch]
    one_sided = checked.flipped(copies.first & turned).some(~copies.second)
    faces = checked.origin[copies.second]
    finding = remarks.corrected("duplicate_faces", faces, checked.volume, one_sided.volume, "both_sides")
    return one_sided.with_findings(finding)


def _copies(surface: Surface, edges: Edges) -> _Copies:
    """Return the faces of flat patches of opposite winding with one boundary."""
    count = len(edges.face) // 3
    a, b, c = face_corners(surface, np.arange(count)).transpose(1, 0, 2)
    normal = cross(b - a, c - a)
    size = np.sqrt(dot(normal, normal))
    # Patches end at edges of more than two faces, and where two faces are folded onto each other, which are front and
    # back at the rim of a hole. The normals are compared as if the two were wound alike.
    side, other_side = edges.pairs
    face, other = edges.face[side], edges.face[other_side]
    along = np.where(edges.sign[side] == edges.sign[other_side], -1.0, 1.0) * dot(normal[:, face], normal[:, other])
    folded = along < (SAME - 1.0) * size[face] * size[other]
    patch = connected(face[~folded], other[~folded], count)
    area = np.bincount(patch, size, count)
    vector = np.array([np.bincount(patch, row, count) for row in normal])
    # Each patch gets a number for its boundary: the sum of the hashes of its edges, in any order.
    rim = edges.count[edges.edge] > 2
    rim[side[folded]] = rim[other_side[folded]] = True
    code = (edges.edge.astype(np.uint64) + np.uint64(1)) * MIX
    code ^= code >> np.uint64(29)
    boundary = np.zeros(count, dtype=np.uint64)
    np.add.at(boundary, patch[edges.face[rim]], code[rim] * code[rim])
    # Of flat patches with the same number, each whose vector area cancels that of the lowest is its second side.
    flat = (np.sqrt(dot(vector, vector)) >= (1.0 - SAME) * area) & (area > NO_AREA * area.max())
    some = np.flatnonzero((np.bincount(patch, minlength=count) > 0) & flat & (boundary > 0))
    lowest = some[alike(boundary[some].view(np.int64))]
    apart = vector[:, some] + vector[:, lowest]
    opposite = np.sqrt(dot(apart, apart)) <= SAME * area[some]
    both, second = np.zeros((2, count), dtype=bool)
    second[some[opposite]] = both[some[opposite]] = both[lowest[opposite]] = True
    return _Copies(both[patch], second[patch])
