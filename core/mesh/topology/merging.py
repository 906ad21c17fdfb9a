# SPDX-License-Identifier: GPL-3.0-or-later
"""Which vertices are one point: merged no further than it takes for the faces to close up around them.

Points are merged to know the topology only. Every integral is taken over the vertices as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...arrays import Ints
from ..surface import Surface
from .balance import Verdict, edge_verdict, unbalanced
from .connected import connected
from .hashes import SCATTER, Hashes, number_hashes, position_hashes, representatives

MERGING_CELLS = 1 << 20
"""Corners that fall into the same of this many cells along the longest side are one point (topology only): sixteen
times the rounding of float32 coordinates."""

MERGING_STEPS = 8
"""Cells are no smaller than so many steps of the coordinates: far from the origin float32 rounds by more than a
cell."""

FEWEST_CELLS = 1 << 12
"""But this many there are, however coarse the coordinates."""

MERGING_SHIFTS = (0.3819660112501051, 0.6319660112501051, 0.8819660112501051, 1.1319660112501051)
"""The grid of cells is laid four times, each a quarter of a cell further along the diagonal. Two points nearer than
that are parted by at most one grid per axis, so one is left in which they share a cell. Round coordinates lie on no
border."""

SPARSE = 6
"""Which cells hold some vertices is noted in a table that is filled to one in so many powers of two at most."""


@dataclass(frozen=True, eq=False)
class Merging:
    """The points of a surface: its vertices once those at one place are merged.

    Parameters
    ----------
    point : ndarray, shape (n,), int64
        For each vertex the vertex that stands for its point.
    verdict : Verdict
        What the edges say with these points.
    merges : bool
        Whether any vertex stands for others.
    equal : ndarray, shape (n,), int64, or None
        The same where only what is equal is merged; None where no more is.
    """

    point: Ints
    verdict: Verdict
    merges: bool = True
    equal: Ints | None = None

    def triangles(self, surface: Surface) -> Ints:
        """Return the faces (m, 3) as numbers of points."""
        numbers: Ints = surface.triangles.astype(np.int64)
        return self.point.take(numbers) if self.merges else numbers

    def merged(self, surface: Surface) -> Surface:
        """Return the surface with each vertex moved to its point, less than a merging cell away."""
        return surface if self.equal is None else Surface(surface.vertices[self.point], surface.triangles)


def merge(surface: Surface, tolerant: bool = False, verdict: Verdict | None = None) -> Merging:
    """Merge vertices only as far as it takes to close the surface.

    In turn: not at all, those that are equal, and of those where edges do not balance then, those that share a cell of
    one grid, of any of four grids; at last all others too that share a cell with these, as a face does that is there
    once more and a little off. The first that closes the edges is taken, else the last.

    Parameters
    ----------
    surface : Surface
    tolerant : bool
        Merge at least what is equal, so that faces that repeat with vertices of their own are seen.
    verdict : Verdict, optional
        What the edges say if nothing is merged, where that is known.
    """
    vertices = np.arange(len(surface.vertices))
    result = verdict if tolerant else edge_verdict(surface.triangles, number_hashes(len(vertices)))
    if result is not None and result.closed and not tolerant:
        return Merging(vertices, result, merges=False)
    hashes = position_hashes(surface.vertices)
    equal = point = representatives(hashes)
    if result is None or not np.array_equal(point, vertices):
        result = edge_verdict(surface.triangles, hashes)
    if result.closed:
        return Merging(point, result)
    for cells in _sharing_cells(surface, point, unbalanced(surface.triangles, point, hashes)):
        if not np.array_equal(cells, point):
            point = cells
            result = edge_verdict(surface.triangles, hashes.take(point))
            if result.closed:
                break
    return Merging(point, result, equal=None if point is equal else equal)


def tolerantly(merging: Merging, surface: Surface) -> Merging:
    """Merge at least the vertices that are equal: what closed a surface by merging has done so."""
    if merging.merges and merging.verdict.closed:
        return merging
    return merge(surface, tolerant=True, verdict=None if merging.merges else merging.verdict)


def merging_size(surface: Surface) -> float:
    """Return the side of a merging cell [m]: what is nearer than about this is one point."""
    low, high = surface.bounds()
    longest = float((high - low).max())
    return max(longest / MERGING_CELLS, min(MERGING_STEPS * surface.step(), longest / FEWEST_CELLS))


def _sharing_cells(surface: Surface, equal: Ints, some: Ints) -> Iterator[Ints]:
    """Yield points: `equal` ones, but for `some` vertices the lowest that each shares a cell with, directly or by
    others: a cell of one grid, then of all; then the same for those too that share a cell with some."""
    root = _joined(surface, some, MERGING_SHIFTS[:1], np.arange(len(some)))
    yield _points(equal, some, root)
    yield _points(equal, some, _joined(surface, some, MERGING_SHIFTS[1:], root))
    more = _beside(surface, some)
    yield _points(equal, more, _joined(surface, more, MERGING_SHIFTS, np.arange(len(more))))


def _joined(surface: Surface, some: Ints, shifts: tuple[float, ...], root: Ints) -> Ints:
    """Return the lowest of some vertices that each hangs together with, by cells of these grids or as `root` says."""
    number = np.arange(len(some))
    for keys in _cells(surface, some, shifts):
        cell = representatives(keys)
        lowest = np.empty(len(some), dtype=np.int64)
        lowest[cell[::-1]] = number[::-1]  # of several, the last write wins
        other = root[lowest[cell]]
        apart = np.flatnonzero(root != other)
        root = connected(root[apart], other[apart], len(some), root)
    return root


def _points(equal: Ints, some: Ints, root: Ints) -> Ints:
    point = equal.copy()
    point[some] = some[root]
    return point


def _beside(surface: Surface, some: Ints) -> Ints:
    """Return the vertices in use that share a cell of any grid with some: all of them, and by chance a few others."""
    around, room = surface.vertices[some].astype(np.float64), merging_size(surface)
    low, high = around.min(axis=0) - room, around.max(axis=0) + room
    used = np.flatnonzero(surface.used() & ((surface.vertices >= low) & (surface.vertices <= high)).all(axis=1))
    among = np.zeros(len(surface.vertices), dtype=bool)
    among[some] = True
    near, among = among.copy(), among[used]
    shift = np.uint64(64 - len(some).bit_length() - SPARSE)
    for keys in _cells(surface, used, MERGING_SHIFTS):
        slot = ((keys * SCATTER[0]) >> shift).view(np.int64)
        taken = np.zeros(1 << (64 - int(shift)), dtype=bool)
        taken[slot[among]] = True
        near[used[taken[slot]]] = True
    return np.flatnonzero(near)


def _cells(surface: Surface, some: Ints, shifts: tuple[float, ...]) -> Iterator[Hashes]:
    """Yield the cell of each of some vertices in use, in one grid after the other, as one number."""
    low, _ = surface.bounds()
    position = (surface.vertices[some] - low) / (merging_size(surface) or 1.0)
    for shift in shifts:
        x, y, z = (position + shift).astype(np.int64).T
        yield ((x << 42) | (y << 21) | z).view(np.uint64)
