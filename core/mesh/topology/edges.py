# SPDX-License-Identifier: Apache-2.0
"""The edges of a merged mesh: which faces meet there, where it is open, and which faces are repeated."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...arrays import Bools, Ints, Numbers
from ...cached import lockfree_cached_property
from .connected import alike, connected, grouped


@dataclass(frozen=True, eq=False)
class Edges:
    """Every side of every face, and the edges on which they lie.

    Parameters
    ----------
    start, end, face : ndarray, shape (k,), int64
        The points that a side runs between, and its face.
    origin : ndarray, shape (k,), int64, optional
        If edges were cut: for each side, the original one that it is a piece of.
    """

    start: Ints
    end: Ints
    face: Ints
    origin: Ints | None = None

    @classmethod
    def around(cls, points: Ints, faces: Ints | None = None) -> Edges:
        """Return the sides of the merged triangles `points` (m, 3), or of those numbered `faces`."""
        corners = points if faces is None else points[faces]
        start = corners.T.ravel()
        number = np.arange(len(points)) if faces is None else faces
        return cls(start, np.roll(start, -len(corners)), np.tile(number, 3))

    @lockfree_cached_property
    def _by_edge(self) -> tuple[Ints, Ints]:
        """All sides, edge by edge, the lowest first, and where each edge begins among them."""
        order, new = grouped(np.minimum(self.start, self.end), np.maximum(self.start, self.end))
        return order, np.flatnonzero(new)

    @lockfree_cached_property
    def plain(self) -> bool:
        """True if every edge has two faces and is traversed once in each direction, as in most meshes."""
        order, first = self._by_edge
        if len(order) != 2 * len(first) or not np.array_equal(first, np.arange(0, len(order), 2)):
            return False
        up = self.sign.take(order)
        return bool((up[::2] != up[1::2]).all())

    @lockfree_cached_property
    def edge(self) -> Ints:
        """For each side the representative of its edge: the lowest side with the same two points (k,)."""
        order, first = self._by_edge
        edge = np.empty(len(order), dtype=np.int64)
        edge[order] = np.repeat(order[first], np.diff(np.append(first, len(order))))
        return edge

    @lockfree_cached_property
    def sign(self) -> Numbers:
        """+1 for a side that goes from the lower point to the higher, else -1."""
        return 1 - 2 * (self.start > self.end).astype(np.int8)

    @lockfree_cached_property
    def count(self) -> Ints:
        """Number of faces at each edge (0 unless a side is the representative of its edge)."""
        return np.bincount(self.edge, minlength=len(self.edge))

    @property
    def closed(self) -> bool:
        """True if every edge has an even number of faces, of any winding."""
        return self.plain or not len(self.odd())

    @property
    def consistent(self) -> bool:
        """True if every edge is traversed equally in both directions."""
        return self.plain or not len(self.uneven())

    def odd(self) -> Ints:
        """Return the representative sides of edges with an odd number of faces: the boundary."""
        return np.flatnonzero(self.count & 1)

    def uneven(self, turned: Bools | None = None) -> Ints:
        """Return a side of each edge that is not traversed equally in both directions, with some faces reversed."""
        sign = self.sign if turned is None else np.where(turned[self.face], -self.sign, self.sign)
        return np.flatnonzero(np.bincount(self.edge, sign, minlength=len(self.edge)))

    def parts(self, count: int) -> Ints:
        """Return for each of `count` faces a label of those that are connected by edges, however many meet there."""
        order, first = self._by_edge
        following = np.delete(np.arange(len(order)), first)
        return connected(self.face[order[following - 1]], self.face[order[following]], count)

    @lockfree_cached_property
    def pairs(self) -> tuple[Ints, Ints]:
        """The two sides of each edge with exactly two faces."""
        order, first = self._by_edge
        if self.plain:
            return order[::2], order[1::2]
        two = first[np.diff(np.append(first, len(order))) == 2]
        return order.take(two), order.take(two + 1)


def degenerate(points: Ints) -> Bools:
    """Return which merged triangles (m, 3) have two corners at one point: they have no area and no edge of their
    own."""
    a, b, c = points.T
    return np.asarray((a == b) | (b == c) | (c == a))


def repeated(points: Ints, faces: Ints) -> tuple[Ints, Ints]:
    """Find repeated faces.

    A face and its reverse cancel; the rest with the same winding is repeated.

    Parameters
    ----------
    points : ndarray, shape (m, 3)
        Merged triangles.
    faces : ndarray
        The faces that are not degenerate.

    Returns
    -------
    excess : ndarray
        Faces to drop, so that at most one of each is left.
    opposite : ndarray
        Faces present in both windings, so that they cancel.
    """
    # Group faces by their three points; of each, the winding by the order of these.
    a, b, c = points[faces].T
    low, high = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
    middle = a + b + c - low - high
    group = alike(low, middle, high)
    ascents = (a < b).astype(np.int64) + (b < c) + (c < a)  # ascents of the three sides: two if the order is even
    sign = np.where(ascents == 2, 1, -1)
    # How many more there are of one winding than of the other, and how many in all.
    net = np.bincount(group, sign, minlength=len(group)).astype(np.int64)
    many = np.bincount(group, minlength=len(group))
    # The k-th of a group and winding: as many as there are reversed ones cancel, of the rest one is kept.
    kind = 2 * group + (sign > 0)
    doubtful = np.flatnonzero(many[group] > 1)
    doubtful = doubtful[np.argsort(kind[doubtful], kind="stable")]
    firsts = np.flatnonzero(np.diff(kind[doubtful], prepend=-1))
    rank = np.arange(len(doubtful)) - np.repeat(firsts, np.diff(np.append(firsts, len(doubtful))))
    cancelling = (many - np.abs(net))[group[doubtful]] // 2
    major = sign[doubtful] == np.sign(net)[group[doubtful]]
    opposite = doubtful[rank < cancelling]
    excess = doubtful[major & (rank > cancelling)]
    return np.sort(faces[excess]), np.sort(faces[opposite])


def minority(group: Ints, flag: Bools) -> Bools:
    """Return the flags, negated in every group in which more than half are set."""
    total = np.bincount(group, minlength=len(group))
    return flag ^ (2 * np.bincount(group, flag, minlength=len(group)) > total)[group]


def chains(edges: Edges, boundary: Ints) -> Ints:
    """Return how many boundary edges each connected chain of them has, the longest first."""
    ends, number = np.unique(np.concatenate([edges.start[boundary], edges.end[boundary]]), return_inverse=True)
    start, end = number.reshape(2, -1)
    counts: Ints = np.sort(np.unique(connected(start, end, len(ends))[start], return_counts=True)[1])[::-1]
    return counts


def droppable(edges: Edges, excess: Ints, count: int) -> Ints:
    """Return the repeated faces whose removal opens no edge: two components may share a face and both need it."""
    if not len(excess):
        return excess
    # The sides of the repeated faces; faces that share an edge are dropped together, or not at all.
    dropped = np.zeros(count, dtype=bool)
    dropped[excess] = True
    sides = np.flatnonzero(dropped[edges.face])
    edge, face = edges.edge[sides], edges.face[sides]
    order = np.argsort(edge, kind="stable")
    following = np.flatnonzero(np.diff(edge[order]) == 0)
    cluster = connected(face[order[following]], face[order[following + 1]], count)
    # An edge is open if its number of faces is odd: compare before and after.
    before = edges.count[edge] % 2
    after = (edges.count[edge] - np.bincount(edge, minlength=len(edges.edge))[edge]) % 2
    worse = np.bincount(cluster[face], after - before, minlength=count) > 0
    harmless: Ints = excess[~worse[cluster[excess]]]
    return harmless
