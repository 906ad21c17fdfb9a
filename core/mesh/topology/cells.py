# SPDX-License-Identifier: Apache-2.0
"""The cells into which patches divide space where they meet at edges, and which of these cells are solid.

Around an edge, the space between two neighbouring faces is one cell: it is in front of one face or behind it, and so
for the other. From edge to edge this gives the cells on the two sides of each patch. At an open edge both are one cell.

The outside is empty. A cell next to it is solid, unless it is a pocket under a lid: all its other faces are wound into
it, and have more area than the lid. A deeper cell is a cavity if more than two thirds of the faces around it are wound
into it, since inner walls may be wound either way. A patch with solid on both sides is an inner wall, one with solid on
neither side a sheet.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

import numpy as np

from ...arrays import Bools, FloatArray, Ints
from ..surface import Surface
from .connected import connected
from .edges import Edges
from .nesting import OBLIQUE
from .vectors import cross, dot, face_corners, sizes

SAME_ANGLE = 2.0**-20
"""Faces around an edge whose angles differ by less [rad] lie on each other; their patches are stacked by number."""

ALL = 1.0 - 1e-9
"""A share of an area that is all of it, but for rounding."""

NO_AREA = 2.0**-40
"""A face whose area is below this share of its longest side squared has no direction around an edge."""


@dataclass(frozen=True, eq=False)
class Bounds:
    """What the faces (m,) of a surface bound.

    Parameters
    ----------
    turned : ndarray, shape (m,), bool
        Faces to reverse, so that the solid is behind each.
    wall, sheet : ndarray, shape (m,), bool
        Faces with solid on both sides, and on neither.
    uncertain : float
        Volume of pockets that may be rooms, since there are inner walls, too [m³].
    """

    turned: Bools
    wall: Bools
    sheet: Bools
    uncertain: float = 0.0

    @property
    def bounding(self) -> Bools:
        """Faces with solid on one side only: neither inner walls nor sheets."""
        return ~(self.wall | self.sheet)


def bounds(
    surface: Surface, edges: Edges, patch: Ints, turned: Bools, component: Ints, meeting: Ints, torn: Bools
) -> Bounds:
    """Find which faces bound a solid, and which way.

    Parameters
    ----------
    patch, turned, component : ndarray, shape (m,)
        For each face a label of its patch, True if it is reversed to make its patch consistent, and a label of the
        patches that meet, directly or by others.
    meeting : ndarray, shape (k,)
        The representative sides of edges where patches meet that are not closed by themselves.
    torn : ndarray, shape (m,), bool
        Faces at an open edge.
    """
    count = 2 * len(patch)
    # Label the cells: nodes 2p and 2p + 1 are the space in front of patch p and behind it, linked where both are one
    # cell.
    loose = 2 * np.unique(patch[torn])  # a patch has an even number in front, and the next one behind
    patch_side, other_side = _neighbours(surface, edges, patch, turned, meeting)
    cell = connected(np.append(patch_side, loose), np.append(other_side, loose + 1), count)
    front, behind = cell[2 * patch], cell[2 * patch + 1]
    # The outside is the cell above the highest corner of each component.
    outermost, out_front = _outermost(surface, component)
    out_front ^= turned[outermost]
    outside = np.zeros(count, dtype=bool)
    outside[np.where(out_front, front[outermost], behind[outermost])] = True
    # A reversed face votes against its patch; a component that is inside out as a whole votes the other way.
    weight = np.where(turned, -1, 1)
    outward = np.bincount(component, weight * (outside[front].astype(int) - outside[behind]), len(patch))
    weight = np.where(outward < 0.0, -1, 1)[component] * weight
    # A cell is solid unless more than two thirds of the faces around it are wound into it: votes >= -1/3 of all.
    votes = np.bincount(behind, weight, count) - np.bincount(front, weight, count)
    solid = 3.0 * votes >= -np.bincount(np.append(behind, front), minlength=count)
    # Cells next to the outside are solid, except for pockets under a lid.
    beside = np.zeros(count, dtype=bool)
    beside[behind[outside[front]]] = beside[front[outside[behind]]] = True
    area, volume = sizes(surface)
    pocket = beside & ~outside & _under_lids(front, behind, outside, weight, area)
    solid = (solid | beside) & ~outside & ~pocket
    # A face with solid in front only is reversed; with solid on both sides it is a wall.
    in_front, at_back = solid[front], solid[behind]
    wall = in_front & at_back
    uncertain = 0.0
    if wall.any() and pocket.any():
        uncertain = float(np.abs(_volumes(np.where(turned, -volume, volume), front, behind)[pocket]).sum())
    return Bounds(turned ^ (in_front & ~at_back), wall, ~in_front & ~at_back, uncertain)


def _under_lids(front: Ints, behind: Ints, outside: Bools, weight: Ints, area: FloatArray) -> Bools:
    """Return the cells whose faces are wound into them, apart from those to the outside, which have less area."""
    # Compare the faces to the outside (the lids) with the others, and with those of the others that are wound inward.
    lid, count = outside[front] | outside[behind], len(outside)
    lids = np.bincount(np.append(front[lid], behind[lid]), np.tile(area[lid], 2), count)
    front, behind, weight, area = front[~lid], behind[~lid], weight[~lid], area[~lid]
    inward = np.bincount(front, area * (weight > 0), count) + np.bincount(behind, area * (weight < 0), count)
    others = np.bincount(front, area, count) + np.bincount(behind, area, count)
    return (others > lids) & (inward >= ALL * others)


def _volumes(volume: FloatArray, front: Ints, behind: Ints) -> FloatArray:
    """Return the volume of each cell [m³] from those of its faces, that of the outside below zero."""
    count = 2 * len(front)
    volumes: FloatArray = (np.bincount(behind, volume, count) - np.bincount(front, volume, count)).astype(np.float64)
    return volumes


def _neighbours(surface: Surface, edges: Edges, patch: Ints, turned: Bools, meeting: Ints) -> tuple[Ints, Ints]:
    """Return pairs of sides of patches that face each other around an edge, and so look into one cell."""
    # All sides at these edges, with the angle of each face, in order around its edge.
    here = np.zeros(len(edges.edge), dtype=bool)
    here[meeting] = True
    side = np.flatnonzero(here[edges.edge])
    place, label = edges.edge[side], patch[edges.face[side]]
    sign = edges.sign[side] * np.where(turned[edges.face[side]], -1, 1)
    angle = _angles(surface, edges, side, place)
    order = np.lexsort((angle, place))
    # Faces of equal angle make a stack, numbered over all edges.
    new = (np.diff(place[order], prepend=-1) != 0) | ~(np.diff(angle[order], prepend=0.0) <= SAME_ANGLE)
    stack = np.empty(len(side), dtype=np.int64)
    stack[order] = np.cumsum(new)
    # In a stack the other patches are behind the one with the lowest number, at each edge alike.
    lowest = np.lexsort((label, stack))
    lowest = lowest[np.flatnonzero(np.diff(stack[lowest], prepend=-1))]
    upward = np.zeros(int(stack.max(initial=0)) + 1)
    upward[stack[lowest]] = sign[lowest]
    # Sort again, now with the patches of a stack in the order in which they lie on each other.
    order = np.lexsort((-upward[stack] * label, stack))
    place, label, sign, angle = place[order], label[order], sign[order], angle[order]
    # Link each face with the next around the edge; the last with the first.
    first = np.flatnonzero(np.diff(place, prepend=-1))
    following = np.arange(1, len(place) + 1)
    following[np.append(first[1:], len(place)) - 1 if len(first) else first] = first
    # What is on the far side of one patch is on the near side of the next.
    known = np.isfinite(angle)
    patch_side, other_side = 2 * label + (sign < 0), (2 * label + (sign > 0))[following]
    return patch_side[known], other_side[known]


def _angles(surface: Surface, edges: Edges, side: Ints, place: Ints) -> FloatArray:
    """Return the angle (k,) of each side's face around its edge, seen along it; NaN for all if one is unknown."""
    # Everything relative to the size, so that no product overflows.
    size = float(surface.extent().max()) or 1.0
    along = (surface.vertices[edges.end[side]].astype(np.float64) - surface.vertices[edges.start[side]]).T / size
    a, b, c = face_corners(surface, edges.face[side]).transpose(1, 0, 2) / size
    u, v = b - a, c - a
    normal = cross(u, v)
    area = np.sqrt(dot(normal, normal))
    normal[:, area <= NO_AREA * np.maximum(dot(u, u), dot(v, v))] = np.nan
    # The direction from the edge into the face, perpendicular to the edge: a unit vector, whose angle is wanted.
    inward = cross(normal, along)
    along = along * edges.sign[side]
    with np.errstate(invalid="ignore", divide="ignore"):
        inward /= np.sqrt(dot(inward, inward))
        along /= np.sqrt(dot(along, along))
    # The angle is measured from the first face at each edge.
    _, first, which = np.unique(place, return_index=True, return_inverse=True)
    which = which.ravel()
    base = inward[:, first[which]]
    angle: FloatArray = np.arctan2(dot(inward, cross(along, base)), dot(inward, base))
    angle[angle < SAME_ANGLE - pi] += 2.0 * pi  # faces opposite to the first are next to each other
    unknown = np.bincount(which, ~np.isfinite(angle)) > 0.0
    angle[unknown[which]] = np.nan
    return angle


def _outermost(surface: Surface, component: Ints) -> tuple[Ints, Bools]:
    """Return for each component a face with the outside on one side, and True if its front is that side.

    At the highest vertex, no ray along the surface is flatter than the flattest edge, and of the faces there none is
    flatter than the one that tilts least: nothing is above it.
    """
    corners = face_corners(surface, np.arange(len(component)))
    # The highest corner of each component, and the faces there, with that corner first.
    height = np.tensordot(OBLIQUE, corners, 1)
    level = height.max(axis=0)
    highest = np.full(len(component), -np.inf)
    np.maximum.at(highest, component, level)
    face = np.flatnonzero(level == highest[component])
    some = np.take_along_axis(
        corners[:, :, face], ((np.argmax(height[:, face], axis=0) + np.arange(3)[:, None]) % 3)[None], axis=1
    )
    u, v = some[:, 1] - some[:, 0], some[:, 2] - some[:, 0]
    # For both sides of a face that leave that corner: the slope of the side, and that of the face across it.
    slopes, tilts = [], []
    with np.errstate(invalid="ignore", divide="ignore"):
        for ray, beside in ((u, v), (v, u)):
            ray = ray / np.sqrt(dot(ray, ray))
            inward = beside - dot(beside, ray) * ray
            slopes.append(np.tensordot(OBLIQUE, ray, 1))
            tilts.append(np.tensordot(OBLIQUE, inward, 1) / np.sqrt(dot(inward, inward)))
    # All go down from there: the side that falls least wins, then the face that falls least beside it.
    slope, tilt = (np.nan_to_num(np.concatenate(part), nan=-np.inf) for part in (slopes, tilts))
    owner = np.tile(component[face], 2)
    order = np.lexsort((tilt, slope, owner))
    best = order[np.flatnonzero(np.diff(owner[order], append=-1))] % len(face)
    return face[best], np.tensordot(OBLIQUE, cross(u, v)[:, best], 1) > 0.0
