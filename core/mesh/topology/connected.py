# SPDX-License-Identifier: Apache-2.0
"""Groups of equal rows of numbers, and connected components of a graph."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ...arrays import Bools, Ints, Numbers, blocks

BLOCK = 1 << 13
"""Nodes per block: the temporaries stay in the cache."""

BITS = 63
"""Bits of a sortable number: a hash of the row, and in its lower part the row's number."""

MIX = np.uint64(0x9E3779B97F4A7C15)
"""2⁶⁴ over the golden ratio, which spreads what is multiplied by it over the upper bits (Knuth, The Art of Computer
Programming, vol. 3, section 6.4)."""

ROUNDS = 16
"""Hashes that are tried: each leaves about an eighth of the rows, unless some are equal by chance or by intent."""

Words = npt.NDArray[np.uint64]
"""Hashes, as integers modulo 2⁶⁴."""


def grouped(*columns: Numbers) -> tuple[Ints, Bools]:
    """Group equal rows of some columns (n,), by one sort.

    A row and its number are packed into one integer, since numpy sorts integers many times faster than rows. If they do
    not fit, a hash of the row is packed, and rows with equal hashes are compared.

    Returns
    -------
    order : ndarray, shape (n,), int64
        All rows, equal ones next to each other, the lowest number first.
    new : ndarray, shape (n,), bool
        True if a row differs from the one before it in that order.
    """
    count = len(columns[0])
    # Bits for a row's number, and for the largest number of each column.
    place = max(count - 1, 1).bit_length()
    widths = [int(column.max(initial=0)).bit_length() for column in columns]
    fits = sum(widths) + place <= BITS and all(int(column.min(initial=0)) >= 0 for column in columns)
    if fits:
        key = np.zeros(count, dtype=np.int64)
        for column, width in zip(columns, widths, strict=True):
            key <<= width
            key |= column.astype(np.int64, copy=False)
    else:
        key = (mixed(*columns) >> np.uint64(place + 1)).view(np.int64)
    key <<= place
    key |= np.arange(count)
    key.sort()
    # Unpack: the row's number is in the lower bits, and a row is new if the upper bits changed.
    order = key & ((1 << place) - 1)
    key >>= place
    new = np.ones(count, dtype=bool)
    np.not_equal(key[1:], key[:-1], out=new[1:])
    if not fits:
        # Rows with equal hashes must be equal; otherwise sort them by all columns, which is slow.
        again = np.flatnonzero(~new)
        row, before = order[again], order[again - 1]
        if any((column[row] != column[before]).any() for column in columns):  # once in some 10⁵ meshes
            order = np.lexsort(columns)
            new[1:] = False
            for column in columns:
                new[1:] |= column[order[1:]] != column[order[:-1]]
    return order, new


def alike(*columns: Numbers) -> Ints:
    """Return for each row of some columns (n,) the lowest equal row.

    Every row is noted in a table at the place that its hash names, the lowest last, and reads there which row is the
    lowest of its own. Rows that find a different one there try again with another hash.
    """
    count = len(columns[0])
    kind = np.int32 if count < 1 << 31 else np.int64  # a table that fits the cache is read twice as fast
    rows: Numbers = np.arange(count, dtype=kind)
    words = mixed(*columns)
    lowest = np.empty(count, dtype=np.int64)
    for _ in range(ROUNDS):
        bits = max(len(rows), 1).bit_length() + 1
        place: Ints = (words >> np.uint64(64 - bits)).view(np.int64)
        table: Numbers = np.empty(1 << bits, dtype=kind)
        table[place[::-1]] = rows[::-1]
        noted = table.take(place)
        lowest[rows] = noted
        other = np.flatnonzero(noted != rows)
        row, noted = rows.take(other), noted.take(other)
        differs = np.zeros(len(other), dtype=bool)
        for column in columns:
            differs |= column.take(row) != column.take(noted)
        other = other[differs]
        if not len(other):
            return lowest
        rows, words = rows.take(other), mixed(words.take(other))
    # Different rows whose hashes are equal: sort them, which is slow.
    order, new = grouped(*(column.take(rows) for column in columns))
    lowest[rows.take(order)] = rows.take(order[new][np.cumsum(new) - 1])
    return lowest


def mixed(*columns: Numbers) -> Words:
    """Return a hash of each row of some columns (n,), whose upper bits are about random."""
    words = np.zeros(len(columns[0]), dtype=np.uint64)
    for column in columns:
        words += column.astype(np.int64, copy=False).view(np.uint64)
        words *= MIX
    words ^= words >> np.uint64(32)  # round floating-point numbers differ only in their upper bits
    words *= MIX
    return words


def connected(a: Numbers, b: Numbers, count: int) -> Ints:
    """Label the components of a graph with `count` nodes and the links a[i] - b[i] by their lowest node.

    Every node hooks onto a lower neighbour, chains are shortened by pointer jumping, and links inside a component are
    dropped (Shiloach & Vishkin 1982, An O(log n) parallel connectivity algorithm).
    """
    root = np.arange(count)
    while len(a):
        root[np.maximum(a, b)] = np.minimum(a, b)  # the last write wins: any lower neighbour is valid
        for some in blocks(count, BLOCK):  # chains lead down, so that blocks before this one are complete
            here = root[some]
            while not np.array_equal(above := root.take(here), here):
                here[:] = above
        a, b = root.take(a), root.take(b)
        # In their own order, a star of ascending numbers would lose one link per round.
        apart = np.flatnonzero(a != b)[::-1]
        a, b = a.take(apart), b.take(apart)
    return root


def two_sided(a: Numbers, b: Numbers, alike: Bools, count: int) -> tuple[Ints, Bools, Bools]:
    """Connect nodes by links that say whether both ends are on one side, or on opposite sides.

    Returns
    -------
    group : ndarray, shape (count,), int64
        The label of each node's component.
    side : ndarray, shape (count,), bool
        False on the side of the component's lowest node.
    impossible : ndarray, shape (count,), bool
        True in a component whose links contradict each other.
    """
    # Each is two nodes, one for either side.
    ends = np.concatenate([np.where(alike, b, b + count), np.where(alike, b + count, b)])
    front, back = connected(np.concatenate([a, a + count]), ends, 2 * count).reshape(2, -1)
    return np.minimum(front, back), front > back, front == back


def numbered(label: Ints) -> Ints:
    """Return labels, none below zero, renumbered from 0 in the same order."""
    there = np.zeros(int(label.max(initial=-1)) + 1, dtype=bool)
    there[label] = True
    number: Ints = (np.cumsum(there) - 1).take(label)
    return number
