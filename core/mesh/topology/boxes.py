# SPDX-License-Identifier: Apache-2.0
"""Finds which of many boxes overlap: by sorting along one axis for a few, by a tree for as many as a mesh has faces.

The tree is binary and complete. Its leaves are the boxes in the order of a space-filling curve through their middles
(Morton 1966; Lauterbach et al. 2009, Fast BVH construction on GPUs), and each node has the box around its two children.
Pairs of nodes whose boxes overlap are replaced by the pairs of their children, level by level, so that long and slender
boxes, as of the faces of a large flat wall, cost hardly more than others.

Six coordinates of a box are two integers of three fields each. The highest bit of each field remains if one subtraction
of all three fields does not borrow: so two subtractions compare two boxes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...arrays import Bools, FloatArray, Ints, Numbers, ranges

Sides = Bools | Numbers
"""The side of each item; none is below zero."""

BLOCK = 1 << 16
"""Pairs per block."""

FEW = 1 << 9
"""Up to this many boxes, sort them along one axis: building a tree takes longer."""

FIELD = 21
"""Bits of a coordinate in an integer of three, with one above it that is set in the higher corner."""

STEPS = (1 << FIELD - 1) - 1
"""The largest coordinate in the tree, which counts from 0; boxes are as much larger there as rounding makes them."""

GUARDS = np.uint64(sum(1 << FIELD * (field + 1) - 1 for field in range(3)))
"""The highest bits of the three fields."""

TOP = 5
"""Levels below the root at which pairs of nodes are compared first."""

CURVE_BITS = 10
"""Bits of each coordinate of a box's middle that order the leaves."""

CROWDED = 256
"""Boxes in the same cell of the curve as a box, on average, from which on ranks are worth their sort."""

SPREAD = np.array(
    [sum((number >> bit & 1) << 3 * bit for bit in range(CURVE_BITS)) for number in range(1 << CURVE_BITS)]
)
"""Numbers of so many bits with two zeros between all bits."""

Words = npt.NDArray[np.uint64]


def many_box_pairs(low: FloatArray, high: FloatArray, side: Sides | None = None) -> Iterator[tuple[Ints, Ints]]:
    """Yield the pairs of boxes that overlap, each once, in blocks.

    Parameters
    ----------
    low, high : ndarray, shape (3, k)
        Corners of the boxes, finite. A box whose `high` is below its `low` overlaps only what contains both.
    side : ndarray, shape (k,), bool or int, optional
        Only boxes of different sides make a pair.
    """
    pairs = _along_one_axis(low, high, side) if low.shape[1] <= FEW else _Tree.of(low, high, side).pairs()
    for i, j in pairs:
        if side is not None:
            met = np.flatnonzero(side[i] != side[j])
            i, j = i.take(met), j.take(met)
        for lowest, highest in zip(low, high, strict=True):
            meet = lowest.take(i, mode="clip") <= highest.take(j, mode="clip")
            meet &= lowest.take(j, mode="clip") <= highest.take(i, mode="clip")
            met = np.flatnonzero(meet)
            i, j = i.take(met), j.take(met)
        yield i, j


def _along_one_axis(low: FloatArray, high: FloatArray, side: Sides | None) -> Iterator[tuple[Ints, Ints]]:
    """Yield each box with those that begin inside it, along the axis on which boxes are shortest."""
    size, extent = (high - low).sum(axis=1), np.ptp(low, axis=1)
    axis = int(np.argmin(size * np.roll(extent, 1) * np.roll(extent, 2)))  # of the quotient size / extent
    box = np.argsort(low[axis], kind="stable")
    # In order of where they begin, all that overlap a box on this axis follow it directly.
    begin = np.arange(1, len(box) + 1)
    end = np.searchsorted(low[axis, box], high[axis, box], side="right")
    for i, j in ranges(begin, np.maximum(end - begin, 0), BLOCK):
        yield box.take(i), box.take(j)


@dataclass(frozen=True, eq=False)
class _Tree:
    """A binary tree of boxes.

    Parameters
    ----------
    order : ndarray, shape (k,)
        The box of each leaf.
    lows, highs : list of ndarray, shape (2ⁿ,), uint64
        The corners of the nodes of each level, the leaves first; `highs` with `GUARDS` set.
    sides : list of ndarray or None
        The side of each node, -1 if its leaves have several; None if sides do not matter.
    """

    order: Ints
    lows: list[Words]
    highs: list[Words]
    sides: list[Ints] | None

    @classmethod
    def of(cls, low: FloatArray, high: FloatArray, side: Sides | None) -> _Tree:
        """Build the tree of some boxes; boxes of one side are next to each other."""
        first, last, curve = _on_grid(low, high, side)
        order = np.argsort(curve, kind="stable")
        runs = np.diff(np.flatnonzero(np.diff(curve.take(order), prepend=-1)), append=len(order)).astype(np.float64)
        if runs @ runs > CROWDED * len(order):
            # Most boxes are so near to each other that the curve does not part them: their ranks along each axis do.
            first, last, curve = _on_grid(*_ranks(low, high), side)
            order = np.argsort(curve, kind="stable")
        # Leaves up to a power of two that overlap nothing: they begin beyond all others.
        missing = (1 << max(len(order) - 1, 1).bit_length()) - len(order)
        corners = (
            np.pad(first.take(order, axis=1), ((0, 0), (0, missing)), constant_values=STEPS + 1),
            np.pad(last.take(order, axis=1), ((0, 0), (0, missing))),
        )
        tree = cls(
            order, [], [], None if side is None else [np.pad(side[order].astype(np.int64), (0, missing), "edge")]
        )
        while True:
            tree.lows.append(_packed(corners[0]))
            tree.highs.append(_packed(corners[1]) | GUARDS)
            if len(tree.lows[-1]) == 1:
                return tree
            corners = np.minimum(*_halves(corners[0])), np.maximum(*_halves(corners[1]))
            if tree.sides is not None:
                first, second = _halves(tree.sides[-1])
                tree.sides.append(np.where(first == second, first, -1))

    def pairs(self) -> Iterator[tuple[Ints, Ints]]:
        """Yield, in blocks, pairs of boxes that include all that overlap."""
        # From a level on that has a few nodes: above it hardly any two are apart.
        top = max(len(self.lows) - 1 - TOP, 1)
        a, b = np.triu_indices(len(self.lows[top]))
        waiting = [(top, a.astype(np.int64), b.astype(np.int64))]
        while waiting:
            level, a, b = waiting.pop()
            if len(a) > BLOCK:
                waiting += [(level, *half) for half in zip(np.array_split(a, 2), np.array_split(b, 2), strict=True)]
            elif level == 0:
                yield self.order.take(a), self.order.take(b)
            elif len(a):
                waiting.append((level - 1, *self._children(level - 1, a, b)))

    def _children(self, level: int, a: Ints, b: Ints) -> tuple[Ints, Ints]:
        """Return the pairs of children of pairs of nodes that overlap, on the level of the children."""
        same = a == b
        c, a, b = 2 * a[same], 2 * a[~same], 2 * b[~same]
        mine, other = [c, a, a, a + 1, a + 1], [c + 1, b, b + 1, b, b + 1]
        if level:  # a leaf makes no pair with itself
            mine, other = [c, c + 1, *mine], [c, c + 1, *other]
        i, j = np.concatenate(mine), np.concatenate(other)
        low, high = self.lows[level], self.highs[level]
        reach = high.take(i) - low.take(j)
        reach &= high.take(j) - low.take(i)
        reach &= GUARDS
        met = reach == GUARDS
        if self.sides is not None:
            side = self.sides[level].take(i)
            met &= (side != self.sides[level].take(j)) | (side < 0)
        met = np.flatnonzero(met)
        return i.take(met), j.take(met)


def _on_grid(low: FloatArray, high: FloatArray, side: Sides | None) -> tuple[Ints, Ints, Ints]:
    """Return corners (3, k) in the steps of the tree, and the place of each box's middle along the curve."""
    origin = low.min(axis=1)[:, None]
    scale = STEPS / (float((np.maximum(low, high) - origin).max()) or 1.0)
    # Rounded away from each other: what overlaps overlaps in the tree too.
    first = np.floor((low - origin) * scale).astype(np.int64)
    last = np.clip(np.ceil((high - origin) * scale), 0.0, STEPS).astype(np.int64)
    x, y, z = SPREAD.take((first + last) >> FIELD - CURVE_BITS, mode="clip")
    curve = x | y << 1 | z << 2
    if side is not None:
        curve |= side.astype(np.int64) << 3 * CURVE_BITS
    return first, last, curve


def _ranks(low: FloatArray, high: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return corners (3, k) by how many are below each along an axis: the same boxes overlap."""
    ranks = np.empty((2, *low.shape))
    for axis, both in enumerate(np.stack([low, high], axis=1)):
        ranks[:, axis] = np.searchsorted(np.sort(both, axis=None), both)
    return ranks[0], ranks[1]


def _packed(coordinates: Ints) -> Words:
    """Return coordinates (3, k) as the fields of one integer each."""
    x, y, z = coordinates.view(np.uint64)
    words: Words = x | y << np.uint64(FIELD) | z << np.uint64(2 * FIELD)
    return words


def _halves(nodes: Ints) -> tuple[Ints, Ints]:
    """Return the left and the right children among the nodes of a level (..., 2ⁿ)."""
    return nodes[..., ::2], nodes[..., 1::2]
