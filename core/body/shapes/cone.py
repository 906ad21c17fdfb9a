# SPDX-License-Identifier: GPL-3.0-or-later
"""The cone."""

from __future__ import annotations

from math import pi, sqrt

import numpy as np

from ...arrays import FloatArray, blocks
from ..moments import Moments
from .cloud import Cloud, length
from .round import Round
from .shape import Upright

SLOPES = 33
"""Slopes of a cone that are tried at a time; then as many between the neighbours of the best, three times."""

BLOCK = 4096
"""Points per block: their heights for all slopes take a megabyte."""

_UNIT = Upright(pi / 3, -1 / 4, pi / 3 * (3 / 20), pi / 3 * (3 / 20), pi / 3 * (3 / 80))


class Cone(Round):
    """A cone along z: base at -length/2, apex at +length/2; `radius` and `length` [m]."""

    kind = "cone"
    two_ended = False
    smooth = False

    def moments(self) -> Moments:
        radius, height = self._lengths()
        return _UNIT.scaled(radius, radius, height).moments()

    def distance(self, points: FloatArray) -> FloatArray:
        x, y, z = points.T
        outward, upward = length(x, y) - self.radius, z + self.length / 2.0
        base = length(np.maximum(outward, 0.0), upward)
        # Parameter along the side, from the rim (0) to the apex (1).
        share = (upward * self.length - outward * self.radius) / (self.radius**2 + self.length**2)
        share = np.minimum(np.maximum(share, 0.0), 1.0)
        side = length(outward + self.radius * share, upward - self.length * share)
        inside = (upward > 0.0) & (outward * self.length + upward * self.radius < 0.0)
        signed: FloatArray = np.where(inside, -1.0, 1.0) * np.minimum(base, side)
        return signed

    def _outline(self) -> list[tuple[float, float]]:
        return [(self.radius, -self.length / 2.0), (0.0, self.length / 2.0)]

    @classmethod
    def proportioned(cls, x: float, y: float, z: float) -> Cone:
        return Cone(sqrt((x + y) / 2.0 * 20.0 / 3.0), sqrt(z * 80.0 / 3.0))

    @classmethod
    def enclosing(cls, cloud: Cloud) -> tuple[Cone, FloatArray]:
        """Return the smallest cone whose axis is that of the smallest circle around the points as seen along z."""
        (x, y), _ = cloud.circle
        across, z = cloud.across, cloud.points[:, 2]
        bottom = float(z.min())
        middle = float(across.max()) / float(np.ptp(z))
        # Only a point that is higher than all points farther from the axis can touch the side.
        inward = np.argsort(-across)
        across, z = across[inward], z[inward]
        highest = np.maximum.accumulate(z)
        outer = np.concatenate([[True], z[1:] > highest[:-1]])
        across, z = across[outer], z[outer]
        low, high = np.log(middle / 16.0), np.log(middle * 16.0)
        steps = np.linspace(0.0, 1.0, SLOPES)
        for _ in range(4):
            slopes = np.exp(low + (high - low) * steps)
            some = blocks(len(z), BLOCK)
            heights = np.max([(z[part] + across[part] / slopes[:, None]).max(axis=1) for part in some], axis=0) - bottom
            best = int((slopes**2 * heights**3).argmin())
            low, high = np.log(slopes[max(best - 1, 0)]), np.log(slopes[min(best + 1, SLOPES - 1)])
        height = float(heights[best])
        return Cone(float(slopes[best]) * height, height), np.array([x, y, bottom + height / 2.0])
