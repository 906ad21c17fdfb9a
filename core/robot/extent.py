# SPDX-License-Identifier: Apache-2.0
"""The geometry of a body for comparison: its box along the link's axes, and its uniform body."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import product

import numpy as np

from ..arrays import FloatArray, readonly
from ..body.inertial import Inertial
from ..body.pose import Pose
from ..body.shapes import Shape
from .model import Mesh, Part, Visual

ABSURD = 1e100
"""A size [m] whose powers overflow: it is wrong, so there is nothing to compare."""


@dataclass(frozen=True, eq=False)
class Extent:
    """A box from the corner `low` to the corner `high`, each of shape (3,) [m]."""

    low: FloatArray
    high: FloatArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "low", readonly(self.low, (3,)))
        object.__setattr__(self, "high", readonly(self.high, (3,)))

    def __or__(self, other: Extent | None) -> Extent:
        """Return the box around both."""
        if other is None:
            return self
        return Extent(np.minimum(self.low, other.low), np.maximum(self.high, other.high))

    @property
    def sides(self) -> FloatArray:
        return self.high - self.low

    @property
    def longest(self) -> float:
        return float(self.sides.max())

    @property
    def volume(self) -> float:
        return float(np.prod(self.sides))

    @property
    def centre(self) -> FloatArray:
        return self.low + self.sides / 2.0

    def distance(self, point: FloatArray) -> float:
        """Return the distance [m] of a point from the box; 0 inside."""
        return float(np.linalg.norm(np.maximum(np.maximum(self.low - point, point - self.high), 0.0)))

    def reach(self, com: FloatArray) -> FloatArray:
        """Return the distance [m] from a centre of mass to the farther side of the box, for each axis."""
        farthest: FloatArray = np.maximum(self.high - com, com - self.low)
        return farthest

    def largest_spread(self, com: FloatArray) -> FloatArray:
        """Return for each axis the largest ∫(x-c)² dm / m [m²] of any body within, by its centre of mass.

        Whatever its density, it is at most (high - c)(c - low) (Bhatia & Davis 2000, A better bound on the variance,
        Amer. Math. Monthly 107(4)). If c is outside, which is a finding of its own, only the reach bounds it.
        """
        spread = (self.high - com) * (com - self.low)
        return np.where(spread > 0.0, spread, self.reach(com) ** 2)

    def filled(self, mass: float) -> Inertial:
        """Return the uniform solid of a mass [kg] that fills the box."""
        squares = self.sides**2
        return Inertial(mass, self.centre, mass / 12.0 * np.diag(squares.sum() - squares))


@dataclass(frozen=True, eq=False)
class SeenBody:
    """The geometry of a body, in the link's frame.

    Parameters
    ----------
    extent : Extent
        The box around its collisions and visuals.
    volume : float or None
        Of its collisions [m³]; None if one of them cannot be computed.
    uniform : Inertial or None
        Its collisions as one uniform body, of any mass.
    scaled : callable or None
        Returns the same with a scale for all meshes that have none, or None if their sizes underflow or overflow.
        None if there are no such meshes.
    along : callable or None
        Returns the box around its geometry along other axes, the rows of a rotation (3, 3); None if unknown.
    readings : pair of Extent or None
        Some readers rotate a mesh with y up: the boxes around the geometry as `report` reads it, and as those do.
    """

    extent: Extent
    volume: float | None = None
    uniform: Inertial | None = None
    scaled: Callable[[float], SeenBody | None] | None = None
    along: Callable[[FloatArray], Extent | None] | None = None
    readings: tuple[Extent, Extent] | None = None

    @property
    def solid_volume(self) -> float:
        """The volume [m³] of its collisions, or that of its box."""
        return self.volume or self.extent.volume

    @property
    def typical(self) -> Inertial:
        """The uniform body in the geometry, of any mass."""
        return self.uniform or self.extent.filled(1.0)

    def in_unit(self, factor: float) -> SeenBody:
        """Return the body as it is if the numbers of its geometry are in a unit of `factor` [m]."""
        if self.scaled is not None:
            return self.scaled(factor) or self
        extent = Extent(self.extent.low * factor, self.extent.high * factor)
        volume = None if self.volume is None else self.volume * factor**3
        uniform = self.uniform
        if uniform is not None:
            uniform = Inertial(uniform.mass, uniform.com * factor, uniform.inertia * factor**2)
        return SeenBody(extent, volume, uniform)


def extent_of(parts: Iterable[Part | Visual], axes: FloatArray | None = None) -> Extent | None:
    """Return a box around parts in their link's frame, never too small; None if no part has a size.

    With `axes`, the rows of a rotation (3, 3), it is the smallest box along these.
    """
    whole: Extent | None = None
    for part in parts:
        with np.errstate(all="ignore"):
            half = _half_sizes(part, axes)
        if half is None:
            continue
        centre, sizes = half
        if np.all(sizes > 0.0) and np.all(sizes < ABSURD) and np.all(np.isfinite(centre)):
            whole = Extent(centre - sizes, centre + sizes) | whole
    return whole


def mesh_box(mesh: Mesh) -> tuple[FloatArray, FloatArray]:
    """Return the lowest and highest corner (3,) of a mesh's vertices, including unused ones.

    In the coordinates of its file; column by column, which is several times faster in numpy.
    """
    columns = [mesh.surface.vertices[:, axis] for axis in range(3)]
    return np.array([float(column.min()) for column in columns]), np.array([float(column.max()) for column in columns])


def _half_sizes(part: Part | Visual, axes: FloatArray | None) -> tuple[FloatArray, FloatArray] | None:
    """Return the centre and half the sides of a part's box along the link's axes or others; None without a size.

    Along others a mesh's box is that of its vertices, along the link's that of its own box.
    """
    geometry = part.geometry
    pose = part.pose if axes is None else Pose(axes, np.zeros(3)) @ part.pose
    if isinstance(geometry, Shape):
        return pose.p, geometry.half_sizes(pose.R)
    if not isinstance(geometry, Mesh):
        return None
    # The map takes the corners of the mesh's box, or all vertices, from its file to the link; `pose` rotates them to
    # the axes.
    corners = np.array(list(product(*zip(*mesh_box(geometry), strict=True))))
    points = (corners if axes is None else geometry.surface.vertices) @ (pose.R @ geometry.stretch).T + pose.p
    low, high = points.min(axis=0), points.max(axis=0)
    return (low + high) / 2.0, (high - low) / 2.0
