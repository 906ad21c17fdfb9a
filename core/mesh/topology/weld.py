# SPDX-License-Identifier: GPL-3.0-or-later
"""Which vertices are one point, and whether the faces close up around them: without a single sort.

Points are merged to know the topology only. Every integral is taken over the vertices as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ...arrays import FloatArray, Ints, TriangleArray, VertexArray
from ..surface import Surface

Hashes = npt.NDArray[np.uint64]

BLOCK = 8192
"""Triangles per block: the temporaries stay in the second-level cache."""

WELD_CELLS = 1 << 20
"""Corners that fall into the same of this many cells along the longest side are one point (topology only): sixteen
times the rounding of float32 coordinates."""

WELD_STEPS = 8
"""Cells are no smaller than so many steps of the coordinates: far from the origin float32 rounds by more than a
cell."""

FEWEST_CELLS = 1 << 12
"""But this many there are, however coarse the coordinates."""

WELD_SHIFTS = (0.3819660112501051, 0.6319660112501051, 0.8819660112501051, 1.1319660112501051)
"""The grid of cells is laid four times, each a quarter of a cell further along the diagonal. Two points nearer than
that are parted by at most one grid per axis, so one is left in which they share a cell. Round coordinates lie on no
border."""

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""2⁶⁴ over the golden ratio: its multiples keep two vertex numbers apart in one 64-bit number."""

SCATTER = np.array([0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB, 0xD6E8FEB86659FD93], dtype=np.uint64)
"""One odd factor for each hash table that is tried before what still collides is sorted; each leaves less than a
third. The highest bits of the product are the place in the table (Knuth, The Art of Computer Programming 3, 6.4)."""


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


@dataclass(frozen=True, eq=False)
class Welding:
    """The points of a surface.

    Parameters
    ----------
    point : ndarray, shape (n,), int64
        For each vertex the vertex that stands for its point.
    verdict : Verdict
        What the edges say with these points.
    merging : bool
        Whether any vertex stands for others.
    """

    point: Ints
    verdict: Verdict
    merging: bool = True

    def triangles(self, surface: Surface) -> Ints:
        """Return the faces (m, 3) as numbers of points."""
        numbers: Ints = surface.triangles.astype(np.int64)
        return self.point.take(numbers) if self.merging else numbers


def verdict(surface: Surface) -> Verdict:
    """Say whether a surface is closed and wound consistently, corners at the same place counting as one.

    The cost is less than that of the exact integral where vertices are shared or repeat exactly.
    """
    result = edge_verdict(surface.triangles, number_hashes(len(surface.vertices)))
    return result if result.consistent else edge_verdict(surface.triangles, position_hashes(surface.vertices))


def weld(surface: Surface, tolerant: bool = False) -> Welding:
    """Merge vertices only as far as it takes to close the surface.

    In turn: not at all, those that are equal, and of those where edges do not balance then, those that share a cell of
    one grid, of any of four grids. The first that closes the edges is taken, else the last.

    Parameters
    ----------
    surface : Surface
    tolerant : bool
        Merge at least what is equal, so that faces that repeat with vertices of their own are seen.
    """
    vertices = np.arange(len(surface.vertices))
    result = None if tolerant else edge_verdict(surface.triangles, number_hashes(len(vertices)))
    if result is not None and result.closed:
        return Welding(vertices, result, merging=False)
    hashes = position_hashes(surface.vertices)
    point = representatives(hashes)
    if result is None or not np.array_equal(point, vertices):
        result = edge_verdict(surface.triangles, hashes)
    if result.closed:
        return Welding(point, result)
    for cells in _sharing_cells(surface, point, _unbalanced(surface.triangles, point, hashes)):
        if not np.array_equal(cells, point):
            point = cells
            result = edge_verdict(surface.triangles, hashes.take(point))
            if result.closed:
                break
    return Welding(point, result)


def tolerantly(welding: Welding, surface: Surface) -> Welding:
    """Merge at least the vertices that are equal: what closed a surface by merging has done so."""
    return welding if welding.merging and welding.verdict.closed else weld(surface, tolerant=True)


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
    for begin in range(0, len(triangles), BLOCK):
        block = triangles[begin : begin + BLOCK].T
        index[: block.size].reshape(block.shape)[:] = block
        numbers = memory[: block.size]
        hashes.take(index[: block.size], out=numbers, mode="clip")
        yield numbers.reshape(block.shape)


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
    left, own = place.copy(), keys
    for turn, factor in enumerate((*SCATTER[: len(SCATTER) * (near is not None)], *SCATTER)):
        if turn:
            own = keys.take(left)
        if near is not None and turn < len(SCATTER):
            beside = near.take(left) if turn else near
            slot = beside * 4
            slot += ((own * factor) >> np.uint64(62)).view(np.int64)
            table = np.empty(int(slot.max()) + 1, dtype=number)
        else:
            bits = max(len(left).bit_length(), 4)
            slot = ((own * factor) >> np.uint64(64 - bits)).view(np.int64)
            table = np.empty(1 << bits, dtype=number)
        table[slot] = left
        found = table.take(slot)
        place[left] = found  # what is not its own gets another place in a later turn
        left = left[keys.take(found) != own]
        if not len(left):
            return place
    _, first, inverse = np.unique(keys[left], return_index=True, return_inverse=True)
    place[left] = left[first][inverse.ravel()]
    return place


def weld_size(surface: Surface) -> float:
    """Return the side of a welding cell [m]: what is nearer than about this is one point."""
    low, high = surface.bounds()
    longest = float((high - low).max())
    return max(longest / WELD_CELLS, min(WELD_STEPS * surface.step(), longest / FEWEST_CELLS))


def _unbalanced(triangles: TriangleArray, point: Ints, hashes: Hashes) -> Ints:
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


def _sharing_cells(surface: Surface, equal: Ints, some: Ints) -> Iterator[Ints]:
    """Yield points: `equal` ones, but for `some` vertices the lowest that each shares a cell with, directly or by
    others: a cell of one grid, then of all."""
    low, _ = surface.bounds()
    position = (surface.vertices[some] - low) / (weld_size(surface) or 1.0)
    grids: list[Ints] = []
    for shifts in (WELD_SHIFTS[:1], WELD_SHIFTS[1:]):
        grids += [representatives(_cells(position + shift)) for shift in shifts]
        lowest, before = np.arange(len(some)), None
        while before is None or not np.array_equal(lowest, before):
            before = lowest
            for cell in grids:
                of_cell = np.full(len(some), len(some))
                np.minimum.at(of_cell, cell, lowest)
                lowest = of_cell[cell]
        point = equal.copy()
        point[some] = some[lowest]
        yield point


def _cells(position: FloatArray) -> Hashes:
    x, y, z = position.astype(np.int64).T
    cells: Hashes = ((x << 42) | (y << 21) | z).view(np.uint64)
    return cells
