# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a closed surface is plain: two faces at each edge, none of them twice. Most are, and no list of edges is
needed then. If no two of its components share a point either, they are what hangs together by points."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ...arrays import Ints, Numbers, blocks, corner_blocks
from .connected import apart, connected
from .edges import degenerate
from .hashes import GOLDEN, SCATTER, Hashes, representatives

BLOCK = 1 << 16
"""Faces at a time: the temporaries stay in the cache."""

PLACES = 3
"""A table has two to the power of that many places for each point."""

Keys = Iterator[tuple[Ints, Ints, Hashes]]
"""Blocks of faces, of a number of each that neighbours have alike, such as a corner, and of keys."""


def plain(points: Ints, count: int, parts: Callable[[], int] | None = None) -> bool:
    """Say whether two faces meet at each edge, no face has two corners at one point, and no two have the same corners.

    By a chance of some 2⁻²⁵ what is plain is taken for what is not.

    Parameters
    ----------
    points : ndarray, shape (m, 3), int64
        Merged triangles, each edge of which is walked as often forth as back.
    count : int
        The number of points.
    parts : callable, optional
        Returns in how many parts faces hang together by points: then say also whether they do so by edges.
    """
    if not len(points):
        return True
    if degenerate(points).any():
        return False
    edges = _Table(_sides(points, rising=True), 2 * len(points), count)
    if not edges.all_differ():
        return False
    enough = 0 if parts is None else parts()
    root = _hanging_together(points, edges, enough)
    # Where two faces meet at each edge, a face that is there twice, both ways round, hangs together with nothing else.
    return (parts is None or _roots(root) == enough) and not (np.bincount(root) == 2).any()


def _sides(points: Ints, rising: bool) -> Keys:
    """Yield the sides that run up the numbers of points, or those that run down: each edge once."""
    for block, (a, b, c) in corner_blocks(points, BLOCK):
        for start, end in ((a, b), (b, c), (c, a)):
            some = np.flatnonzero(start < end if rising else start > end)
            start, end = start.take(some), end.take(some)
            low, high = (start, end) if rising else (end, start)
            yield block.start + some, low, low.view(np.uint64) * GOLDEN + high.view(np.uint64)


class _Table:
    """Keys, `most` of them at most, beside numbers below `count`.

    Each is noted at its place in a table, which is laid out along the numbers so that it is written and read nearly in
    order; of several the last write wins.
    """

    def __init__(self, found: Keys, most: int, count: int) -> None:
        small = np.dtype(np.int32 if max(most, count) < 2**31 else np.int64)
        self.key = np.empty(most, dtype=np.uint64)
        self.face, self.near = np.empty(most, dtype=small), np.empty(most, dtype=small)
        self.table: Numbers = np.empty(count << PLACES, dtype=small)
        self.displaced = np.zeros(0, dtype=np.int64)
        self.size = 0
        for faces, numbers, keys in found:
            some = slice(self.size, self.size + len(keys))
            self.key[some], self.face[some], self.near[some] = keys, faces, numbers
            self.table[_places(numbers, keys)] = np.arange(self.size, some.stop, dtype=small)
            self.size = some.stop

    def all_differ(self) -> bool:
        """Say whether no key comes twice: one displaced is compared with what is at its place, then with the others."""
        displaced = [self.displaced]
        for some in blocks(self.size, BLOCK):
            there = self.table.take(_places(self.near[some].astype(np.int64), self.key[some]))
            off = np.flatnonzero(there != np.arange(some.start, some.stop, dtype=there.dtype))
            if (self.key[some].take(off) == self.key.take(there.take(off))).any():
                return False
            displaced.append(some.start + off)
        self.displaced = np.concatenate(displaced)
        return bool((representatives(self.key.take(self.displaced)) == np.arange(len(self.displaced))).all())

    def find(self, numbers: Ints, keys: Hashes) -> Ints:
        """Return for each key, which is there, where; -1 where it may be displaced."""
        there: Ints = self.table.take(_places(numbers, keys)).astype(np.int64)
        there[self.key.take(there, mode="clip") != keys] = -1
        return there


def _hanging_together(points: Ints, rising: _Table, enough: int) -> Ints:
    """Return for each face the lowest that it hangs together with by edges, at each of which two faces meet; more
    links than it takes to show that there are `enough` such parts are not followed."""
    links: tuple[list[tuple[Ints, Numbers]], ...] = ([], [])
    left = []
    for turn, (faces, numbers, keys) in enumerate(_sides(points, rising=False)):
        there = rising.find(numbers, keys)
        found = np.flatnonzero(there >= 0)
        links[turn % 3 == 2].append((faces[found], rising.face[there[found]]))
        off = np.flatnonzero(there < 0)
        left.append((faces[off], keys[off]))
    two, third = ([np.concatenate(end) for end in zip(*some, strict=True)] for some in links)
    root = connected(two[0], two[1], len(points))  # two sides of each face join nearly all
    root = connected(*apart(root, third[0], third[1]), len(points), root)
    if _roots(root) > enough:
        faces, keys = (np.concatenate(part) for part in zip(*left, strict=True))
        faces = root[np.concatenate([rising.face.take(rising.displaced), faces])]
        same = representatives(np.concatenate([rising.key.take(rising.displaced), keys]))
        root = connected(faces, faces[same], len(points), root)
    return root


def _roots(root: Ints) -> int:
    return int(np.count_nonzero(root == np.arange(len(root))))


def _places(near: Ints, keys: Hashes) -> Ints:
    scattered = (keys * SCATTER[0]) >> np.uint64(64 - PLACES)
    places: Ints = (near << PLACES) | scattered.view(np.int64)
    return places
