# SPDX-License-Identifier: GPL-3.0-or-later
"""Edges of four faces and more, where patches meet that do not close by themselves, and a search for those to turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...arrays import Bools, Ints
from .edges import Edges

MAX_FLIPS = 1000
"""Patches that a search turns one by one before it gives up."""


@dataclass(frozen=True, eq=False)
class NonManifoldEdges:
    """Where patches meet that do not close by themselves: one item for each patch at each edge of four faces and more.

    Parameters
    ----------
    edge : ndarray, shape (k,)
        The side that stands for the edge; ascending.
    patch : ndarray, shape (k,)
        Its label.
    net : ndarray, shape (k,)
        How often more it walks the edge up than down; not 0.
    """

    edge: Ints
    patch: Ints
    net: Ints

    def count(self) -> int:
        """Return the number of edges."""
        return int(np.count_nonzero(np.diff(self.edge, prepend=-1)))

    def unbalanced(self, flip: Bools) -> Ints:
        """Return the patches at edges that do not balance with some patches turned."""
        edge = np.cumsum(np.diff(self.edge, prepend=-1) > 0) - 1
        balance = np.bincount(edge, np.where(flip[self.patch], -self.net, self.net))
        wrong: Ints = self.patch[balance[edge] != 0.0]
        return wrong


def non_manifold_edges(edges: Edges, patch: Ints, turned: Bools) -> NonManifoldEdges:
    """Find the edges of four faces and more where patches meet that do not close by themselves.

    Parameters
    ----------
    edges : Edges
    patch : ndarray, shape (m,), int64
        A label for each face.
    turned : ndarray, shape (m,), bool
        Faces that are turned round.
    """
    sides = np.flatnonzero(edges.count[edges.edge] > 2)
    sign = edges.sign[sides] * np.where(turned[edges.face[sides]], -1, 1)
    meeting, member = np.unique(
        np.stack([edges.edge[sides], patch[edges.face[sides]]], axis=1), axis=0, return_inverse=True
    )
    net = np.bincount(member.ravel(), sign, minlength=len(meeting)).astype(np.int64)
    edge, part = meeting[net != 0].T
    return NonManifoldEdges(edge, part, net[net != 0])


def searched(there: NonManifoldEdges, more: Ints, best_of: Callable[[Ints], np.intp]) -> Bools:
    """Turn the patch that balances the most, of these the one that takes the fewest faces, while that helps.

    Parameters
    ----------
    there : NonManifoldEdges
    more : ndarray, shape (m,)
        By the label of the patch, how many more faces are turned when it is.
    best_of : function
        Gives the place of the highest of some numbers.

    Returns
    -------
    ndarray, shape (m,), bool
        By the label, the patches to turn.
    """
    labels, part = np.unique(there.patch, return_inverse=True)
    part, cost = part.ravel(), more[labels]
    flip = np.zeros(len(labels), dtype=bool)
    edge, net = np.cumsum(np.diff(there.edge, prepend=-1) > 0) - 1, there.net
    weight = 2 * int(np.abs(cost).max()) + 1
    for _ in range(MAX_FLIPS):
        balance = np.bincount(edge, net).astype(np.int64)
        if not balance.any():
            break
        gain = np.bincount(part, np.abs(balance[edge]) - np.abs(balance[edge] - 2 * net)).astype(np.int64)
        best = int(best_of(gain * weight - np.where(flip, -cost, cost)))
        if gain[best] <= 0:
            break
        flip[best] = not flip[best]
        net = np.where(part == best, -net, net)
    turned = np.zeros(len(more), dtype=bool)
    turned[labels] = flip
    return turned
