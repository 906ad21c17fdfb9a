# SPDX-License-Identifier: GPL-3.0-or-later
"""Where faces pass through each other: the lines along which others cut a face, and where they cut its sides.

Two faces that pass through each other do so along a line with two ends, and at each end a side of one of them goes
through the other. Whether a side goes through a face is told by the signs of volumes between their corners alone. Each
is worked out by the same operations whichever face asks, so that faces with a side in common agree about it (Guigue &
Devillers 2003, Fast and robust triangle-triangle overlap test using orientation predicates).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...arrays import Bools, FloatArray, Ints, Numbers, blocks
from ..geometry.crossing_faces import close_pairs
from ..geometry.probe import Corners
from ..geometry.vectors import cross, dot
from .between import COMPARED, pairs_between
from .placed import TooMuch
from .volumes import triple

NEXT = [1, 2, 0]

BLOCK = 1 << 14
"""Pairs at a time: the temporaries stay in the cache."""


@dataclass(frozen=True, eq=False)
class Traces:
    """The lines that other faces leave on faces, two for each pair: one on either.

    A place on a face with the corners a, b, c is a + u (b - a) + v (c - a).

    Parameters
    ----------
    face, by : ndarray, shape (k,), int64
        The face that each line lies on, and the one that leaves it there.
    u, v : ndarray, shape (2, k)
        Of its two ends, v rising.
    step : ndarray, shape (k,), int64
        How much more often the surface winds around the front of the face to the right of the line, where u is larger.
    """

    face: Ints
    by: Ints
    u: FloatArray
    v: FloatArray
    step: Ints


@dataclass(frozen=True, eq=False)
class Piercings:
    """Where sides of faces go through others, once for each face that has the side.

    Parameters
    ----------
    face, side : ndarray, shape (j,), int64
        Side 0 runs from corner 0 to 1, side 1 from 1 to 2, side 2 from 2 to 0.
    along : ndarray, shape (j,)
        Share of the side before it.
    step : ndarray, shape (j,), int64
        How much more often the surface winds around what follows.
    """

    face: Ints
    side: Ints
    along: FloatArray
    step: Ints

    def sums(self, count: int) -> tuple[Ints, Bools]:
        """Return of each side (3, count) of `count` faces the steps in all, and whether there are any."""
        place = self.side * count + self.face
        steps = np.bincount(place, self.step, 3 * count).astype(np.int64)
        return steps.reshape(3, -1), (np.bincount(place, minlength=3 * count) > 0).reshape(3, -1)


def traced(corners: Corners, nodes: Ints, component: Numbers | None) -> tuple[Ints, Traces, Piercings]:
    """Find where faces pass through each other: return those that do, rising, and what lies on these by their order.

    Faces that share a corner are taken to do so nowhere.

    Parameters
    ----------
    corners : ndarray, shape (3, 3, n)
        On the grid of `volumes`, about 0.
    nodes : ndarray, shape (3, n), int64
        A number for each corner: the same where faces share it.
    component : ndarray, shape (n,), int64, optional
        Of each face; then only faces of different components are looked at.
    """
    one, other, over, pierces = _met(corners, nodes, component)
    faces, number = np.unique(np.concatenate([one, other]), return_inverse=True)
    face = number.ravel()
    by = np.roll(face, len(one))
    these = corners[:, :, faces]
    height, back = (np.concatenate([over[k], over[1 - k]], axis=1) for k in (0, 1))
    own, through = (np.concatenate([pierces[k], pierces[1 - k]], axis=1) for k in (0, 1))
    side, line = np.nonzero(own)
    along = _along(height, side, line)
    piercings = Piercings(face[line], side, along, np.where(height[side, line] > 0.0, 1, -1))
    u = np.select([side == 0, side == 1], [along, 1.0 - along], 0.0)
    v = np.select([side == 1, side == 2], [along, 1.0 - along], 0.0)
    other_side, other_line = np.nonzero(through)
    start, end = (these[:, (other_side + more) % 3, by[other_line]] for more in (0, 1))
    where = start + _along(back, other_side, other_line) * (end - start)
    more_u, more_v = _within(these.take(face[other_line], axis=2), where)
    order = np.argsort(np.concatenate([line, other_line]), kind="stable")
    u, v = (np.concatenate(ends)[order].reshape(-1, 2).T for ends in ((u, more_u), (v, more_v)))
    rising = np.argsort(v, axis=0)
    step = np.where(height[1] < height[0], 1, -1)  # into the other where its height falls with u
    return faces, Traces(face, by, np.take_along_axis(u, rising, 0), np.take_along_axis(v, rising, 0), step), piercings


def _met(
    corners: Corners, nodes: Ints, component: Numbers | None
) -> tuple[Ints, Ints, tuple[FloatArray, FloatArray], tuple[Bools, Bools]]:
    """Return the pairs of faces, no corner in common, that pass through each other.

    Returns
    -------
    one, other : ndarray, shape (k,), int64
    over : pair of ndarray, shape (3, k)
        How high the corners of each are above the other.
    pierces : pair of ndarray, shape (3, k), bool
        Which sides of each go through the other.
    """
    none = np.zeros(0, np.int64)
    blocks = [(none, none, np.zeros((6, 0)), np.zeros((6, 0), dtype=bool))]
    for one, other in _perhaps(corners, nodes, component):
        over_other, parted = _parted(corners, one, other)
        one, other, over_other = one[parted], other[parted], over_other[:, parted]
        over_one, parted = _parted(corners, other, one)
        one, other = one[parted], other[parted]
        over = np.concatenate([over_other[:, parted], over_one[:, parted]])
        turns = _turns(corners.take(one, axis=2), corners.take(other, axis=2))
        pierces = np.concatenate([_through(over[:3], turns), _through(over[3:], turns.transpose(1, 0, 2))])
        met = np.flatnonzero(pierces.sum(axis=0) == 2)
        blocks.append((one[met], other[met], over[:, met], pierces[:, met]))
    one, other, over, pierces = (np.concatenate(part, axis=-1) for part in zip(*blocks, strict=True))
    return one, other, (over[:3], over[3:]), (pierces[:3], pierces[3:])


def _parted(corners: Corners, one: Ints, other: Ints) -> tuple[FloatArray, Ints]:
    """Return how high (3, k) the corners of faces are above others, and which faces have corners on both sides."""
    height = _heights(corners.take(one, axis=2), corners.take(other, axis=2))
    a, b, c = height > 0.0
    return height, np.flatnonzero((a != b) | (b != c))


def _perhaps(corners: Corners, nodes: Ints, component: Numbers | None) -> Iterator[tuple[Ints, Ints]]:
    """Yield, in blocks, pairs of faces, no corner in common, among which are all that pass through each other."""
    if component is not None:
        one, other = pairs_between(corners, component)
        for some in blocks(len(one), BLOCK):
            yield one[some], other[some]
        return
    count = 0
    for one, other in close_pairs(corners, 0.0):
        count += len(one)
        if count > COMPARED * corners.shape[2]:
            raise TooMuch
        apart = ~(nodes[:, None].take(one, axis=2) == nodes[None].take(other, axis=2)).any(axis=(0, 1))
        yield one[apart], other[apart]


def _heights(p: Corners, q: Corners) -> FloatArray:
    """Return how high (3, k) the corners of faces are above the planes of others, times twice the area of these."""
    origin = q[:, :1]
    return triple(p - origin, q[:, 1:2] - origin, q[:, 2:] - origin)


def _turns(p: Corners, q: Corners) -> FloatArray:
    """Return six times the volume between each side (first axis) of faces and each side (second axis) of others.

    Its sign tells which way round one passes the other.
    """
    along_p, along_q = p[:, NEXT] - p, q[:, NEXT] - q
    return triple(p[:, :, None] - q[:, None], along_p[:, :, None], along_q[:, None])


def _through(height: FloatArray, turns: FloatArray) -> Bools:
    """Say which sides (3, k) go through the other face: from one side of it to the other, and all its sides alike
    around them."""
    above = height > 0.0
    alike: Bools = (turns > 0.0).all(axis=1) | (turns < 0.0).all(axis=1)
    through: Bools = (above != above[NEXT]) & alike
    return through


def _along(height: FloatArray, side: Ints, which: Ints) -> FloatArray:
    """Return where on sides of some triples of heights (3, k) these pass zero, as shares of the sides."""
    start, end = height[side, which], height[(side + 1) % 3, which]
    share: FloatArray = start / (start - end)
    return share


def _within(face: Corners, place: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return u and v of places (3, k) in the planes of faces."""
    a, b, c = face.transpose(1, 0, 2)
    normal = cross(b - a, c - a)
    square = dot(normal, normal)
    return (
        dot(cross(place - a, c - a), normal) / square,
        dot(cross(b - a, place - a), normal) / square,
    )
