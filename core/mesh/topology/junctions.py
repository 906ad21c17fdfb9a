# SPDX-License-Identifier: Apache-2.0
"""Finds T-junctions, edges that meet others only in part, and cuts them at the corners that lie on them."""

from __future__ import annotations

import numpy as np

from ...arrays import FloatArray, Ints
from ..surface import Surface
from .boxes import many_box_pairs
from .edges import Edges
from .merging import merging_size
from .nesting import OBLIQUE
from .vectors import ROUNDING

MAX_T_BOXES = 1 << 16
"""Maximum edges and corners in a search for T-junctions: a second or two if loose faces are as long as a tenth of the
mesh; with more, an open mesh is open."""

MAX_T_PAIRS = 1 << 21
"""Maximum pairs of an edge and a nearby corner (a second); only loose faces that fill all space have more."""


def cut_at_corners(surface: Surface, edges: Edges) -> Edges:
    """Return edges with pieces in place of unbalanced ones, cut at the corners that lie on them.

    An edge that is whole for one face and in pieces for others has an odd number of faces, unless an edge of another
    component coincides with it, also whole: then the number is even, but in one direction. So it is for an edge of a
    reversed face. It is cut only if a shorter edge leaves one of its ends in the same direction.
    """
    while True:
        uneven = edges.uneven()
        if not len(uneven):
            return edges
        corners = np.unique(np.concatenate([edges.start[uneven], edges.end[uneven]]))
        whole = np.union1d(edges.odd(), _longer(surface, edges, uneven, corners))
        pieces = _split(surface, edges, whole, corners) if len(whole) else None
        if pieces is None:
            return edges
        edges = pieces


def _longer(surface: Surface, edges: Edges, uneven: Ints, corners: Ints) -> Ints:
    """Return those edges that leave a corner together with a shorter one, one of the two unbalanced."""
    # All edges at these corners, once from each of their ends that is one.
    marked = np.zeros(len(surface.vertices), dtype=bool)
    marked[corners] = True
    doubtful = np.zeros(len(edges.edge), dtype=bool)
    doubtful[uneven] = True
    sides = np.flatnonzero((marked[edges.start] | marked[edges.end]) & (edges.edge == np.arange(len(edges.edge))))
    start, end = edges.start[sides], edges.end[sides]
    start, end, sides = np.concatenate([start, end]), np.concatenate([end, start]), np.tile(sides, 2)
    there = marked[start]
    start, end, sides = start[there], end[there], sides[there]
    along = surface.vertices[end].astype(np.float64) - surface.vertices[start]
    length = np.sqrt(np.einsum("ij,ij->i", along, along))
    length[length == 0.0] = 1.0
    # By corner, and by the direction's height along one that people do not choose: less than 1/2 either way.
    height = along @ (OBLIQUE / (4.0 * np.linalg.norm(OBLIQUE))) / length
    order = np.argsort(start + height)
    start, height, length = start[order], height[order], length[order]
    tolerance = merging_size(surface)
    room = tolerance / np.minimum(length[1:], length[:-1]) + ROUNDING
    first = np.flatnonzero((start[1:] == start[:-1]) & (np.abs(np.diff(height)) <= room))
    swap = length[first] > length[first + 1]
    short, long = order[first + swap], order[first + ~swap]
    both = np.flatnonzero(doubtful[sides[short]] | doubtful[sides[long]])
    short, long = short[both], long[both]
    on, _ = _on(along[short], along[long], tolerance)
    longer: Ints = sides[long[on]]
    return longer


def _on(offset: FloatArray, along: FloatArray, tolerance: float) -> tuple[Ints, FloatArray]:
    """Return which points at an offset (k, 3) from an edge's start lie on it and not at its ends, and how far along."""
    length = np.linalg.norm(along, axis=1)
    unit = along / np.where(length > 0.0, length, 1.0)[:, None]
    height = (offset * unit).sum(axis=1)
    off = np.linalg.norm(offset - unit * height[:, None], axis=1)
    on = np.flatnonzero((off <= tolerance) & (height > tolerance) & (height < length - tolerance))
    return on, height[on]


def _split(surface: Surface, edges: Edges, whole: Ints, corners: Ints) -> Edges | None:
    """Cut edges, given by side, at those of the corners that lie on them; return None if there are none."""
    start, end = (surface.vertices[ends[whole]].astype(np.float64).T for ends in (edges.start, edges.end))
    tolerance = merging_size(surface)
    # Only corners in the box of all these edges can lie on one.
    low, high = np.minimum(start, end) - tolerance, np.maximum(start, end) + tolerance
    place = surface.vertices[corners].astype(np.float64).T
    near = ((place >= low.min(axis=1)[:, None]) & (place <= high.max(axis=1)[:, None])).all(axis=0)
    corners, place = corners[near], place[:, near]
    if len(whole) + len(corners) > MAX_T_BOXES:
        return None
    # Compare the boxes of edges with corners, which are boxes without a size.
    is_edge = np.arange(len(whole) + len(corners)) < len(whole)
    tried = 0
    which, corner, height = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], [np.zeros(0)]
    for i, j in many_box_pairs(np.hstack([low, place]), np.hstack([high, place]), is_edge):
        tried += len(i)
        if tried > MAX_T_PAIRS:
            return None
        edge, point = np.where(is_edge[i], i, j), np.where(is_edge[i], j, i) - len(whole)
        along, offset = (end - start)[:, edge].T, (place[:, point] - start[:, edge]).T
        on, how_far = _on(offset, along, tolerance)
        which.append(edge[on])
        corner.append(corners[point[on]])
        height.append(how_far)
    return _chained(edges, whole, np.concatenate(which), np.concatenate(corner), np.concatenate(height))


def _chained(edges: Edges, whole: Ints, which: Ints, corner: Ints, height: FloatArray) -> Edges | None:
    """Replace edges by pieces from corner to corner: `which` of the `whole` ones has a corner at a height."""
    if not len(which):
        return None
    # The corners on each edge, in order along it.
    order = np.lexsort((height, which))
    cuts = np.bincount(which, minlength=len(whole))
    # One row of corners after the other: the start of an edge, those on it, its end.
    first = np.cumsum(cuts + 2) - cuts - 2
    row = np.empty(int((cuts + 2).sum()), dtype=np.int64)
    inner = np.ones(len(row), dtype=bool)
    row[first], row[first + cuts + 1] = edges.start[whole], edges.end[whole]
    inner[first] = inner[first + cuts + 1] = False
    row[inner] = corner[order]
    # For each side the row of its edge, or -1; `cut` are the sides to replace, each by `count` pieces.
    number = np.full(len(edges.edge), -1)
    number[whole[cuts > 0]] = np.flatnonzero(cuts)
    number = number[edges.edge]
    cut = np.flatnonzero(number >= 0)
    count = cuts[number[cut]] + 1
    side = np.repeat(cut, count)
    # The place in `row` where each piece begins; a side that runs the other way has its ends exchanged.
    at = np.arange(len(side)) - np.repeat(np.cumsum(count) - count, count) + first[number[side]]
    back = edges.start[side] != edges.start[edges.edge[side]]
    uncut = np.flatnonzero(number < 0)
    origin = np.concatenate([uncut, side])
    return Edges(
        np.concatenate([edges.start[uncut], np.where(back, row[at + 1], row[at])]),
        np.concatenate([edges.end[uncut], np.where(back, row[at], row[at + 1])]),
        np.concatenate([edges.face[uncut], edges.face[side]]),
        origin if edges.origin is None else edges.origin[origin],
    )
