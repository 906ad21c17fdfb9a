# SPDX-License-Identifier: Apache-2.0
"""Merges vertices to points, only as far as the faces need to close."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...arrays import Ints
from ...cached import lockfree_cached_property
from ..surface import Surface
from .connected import alike, connected
from .edges import Edges, degenerate

MERGING_CELLS = 1 << 20
"""Corners in the same of this many cells along the longest side are one point: sixteen times the rounding of float32
coordinates."""

MERGING_STEPS = 8
"""Minimum size of a cell in steps of the coordinates: far from the origin float32 rounds by more than a cell."""

WIDE, CLOSING = 8.0, 0.1
"""Cells so many times as large are used, too, if they leave at most this share of the open edges: some meshes are cut
into pieces whose corners differ in the sixth digit."""

FEWEST_CELLS = 1 << 12
"""Minimum number of cells, however coarse the coordinates."""

MERGING_SHIFTS = (0.3819660112501051, 0.6319660112501051, 0.8819660112501051, 1.1319660112501051)
"""The grid of cells is used four times, each shifted by a quarter of a cell along the diagonal. Two nearer points are
separated by at most one grid per axis, so they share a cell in at least one. Round coordinates are not on a border."""


@dataclass(frozen=True, eq=False)
class Merging:
    """The points of a surface: its merged vertices.

    Parameters
    ----------
    point : ndarray, shape (n,), int64
        For each vertex the representative of its point.
    cells : float
        Size of the cells whose vertices were merged, in merging cells; 0 if only equal ones were.
    """

    surface: Surface
    point: Ints
    cells: float = 0.0

    @property
    def tolerant(self) -> bool:
        """True if more than equal vertices were merged."""
        return self.cells > 0.0

    @lockfree_cached_property
    def points(self) -> Ints:
        """The faces (m, 3) by their points."""
        triangles = self.surface.triangles.astype(np.int64, copy=False)
        return triangles if self.none else self.point.take(triangles)

    @lockfree_cached_property
    def edges(self) -> Edges:
        """The edges of the faces that have three points."""
        flat = degenerate(self.points)
        return Edges.around(self.points, np.flatnonzero(~flat) if flat.any() else None)

    @lockfree_cached_property
    def none(self) -> bool:
        """True if every vertex is a point of its own."""
        return np.array_equal(self.point, np.arange(len(self.point)))

    def merged(self) -> Surface:
        """Return the surface with the points as vertices: each corner moved by less than a merging cell."""
        return self.surface if self.none else self.surface.with_faces(self.points, self.surface.quads)


def by_place(surface: Surface) -> Merging:
    """Merge equal vertices; each is compared once with the others."""
    point: Ints | None = vars(surface).get("_equal")  # cached like a property
    if point is None:
        bits = np.int32 if surface.vertices.dtype == np.float32 else np.int64
        # -0.0 becomes 0.0, so that equal coordinates have equal bits.
        rows = np.ascontiguousarray(surface.vertices.T)
        rows = rows + rows.dtype.type(0.0)
        point = vars(surface)["_equal"] = alike(*rows.view(bits))
    return Merging(surface, point)


def merge(surface: Surface, equal: Merging) -> Merging:
    """Merge vertices only as far as needed to close the surface.

    Try in order: nothing; equal vertices (as from `by_place`); of those at unbalanced edges, vertices that share a cell
    of one grid, then of any of four grids; last, all others that share a cell with these, as in a face that is repeated
    with a small offset. The first that closes the edges is used, else the last, or `WIDE` cells that nearly close it.
    """
    if not surface.unwelded:  # otherwise no two faces share a vertex
        unmerged = equal if equal.none else Merging(surface, np.arange(len(surface.vertices)))
        if unmerged.edges.closed:
            return unmerged
    if equal.edges.closed:
        return equal
    narrow = _tolerant(surface, equal, 1.0)
    if narrow.edges.closed:
        return narrow
    wide = _tolerant(surface, equal, WIDE)
    return wide if len(wide.edges.odd()) <= CLOSING * len(narrow.edges.odd()) else narrow


def _tolerant(surface: Surface, equal: Merging, cells: float) -> Merging:
    last = equal
    for point in _sharing_cells(surface, equal, cells):
        if not np.array_equal(point, last.point):
            last = Merging(surface, point, cells)
            if last.edges.closed:
                break
    return last


def merging_size(surface: Surface) -> float:
    """Return the side of a merging cell [m]: nearer points are about the same."""
    low, high = surface.bounds()
    longest = float((high - low).max())
    return max(longest / MERGING_CELLS, min(MERGING_STEPS * surface.step(), longest / FEWEST_CELLS))


def _sharing_cells(surface: Surface, equal: Merging, cells: float) -> Iterator[Ints]:
    """Yield points: equal ones, then for some the lowest that each shares a cell with, directly or by others."""
    # Only points at edges that do not balance can be on two sides of a crack.
    edges, point = equal.edges, equal.point
    loose = np.zeros(len(point), dtype=bool)
    uneven = edges.uneven()
    loose[edges.start[uneven]] = loose[edges.end[uneven]] = True
    some = np.flatnonzero(loose & (point == np.arange(len(point))))
    for shifts in (MERGING_SHIFTS[:1], MERGING_SHIFTS):
        yield _joined(surface, point, some, shifts, cells)
    beside = _beside(surface, point, some, cells)
    if len(beside) > len(some):
        yield _joined(surface, point, beside, MERGING_SHIFTS, cells)


def _joined(surface: Surface, point: Ints, some: Ints, shifts: tuple[float, ...], cells: float) -> Ints:
    """Return points with some merged to the lowest that they share cells with."""
    # In each grid every point is linked to the lowest in its cell.
    shared = [alike(*_cells(surface, some, shift, cells)) for shift in shifts]
    root = connected(np.concatenate(shared), np.tile(np.arange(len(some)), len(shared)), len(some))
    joined = np.arange(len(point))
    joined[some] = some[root]
    return joined[point]


def _beside(surface: Surface, point: Ints, some: Ints, cells: float) -> Ints:
    """Return the points in use that share a cell of any grid with some, and these."""
    low, high = (
        reduce(surface.vertices[some].astype(np.float64), axis=0) + side * cells * merging_size(surface)
        for reduce, side in ((np.min, -1.0), (np.max, 1.0))
    )
    # Only points in the box around those can share a cell with one.
    there = surface.used() & ((surface.vertices >= low) & (surface.vertices <= high)).all(axis=1)
    around = np.union1d(some, point[there])
    if len(around) == len(some):
        return some
    is_some = np.isin(around, some)
    near = is_some.copy()
    for shift in MERGING_SHIFTS:
        cell = alike(*_cells(surface, around, shift, cells))
        near |= np.isin(cell, cell[is_some])
    return around[near]


def _cells(surface: Surface, some: Ints, shift: float, cells: float) -> tuple[Ints, ...]:
    """Return the cell of each of some points, by three numbers."""
    low, _ = surface.bounds()
    position = (surface.vertices[some] - low) / (cells * merging_size(surface) or 1.0)
    return tuple(np.maximum((position + shift).astype(np.int64).T, 0))
