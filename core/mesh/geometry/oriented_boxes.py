# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of many needle-shaped faces may meet: by a tree of oriented boxes, where boxes along the axes tell too little.

Each node of the tree holds half the faces of its parent, and lies in a box whose axes are the principal axes of their
corners. Two nodes are told apart by the axes of both boxes; if they are not, so are their children (Gottschalk, Lin &
Manocha 1996, OBBTree).

All faces of a fan meet at its apex, where no boxes part them. But if two faces that share a corner pass through each
other, the line along which they do so begins there and ends where one of them ends: on its side opposite that corner.
So of two nodes whose faces all share one corner, each is compared with the box of the other's opposite sides only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...arrays import Bools, FloatArray, Ints
from .probe import ROUNDING, Corners
from .vectors import cross, dot

BLOCK = 1 << 14
"""Pairs of nodes at a time."""

BEND = 2.0
"""Faces that look ways which differ by a unit vector count as so many widths of their node apart when it is halved, so
that the two sides of a plate, and a cap and a wall, are soon told apart."""

FACE, OPPOSITE = 0, 1


@dataclass(frozen=True, eq=False)
class Level:
    """Nodes with equally many faces, but for one.

    Parameters
    ----------
    axes : ndarray, shape (3, 3, k)
        Axis of the box, coordinate, node: of length 1, the longest side first.
    centre, half : ndarray, shape (2, 3, k)
        Of the box around whole faces, and of the one around their sides opposite the corner that they share: its
        middle, and half its sides.
    shared : ndarray, shape (k,), int64
        The corner that all faces have in common; below zero where there is none.
    side : ndarray, shape (k,), int64
        Which side all faces are of; below zero where they are of both.
    """

    axes: FloatArray
    centre: FloatArray
    half: FloatArray
    shared: Ints
    side: Ints


def oriented_box_pairs(corners: Corners, least: float, side: Bools | None = None) -> Iterator[tuple[Ints, Ints]]:
    """Yield, in blocks, all pairs of faces that may be deeper in each other than `least`, each once.

    Parameters
    ----------
    corners : ndarray, shape (3, 3, m)
        Up to 1 from the origin, at least two faces.
    least : float
        Below zero, faces count that are apart by less. Above, faces may be left out that are not deeper.
    side : ndarray, shape (m,), bool, optional
        Only faces of different sides make a pair.
    """
    levels, order = _tree(corners, side)
    least -= ROUNDING
    begin = _begin(len(order), len(levels) - 1)
    waiting = [(0, np.zeros(1, np.int64), np.zeros(1, np.int64))]
    while waiting:
        depth, a, b = waiting.pop()
        kept = _meeting(levels[depth], a, b, least)
        a, b = a[kept], b[kept]
        if depth + 1 < len(levels):
            a, b = _children(a, b)
            blocks = [slice(start, start + BLOCK) for start in range(0, len(a), BLOCK)]
            waiting += [(depth + 1, a[block], b[block]) for block in blocks]
            continue
        for i in range(2):
            for j in range(2):
                one, other = begin[a] + i, begin[b] + j
                there = (one < begin[a + 1]) & (other < begin[b + 1]) & (one < other)
                one, other = order[one[there]], order[other[there]]
                if side is not None:
                    apart = side[one] != side[other]
                    one, other = one[apart], other[apart]
                yield one, other


def _children(a: Ints, b: Ints) -> tuple[Ints, Ints]:
    """Return the pairs of children, each once."""
    one = np.concatenate([2 * a, 2 * a, 2 * a + 1, 2 * a + 1])
    other = np.concatenate([2 * b, 2 * b + 1, 2 * b, 2 * b + 1])
    once = one <= other
    return one[once], other[once]


def _meeting(level: Level, a: Ints, b: Ints, least: float) -> Ints:
    """Return which pairs of nodes may hold faces that are deeper in each other than `least`."""
    mixed = np.flatnonzero((level.side[a] < 0) | (level.side[a] != level.side[b]))
    found = mixed[_deeper(level, a[mixed], b[mixed], (FACE, FACE), least)]
    if least < 0.0:
        return found
    fan = (level.shared[a[found]] >= 0) & (level.shared[a[found]] == level.shared[b[found]])
    some = found[fan]
    # A side that is cut need not reach deep into the other box.
    kept = [some[_deeper(level, a[some], b[some], boxes, -ROUNDING)] for boxes in ((FACE, OPPOSITE), (OPPOSITE, FACE))]
    return np.concatenate([found[~fan], np.union1d(*kept)])


def _deeper(level: Level, a: Ints, b: Ints, boxes: tuple[int, int], least: float) -> Ints:
    """Return which pairs of boxes no shift of `least` along an axis of either parts."""
    left = np.arange(len(a))
    for one, other, (i, j) in ((a, b, boxes), (b, a, boxes[::-1])):
        one, other = one[left], other[left]
        axes, others = level.axes.take(one, axis=2), level.axes.take(other, axis=2)
        half, reach = level.half[i].take(one, axis=1), level.half[j].take(other, axis=1)
        between = level.centre[j].take(other, axis=1) - level.centre[i].take(one, axis=1)
        deep = np.ones(len(left), dtype=bool)
        for axis in range(3):
            turn = np.abs(np.stack([dot(axes[axis], along) for along in others]))
            deep &= half[axis] + dot(turn, reach) - np.abs(dot(axes[axis], between)) > least
        left = left[deep]
    return left


def _begin(count: int, level: int) -> Ints:
    """Return where nodes begin in the order of faces, and where the last ends."""
    begin: Ints = (count * np.arange((1 << level) + 1)) >> level
    return begin


def _tree(corners: Corners, side: Bools | None) -> tuple[list[Level], Ints]:
    """Return the levels, down to nodes of one or two faces, and the order in which those hold the faces."""
    count = corners.shape[2]
    normal = cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.sqrt(dot(normal, normal))
    normal /= np.where(length > 0.0, length, 1.0)
    point, corners = _crowded_first(corners)
    sides = np.arange(count) if side is None else side.astype(np.int64)
    order, levels = np.arange(count), []
    for depth in range(count.bit_length()):
        begin = _begin(count, depth)
        node = np.repeat(np.arange(1 << depth), np.diff(begin))
        if depth:
            order = _halved(levels[-1].axes[0], corners, normal, order, node >> 1, _begin(count, depth - 1)[:-1])
        there = corners.take(order, axis=2)
        shared = _common(point[order], begin[:-1])
        levels.append(_level(there, node, begin[:-1], shared, _common(sides[order], begin[:-1])))
    return levels, order


def _halved(longest: FloatArray, corners: Corners, normal: FloatArray, order: Ints, node: Ints, begin: Ints) -> Ints:
    """Return the faces of each node in the order of their places along its box, or of the ways they look."""
    middle = corners[:, 0] + corners[:, 1] + corners[:, 2]
    along = dot(longest.take(node, axis=1), middle.take(order, axis=1)) / 3.0
    ways = np.concatenate([along[None], normal.take(order, axis=1)])
    spread = np.maximum.reduceat(ways, begin, axis=1) - np.minimum.reduceat(ways, begin, axis=1)
    spread[1:] *= BEND * spread[0]
    way = np.argmax(spread, axis=0)
    halved: Ints = order[np.lexsort((ways[way[node], np.arange(len(node))], node))]
    return halved


def _level(corners: Corners, node: Ints, begin: Ints, shared: Ints, side: Ints) -> Level:
    """Return the boxes of nodes, whose faces begin at these places."""
    a, b, c = corners.transpose(1, 0, 2)
    mean = np.add.reduceat(a + b + c, begin, axis=1) / (3.0 * np.diff(begin, append=len(node)))
    local = corners - mean.take(node, axis=1)[:, None]
    xx, xy, xz, yy, yz, zz = (
        np.add.reduceat(dot(local[u], local[v]), begin) for u, v in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
    )
    covariance = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    axes = np.ascontiguousarray(np.linalg.eigh(covariance.transpose(2, 0, 1))[1].transpose(2, 1, 0)[::-1])
    a, b, c = (np.stack([dot(axis, corner) for axis in axes.take(node, axis=2)]) for corner in local.transpose(1, 0, 2))
    low, high = np.minimum(b, c), np.maximum(b, c)
    low = np.stack([np.minimum.reduceat(box, begin, axis=1) for box in (np.minimum(a, low), low)])
    high = np.stack([np.maximum.reduceat(box, begin, axis=1) for box in (np.maximum(a, high), high)])
    centre = np.stack([mean + dot(axes, middle[:, None]) for middle in (low + high) / 2.0])
    return Level(axes, centre, (high - low) / 2.0, shared, side)


def _common(number: Ints, begin: Ints) -> Ints:
    """Return the number that all faces of each node have; below zero where they differ."""
    least, most = np.minimum.reduceat(number, begin), np.maximum.reduceat(number, begin)
    return np.where(least == most, least, -1)


def _crowded_first(corners: Corners) -> tuple[Ints, Corners]:
    """Begin each face with the corner where the most faces meet; return that point's number, and the corners."""
    flat = corners.reshape(3, -1)
    order = np.lexsort(flat)
    new = (np.diff(flat[:, order], axis=1, prepend=np.nan) != 0.0).any(axis=0)
    point = np.empty(len(order), dtype=np.int64)
    point[order] = np.cumsum(new) - 1
    faces = np.bincount(point)
    point = point.reshape(3, -1)
    turn = (np.argmax(faces[point], axis=0) + np.arange(3)[:, None]) % 3
    return np.take_along_axis(point, turn, axis=0)[0], np.take_along_axis(corners, turn[None], axis=1)
