# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes that are round about z: a radius, a length, and a mesh made by revolving an outline."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from math import cos, pi, sin

import numpy as np

from ...arrays import FloatArray
from .shape import Shape, equal

SEGMENTS = 32
"""Segments round the axis; a multiple of four, so that there are vertices on x and y."""

RINGS = 8
"""Segments from the equator to a pole."""


def arc(radius: float, half: float = 0.0) -> list[tuple[float, float]]:
    """Return (distance from the axis, z) from pole to pole of a ball whose halves are `half` away from the centre."""
    upper = [(radius * cos(turn), half + radius * sin(turn)) for turn in np.arange(RINGS) * (pi / 2.0 / RINGS)]
    lower = [(across, -z) for across, z in reversed(upper)]
    return [(0.0, -half - radius), *(lower if half else lower[:-1]), *upper, (0.0, half + radius)]


def revolved(outline: list[tuple[float, float]]) -> tuple[FloatArray, list[tuple[int, ...]]]:
    """Return vertices and outward faces of an outline (distance from the axis, z), from below, revolved about z."""
    vertices: list[tuple[float, float, float]] = []
    rings: list[list[int]] = []
    for across, z in outline:
        turns = [2.0 * pi * number / SEGMENTS for number in range(SEGMENTS)] if across else [0.0]
        rings.append(list(range(len(vertices), len(vertices) + len(turns))))
        vertices += [(across * cos(turn), across * sin(turn), z) for turn in turns]
    faces: list[tuple[int, ...]] = []
    for low, high in zip(rings, rings[1:], strict=False):
        for number in range(SEGMENTS):
            a, b = low[number % len(low)], low[(number + 1) % len(low)]
            c, d = high[(number + 1) % len(high)], high[number % len(high)]
            faces.append(tuple(dict.fromkeys((a, b, c, d))))
    if len(rings[0]) > 1:
        faces.append(tuple(reversed(rings[0])))
    if len(rings[-1]) > 1:
        faces.append(tuple(rings[-1]))
    return np.array(vertices), faces


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
        """Return points of its outline from below: distance from z, and height."""

    @classmethod
    def misfit(cls, x: float, y: float, _z: float) -> str:
        return "" if equal(x, y) else f"a {cls.kind} needs equal ones in x and y"

    @classmethod
    def _filling(cls, x: float, _y: float, z: float) -> Shape:
        return cls(x / 2.0, z)
