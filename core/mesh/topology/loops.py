# SPDX-License-Identifier: Apache-2.0
"""The boundary of a surface as simple loops, and the fans that close it.

An edge that is traversed equally in both directions is not in the boundary. What is left is a cycle: as many edges come
to a vertex as leave it. With a fan over each loop the surface has no boundary, so its winding number is an integer
everywhere, whatever the shape of the fans.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...arrays import FloatArray, Indices, Ints
from ...cached import lockfree_cached_property
from ..surface import Surface
from .edges import Edges, degenerate

DOME = 0.376
"""A hemisphere over a disc has the volume 2/3 π r³ = 0.376 (π r²)^1.5: the possible volume behind a loop of that
area."""

CROWDED = 64
"""If more edges than this leave a vertex, they continue in the order of the faces, without comparing all pairs."""

FLAT = 1e-9
"""A loop whose vector area is below this share of its fan's area has no normal."""


@dataclass(frozen=True, eq=False)
class Loops:
    """Loops of boundary edges, each in the direction in which the faces traverse it."""

    vertices: Ints  # of all loops, concatenated (k,)
    starts: Ints  # the index of the first vertex of each loop (n,)
    position: FloatArray  # of each of the vertices (k, 3) [m]

    def __len__(self) -> int:
        return len(self.starts)

    @lockfree_cached_property
    def counts(self) -> Ints:
        """The number of edges of each loop (n,)."""
        return np.diff(np.append(self.starts, len(self.vertices)))

    @lockfree_cached_property
    def loop(self) -> Ints:
        """The loop of each vertex (k,)."""
        return np.repeat(np.arange(len(self)), self.counts)

    @lockfree_cached_property
    def following(self) -> Ints:
        """The index of the next vertex around its loop, for each vertex (k,)."""
        following = np.arange(1, len(self.vertices) + 1)
        following[self.starts + self.counts - 1] = self.starts
        return following

    @lockfree_cached_property
    def lengths(self) -> FloatArray:
        """The length of each loop (n,) [m]."""
        return self._sum(self._edge_lengths)

    @lockfree_cached_property
    def apexes(self) -> FloatArray:
        """The length-weighted centroid of each loop's edges (n, 3) [m], the apex of its fan."""
        first = self.position[self.starts]  # relative to it, to avoid cancellation far from the origin
        ends = self.position - first[self.loop]
        middle = (ends + ends[self.following]) / 2.0
        length = np.maximum(self.lengths, np.finfo(np.float64).tiny)
        apexes: FloatArray = first + self._sum(middle * self._edge_lengths[:, None]) / length[:, None]
        return apexes

    @lockfree_cached_property
    def vector_areas(self) -> FloatArray:
        """The vector area of each fan (n, 3) [m²], on the outer side of the neighbouring faces."""
        return self._sum(self._fan_areas)

    @lockfree_cached_property
    def areas(self) -> FloatArray:
        """The area of each fan (n,) [m²]."""
        return self._sum(np.linalg.norm(self._fan_areas, axis=1))

    @lockfree_cached_property
    def depths(self) -> FloatArray:
        """Extent of each loop along its normal (n,) [m]; without a normal, in any direction."""
        size = np.linalg.norm(self.vector_areas, axis=1)
        flat = size > FLAT * self.areas
        normal = self.vector_areas / np.where(flat, size, 1.0)[:, None]
        arm = self.position - self.apexes[self.loop]
        along = np.einsum("ij,ij->i", arm, normal[self.loop])
        depth = np.maximum.reduceat(along, self.starts) - np.minimum.reduceat(along, self.starts)
        reach = np.maximum.reduceat(arm, self.starts) - np.minimum.reduceat(arm, self.starts)
        return np.where(flat, depth, np.linalg.norm(reach, axis=1))

    @lockfree_cached_property
    def domes(self) -> FloatArray:
        """Possible volume of a dome over each loop (n,) [m³]: a bound of its fan's error."""
        return np.maximum(self.areas * self.depths, DOME * self.areas**1.5)

    def some(self, which: Ints) -> Loops:
        """Return those numbered `which`, ascending (n,)."""
        chosen = np.isin(self.loop, which)
        counts = self.counts[which]
        return Loops(self.vertices[chosen], np.cumsum(counts) - counts, self.position[chosen])

    def farthest(self, point: FloatArray) -> FloatArray:
        """Return the largest distance (n,) [m] of each loop from a point (3,) [m]."""
        return np.maximum.reduceat(np.linalg.norm(self.position - point, axis=1), self.starts)

    @lockfree_cached_property
    def _edge_lengths(self) -> FloatArray:
        lengths: FloatArray = np.linalg.norm(self.position[self.following] - self.position, axis=1)
        return lengths

    @lockfree_cached_property
    def _fan_areas(self) -> FloatArray:
        arm = self.position - self.apexes[self.loop]
        areas: FloatArray = np.cross(arm[self.following], arm) / 2.0
        return areas

    def _sum(self, terms: FloatArray) -> FloatArray:
        return np.add.reduceat(terms, self.starts) if len(self) else terms[:0]


def boundary_loops(surface: Surface) -> Loops:
    """Find the boundary of a surface, as loops of which none visits a vertex twice.

    Its triangles index merged vertices; those with two equal corners are ignored. If several edges leave a vertex, an
    incoming one continues with the one that turns back most sharply: so the two sides of a T-junction's seam form one
    loop without area, not loops around whole faces.
    """
    start, end = _net_edges(surface.triangles.astype(np.int64))
    position = surface.vertices[start].astype(np.float64)
    if not len(start):
        return Loops(start, start, position)
    along = surface.vertices[end] - position
    along /= np.maximum(np.linalg.norm(along, axis=1), np.finfo(np.float64).tiny)[:, None]
    order, starts = _cycles(_successors(start, end, along))
    vertices = start[order]
    loops = Loops(vertices, starts, position[order])
    # A loop that visits a vertex twice is split there.
    number = np.sort(vertices + loops.loop * (vertices.max() + 1))
    repeats = np.unique(number[1:][number[1:] == number[:-1]] // (vertices.max() + 1))
    if not len(repeats):
        return loops
    pieces: list[list[int]] = []
    ends = starts + loops.counts
    for loop in repeats.tolist():
        pieces += _simple(vertices, range(starts[loop], ends[loop]))
    simple = np.flatnonzero(~np.isin(loops.loop, repeats))
    place = np.concatenate([simple, *(np.array(piece) for piece in pieces)])
    counts = np.concatenate([np.delete(loops.counts, repeats), [len(piece) for piece in pieces]])
    return Loops(vertices[place], np.cumsum(counts) - counts, loops.position[place])


def fans(surface: Surface, loops: Loops) -> Surface:
    """Close a surface by a fan over each of its loops, from its apex; a surface without loops is returned unchanged.

    The apexes are appended to the vertices, in float64, and the fans' triangles to the others, wound like their
    neighbours.
    """
    if not len(loops):
        return surface
    vertices = np.concatenate([surface.vertices.astype(np.float64), loops.apexes])
    apex = len(surface.vertices) + loops.loop
    triangles = np.column_stack([loops.vertices[loops.following], loops.vertices, apex])
    return Surface(vertices, np.concatenate([surface.triangles.astype(np.int64), triangles]))


def _net_edges(triangles: Ints) -> tuple[Ints, Ints]:
    """Return start and end of the edges that are traversed more often forward than back, each so many times."""
    triangles = triangles[~degenerate(triangles)]
    start, end = triangles.ravel(), triangles[:, [1, 2, 0]].ravel()
    edges = Edges(start, end, np.repeat(np.arange(len(triangles)), 3))
    net = np.bincount(edges.edge, edges.sign, minlength=len(start)).astype(np.int64)
    side = np.flatnonzero(net)  # in the order of the faces
    times = np.abs(net[side])
    forward, side = np.repeat(net[side] * edges.sign[side] > 0, times), np.repeat(side, times)
    return np.where(forward, start[side], end[side]), np.where(forward, end[side], start[side])


def _successors(start: Ints, end: Ints, along: FloatArray) -> Indices:
    """Return the next edge of each, all different."""
    following = np.empty(len(start), dtype=np.intp)
    # First any pairing: the k-th edge that comes to a vertex continues as the k-th that leaves it.
    leaving, coming = np.argsort(start, kind="stable"), np.argsort(end, kind="stable")
    following[coming] = leaving  # as many edges leave a vertex as enter it
    firsts = np.flatnonzero(np.diff(start[leaving], prepend=-1))
    counts = np.diff(np.append(firsts, len(start)))
    several = (counts > 1) & (counts <= CROWDED)
    if not several.any():
        return following
    firsts, counts = firsts[several], counts[several]
    # All pairs of an incoming and an outgoing edge, sharpest turn first.
    square = counts * counts
    number = np.arange(square.sum()) - np.repeat(np.cumsum(square) - square, square)
    arrival, departure = np.divmod(number, np.repeat(counts, square))
    comes, leaves = coming[np.repeat(firsts, square) + arrival], leaving[np.repeat(firsts, square) + departure]
    order = np.argsort(np.einsum("ij,ij->i", along[comes], along[leaves]), kind="stable")
    comes, leaves = comes[order], leaves[order]
    best_in, best_out = np.empty(len(start), dtype=np.intp), np.empty(len(start), dtype=np.intp)
    # A pair is taken when it is the sharpest of both its edges; then both are used up.
    while len(comes):
        rank = np.arange(len(comes))
        best_in[comes[::-1]] = best_out[leaves[::-1]] = rank[::-1]  # of several, the last write wins
        best = (best_in[comes] == rank) & (best_out[leaves] == rank)
        following[comes[best]] = leaves[best]
        taken = np.zeros((2, len(start)), dtype=bool)
        taken[0, comes[best]] = taken[1, leaves[best]] = True
        free = ~(taken[0, comes] | taken[1, leaves])
        comes, leaves = comes[free], leaves[free]
    return following


def _cycles(following: Indices) -> tuple[Ints, Ints]:
    """Return the elements of a permutation cycle by cycle, and the start of each; by pointer doubling."""
    count = len(following)
    # Every element learns the lowest one of its cycle, over 1, 2, 4, .. steps.
    lowest, jump = np.arange(count), following
    for _ in range(count.bit_length()):
        lowest = np.minimum(lowest, lowest[jump])
        jump = jump[jump]
    # From each to the end of its cycle, which is before the lowest.
    last = lowest[following] == following
    jump, ahead = np.where(last, np.arange(count), following), np.where(last, 0, 1)
    for _ in range(count.bit_length()):
        ahead = ahead + ahead[jump]
        jump = jump[jump]
    order = np.lexsort((-ahead, lowest))
    return order, np.flatnonzero(np.diff(lowest[order], prepend=-1))


def _simple(vertices: Ints, places: range) -> list[list[int]]:
    """Split a loop, given by vertex indices, wherever it visits a vertex again."""
    pieces: list[list[int]] = []
    path: list[int] = []
    seen: dict[int, int] = {}
    for place, vertex in zip(places, vertices[places.start : places.stop].tolist(), strict=True):
        if vertex in seen:
            begin = seen[vertex]
            piece, path = path[begin:], path[:begin]
            for other in piece:
                del seen[int(vertices[other])]
            pieces.append(piece)
        seen[vertex] = len(path)
        path.append(place)
    return [*pieces, path]
