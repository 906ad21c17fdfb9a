# SPDX-License-Identifier: GPL-3.0-or-later
"""What the shapes that are round about z have in common: a radius, and a length."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from ...arrays import FloatArray
from .revolved import revolved
from .shape import Shape, equal


@dataclass(frozen=True)
class Round(Shape):
    """A shape that is round about z; `radius` and `length` [m]."""

    radius: float
    length: float

    fields = {"radius": 1, "length": 1}
    turning_axes = 2

    def half_sizes(self, R: FloatArray) -> FloatArray:
        across = self.radius * np.sqrt(np.maximum(1.0 - R[:, 2] ** 2, 0.0))
        sizes: FloatArray = across + np.abs(R[:, 2]) * self.length / 2.0
        return sizes

    def facets(self) -> tuple[FloatArray, list[tuple[int, ...]]]:
        return revolved(self._outline())

    @abstractmethod
    def _outline(self) -> list[tuple[float, float]]:
        """Return points of its outline from below: how far from z, and how high."""

    @classmethod
    def misfit(cls, x: float, y: float, _z: float) -> str:
        return "" if equal(x, y) else f"a {cls.kind} needs equal ones in x and y"

    @classmethod
    def _filling(cls, x: float, _y: float, z: float) -> Shape:
        return cls(x / 2.0, z)
