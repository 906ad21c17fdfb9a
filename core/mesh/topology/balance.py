# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether edges balance, walked as often forth as back: by random numbers for the corners, which no edge must list."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...arrays import Ints, TriangleArray, blocks
from ..surface import BLOCK
from .hashes import Hashes


@dataclass(frozen=True)
class Verdict:
    """What the edges say.

    Parameters
    ----------
    consistent : bool
        Every edge is walked as often in one direction as in the other.
    closed : bool
        Every edge has an even number of faces, however they are wound.
    """

    consistent: bool
    closed: bool


def edge_verdict(triangles: TriangleArray, hashes: Hashes) -> Verdict:
    """Compare the edges walked forth and back, by 64-bit fingerprints of their multiset; no sort and no table.

    A side from a corner with the random number a to one with b counts a b (a - b), which changes its sign with the
    direction. Summed over all sides, edges walked as often forth as back cancel; others leave a polynomial in random
    numbers, zero by a chance of some 2⁻⁵⁰. The three sides of a face together are (a - b)(b - c)(a - c).
    Without directions, the exclusive or of a b is zero where edges come in pairs.

    Parameters
    ----------
    triangles : ndarray, shape (m, 3), int
    hashes : ndarray, shape (n,), uint64
        A random number for each vertex that is equal where the point is.
    """
    total = np.zeros((), dtype=np.uint64)
    with np.errstate(over="ignore"):
        for a, b, c in _numbers_of_corners(triangles, hashes):
            product = (a - b) * (b - c)
            product *= a - c
            total += product.sum(dtype=np.uint64)
        if not total:
            return Verdict(True, True)
        parity = np.zeros((), dtype=np.uint64)
        for a, b, c in _numbers_of_corners(triangles, hashes):
            for start, end in ((a, b), (b, c), (c, a)):
                parity ^= np.bitwise_xor.reduce(start * end * (start != end))
    return Verdict(False, int(parity) == 0)


def _numbers_of_corners(triangles: TriangleArray, hashes: Hashes) -> Iterator[Hashes]:
    """Yield the numbers (3, k) of the corners of some faces after the other, in the same memory."""
    memory, index = np.empty(3 * BLOCK, dtype=np.uint64), np.empty(3 * BLOCK, dtype=np.intp)
    for some in blocks(len(triangles), BLOCK):
        block = triangles[some].T
        index[: block.size].reshape(block.shape)[:] = block
        numbers = memory[: block.size]
        hashes.take(index[: block.size], out=numbers, mode="clip")
        yield numbers.reshape(block.shape)


def unbalanced(triangles: TriangleArray, point: Ints, hashes: Hashes) -> Ints:
    """Return the vertices at whose point some edge is not walked as often forth as back.

    A side from a to b counts the random number of b at a, and minus that of a at b. The numbers have 31 bits, so that
    floating point adds them exactly.
    """
    number = (hashes >> np.uint64(33)).astype(np.float64)
    a, b, c = (point.take(corner) for corner in triangles.T)
    balance = np.zeros(len(point))
    for corner, following, previous in ((a, b, c), (b, c, a), (c, a, b)):
        balance += np.bincount(corner, number.take(following) - number.take(previous), minlength=len(point))
    return np.flatnonzero(balance.take(point))
