# SPDX-License-Identifier: Apache-2.0
"""Checks if a drawn body is possible inside its link's geometry.

`judge.geometry.placement` judges the inertial of a file by the same bound, with a margin for rough geometry; here the
geometry is what the user relies on.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Bools, FloatArray
from ..body.shapes import Shape
from ..errors import InertiaError
from ..formats.file_link import FileLink
from ..mesh.hull import convex_hull
from ..robot.model import Mesh, Part, Visual
from .draws import Draws

ROUNDING = 1e-9
"""Share of a bound by which rounding may exceed it."""

PAIRS = 1 << 22
"""Pairs of a direction and a point in one step: 32 MB."""


@dataclass(frozen=True, eq=False)
class Inside:
    """The convex hull of a link's geometry, by its points (k, 3) [m] in the link's axes."""

    points: FloatArray

    @classmethod
    def of(cls, link: FileLink) -> Inside | None:
        """Return the hull of all collisions and visuals; None if one cannot be read, or all lie in a plane."""
        parts = [*link.link.collisions, *link.visuals_with_extent]
        if not parts or not all(isinstance(part.geometry, Shape | Mesh) for part in parts):
            return None
        points = np.vstack([_points(part) for part in parts])
        spread = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
        return cls(points) if spread[2] > ROUNDING * spread[0] else None

    def accepts(self, draws: Draws) -> Bools:
        """Return which draws (n,) some body inside can have, as far as this bound shows.

        Mass between lo and hi along a direction, with its centre at c, has a variance of at most (hi - c)(c - lo)
        (Bhatia & Davis 2000, A better bound on the variance, Amer. Math. Monthly 107(4)). The directions are the link's
        axes and the principal ones: necessary, not sufficient.
        """
        at_once = max(PAIRS // (3 * len(self.points)), 1)
        blocks = range(0, len(draws.mass), at_once)
        inside = [self._accepts(draws.com[n : n + at_once], draws.second[n : n + at_once]) for n in blocks]
        return np.concatenate(inside)

    def _accepts(self, com: FloatArray, second: FloatArray) -> Bools:
        principal = np.linalg.eigh(second)[1].transpose(0, 2, 1)
        directions = np.concatenate([np.broadcast_to(np.eye(3), principal.shape), principal], axis=1)
        heights = directions @ self.points.T
        low, high = heights.min(axis=2), heights.max(axis=2)
        centre = np.einsum("kdi,ki->kd", directions, com)
        variance = np.einsum("kdi,kij,kdj->kd", directions, second, directions)
        margin = ROUNDING * (high - low)
        bound = (high + margin - centre) * (centre - low + margin)
        accepted: Bools = ((variance <= bound) & (low <= centre + margin) & (centre <= high + margin)).all(axis=1)
        return accepted


def _points(part: Part | Visual) -> FloatArray:
    """Return the corners of a part's hull in its link's frame (k, 3) [m]."""
    geometry = part.geometry
    if isinstance(geometry, Shape):
        vertices = geometry.facets()[0]
    else:
        assert isinstance(geometry, Mesh)
        try:
            vertices = convex_hull(geometry.surface).vertices
        except InertiaError:  # flat, or without the library of hulls: all its vertices, which only takes longer
            vertices = geometry.surface.vertices
        vertices = vertices @ geometry.stretch.T
    placed: FloatArray = vertices @ part.pose.R.T + part.pose.p
    return placed
