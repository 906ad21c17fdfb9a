# SPDX-License-Identifier: GPL-3.0-or-later
"""A mesh as it is read so far, and what was noticed on the way: what the steps of the policy take and return."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from ...arrays import Ints
from ...body.compare import difference
from ...body.moments import Moments
from ...cached import lockfree_cached_property
from ...errors import Finding, InertiaError
from ..integrate import surface_moments
from ..surface import Surface
from ..topology.connected import numbered
from ..topology.edges import Edges, degenerate
from ..topology.loops import boundary_loops, fans
from ..topology.merging import by_place, merge, merging_size
from ..topology.nesting import Nesting
from ..voxels.differences import error_per_volume

UNION_ERROR = 1e-4
"""What a union is right to at the worst, so what is wrong elsewhere may put the number off by as much in silence."""

EXACT = 1e-12
"""Cracks that move no moment by more than this share of it leave it exact."""


KNOWN = "_signed", "watertight", "watertight_component", "count", "nesting", "share", "negligible"
"""What a reading keeps as long as its surface and its components are the same."""


@dataclass(frozen=True, eq=False)
class Reading:
    """A mesh as it is read.

    Parameters
    ----------
    surface : Surface
        As it is read so far: its triangles index merged vertices, and none has a corner twice.
    edges : Edges
        Its edges.
    origin : ndarray, shape (m,), int64
        For each face the number of that face as it was given; -1 for one that closes a hole.
    component : ndarray, shape (m,), int64
        The number of each face's component, once that is known.
    findings : tuple of Finding
    error : float
        Estimated relative error of the moments.
    corrected : bool
        Whether what it encloses differs from the mesh as it came.
    united : Moments or None
        Where columns found what overlapping components enclose together, and no surface has these moments.
    method : {"exact", "union"}
    """

    surface: Surface
    edges: Edges
    origin: Ints
    component: Ints
    findings: tuple[Finding, ...] = ()
    error: float = 0.0
    corrected: bool = False
    united: Moments | None = None
    method: str = "exact"

    @classmethod
    def of(cls, given: Surface, origin: Ints | None = None) -> Self:
        """Merge vertices, and leave out faces without three points.

        What is closed by merging more than equal vertices is a crack only if that changes next to nothing: faces
        between two rims that fall into one cell may be most of a wire or a foil.
        """
        merging, error = merge(given), 0.0
        if merging.tolerant:
            error = _change(given, merging.merged())
            if error > UNION_ERROR:
                merging, error = by_place(given), 0.0
        points = merging.points
        proper = ~degenerate(points)
        origin = np.arange(len(points)) if origin is None else origin
        if proper.all():
            edges, surface = merging.edges, given.with_faces(points)
        else:
            surface, origin = given.with_faces(points[proper]), origin[proper]
            edges = Edges.around(points[proper], np.arange(len(origin)))
        if not len(origin):
            surface_moments(given)  # raises what is to be said of a mesh without area
        return cls(surface, edges, origin, np.zeros(len(origin), np.int64), error=error if error > EXACT else 0.0)

    @property
    def points(self) -> Ints:
        """The corners of the faces (m, 3)."""
        return self.surface.triangles.astype(np.int64, copy=False)

    @property
    def moments(self) -> Moments:
        """What it encloses: its exact signed integral, unless `united` says better; or ``zero_volume``."""
        return self._signed if self.united is None else self.united

    @lockfree_cached_property
    def _signed(self) -> Moments:
        return surface_moments(self.surface)

    @property
    def volume(self) -> float:
        """What it encloses, below zero where it is inside out [m³]; 0 where that is nothing."""
        try:
            return self._signed.volume
        except InertiaError:  # zero_volume
            return 0.0

    @lockfree_cached_property
    def watertight(self) -> Surface:
        """The surface with slivers in its T-junctions, so that every edge is walked as often forth as back."""
        return self.surface if self.edges.consistent else fans(self.surface, boundary_loops(self.surface))

    @lockfree_cached_property
    def watertight_component(self) -> Ints:
        """The number of the component of each face of `watertight`; a sliver is of one that it closes."""
        triangles = self.watertight.triangles
        slivers = triangles[len(self.component) :]
        owner = np.empty(len(self.watertight.vertices), dtype=np.int64)
        for corner in self.surface.triangles.T:
            owner[corner] = self.component
        return np.append(self.component, owner[slivers[:, 0]])

    @lockfree_cached_property
    def count(self) -> int:
        """The number of components."""
        return int(self.component.max()) + 1

    @lockfree_cached_property
    def nesting(self) -> Nesting:
        """What each component encloses, and which lies inside which."""
        return Nesting.of(self.surface, self.component)

    @lockfree_cached_property
    def negligible(self) -> float:
        """The volume that nobody minds if it is enclosed wrongly [m³]: a layer of a merging cell all over the bounding
        box, and no more than what `UNION_ERROR` allows."""
        x, y, z = self.surface.extent()
        return min(merging_size(self.surface) * float(x * y + y * z + z * x), UNION_ERROR / self.share)

    @lockfree_cached_property
    def share(self) -> float:
        """What relative error of the moments it means if so much of the volume is wrong [1/m³]."""
        return abs(error_per_volume(self.surface, self.moments))

    def but(self, **changes: Any) -> Self:
        """Return the reading with some fields changed; what was found out of the surface is known of it too."""
        other = replace(self, **changes)
        if other.surface is self.surface and other.component is self.component and other.united is self.united:
            other.__dict__.update({name: self.__dict__[name] for name in KNOWN if name in self.__dict__})
        elif other.surface is self.surface and "_signed" in self.__dict__:
            other.__dict__["_signed"] = self.__dict__["_signed"]
        return other

    def told(self, *findings: Finding) -> Self:
        """Return the reading with more findings."""
        return self.but(findings=self.findings + findings) if findings else self

    def of_surface(self, surface: Surface, origin: Ints | None = None, edges: Edges | None = None) -> Self:
        """Return the reading of a corrected surface; its edges and faces are those of this one where not given."""
        if edges is None and origin is not None:
            edges = Edges.around(surface.triangles.astype(np.int64), np.arange(len(surface.triangles)))
        return replace(
            self,
            surface=surface,
            edges=edges or self.edges,
            origin=self.origin if origin is None else origin,
            corrected=True,
        )

    def flipped(self, faces: Ints) -> Self:
        """Return the reading with some faces wound the other way."""
        triangles = self.points.copy()
        triangles[faces] = triangles[faces, ::-1]
        edges = Edges.around(triangles, np.arange(len(triangles)))
        return self.of_surface(self.surface.with_faces(triangles), edges=edges)

    def with_components(self, label: Ints) -> Self:
        """Return the reading with components told by a label for each face."""
        return self.but(component=numbered(label).astype(np.int64))


def _change(given: Surface, merged: Surface) -> float:
    """Return by how much merging changes what is enclosed: of volume, centroid and second moment the most, relative."""
    try:
        before = surface_moments(given)
        return difference(before, surface_moments(merged), before).worst
    except InertiaError:  # zero_volume
        return 1.0
