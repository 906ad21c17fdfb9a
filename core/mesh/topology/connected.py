# SPDX-License-Identifier: GPL-3.0-or-later
"""Which nodes of a graph hang together, and labels as small numbers."""

from __future__ import annotations

import numpy as np

from ...arrays import Ints, Numbers, blocks

BLOCK = 1 << 15
"""Nodes or links at a time: the temporaries stay in the cache."""


def connected(a: Numbers, b: Numbers, count: int, root: Ints | None = None) -> Ints:
    """Label the components of a graph with `count` nodes and the links a[i] - b[i] by their lowest node.

    `root` is what an earlier call found with other links, and is written over; then a and b are such labels.

    Every node hooks onto a lower neighbour, chains are shortened by pointer jumping, links inside a component are
    dropped, and the rest is done again with the few nodes that it joins, numbered anew (Shiloach & Vishkin 1982, An
    O(log n) parallel connectivity algorithm).
    """
    root = np.arange(count) if root is None else root
    levels: list[tuple[Ints, Ints]] = []
    while len(a):
        for some in blocks(len(a), BLOCK):
            one, other = (end[some].astype(np.int64, copy=False) for end in (a, b))
            root[np.maximum(one, other)] = np.minimum(one, other)  # the last wins: any lower neighbour will do
        _shorten(root)
        a, b = apart(root, a, b)
        if len(a):
            joined = np.zeros(len(root), dtype=bool)
            joined[a] = joined[b] = True
            nodes = np.flatnonzero(joined)
            levels.append((root, nodes))
            number = np.empty(len(root), dtype=np.int64)
            number[nodes] = root = np.arange(len(nodes))
            a, b = number[a], number[b]
    for outer, nodes in reversed(levels):
        outer[nodes] = nodes[root]
        root = outer[outer]
    return root


def _shorten(root: Ints) -> None:
    """Let each node know the end of its chain. Links lead down, so that of a block those before it need no more."""
    for some in blocks(len(root), BLOCK):
        here = root[some]
        while not np.array_equal(above := root.take(here, mode="clip"), here):
            here[:] = above


def apart(root: Ints, a: Numbers, b: Numbers) -> tuple[Ints, Ints]:
    """Return of the links a[i] - b[i] that join several components the labels of both ends.

    The last come first: in their own order, a star of rising numbers would lose one a round.
    """
    ends = []
    for some in blocks(len(a), BLOCK):
        one, other = (root.take(end[some].astype(np.int64, copy=False), mode="clip") for end in (a, b))
        left = np.flatnonzero(one != other)[::-1]
        ends.append((one.take(left), other.take(left)))
    ones, others = zip(*ends[::-1], strict=True) if ends else ((), ())
    return np.concatenate([root[:0], *ones]), np.concatenate([root[:0], *others])


def numbered(label: Ints) -> Numbers:
    """Return labels, none below zero, in the same order from 0 on, in as few bytes as will do."""
    there = np.zeros(int(label.max()) + 1, dtype=bool)
    there[label] = True
    number = np.cumsum(there) - 1
    numbers: Numbers = number.astype(np.uint8 if number[-1] < np.iinfo(np.uint8).max else np.int32).take(label)
    return numbers
