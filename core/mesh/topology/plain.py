# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a closed surface is plain: two faces at each edge, none of them twice. Most are: then shells are what hangs
together by points, and no list of edges is needed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...arrays import Ints, Numbers
from .edges import degenerate
from .hashes import GOLDEN, SCATTER, Hashes, mix, representatives

BLOCK = 1 << 16
"""Faces at a time: the temporaries stay in the cache."""

PLACES = 3
"""A table has two to the power of that many places for each point."""

Keys = Iterator[tuple[Ints, Hashes]]
"""Blocks of numbers that neighbours have alike, such as a corner, and of keys: both differ where either does."""


def plain(points: Ints, count: int) -> bool:
    """Say whether two faces meet at each edge, no face has two corners at one point, and no two have the same corners.

    By a chance of some 2⁻²⁵ what is plain is taken for what is not.

    Parameters
    ----------
    points : ndarray, shape (m, 3), int64
        Welded triangles, each edge of which is walked as often forth as back.
    count : int
        The number of points.
    """
    if degenerate(points).any():
        return False
    return _all_different(_edges(points), 2 * len(points), count) and _all_different(_faces(points), len(points), count)


def _edges(points: Ints) -> Keys:
    """Yield the sides that run up the numbers of points: each edge once."""
    for begin in range(0, len(points), BLOCK):
        a, b, c = np.ascontiguousarray(points[begin : begin + BLOCK].T)
        for start, end in ((a, b), (b, c), (c, a)):
            up = np.flatnonzero(start < end)
            low, high = start.take(up), end.take(up)
            yield low, low.view(np.uint64) * GOLDEN + high.view(np.uint64)


def _faces(points: Ints) -> Keys:
    for begin in range(0, len(points), BLOCK):
        a, b, c = np.ascontiguousarray(points[begin : begin + BLOCK].T)
        low, high = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
        middle = a + b + c - low - high
        yield low, mix(low.view(np.uint64) * GOLDEN + middle.view(np.uint64)) * GOLDEN + high.view(np.uint64)


def _all_different(blocks: Keys, most: int, count: int) -> bool:
    """Say whether no key comes twice: `most` of them at most, beside numbers below `count`.

    Each is noted at its place in a table, which is laid out along the numbers so that it is written and read nearly in
    order; of several the last write wins. A key that does not find itself there is compared with that, and the few that
    differ are with each other.
    """
    key, near = np.empty(most, dtype=np.uint64), np.empty(most, dtype=np.int32 if count < 2**31 else np.int64)
    table: Numbers = np.empty(count << PLACES, dtype=np.int32 if most < 2**31 else np.int64)
    number = 0
    for numbers, keys in blocks:
        some = slice(number, number + len(keys))
        key[some], near[some] = keys, numbers
        table[_places(numbers, keys)] = np.arange(number, some.stop, dtype=table.dtype)
        number = some.stop
    displaced = [np.zeros(0, dtype=np.uint64)]
    for begin in range(0, number, BLOCK):
        some = slice(begin, min(begin + BLOCK, number))
        there = table.take(_places(near[some].astype(np.int64), key[some]))
        off = np.flatnonzero(there != np.arange(begin, some.stop, dtype=table.dtype))
        keys, others = key[some].take(off), there.take(off).astype(np.int64)
        if (keys == key.take(others)).any():
            return False
        displaced.append(keys)
    keys = np.concatenate(displaced)
    return bool((representatives(keys) == np.arange(len(keys))).all())


def _places(near: Ints, keys: Hashes) -> Ints:
    scattered = (keys * SCATTER[0]) >> np.uint64(64 - PLACES)
    places: Ints = (near << PLACES) | scattered.view(np.int64)
    return places
