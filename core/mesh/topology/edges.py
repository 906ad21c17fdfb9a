# SPDX-License-Identifier: GPL-3.0-or-later
"""The edges of a merged mesh: which faces meet there, where it is open, and which faces are there twice."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...arrays import Bools, Ints
from ...cached import lockfree_cached_property
from .alike import alike
from .connected import connected


@dataclass(frozen=True, eq=False)
class Edges:
    """Every side of every face, and the edge it lies on.

    Parameters
    ----------
    start, end, face : ndarray, shape (k,), int64
        The points that a side runs between, and its face.
    edge : ndarray, shape (k,), int64
        One side that stands for all that join the same two points.
    origin : ndarray, shape (k,), int64, optional
        Where edges were cut: of each side, the one before all cutting that it is or is a piece of.
    """

    start: Ints
    end: Ints
    face: Ints
    edge: Ints
    origin: Ints | None = None

    @classmethod
    def of(cls, start: Ints, end: Ints, face: Ints, origin: Ints | None = None) -> Edges:
        low, high = np.minimum(start, end), np.maximum(start, end)
        return cls(start, end, face, alike(low, high), origin)

    @classmethod
    def around(cls, points: Ints, faces: Ints) -> Edges:
        """Take the sides of `faces` of the merged triangles `points` (m, 3)."""
        corners = points[faces] if len(faces) < len(points) else points
        start, end = corners.T.ravel(), corners[:, [1, 2, 0]].T.ravel()
        return cls.of(start, end, np.tile(faces, 3))

    @lockfree_cached_property
    def sign(self) -> Ints:
        """+1 for a side that runs up the numbers of points, -1 for one that runs down."""
        return 1 - 2 * (self.start > self.end).astype(np.int64)

    @lockfree_cached_property
    def count(self) -> Ints:
        """The number of faces at each edge (0 where a side does not stand for its edge)."""
        return np.bincount(self.edge, minlength=len(self.edge))

    @property
    def closed(self) -> bool:
        """Whether every edge has an even number of faces, however they are wound."""
        return not len(self.odd())

    @property
    def consistent(self) -> bool:
        """Whether every edge is walked as often in one direction as in the other."""
        return not len(self.uneven())

    def odd(self) -> Ints:
        """Return the sides that stand for an edge with an odd number of faces: the boundary."""
        return np.flatnonzero(self.count & 1)

    def uneven(self, turned: Bools | None = None) -> Ints:
        """Return the sides that stand for an edge that is not walked as often forth as back, some faces turned."""
        return self._uneven if turned is None else self._not_zero(np.where(turned[self.face], -self.sign, self.sign))

    @lockfree_cached_property
    def _uneven(self) -> Ints:
        return self._not_zero(self.sign)

    def _not_zero(self, sign: Ints) -> Ints:
        return np.flatnonzero(np.bincount(self.edge, sign, minlength=len(self.edge)))

    def without(self, faces: Ints, count: int) -> Edges:
        """Return the edges once some of the `count` faces of the mesh are dropped, and the others numbered anew."""
        gone = np.zeros(count, dtype=bool)
        gone[faces] = True
        kept = np.flatnonzero(~gone[self.face])
        edge = self.edge[kept]
        orphans = np.flatnonzero(gone[self.face[edge]])  # the side that stood for them is gone
        _, first, which = np.unique(edge[orphans], return_index=True, return_inverse=True)
        edge[orphans] = kept[orphans[first]][which.ravel()]
        place = np.empty(len(self.edge), dtype=np.int64)
        place[kept] = np.arange(len(kept))
        number = np.cumsum(~gone) - 1
        return Edges(self.start[kept], self.end[kept], number[self.face[kept]], place[edge])

    @lockfree_cached_property
    def pairs(self) -> tuple[Ints, Ints]:
        """The two sides of each edge with exactly two faces."""
        second = np.flatnonzero((self.edge != np.arange(len(self.edge))) & (self.count[self.edge] == 2))
        return self.edge[second], second

    @lockfree_cached_property
    def perhaps_repeated(self) -> Ints:
        """The faces that may be there more than once, and all that are: mostly none; of edges as `around` gives them.

        Where another face has the same corners, each side has that face beside it, or more than two.
        """
        beside = np.full(len(self.edge), -1)
        first, second = self.pairs
        beside[first], beside[second] = self.face[second], self.face[first]
        a, b, _ = beside.reshape(3, -1)  # all first sides of the faces, all second, all third
        some: Ints = self.face[: len(a)][(a == b) | (a < 0) | (b < 0)]
        return some


def degenerate(points: Ints) -> Bools:
    """Say which merged triangles (m, 3) have two corners at one point: they have no area and no edge of their own."""
    a, b, c = points.T
    return np.asarray((a == b) | (b == c) | (c == a))


def repeated(points: Ints, faces: Ints) -> tuple[Ints, Ints]:
    """Find faces that are there more than once.

    A face that is there once more the other way round cancels; what is left over with the same winding repeats.

    Parameters
    ----------
    points : ndarray, shape (m, 3)
        Merged triangles.
    faces : ndarray
        The faces that are not degenerate.

    Returns
    -------
    excess : ndarray
        Faces to drop, so that of each face at most one is left over.
    opposite : ndarray
        Faces that are there both ways round, so that they cancel.
    """
    a, b, c = points[faces].T
    low, high = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
    middle = a + b + c - low - high
    group = alike(low, middle, high)
    ascents = (a < b).astype(np.int64) + (b < c) + (c < a)  # of the three sides: two where the order is even
    sign = np.where(ascents == 2, 1, -1)
    net = np.bincount(group, sign, minlength=len(group)).astype(np.int64)
    many = np.bincount(group, minlength=len(group))
    # The k-th of those of one group and winding: as many as face the other way cancel, of the rest one is left.
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
    """Return the flags, negated in every group where more than half are set."""
    total = np.bincount(group, minlength=len(group))
    return flag ^ (2 * np.bincount(group, flag, minlength=len(group)) > total)[group]


def loops(edges: Edges, boundary: Ints) -> list[Ints]:
    """Gather boundary edges that hang together, the longest chain first, each as an array of sides."""
    ends, number = np.unique(np.concatenate([edges.start[boundary], edges.end[boundary]]), return_inverse=True)
    start, end = number.reshape(2, -1)
    label = connected(start, end, len(ends))[start]
    order = np.argsort(label, kind="stable")
    chains = np.split(boundary[order], np.flatnonzero(np.diff(label[order])) + 1)
    return sorted(chains, key=len, reverse=True)


def droppable(edges: Edges, excess: Ints, count: int) -> Ints:
    """Return the repeating faces whose loss opens no edge: two components may share a face and need it both."""
    if not len(excess):
        return excess
    dropped = np.zeros(count, dtype=bool)
    dropped[excess] = True
    sides = np.flatnonzero(dropped[edges.face])
    edge, face = edges.edge[sides], edges.face[sides]
    order = np.argsort(edge, kind="stable")
    following = np.flatnonzero(np.diff(edge[order]) == 0)
    cluster = connected(face[order[following]], face[order[following + 1]], count)
    before = edges.count[edge] % 2
    after = (edges.count[edge] - np.bincount(edge, minlength=len(edges.edge))[edge]) % 2
    worse = np.bincount(cluster[face], after - before, minlength=count) > 0
    harmless: Ints = excess[~worse[cluster[excess]]]
    return harmless
