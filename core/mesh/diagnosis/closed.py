# SPDX-License-Identifier: GPL-3.0-or-later
"""A closed surface, and what has been found out about it, each thing when it is asked for and once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ...arrays import Bools, Ints
from ...errors import InertiaError
from ...moments import Moments
from ..integrate import surface_moments
from ..surface import Surface
from ..topology.components import Shells, point_components, shells_of
from ..topology.edges import Edges, degenerate
from ..topology.weld import Welding, weld_size
from .overlap import Windings, coarse_look
from .self_crossing import crossing_pairs
from .side_by_side import side_by_side


@dataclass(frozen=True, eq=False)
class Closed:
    """A closed surface, sorted into shells.

    Parameters
    ----------
    surface : Surface
    welding : Welding
        With which it is closed.
    shell : ndarray, shape (m,), int64, optional
        A label for each face's shell; where not given, faces that share points are one.
    edges : Edges, optional
        Its edges where they have been looked at, some faces perhaps wound the other way then.
    doubtful : ndarray, shape (n,), bool, optional
        Vertices: a face that passes through another is known to have all of its corners among them.
    """

    surface: Surface
    welding: Welding
    shell: Ints | None = None
    edges: Edges | None = None
    doubtful: Bools | None = None

    @cached_property
    def watertight(self) -> Surface:
        """The surface with each vertex at its point, so that no column falls through a crack."""
        return self.welding.merged(self.surface)

    @cached_property
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

    @cached_property
    def coarsely(self) -> Windings:
        """What coarse columns see of it."""
        return coarse_look(self.watertight)

    @cached_property
    def label(self) -> Ints | None:
        """Of each face's shell; None where it is one shell."""
        if self.shell is None:
            return point_components(self.welding.triangles(self.surface), len(self.welding.point))
        return self.shell if (self.shell != self.shell[:1]).any() else None

    @cached_property
    def shells(self) -> Shells | None:
        """The shells where there are two or more, faces without area apart."""
        if self.label is None:
            return None
        used = ~degenerate(self.welding.triangles(self.surface))
        label = self.label[used]
        if not (label != label[:1]).any():
            return None
        return shells_of(self.watertight, self.label, used)  # so that a flat one is just that

    @cached_property
    def _crossing(self) -> tuple[Ints, Ints]:
        if self.doubtful is None:
            return crossing_pairs(self.watertight)
        a, b, c = (self.doubtful.take(corner) for corner in self.surface.triangles.T)
        return crossing_pairs(self.watertight, among=np.flatnonzero(a & b & c))

    @cached_property
    def _crossing_alone(self) -> tuple[Ints, Ints]:
        if self.label is None:
            return self._crossing
        row, _ = side_by_side(self.watertight, self.label, weld_size(self.watertight))
        return crossing_pairs(row, depth=weld_size(self.watertight))

    def crossing(self, alone: bool) -> tuple[Ints, Ints]:
        """Return the pairs of faces that pass through each other, of all shells, or of each `alone`."""
        return self._crossing_alone if alone else self._crossing

    def find_crossing(self) -> None:
        """Find those that will probably be asked for."""
        self.crossing(alone=self.coarsely.overlap > 0.0)

    def edges_by(self, welding: Welding) -> Edges | None:
        """Return the edges, whichever way faces are wound, if they have been looked at with the points of a welding."""
        return self.edges if np.array_equal(self.welding.point, welding.point) else None

    def turned(self, which: Bools) -> Closed:
        """Return the surface with some faces (m,) wound the other way."""
        triangles = self.surface.triangles.copy()
        triangles[which] = triangles[which, ::-1]
        return replace(self, surface=Surface(self.surface.vertices, triangles), shell=self.label)

    def without(self, which: Bools) -> Closed:
        """Return the surface without some shells, given by their faces (m,)."""
        surface = Surface(self.surface.vertices, self.surface.triangles[~which])
        return replace(self, surface=surface, shell=None if self.label is None else self.label[~which], edges=None)
