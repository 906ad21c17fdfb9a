# SPDX-License-Identifier: GPL-3.0-or-later
"""Many bodies as arrays, in the world: plain numpy, no GPU."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...core.arrays import FloatArray
from .body_view import BOX, LEAD, THINNEST, BodyView, principal_of


@dataclass(frozen=True, eq=False)
class Bodies:
    """Centres (n, 3), principal axes as rows (n, 3, 3) and the ellipsoids' semi-axes (n, 3), in Blender units.

    A body without a number is at the origin of its link, with semi-axes and mass of 0.
    """

    center: FloatArray
    axes: FloatArray
    semi_axes: FloatArray
    mass: FloatArray

    @classmethod
    def of(cls, views: Sequence[BodyView], metres_per_unit: float) -> Bodies:
        """Return the bodies of views in the world's axes."""
        count = len(views)
        center, semi_axes = np.zeros((2, count, 3))
        axes, turn = np.zeros((2, count, 3, 3))
        mass = np.zeros(count)
        for i, view in enumerate(views):
            turn[i] = view.frame.R
            center[i] = view.frame.p
            if view.inertial is None:
                axes[i] = np.eye(3)
                continue
            axes[i], semi_axes[i] = principal_of(view.inertial)
            center[i] += view.frame.R @ view.inertial.com
            mass[i] = view.inertial.mass
        return cls(
            center / metres_per_unit, axes @ turn.transpose(0, 2, 1), semi_axes / metres_per_unit, np.nan_to_num(mass)
        )

    def take(self, index: npt.NDArray[np.intp] | npt.NDArray[np.bool_]) -> Bodies:
        """Return some of the bodies, in that order."""
        return Bodies(self.center[index], self.axes[index], self.semi_axes[index], self.mass[index])

    def solid(self) -> npt.NDArray[np.bool_]:
        """Return which bodies have a solid: not a point, nor one without mass."""
        longest = self.semi_axes.max(axis=1, initial=0.0)
        solid: npt.NDArray[np.bool_] = np.isfinite(longest) & (longest > 0.0) & np.all(np.isfinite(self.center), axis=1)
        return solid

    def matrices(self, box: bool = False, thick: bool = True) -> FloatArray:
        """Return the maps (n, 4, 4) from the unit sphere to each ellipsoid, or from the cube from -1 to 1 to each box.

        `thick`: no axis is too thin to see.
        """
        half = self.semi_axes * BOX if box else self.semi_axes
        if thick:
            half = np.maximum(half, THINNEST * half.max(axis=1, keepdims=True, initial=0.0))
        return self._scaled(half)

    def balls(self, radii: FloatArray) -> FloatArray:
        """Return the maps (n, 4, 4) from the unit sphere to balls of `radii` (n,) at the centres of mass."""
        return self._scaled(radii[:, None])

    def _scaled(self, half: FloatArray) -> FloatArray:
        matrices = np.zeros((len(half), 4, 4))
        matrices[:, :3, :3] = self.axes.transpose(0, 2, 1) * half[:, None]
        matrices[:, :3, 3] = self.center
        matrices[:, 3, 3] = 1.0
        return matrices

    def lead_radii(self, metres_per_unit: float) -> FloatArray:
        """Return the radii (n,) of balls of lead with the bodies' masses, in Blender units."""
        radii: FloatArray = np.cbrt(3.0 * np.maximum(self.mass, 0.0) / (4.0 * np.pi * LEAD)) / metres_per_unit
        return radii
