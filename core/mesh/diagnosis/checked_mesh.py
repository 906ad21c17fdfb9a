# SPDX-License-Identifier: Apache-2.0
"""A mesh with the corrections and findings so far: input and output of the steps of the policy."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from ...arrays import Bools, Ints
from ...body.compare import difference
from ...body.moments import Moments
from ...cached import lockfree_cached_property
from ...errors import Finding, InertiaError
from ...units import share_text
from ..integrate import enclosed_volume, surface_moments
from ..surface import Surface
from ..topology.connected import numbered
from ..topology.edges import Edges, degenerate, repeated
from ..topology.junctions import cut_at_corners
from ..topology.loops import Loops, boundary_loops, fans
from ..topology.merging import by_place, merge, merging_size
from ..topology.nesting import Nesting
from ..topology.orientation import patches
from .star import is_star

UNION_ERROR = 1e-4
"""Worst error of a union: other errors of the moments up to this are not reported."""

CLOSED = 2.0
"""The solid before a crack was torn is at most this many times as far from the merged one as merging changed it."""

EXACT = 1e-12
"""Cracks that change every moment by at most this share leave it exact."""


@dataclass(frozen=True, eq=False)
class CheckedMesh:
    """A mesh with the corrections so far.

    Parameters
    ----------
    surface : Surface
        Its triangles index merged vertices, and none has a corner twice.
    edges : Edges
        Its edges.
    place : ndarray, shape (n,), int64
        For each vertex the lowest equal one, merged or not.
    origin : ndarray, shape (m,), int64
        For each face its number in the given mesh; -1 for one that closes a hole.
    component : ndarray, shape (m,), int64
        The number of each face's component; the same for all until that is known.
    nesting : Nesting
        Volume of each component, and which is inside which.
    error, error_inertia : float
        Estimated relative error of the moments, and of the tensor if that is larger.
    corrected : bool
        True if it does not enclose the same space as the given mesh.
    united : Moments or None
        The moments of overlapping components together, if columns found them and no surface has them.
    method : {"exact", "union"}
    """

    surface: Surface
    edges: Edges
    place: Ints
    origin: Ints
    component: Ints
    nesting: Nesting
    findings: tuple[Finding, ...] = ()
    error: float = 0.0
    error_inertia: float = 0.0
    corrected: bool = False
    united: Moments | None = None
    method: str = "exact"

    @classmethod
    def of(cls, given: Surface, origin: Ints | None = None) -> Self:
        """Return a surface with merged vertices, without faces that have fewer than three points.

        If merging more than equal vertices closes the mesh, that is a crack only if it changes almost nothing: faces
        between two rims in one cell may be most of a wire or a foil.
        """
        equal = by_place(given)
        # A merging that changes much is undone; of one that changes little, the change bounds the error.
        merging, error = merge(given, equal), 0.0
        findings: tuple[Finding, ...] = ()
        if merging.tolerant:
            change = _change(given, merging.merged())
            merging, error = (equal, 0.0) if change > UNION_ERROR else (merging, CLOSED * change)
            if merging.cells > 1.0:
                count = int(np.count_nonzero(merging.point != equal.point))
                findings = (Finding.of("warning", "split_vertices", count=count, error=share_text(error)),)
        surface, edges = merging.merged(), merging.edges
        origin = np.arange(len(given.triangles)) if origin is None else origin
        flat = degenerate(merging.points)
        if flat.any():
            surface, origin = surface.with_faces(surface.triangles[~flat]), origin[~flat]
            edges = Edges.around(merging.points[~flat])
        if not len(origin):
            surface_moments(given)  # raises the error for a mesh without area
        component = np.zeros(len(origin), np.int64)
        error = error if error > EXACT else 0.0
        return cls(surface, edges, equal.point, origin, component, _nesting(surface, component), findings, error)

    @classmethod
    def of_star(cls, given: Surface) -> Self | None:
        """Return a surface that is proved to be star-shaped, so that no step has anything to do; None for another.

        Without merging, or with equal vertices merged if no two faces share any.
        """
        equal = by_place(given) if given.unwelded else None
        surface = given if equal is None else equal.merged()
        if not is_star(surface):
            return None
        count = len(surface.triangles)
        component, point = np.zeros(count, np.int64), np.arange(len(surface.vertices)) if equal is None else equal.point
        edges = Edges.around(surface.triangles.astype(np.int64, copy=False))
        return cls(surface, edges, point, np.arange(count), component, _nesting(surface, component))

    @property
    def points(self) -> Ints:
        """Corners of the faces (m, 3)."""
        return self.surface.triangles.astype(np.int64, copy=False)

    @property
    def places(self) -> Ints:
        """Corners of the faces (m, 3), the same for all equal vertices."""
        return self.place.take(self.points)

    def repeats(self) -> tuple[Ints, Ints]:
        """Return the repeated faces: those to drop, and those present in both windings; see `repeated`."""
        # A repeated face has edges of four faces, or is a component with the face that repeats it.
        if self.plain and (self.count == 1 or np.bincount(self.component).min() > 2):
            return self.origin[:0], self.origin[:0]
        return repeated(self.places, np.flatnonzero(~degenerate(self.places)))

    @lockfree_cached_property
    def plain(self) -> bool:
        """True if each edge has two faces, and no two vertices are equal, as in most meshes."""
        return self.edges.plain and np.array_equal(self.place, np.arange(len(self.place)))

    @property
    def moments(self) -> Moments:
        """Its moments: the exact signed integral, unless `united`; raises ``zero_volume``."""
        return surface_moments(self.surface) if self.united is None else self.united

    @property
    def volume(self) -> float:
        """Its volume, below zero if it is inside out [m³]; 0 if it is below rounding."""
        return enclosed_volume(self.surface)

    @lockfree_cached_property
    def pieces(self) -> Edges:
        """The edges; of an open mesh, cut at T-junctions."""
        return self.edges if self.edges.closed else cut_at_corners(self.surface, self.edges)

    @lockfree_cached_property
    def capped(self) -> tuple[Self, Loops]:
        """An open mesh with its boundary closed by fans, and that boundary; raises ``not_orientable``."""
        _, turned = patches(self.edges, len(self.origin))
        consistent = self.flipped(turned) if turned.any() else self
        loops = boundary_loops(consistent.surface)
        surface = fans(consistent.surface, loops)
        triangles = surface.triangles.copy()
        triangles[: len(turned)][turned] = triangles[: len(turned)][turned, ::-1]  # step 3 reverses and reports them
        caps = np.full(len(triangles) - len(turned), -1)
        return self.of_surface(surface.with_faces(triangles), np.append(self.origin, caps)), loops

    @lockfree_cached_property
    def watertight(self) -> Surface:
        """The surface with slivers in its T-junctions, so that every edge is traversed equally in both directions."""
        return self.surface if self.edges.consistent else fans(self.surface, boundary_loops(self.surface))

    @lockfree_cached_property
    def watertight_component(self) -> Ints:
        """The component of each face of `watertight`; a sliver belongs to one that it closes."""
        if self.watertight is self.surface:
            return self.component
        slivers = self.watertight.triangles[len(self.component) :]
        owner = np.empty(len(self.watertight.vertices), dtype=np.int64)
        owner[self.points] = self.component[:, None]
        return np.append(self.component, owner[slivers[:, 0]])

    @property
    def count(self) -> int:
        """Number of components."""
        return len(self.nesting.volume)

    @property
    def negligible(self) -> float:
        """The volume that may be wrong without a finding [m³]: a layer of a merging cell on the bounding box, and no
        more than what `UNION_ERROR` allows."""
        x, y, z = self.surface.extent()
        return min(merging_size(self.surface) * float(x * y + y * z + z * x), UNION_ERROR / self.share)

    @property
    def share(self) -> float:
        """Relative error of its moments per wrong volume [1/m³]: see `share_of`."""
        return share_of(self.surface, self.moments)

    def with_findings(self, *findings: Finding) -> Self:
        """Return the checked mesh with more findings."""
        return replace(self, findings=self.findings + findings) if findings else self

    def some(self, faces: Bools) -> Self:
        """Return the checked mesh with some of its faces (m,), with unknown components."""
        return self.of_surface(self.surface.with_faces(self.points[faces]), self.origin[faces])

    def of_surface(self, surface: Surface, origin: Ints) -> Self:
        """Return the checked mesh of a corrected surface, with unknown components."""
        component = np.zeros(len(origin), np.int64)
        return replace(
            self,
            surface=surface,
            edges=Edges.around(surface.triangles.astype(np.int64)),
            place=by_place(surface).point,
            origin=origin,
            component=component,
            nesting=_nesting(surface, component),
            corrected=True,
        )

    def flipped(self, faces: Bools, nesting: Nesting | None = None) -> Self:
        """Return the checked mesh with some faces (m,) reversed; `nesting` is the new one, if known."""
        points = np.where(faces[:, None], self.points[:, ::-1], self.points)
        surface = self.surface.with_faces(points)
        return replace(
            self,
            surface=surface,
            edges=Edges.around(points),
            nesting=_nesting(surface, self.component) if nesting is None else nesting,
            corrected=True,
        )

    def with_components(self, label: Ints) -> Self:
        """Return the checked mesh with components given by a label for each face."""
        component = numbered(label)
        return replace(self, component=component, nesting=_nesting(self.surface, component))


def share_of(surface: Surface, moments: Moments) -> float:
    """Return the relative error per wrong volume [1/m³]: that of the second moment, at the farthest corner."""
    low, high = surface.bounds()
    farthest = np.maximum(high - moments.centroid, moments.centroid - low)
    spread = float(np.trace(moments.covariance)) / moments.volume
    weight = max(float(farthest @ farthest) / spread, 1.0) if spread > 0.0 else 1.0
    return abs(weight / moments.volume)


def _nesting(surface: Surface, component: Ints) -> Nesting:
    """Return the components; for a single one the integral is enough."""
    if component.any():
        return Nesting.of(surface, component)
    low, high = surface.bounds()
    none = np.zeros(0, np.int64)
    return Nesting(np.array([enclosed_volume(surface)]), low[:, None], high[:, None], none, none)


def _change(given: Surface, merged: Surface) -> float:
    """Return the relative change of the moments by merging: the largest of volume, centroid and second moment."""
    try:
        before = surface_moments(given)
        return difference(before, surface_moments(merged), before).worst
    except InertiaError:  # zero_volume
        return 1.0
