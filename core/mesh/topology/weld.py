# SPDX-License-Identifier: GPL-3.0-or-later
"""Which vertices are one point: merged no further than it takes for the faces to close up around them.

Points are merged to know the topology only. Every integral is taken over the vertices as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...arrays import FloatArray, Ints
from ..surface import Surface
from .balance import Verdict, edge_verdict, unbalanced
from .hashes import Hashes, number_hashes, position_hashes, representatives

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
    for cells in _sharing_cells(surface, point, unbalanced(surface.triangles, point, hashes)):
        if not np.array_equal(cells, point):
            point = cells
            result = edge_verdict(surface.triangles, hashes.take(point))
            if result.closed:
                break
    return Welding(point, result)


def tolerantly(welding: Welding, surface: Surface) -> Welding:
    """Merge at least the vertices that are equal: what closed a surface by merging has done so."""
    return welding if welding.merging and welding.verdict.closed else weld(surface, tolerant=True)


def weld_size(surface: Surface) -> float:
    """Return the side of a welding cell [m]: what is nearer than about this is one point."""
    low, high = surface.bounds()
    longest = float((high - low).max())
    return max(longest / WELD_CELLS, min(WELD_STEPS * surface.step(), longest / FEWEST_CELLS))


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
