# SPDX-License-Identifier: GPL-3.0-or-later
"""Random numbers for vertices and places, and which of many keys are equal: without a single sort."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...arrays import Ints, VertexArray

Hashes = npt.NDArray[np.uint64]

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""2⁶⁴ over the golden ratio: its multiples keep two vertex numbers apart in one 64-bit number."""

SCATTER = np.array([0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB, 0xD6E8FEB86659FD93], dtype=np.uint64)
"""One odd factor for each hash table that is tried before what still collides is sorted; each leaves less than a
third. The highest bits of the product are the place in the table (Knuth, The Art of Computer Programming 3, 6.4)."""


def number_hashes(count: int) -> Hashes:
    """Return a random number for each vertex number: what SplitMix64 gives in turn."""
    return mix(np.arange(1, count + 1, dtype=np.uint64) * GOLDEN)


def mix(number: Hashes) -> Hashes:
    """Scramble 64-bit numbers in place, one to one.

    SplitMix64's finaliser (Steele, Lea & Flood 2014, Fast splittable pseudorandom number generators).
    """
    number ^= number >> np.uint64(30)
    number *= np.uint64(0xBF58476D1CE4E5B9)
    number ^= number >> np.uint64(27)
    number *= np.uint64(0x94D049BB133111EB)
    number ^= number >> np.uint64(31)
    return number


def position_hashes(vertices: VertexArray) -> Hashes:
    """Return for each vertex a number that is equal where all three coordinates are."""
    hashes = np.zeros(len(vertices), dtype=np.uint64)
    bits = np.uint32 if vertices.dtype == np.float32 else np.uint64
    for axis in range(3):
        coordinate = vertices[:, axis] + vertices.dtype.type(0.0)  # -0.0 becomes 0.0
        hashes += GOLDEN
        hashes ^= coordinate.view(bits)
        mix(hashes)
    return hashes


def representatives(keys: Hashes, near: Ints | None = None) -> Ints:
    """Return for each key the place of one key equal to it, the same for all that are equal.

    A hash table is filled with the place of every key, the last one winning; whoever finds its own key there is
    done, the others try the next table.

    Parameters
    ----------
    keys : ndarray, shape (n,), uint64
    near : ndarray, shape (n,), int64, optional
        A number below about n that equal keys share and neighbours have alike, such as a corner: the first tables
        are laid out along it, so that they are read in order, which is several times faster.
    """
    place = np.arange(len(keys))
    if not len(keys):
        return place
    number: np.dtype[np.signedinteger[Any]] = np.dtype(np.int32 if len(keys) < 2**31 else np.int64)
    tables = len(SCATTER) if near is not None else 0
    left, own = place, keys
    for turn, factor in enumerate((*SCATTER[:tables], *SCATTER)):
        bits = 2 if turn < tables else max(len(left).bit_length(), 4)
        slot = ((own * factor) >> np.uint64(64 - bits)).view(np.int64)
        if near is not None and turn < tables:
            slot |= near << bits
        table = np.empty(int(slot.max()) + 1, dtype=number)
        table[slot] = left
        found = table.take(slot)
        if turn:
            place[left] = found  # what is not its own gets another place in a later turn
        else:
            place = found.astype(np.int64)
        alien = np.flatnonzero(keys.take(found) != own)
        if not len(alien):
            return place
        left, own, near = left[alien], own[alien], None if near is None else near[alien]
    _, first, inverse = np.unique(own, return_index=True, return_inverse=True)
    place[left] = left[first][inverse.ravel()]
    return place
