# SPDX-License-Identifier: Apache-2.0
"""Fits a primitive to a mesh: its position, rotation and size, and how well it matches the solid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..arrays import IDENTITY, FloatArray
from ..body.compare import difference
from ..body.moments import Moments
from ..body.pose import Pose
from ..body.shapes import SHAPES, Shape
from ..body.shapes.cloud import Cloud
from ..errors import InertiaError
from ..mesh.integrate import surface_moments
from ..mesh.surface import Surface
from .frames import Sample, along, axes_of, candidate_frames, sampled, seen_from, turns, uprighted

Placed = tuple[Shape, FloatArray]
"""A shape and its centre (3,), both in one frame."""


Rule = Literal["volume", "enclosing"]

ALIKE = 0.005
"""Errors that differ by less than this share of the volume are equal: rounding, tessellation, the sample."""

PERFECT = 1e-7
"""A smaller error needs no refinement: it is float32's rounding."""

STARTS = 2
"""The number of best frames that are refined by small rotations."""

WORTH = 3.0
"""Kinds whose error is above this many times the least, before refinement, are dropped."""

FIRST_TURN, LAST_TURN = 0.2, 1e-3
"""Frames are rotated by this [rad] at first, and by half as much each time until the last: a twentieth of a degree."""


@dataclass(frozen=True, eq=False)
class Fit:
    """A primitive fitted to a solid.

    Parameters
    ----------
    shape : Shape
    pose : Pose
        Of the shape in the mesh's frame.
    error : float
        Volume between the two surfaces, as a share of the solid's: the distance of the mesh from the primitive summed
        over the mesh, and no less than the difference of their volumes.
    volume_ratio : float
        Volume of the primitive over that of the solid.
    centroid_offset : float
        Distance [m] between the centroids.
    inertia_difference : float
        Largest difference between the tensors' components, both about their own centroids and of equal density, as a
        share of the solid's trace.
    """

    shape: Shape
    pose: Pose
    error: float
    volume_ratio: float
    centroid_offset: float
    inertia_difference: float

    def moments(self) -> Moments:
        """Return the primitive's moments in the mesh's frame."""
        return self.shape.moments().transformed(self.pose.R, self.pose.p)


def fit_primitive(surface: Surface, kind: str, rule: Rule = "volume", moments: Moments | None = None) -> Fit:
    """Fit one kind of primitive to a surface.

    Parameters
    ----------
    surface : Surface
        Need not be closed, if `moments` are given.
    kind : str
        One of `SHAPES`.
    rule : {"volume", "enclosing"}
        ``volume``: the volume and the centroid of the solid, in the proportions of its second moments. ``enclosing``:
        around all vertices.
    moments : Moments, optional
        Of the solid to fit, such as the surface's hull; by default those of the surface.

    Raises
    ------
    InertiaError
        ``zero_volume``; ``no_fit`` if no primitive of that kind fits, such as a capsule to a flat mesh.
    """
    fitting = _Fitting(surface, rule, moments)
    return fitting.finished(kind, fitting.starts(kind))


def fit_best(surface: Surface, rule: Rule = "volume", moments: Moments | None = None) -> Fit:
    """Fit the primitive of least error; see `fit_primitive`. Of those that fit equally well, choose the simplest."""
    fitting = _Fitting(surface, rule, moments)
    starts = {kind: fitting.starts(kind) for kind in SHAPES}
    promising = WORTH * min(frames[0][0] for frames in starts.values()) + ALIKE
    fits = [fitting.finished(kind, starts[kind]) for kind in SHAPES if starts[kind][0][0] <= promising < float("inf")]
    if not fits:
        raise _no_fit("primitive")
    least = min(fit.error for fit in fits)
    return next(fit for fit in fits if fit.error <= least + ALIKE)


def own_axes_fit(surface: Surface, kind: str, moments: Moments | None = None) -> Fit:
    """Fit the primitive that has the axes and the extents of the mesh itself; see `fit_primitive`.

    Raises
    ------
    InertiaError
        ``zero_volume``; ``no_fit`` also if no such primitive has these extents.
    """
    fitting = _Fitting(surface, "enclosing", moments)
    low, high = fitting.sample.points.min(axis=0), fitting.sample.points.max(axis=0)
    try:
        shape = SHAPES[kind].from_extents(*(high - low).tolist())
    except InertiaError:
        raise _no_fit(kind) from None
    if shape.kind != kind:  # a capsule of zero length is a sphere
        raise _no_fit(kind)
    return fitting.fit_of(shape, Pose(np.eye(3), low + (high - low) / 2.0))


class _Fitting:
    """A surface, sampled once for all kinds."""

    def __init__(self, surface: Surface, rule: Rule, moments: Moments | None) -> None:
        solid = surface_moments(surface) if moments is None else moments
        self.moments = -solid if solid.volume < 0.0 else solid
        self.rule = rule
        self.sample: Sample = sampled(surface)
        self.frames = candidate_frames(self.sample, self.moments)

    def starts(self, kind: str) -> list[tuple[float, FloatArray]]:
        """Return the best of the candidate frames, each with its error."""
        axes = SHAPES[kind].turning_axes
        frames = [IDENTITY] if axes == 0 else axes_of(self.frames) if axes == 2 else self.frames
        if not SHAPES[kind].two_ended:
            frames = [*frames, *(along(-frame[:, 2]) for frame in frames)]
        errors = [self._error(kind, frame) for frame in frames]
        return [(errors[best], frames[best]) for best in np.argsort(errors, kind="stable")[:STARTS]]

    def finished(self, kind: str, starts: list[tuple[float, FloatArray]]) -> Fit:
        """Return the fit after small rotations of the frames."""
        frame = min((self._refined(kind, frame, error) for error, frame in starts), key=lambda refined: refined[1])[0]
        placed = self._placed(kind, frame, self.sample.points)
        if placed is None:
            raise _no_fit(kind)
        shape, centre = placed
        shape, upright = _upright(shape, frame)
        return self.fit_of(shape, Pose(upright, frame @ centre))

    def fit_of(self, shape: Shape, pose: Pose) -> Fit:
        """Return a fit with the measures of its quality."""
        placed = shape.moments().transformed(pose.R, pose.p)
        solid, fitted = self.moments.inertial(1.0), placed.inertial(1.0)
        offset = float(np.linalg.norm(placed.centroid - self.moments.centroid))
        differs = difference(fitted, solid, solid).inertia
        between = self._between(shape, seen_from(pose.R, self.sample.spread - pose.p))
        error = max(between, self._missing(shape))
        return Fit(shape, pose, error, placed.volume / self.moments.volume, offset, differs)

    def _placed(self, kind: str, frame: FloatArray, points: FloatArray) -> Placed | None:
        second = np.diag(frame.T @ self.moments.covariance @ frame)
        if self.rule == "enclosing":
            cloud = Cloud(seen_from(frame, points), np.sqrt(second))
            return SHAPES[kind].enclosing(cloud) if (cloud.sides > 0.0).all() else None
        x, y, z = (np.maximum(second, 0.0) / self.moments.volume).tolist()
        shape = SHAPES[kind].proportioned(x, y, z) if min(x, y, z) > 0.0 else None
        if shape is None:
            return None
        unscaled = shape.moments()
        factor = float((self.moments.volume / unscaled.volume) ** (1.0 / 3.0))
        return shape.scaled(factor), self.moments.centroid @ frame - factor * unscaled.centroid

    def _error(self, kind: str, frame: FloatArray, least: float = float("inf")) -> float:
        """Return the error of a kind in a frame; if it is not below `least`, any number from `least` on."""
        placed = self._placed(kind, frame, self.sample.reach)
        if placed is None:
            return float("inf")
        shape, centre = placed
        missing = self._missing(shape)
        if missing >= least:
            return missing
        return max(missing, self._between(shape, seen_from(frame, self.sample.spread) - centre))

    def _missing(self, shape: Shape) -> float:
        return abs(shape.moments().volume - self.moments.volume) / self.moments.volume

    def _between(self, shape: Shape, points: FloatArray) -> float:
        return float(np.abs(shape.distance(points)).sum()) / len(points) * self.sample.area / self.moments.volume

    def _refined(self, kind: str, frame: FloatArray, error: float) -> tuple[FloatArray, float]:
        """Rotate a frame as long as that reduces the error (a pattern search: Hooke & Jeeves 1961)."""
        step = FIRST_TURN
        axes = SHAPES[kind].turning_axes
        while step > LAST_TURN and PERFECT < error < float("inf") and axes:
            best, least = frame, error
            for rotation in turns(step, axes):
                turned = frame @ rotation
                turned_error = self._error(kind, turned, least)
                if turned_error < least:
                    best, least = turned, turned_error
            if least < error:
                frame, error = best, least
            else:
                step /= 2.0
        return frame, error


def _upright(shape: Shape, frame: FloatArray) -> tuple[Shape, FloatArray]:
    """Return the same solid with axes as near the mesh's own as its symmetry allows."""
    if shape.turning_axes == 0:
        return shape, IDENTITY
    if shape.turning_axes == 3:
        upright, became = uprighted(frame)
        return shape.renamed(became), upright
    axis = frame[:, 2]
    return shape, along(-axis if shape.two_ended and axis[2] < 0.0 else axis)


def _no_fit(kind: str) -> InertiaError:
    return InertiaError.of("no_fit", kind=kind)
