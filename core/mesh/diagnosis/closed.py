# SPDX-License-Identifier: GPL-3.0-or-later
"""A closed surface, and what has been found out about it, each thing when it is asked for and once."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from ...arrays import Bools, Ints
from ...body.moments import Moments
from ...cached import lockfree_cached_property
from ...errors import InertiaError
from ..integrate import surface_moments
from ..surface import Surface
from ..topology.balance import edge_verdict, unbalanced
from ..topology.components import Components, components_of, one_owner, point_components, with_own_vertices
from ..topology.connected import numbered
from ..topology.edges import Edges, degenerate
from ..topology.hashes import number_hashes
from ..topology.merging import Merging, merging_size, tolerantly
from ..topology.plain import plain
from ..topology.single_patches import perhaps_crossing
from ..union.between import near_other_components
from ..union.excess import Excess, excess
from .overlap import Windings, sample_coarsely
from .self_crossing import passing_pairs, without_walls
from .side_by_side import passing_pairs_alone


@dataclass(eq=False)
class Passing:
    """What is known of faces that pass through others, some of which may be turned: filled in by whichever thread.

    Parameters
    ----------
    corners : ndarray, shape (n,), bool, optional
        Vertices: a face that passes through another has all of its corners among them. That stays so when faces are
        left out.
    pairs, alone : pair of ndarray, shape (k,), int64, optional
        The pairs that were found, among all faces but for walls there both ways round, and in each component alone.
    """

    corners: Bools | None = None
    pairs: tuple[Ints, Ints] | None = None
    alone: tuple[Ints, Ints] | None = None


@dataclass(frozen=True, eq=False)
class Closed:
    """A closed surface, or one that is to be closed, and what is known of it.

    Parameters
    ----------
    surface : Surface
    merging : Merging
        With which it is closed.
    component : ndarray, shape (m,), int64, optional
        A label for each face's component; where not given, faces that share points are one.
    known_edges : Edges, optional
        Its edges where they have been looked at, some faces perhaps wound the other way then.
    passing : Passing
        Shared by surfaces that differ in how faces are wound.
    """

    surface: Surface
    merging: Merging
    component: Ints | None = None
    known_edges: Edges | None = None
    passing: Passing = field(default_factory=Passing)

    @lockfree_cached_property
    def watertight(self) -> Surface:
        """The surface with each vertex at its point, so that no column falls through a crack."""
        return self.merging.merged(self.surface)

    @lockfree_cached_property
    def points(self) -> Ints:
        """The faces (m, 3) as numbers of points."""
        return self.merging.triangles(self.surface)

    @lockfree_cached_property
    def collapsed(self) -> Bools:
        """Which faces have two corners at one point."""
        return degenerate(self.points)

    @lockfree_cached_property
    def moments(self) -> Moments:
        """The exact signed integral, or ``zero_volume``."""
        return surface_moments(self.surface)

    @property
    def volume(self) -> float:
        """What it encloses, below zero where it is inside out [m³]; 0 where that is nothing."""
        try:
            return self.moments.volume
        except InertiaError:  # zero_volume
            return 0.0

    @lockfree_cached_property
    def edges(self) -> Edges:
        """Its edges, whichever way some faces are wound."""
        if self.known_edges is not None:
            return self.known_edges
        return Edges.around(self.points, np.flatnonzero(~self.collapsed))

    @lockfree_cached_property
    def loose(self) -> Bools:
        """The vertices (n,) at which some edge is not walked as often forth as back."""
        point = self.merging.point
        loose = np.zeros(len(point), dtype=bool)
        loose[unbalanced(self.surface.triangles, point, number_hashes(len(point)).take(point))] = True
        return loose

    @property
    def by_place(self) -> Closed:
        """The same, equal vertices merged, so that faces are seen that repeat with vertices of their own."""
        return self if self._merged_by_place is None else self._merged_by_place

    @lockfree_cached_property
    def _merged_by_place(self) -> Closed | None:  # None where it is the same, which would be kept alive by itself
        merging = tolerantly(self.merging, self.surface)
        if merging is self.merging or np.array_equal(merging.point, self.merging.point):
            return None
        return replace(self, merging=merging, known_edges=None)

    @lockfree_cached_property
    def plain(self) -> bool:
        """Whether two faces meet at each edge, none of them twice, and no two components share a point: so they are
        what hangs together by points."""
        return self.merging.verdict.consistent and plain(self.points, len(self.merging.point), self._count)

    def _count(self) -> int:
        return 1 if self.label is None else 1 + int(numbered(self.label).max())

    @lockfree_cached_property
    def coarsely(self) -> Windings:
        """What coarse columns see of it."""
        return sample_coarsely(self.watertight)

    @lockfree_cached_property
    def label(self) -> Ints | None:
        """Of each face's component; None where it is one component."""
        if self.component is None:
            return point_components(self.points, len(self.merging.point))
        return self.component if (self.component != self.component[:1]).any() else None

    @lockfree_cached_property
    def excess(self) -> Excess | None:
        """What it encloses more than once, by itself or by its components; None where that was not found."""
        return excess(self._parts[0])

    @lockfree_cached_property
    def excess_of_components(self) -> Excess | None:
        """The same where each component by itself encloses nothing so."""
        surface, label = self._parts
        if label is not None and surface is not self.watertight:  # else no two parts share a vertex
            surface = with_own_vertices(surface, label)
        return excess(surface, label, self.near_other_components)

    @lockfree_cached_property
    def near_other_components(self) -> Ints | None:
        """Faces among which are all that meet those of other components; None where there are no others."""
        surface, label = self._parts
        return None if label is None else near_other_components(surface, numbered(label))

    @lockfree_cached_property
    def _parts(self) -> tuple[Surface, Ints | None]:
        # Watertight, its faces named by vertices if that closes it, so that walls of different parts that lie in one
        # place stay apart; else by points. And a label for each face's part.
        count = len(self.surface.vertices)
        merged = self.merging.merges and (self.merging.point != np.arange(count)).any()
        if not merged and (self.component is None or one_owner(self.points, self.component, count)):
            return self.watertight, self.label
        vertices, triangles = self.watertight.vertices, self.surface.triangles.astype(np.int64)
        if merged and not edge_verdict(triangles, number_hashes(len(vertices))).consistent:
            return Surface(vertices, self.points), self.label
        surface, label = Surface(vertices, triangles), point_components(triangles, len(vertices))
        if label is None or self.component is None:
            return surface, self.label if label is None else label
        component_of = np.empty(len(vertices), dtype=np.int64)
        component_of[label] = self.component
        if (component_of.take(label) == self.component).all():  # mostly no part is of several components
            return surface, label
        _, both = np.unique(np.stack([self.component, label]), axis=1, return_inverse=True)
        return surface, both.ravel()

    def components(self) -> Components | None:
        """Gather the components where there are two or more, faces without area apart."""
        if self.label is None:
            return None
        used = ~self.collapsed
        label = self.label[used]
        if not (label != label[:1]).any():
            return None
        return components_of(self.watertight, self.label, used)  # so that a flat one is just that

    def passing_pairs(self, alone: bool) -> tuple[Ints, Ints]:
        """Return the pairs of faces that pass through each other, of all components, or of each `alone`."""
        known, surface = self.passing, self.watertight
        if alone and self.label is not None:
            if known.alone is None:
                known.alone = passing_pairs_alone(surface, self.label)
            return known.alone
        if known.pairs is None:
            faces = perhaps_crossing(surface) if known.corners is None else surface.between(known.corners)
            known.pairs = passing_pairs(surface, faces, merging_size(surface))
        return without_walls(surface, *known.pairs)

    def turned(self, which: Bools) -> Closed:
        """Return the surface with some faces (m,) wound the other way."""
        triangles = self.surface.triangles.copy()
        triangles[which] = triangles[which, ::-1]
        surface = Surface(self.surface.vertices, triangles, self.surface.quads if which.all() else None)
        return replace(self, surface=surface, component=self.label if self.component is None else self.component)

    def without(self, which: Bools) -> Closed:
        """Return the surface without some components, given by their faces (m,)."""
        surface = Surface(self.surface.vertices, self.surface.triangles[~which])
        component = None if self.label is None else self.label[~which]
        return replace(
            self, surface=surface, component=component, known_edges=None, passing=Passing(self.passing.corners)
        )
