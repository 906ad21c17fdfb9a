# SPDX-License-Identifier: GPL-3.0-or-later
"""Faces that others cut, in pieces that nothing cuts: trapezoids between two lines, from one height to the next.

Heights in a face are v, places at a height are u, as in `Traces`. Between two neighbouring heights at which some line
begins or ends, or meets another, the lines keep their order.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...arrays import FloatArray, Ints
from ..geometry.probe import Corners
from .placed import TooMuch
from .traces import Piercings, Traces

MOST = 1 << 20
"""Pieces, and pairs of lines that may meet: more are refused."""


@dataclass(frozen=True, eq=False)
class Pieces:
    """Trapezoids on faces.

    Parameters
    ----------
    face : ndarray, shape (k,), int64
    v : ndarray, shape (2, k)
        Height of the lower and the upper side.
    left, right : ndarray, shape (2, k)
        u of their ends.
    front : ndarray, shape (k,), int64
        How often the surface winds around what is in front.
    """

    face: Ints
    v: FloatArray
    left: FloatArray
    right: FloatArray
    front: Ints

    def raised(self, more: Ints) -> Pieces:
        """Return them with so much more (n,) in front of each face."""
        return replace(self, front=self.front + more[self.face])

    def some(self, which: Ints) -> Pieces:
        """Return those numbered `which`."""
        return Pieces(self.face[which], self.v[:, which], self.left[:, which], self.right[:, which], self.front[which])

    def corners(self, faces: Corners) -> FloatArray:
        """Return the four corners (3, 4, k), counter-clockwise as on the faces (3, 3, n)."""
        a, b, c = faces.take(self.face, axis=2).transpose(1, 0, 2)
        u = np.stack([self.left[0], self.right[0], self.right[1], self.left[1]])
        v = self.v[[0, 0, 1, 1]]
        corners: FloatArray = a[:, None] + u * (b - a)[:, None] + v * (c - a)[:, None]
        return corners

    def area(self) -> FloatArray:
        """Return their shares of the faces."""
        width = (self.right - self.left).sum(axis=0)
        area: FloatArray = width * (self.v[1] - self.v[0])
        return area


def cut_up(traces: Traces, piercings: Piercings, front: Ints) -> Pieces:
    """Cut faces into pieces, or raise `TooMuch` if those are too many.

    Parameters
    ----------
    traces, piercings
        As `traced` returns them.
    front : ndarray, shape (n,), int64
        How often the surface winds around what is in front of corner 0 of each face.
    """
    meeting = _meeting(traces)
    every, left = np.arange(len(front)), piercings.side == 2
    on, v, (bottom, _, first, last, _, pierced) = _numbered(
        (every, np.zeros(len(front))),
        (every, np.ones(len(front))),
        (traces.face, traces.v[0]),
        (traces.face, traces.v[1]),
        meeting,
        (piercings.face[left], 1.0 - piercings.along[left]),
    )
    # A slab is what lies between one height on a face and the next. Each line spans some.
    slabs = np.flatnonzero(on[:-1] == on[1:])
    spans = last - first
    if spans.sum() > MOST:
        raise TooMuch
    line = np.repeat(np.arange(len(spans)), spans)
    slab = np.arange(len(line)) - np.repeat(np.cumsum(spans) - spans - first, spans)
    # To the left of all lines is side 2 of the face, which begins at the top and ends at corner 0.
    up = np.bincount(pierced, -piercings.step[left], len(on)).astype(np.int64)
    so_far = np.cumsum(up)
    begins = front[on[slabs]] + so_far[slabs] - (so_far - up)[bottom[on[slabs]]]
    # In each slab, from left to right: that side, then the lines. The winding is what was stepped up so far.
    is_line = np.arange(len(slabs) + len(line)) >= len(slabs)
    slab, step = np.concatenate([slabs, slab]), np.concatenate([begins, traces.step[line]])
    heights = np.stack([v[slab], v[slab + 1]])
    from_left = np.zeros_like(heights)
    from_left[:, is_line] = _places(traces, line, heights[:, is_line])
    order = np.lexsort((from_left.sum(axis=0), is_line, slab))
    slab, step, is_line = slab[order], step[order], is_line[order]
    heights, from_left = heights[:, order], from_left[:, order]
    winding = np.cumsum(step)
    starts = np.flatnonzero(~is_line)
    winding -= np.repeat((winding - step)[starts], np.diff(np.append(starts, len(slab))))
    # A piece reaches to the next line, the last one to the side where u + v = 1.
    to_right = 1.0 - heights
    inner = np.flatnonzero(is_line)
    to_right[:, inner - 1] = from_left[:, inner]
    return Pieces(on[slab], heights, from_left, to_right, winding)


def _numbered(*heights: tuple[Ints, FloatArray]) -> tuple[Ints, FloatArray, list[Ints]]:
    """Sort heights on faces; return the faces and the heights, each but once, and of all given, which they are."""
    on, v = (np.concatenate([part[k] for part in heights]) for k in (0, 1))
    order = np.lexsort((v, on))
    on, v = on[order], v[order]
    other = np.ones(len(on), dtype=bool)
    other[1:] = (on[1:] != on[:-1]) | (v[1:] != v[:-1])
    number = np.empty(len(on), dtype=np.int64)
    number[order] = np.cumsum(other) - 1
    return on[other], v[other], np.split(number, np.cumsum([len(part[0]) for part in heights])[:-1])


def _places(traces: Traces, line: Ints, heights: FloatArray) -> FloatArray:
    """Return u of lines at heights (2, k)."""
    (u, end_u), (v, end_v) = traces.u[:, line], traces.v[:, line]
    places: FloatArray = u + (heights - v) / (end_v - v) * (end_u - u)
    return places


def _meeting(traces: Traces) -> tuple[Ints, FloatArray]:
    """Return the face, and the height on it, where lines meet: those of two faces that pass through each other."""
    key = (traces.face << 32) | traces.by
    order = np.argsort(key)
    key = key[order]
    half = len(key) // 2  # the other half is the same pairs
    one, other = traces.face[:half], traces.by[:half]
    begin, end = (np.searchsorted(key, np.stack([one, other]) + more << 32) for more in (0, 1))
    few = np.argmin(end - begin, axis=0)
    pair = np.arange(half)
    begin, count = begin[few, pair], (end - begin)[few, pair]
    if count.sum() > MOST:
        raise TooMuch
    pair = np.repeat(pair, count)
    third = traces.by[order[np.arange(len(pair)) - np.repeat(np.cumsum(count) - count - begin, count)]]
    lines = [np.searchsorted(key, (third << 32) | face[pair]) for face in (one, other)]
    there = [
        key[np.minimum(found, len(key) - 1)] == (third << 32) | face[pair]
        for found, face in zip(lines, (one, other), strict=True)
    ]
    both = np.flatnonzero(there[0] & there[1])
    i, j = (order[found[both]] for found in lines)
    p, q, r, s = (np.stack([traces.u[end, k], traces.v[end, k]]) for k in (i, j) for end in (0, 1))
    before, behind = (_turn(p, q, r), _turn(p, q, s)), (_turn(r, s, p), _turn(r, s, q))
    meet = np.flatnonzero((before[0] * before[1] < 0.0) & (behind[0] * behind[1] < 0.0))
    share = behind[0][meet] / (behind[0] - behind[1])[meet]
    return traces.face[i[meet]], p[1, meet] + share * (q - p)[1, meet]


def _turn(p: FloatArray, q: FloatArray, r: FloatArray) -> FloatArray:
    """Return twice the area of triangles in the plane, above zero where they run counter-clockwise."""
    (x, y), (z, w) = q - p, r - p
    turn: FloatArray = x * w - y * z
    return turn
