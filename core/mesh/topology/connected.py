# SPDX-License-Identifier: GPL-3.0-or-later
"""Which nodes of a graph hang together, and labels as small numbers."""

from __future__ import annotations

import numpy as np

from ...arrays import Ints, Numbers


def connected(a: Ints, b: Ints, count: int, root: Ints | None = None) -> Ints:
    """Label the components of a graph with `count` nodes and the links a[i] - b[i] by their lowest node.

    `root` is what an earlier call found with other links; then a and b are such labels.

    Every node hooks onto a lower neighbour, chains are shortened by pointer jumping, links inside a component are
    dropped, and the rest is done again with the few nodes that it joins, numbered anew (Shiloach & Vishkin 1982, An
    O(log n) parallel connectivity algorithm).
    """
    root = np.arange(count) if root is None else root
    levels: list[tuple[Ints, Ints]] = []
    while len(a):
        low, high = np.minimum(a, b), np.maximum(a, b)
        root[high] = low  # of several, the last write wins: any lower neighbour will do
        above = root[root]
        while not np.array_equal(above, root):
            root, above = above, above[above]
        a, b = root[low], root[high]
        apart = np.flatnonzero(a != b)[::-1]  # the order turned, or a star of rising numbers would lose one a round
        a, b = a[apart], b[apart]
        if len(apart):
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


def numbered(label: Ints) -> Numbers:
    """Return labels, none below zero, in the same order from 0 on, in as few bytes as will do."""
    there = np.zeros(int(label.max()) + 1, dtype=bool)
    there[label] = True
    number = np.cumsum(there) - 1
    numbers: Numbers = number.astype(np.uint8 if number[-1] < np.iinfo(np.uint8).max else np.int32).take(label)
    return numbers
