# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of many faces may pass through each other, needles and fans too: by a tree of oriented boxes.

A node of the tree holds half the faces of its parent, in a box along the principal axes of their corners. Pairs of
nodes that no axis of either box parts are followed down to their children (Gottschalk, Lin & Manocha 1996, OBBTree,
sections 4 and 5, without the nine axes at right angles to an edge of both).

At the apex of a fan all its faces meet, and no boxes part them. But where two faces that share a corner pass through
each other, the line along which they do begins there and ends where one of them does: on its side opposite that
corner. So of two nodes whose faces all share one corner, the sides opposite it of either are in the box of the other,
or they are parted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...arrays import FloatArray, Ints, blocks
from .boxes import Sides
from .face_corners import ROUNDING, Corners
from .vectors import cross, dot

BLOCK = 1 << 13
"""Pairs of nodes at a time: the temporaries stay in the cache."""

BEND = 2.0
"""Unit normals of faces count as this many times as far apart as the middles of the faces, where a node is halved: the
two sides of a plate, or a cap and a wall, are parted before either is cut up."""

MOST = 64
"""Nodes that the boxes of one meet, on average, up to which they are followed; in a single patch it is about ten."""

FACES, OPPOSITE = 0, 1
"""The box around whole faces, and the one around their sides opposite the corner that they share."""


@dataclass(frozen=True, eq=False)
class _Level:
    """Nodes of as many faces each, or one more.

    Parameters
    ----------
    order : ndarray, shape (m,), int64
        The faces, those of each node in a row.
    begin : ndarray, shape (k + 1,), int64
        Where nodes begin in that order, and where the last ends.
    axes : ndarray, shape (3, 3, k)
        Axis of the boxes, coordinate, node: of length 1.
    centre, half : ndarray, shape (2, 3, k)
        Of the boxes `FACES` and `OPPOSITE` the centre, and half of each side.
    shared : ndarray, shape (k,), int64
        The corner that all faces share; below zero where there is none.
    side : ndarray, shape (k,), int64
        Which side all faces are of; below zero where they are of several.
    """

    order: Ints
    begin: Ints
    axes: FloatArray
    centre: FloatArray
    half: FloatArray
    shared: Ints
    side: Ints


def oriented_box_pairs(corners: Corners, least: float, side: Sides | None = None) -> Iterator[tuple[Ints, Ints]] | None:
    """Return, in blocks, pairs of faces, each once: all that no shift of `least` parts, whatever its direction.

    None where boxes part so few nodes that the tree does not pay, as in a heap of faces that really meet.

    Parameters
    ----------
    corners : ndarray, shape (3, 3, m)
        Of one face at least, all coordinates up to 1.
    least : float
        In the unit of the corners. Below zero, all pairs are there that are apart by less.
    side : ndarray, shape (m,), bool or int, optional
        Only faces of different sides make a pair.
    """
    levels = _levels(corners, side)
    level, a, b = next(levels), np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    for level in levels:
        some = blocks(len(a), BLOCK)
        kept = [_perhaps_deeper(level, *_children(a[block], b[block]), least - ROUNDING) for block in some]
        a, b = (np.concatenate([np.zeros(0, dtype=np.int64), *(pair[k] for pair in kept)]) for k in (0, 1))
        if len(a) > MOST * len(level.shared):
            return None
        if not len(a):
            break
    return _faces(level, a, b, side)


def _children(a: Ints, b: Ints) -> tuple[Ints, Ints]:
    """Return the pairs of children of pairs of nodes, each once."""
    one = np.concatenate([2 * a, 2 * a, 2 * a + 1, 2 * a + 1])
    other = np.concatenate([2 * b, 2 * b + 1, 2 * b, 2 * b + 1])
    once = one <= other
    return one[once], other[once]


def _faces(level: _Level, a: Ints, b: Ints, side: Sides | None) -> Iterator[tuple[Ints, Ints]]:
    """Yield the pairs of faces of nodes that hold no more than two."""
    for some in blocks(len(a), BLOCK):
        nodes = a[some], b[some]
        (first, first_end), (second, second_end) = ((level.begin[node], level.begin[node + 1]) for node in nodes)
        for i, j in ((0, 0), (0, 1), (1, 0), (1, 1)):
            one, other = first + i, second + j
            there = (one < first_end) & (other < second_end) & (one < other)
            one, other = level.order[one[there]], level.order[other[there]]
            if side is not None:
                apart = side[one] != side[other]
                one, other = one[apart], other[apart]
            yield one, other


def _perhaps_deeper(level: _Level, a: Ints, b: Ints, least: float) -> tuple[Ints, Ints]:
    """Return those pairs of nodes that may hold faces that no shift of `least` parts."""
    mixed = np.flatnonzero((level.side[a] < 0) | (level.side[a] != level.side[b]))
    found = mixed[_deeper(level, a[mixed], b[mixed], FACES, FACES, least)]
    shared = level.shared[a[found]]
    fan = (shared >= 0) & (shared == level.shared[b[found]]) & (least > 0.0)
    some = found[fan]
    # The line ends on a side opposite, but that side need not reach deep into the other box.
    ends = [_deeper(level, a[some], b[some], *boxes, -ROUNDING) for boxes in ((FACES, OPPOSITE), (OPPOSITE, FACES))]
    kept = np.concatenate([found[~fan], some[np.union1d(*ends)]])
    return a[kept], b[kept]


def _deeper(level: _Level, a: Ints, b: Ints, box_a: int, box_b: int, least: float) -> Ints:
    """Return which pairs of boxes no shift of `least` along an axis of either parts."""
    left = np.arange(len(a))
    for one, box_one, other, box_other in ((a, box_a, b, box_b), (b, box_b, a, box_a)):
        one, other = one[left], other[left]
        axes, others = level.axes.take(one, axis=2), level.axes.take(other, axis=2)
        half, reach = level.half[box_one].take(one, axis=1), level.half[box_other].take(other, axis=1)
        between = level.centre[box_other].take(other, axis=1) - level.centre[box_one].take(one, axis=1)
        deep = np.ones(len(left), dtype=bool)
        for axis, own in zip(axes, half, strict=True):
            turn = np.abs(np.stack([dot(axis, along) for along in others]))
            deep &= own + dot(turn, reach) - np.abs(dot(axis, between)) > least
        left = left[deep]
    return left


def _levels(corners: Corners, side: Sides | None) -> Iterator[_Level]:
    """Yield the levels of the tree, down to nodes of one or two faces."""
    count = corners.shape[2]
    normal = cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.sqrt(dot(normal, normal))
    normal /= np.where(length > 0.0, length, 1.0)
    point, corners = _crowded_first(corners)
    number = np.arange(count) if side is None else side.astype(np.int64)
    order = np.arange(count)
    for depth in range(count.bit_length()):
        ends = (count * np.arange((1 << depth) + 1)) >> depth
        begin, node = ends[:-1], np.repeat(np.arange(1 << depth), np.diff(ends))
        mean, axes, local = _along_axes(corners.take(order, axis=2), node, begin)
        low, high = _bounds(local, begin)
        centre = mean + np.stack([dot(axes, middle[:, None]) for middle in (low + high) / 2.0])
        shared, common = _common(point[order], begin), _common(number[order], begin)
        yield _Level(order, ends, axes, centre, (high - low) / 2.0, shared, common)
        order = order[_halved(local, normal.take(order, axis=1), node, begin)]


def _along_axes(corners: Corners, node: Ints, begin: Ints) -> tuple[FloatArray, FloatArray, Corners]:
    """Return the mean corner (3, k) and the principal axes (3, 3, k) of nodes, and their corners along these."""
    total = np.add.reduceat(corners[:, 0] + corners[:, 1] + corners[:, 2], begin, axis=1)
    mean = total / (3.0 * np.diff(begin, append=len(node)))
    local = corners - mean.take(node, axis=1)[:, None]
    xx, xy, xz, yy, yz, zz = (
        np.add.reduceat(dot(local[u], local[v]), begin) for u, v in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
    )
    scatter = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    axes = np.ascontiguousarray(np.linalg.eigh(scatter.transpose(2, 0, 1))[1].transpose(2, 1, 0))
    return mean, axes, np.stack([dot(axis[:, None], local) for axis in axes.take(node, axis=2)])


def _bounds(local: Corners, begin: Ints) -> tuple[FloatArray, FloatArray]:
    """Return how far the boxes (2, 3, k) `FACES` and `OPPOSITE` of nodes reach along their axes."""
    first, second, third = local.transpose(1, 0, 2)
    low, high = np.minimum(second, third), np.maximum(second, third)
    return (
        np.stack([np.minimum.reduceat(box, begin, axis=1) for box in (np.minimum(first, low), low)]),
        np.stack([np.maximum.reduceat(box, begin, axis=1) for box in (np.maximum(first, high), high)]),
    )


def _halved(local: Corners, normal: FloatArray, node: Ints, begin: Ints) -> Ints:
    """Return the places of faces sorted within each node, by where they are or by the way they look."""
    ways = np.concatenate([(local[:, 0] + local[:, 1] + local[:, 2]) / 3.0, normal])
    spread = np.maximum.reduceat(ways, begin, axis=1) - np.minimum.reduceat(ways, begin, axis=1)
    spread[3:] *= BEND * spread[:3].max(axis=0)
    way = np.argmax(spread, axis=0)[node]
    halved: Ints = np.lexsort((ways[way, np.arange(len(node))], node))
    return halved


def _common(number: Ints, begin: Ints) -> Ints:
    """Return the number that all faces of each node have; below zero where they differ."""
    least, most = np.minimum.reduceat(number, begin), np.maximum.reduceat(number, begin)
    return np.where(least == most, least, -1)


def _crowded_first(corners: Corners) -> tuple[Ints, Corners]:
    """Begin each face with the corner where the most faces meet; return this point's number, and the corners."""
    places = corners.reshape(3, -1)
    order = np.lexsort(places)
    new = (np.diff(places[:, order], axis=1, prepend=np.nan) != 0.0).any(axis=0)
    point = np.empty(len(order), dtype=np.int64)
    point[order] = np.cumsum(new)
    faces = np.bincount(point)
    point = point.reshape(3, -1)
    turn = (np.argmax(faces[point], axis=0) + np.arange(3)[:, None]) % 3
    return np.take_along_axis(point, turn, axis=0)[0], np.take_along_axis(corners, turn[None], axis=1)
