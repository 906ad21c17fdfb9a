# SPDX-License-Identifier: GPL-3.0-or-later
"""Edges of four faces and more, where sheets meet that do not close by themselves, and a search for those to turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...arrays import Bools, Ints
from .edges import Edges

MAX_FLIPS = 1000
"""Sheets that a search turns one by one before it gives up."""


@dataclass(frozen=True, eq=False)
class Joints:
    """Where sheets meet that do not close by themselves: one item for each sheet at each edge of four faces and more.

    Parameters
    ----------
    edge : ndarray, shape (k,)
        The side that stands for the edge; ascending.
    sheet : ndarray, shape (k,)
        Its label.
    net : ndarray, shape (k,)
        How often more it walks the edge up than down; not 0.
    """

    edge: Ints
    sheet: Ints
    net: Ints

    def count(self) -> int:
        """Return the number of edges."""
        return int(np.count_nonzero(np.diff(self.edge, prepend=-1)))

    def unbalanced(self, flip: Bools) -> Ints:
        """Return the sheets at edges that do not balance with some sheets turned."""
        edge = np.cumsum(np.diff(self.edge, prepend=-1) > 0) - 1
        balance = np.bincount(edge, np.where(flip[self.sheet], -self.net, self.net))
        wrong: Ints = self.sheet[balance[edge] != 0.0]
        return wrong


def joints(edges: Edges, sheet: Ints, turned: Bools) -> Joints:
    """Find the edges of four faces and more where sheets meet that do not close by themselves.

    Parameters
    ----------
    edges : Edges
    sheet : ndarray, shape (m,), int64
        A label for each face.
    turned : ndarray, shape (m,), bool
        Faces that are turned round.
    """
    sides = np.flatnonzero(edges.count[edges.edge] > 2)
    sign = edges.sign[sides] * np.where(turned[edges.face[sides]], -1, 1)
    meeting, member = np.unique(
        np.stack([edges.edge[sides], sheet[edges.face[sides]]], axis=1), axis=0, return_inverse=True
    )
    net = np.bincount(member.ravel(), sign, minlength=len(meeting)).astype(np.int64)
    edge, part = meeting[net != 0].T
    return Joints(edge, part, net[net != 0])


def searched(there: Joints, more: Ints, best_of: Callable[[Ints], np.intp]) -> Bools:
    """Turn the sheet that balances the most, of these the one that takes the fewest faces, while that helps.

    Parameters
    ----------
    there : Joints
    more : ndarray, shape (m,)
        By the label of the sheet, how many more faces are turned when it is.
    best_of : function
        Gives the place of the highest of some numbers.

    Returns
    -------
    ndarray, shape (m,), bool
        By the label, the sheets to turn.
    """
    labels, part = np.unique(there.sheet, return_inverse=True)
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
