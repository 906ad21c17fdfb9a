# SPDX-License-Identifier: GPL-3.0-or-later
"""Points that a shape is to enclose, and what the shapes ask of them, worked out once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ...arrays import FloatArray
from .balls import smallest_ball
from .distances import length


@dataclass(frozen=True, eq=False)
class Cloud:
    """Points (n, 3), and `spread` (3,): the roots of their solid's second moments about its centroid."""

    points: FloatArray
    spread: FloatArray

    @cached_property
    def sides(self) -> FloatArray:
        sides: FloatArray = self.points.max(axis=0) - self._low
        return sides

    @cached_property
    def centre(self) -> FloatArray:
        """The middle of the box around them."""
        centre: FloatArray = self._low + self.sides / 2.0
        return centre

    @cached_property
    def ball(self) -> tuple[FloatArray, float]:
        """Centre (3,) and radius of the smallest ball around them."""
        return smallest_ball(self.points)

    @cached_property
    def circle(self) -> tuple[FloatArray, float]:
        """Centre (2,) and radius of the smallest circle around them as seen along z."""
        return smallest_ball(self.points[:, :2])

    @cached_property
    def across(self) -> FloatArray:
        """How far each is from the circle's centre, as seen along z."""
        x, y = self.circle[0]
        return length(self.points[:, 0] - x, self.points[:, 1] - y)

    @cached_property
    def _low(self) -> FloatArray:
        low: FloatArray = self.points.min(axis=0)
        return low
