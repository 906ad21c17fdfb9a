# SPDX-License-Identifier: GPL-3.0-or-later
"""A surface that touches itself nowhere by chance: scaled to the size of 1, and its components shifted by a hair.

Faces of two components that lie in one plane, and corners that lie on another component's face, are common in models;
shifted, either passes the other or does not (Edelsbrunner & Muecke 1990, Simulation of simplicity, does so with an
infinitesimal). Where a component may pass through itself, each corner is shifted. The volume of a union changes no more
than in proportion.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...arrays import FloatArray, Ints, Numbers
from ...cached import lockfree_cached_property
from ..geometry.probe import Corners, face_corners
from ..surface import Surface
from ..topology.hashes import GOLDEN, mix
from ..voxels.window import in_line_with
from .volumes import on_grid

SHIFT = 2.0**-36
"""Things are shifted along each axis by no more than that share of the longest side: far above the rounding of
coordinates of the size of 1, and far below what anybody would notice."""

ROOM = 2.0**-20
"""A line meets no face that is farther beside it than this share of the longest side."""


class Undecided(Exception):
    """Lines do not tell what is buried."""


class TooMuch(Exception):
    """It would take longer than columns do."""


@dataclass(frozen=True, eq=False)
class Placed:
    """A surface as its union is asked for.

    Parameters
    ----------
    surface : Surface
    apart : ndarray, shape (m,) or (m, 3), int, optional
        A number for each face, or for each corner of each: what has different ones is shifted differently.
    """

    surface: Surface
    apart: Numbers | None

    @lockfree_cached_property
    def size(self) -> float:
        """The longest side of the bounding box [m]."""
        return float(self.surface.extent().max())

    @lockfree_cached_property
    def centre(self) -> FloatArray:
        """Of the bounding box [m]."""
        low, high = self.surface.bounds()
        middle: FloatArray = low + (high - low) / 2.0
        return middle

    @lockfree_cached_property
    def _count(self) -> int:
        return 0 if self.apart is None else int(self.apart.max()) + 1

    def corners(self, faces: Ints) -> Corners:
        """Return the corners (3, 3, k) of some faces."""
        corners = face_corners(self.surface, faces)
        corners -= self.centre[:, None, None]
        corners /= self.size
        if self.apart is not None:
            number = self.apart.take(faces, axis=0)
            per_face = number.ndim == 1
            corners += _shifts(np.arange(self._count)).take(number, axis=1)[:, None] if per_face else _shifts(number.T)
        return on_grid(corners)

    def back(self, places: FloatArray) -> FloatArray:
        """Return where places (3, k) are in the mesh's frame, as rows (k, 3) [m]."""
        return places.T * self.size + self.centre

    def met_by_line(self, axis: int, place: FloatArray) -> Ints:
        """Return the faces that a line along an axis through a place (3,) may meet."""
        point = place * self.size + self.centre
        return in_line_with(self.surface, axis, point, point, ROOM * self.size)


def _shifts(number: Numbers) -> FloatArray:
    """Return for each number a shift, by a new first axis: random, but the same every time."""
    axis = np.arange(1, 4, dtype=np.uint64).reshape(3, *[1] * number.ndim)
    key = number.astype(np.uint64) * np.uint64(3) + axis
    shifts: FloatArray = SHIFT * (mix(key * GOLDEN).astype(np.float64) * 2.0**-63 - 1.0)
    return shifts
