# SPDX-License-Identifier: Apache-2.0
"""The base class of all shapes, and what several of them share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from math import cos, isfinite, pi, sin
from typing import ClassVar, Self

import numpy as np

from ...arrays import FloatArray, diagonal, readonly_of
from ...errors import InertiaError
from ..moments import Moments
from .cloud import Cloud

EQUAL = 1e-5
"""Extents whose relative difference is smaller are equal: a hundred times float32's rounding."""

SEGMENTS = 32
"""Segments round the axis; a multiple of four, so that there are vertices on x and y."""

RINGS = 8
"""Segments from the equator to a pole."""


class Shape(ABC):
    """A solid, centred, that is its own mirror image in x and in y.

    Each is a frozen dataclass of its sizes [m], which may be any numbers; `moments` refuses impossible ones. Each class
    defines:

    kind
        Its name, also in SDF.
    fields
        Its sizes, in order, by their names in SDF, with the count of numbers in each.
    turning_axes
        The number of axes, from x on, about which a rotation changes its orientation: 2 if it is round about z.
    two_ended
        True if it is its own mirror image in z, too; only a shape round about z may not be.
    smooth
        True if most of its surface is curved in both directions, and is to be shaded smooth.
    formats
        The robot formats that write it as a shape; in the others it is written as a mesh.
    """

    kind: ClassVar[str]
    fields: ClassVar[Mapping[str, int]]
    turning_axes: ClassVar[int] = 3
    two_ended: ClassVar[bool] = True
    smooth: ClassVar[bool] = True
    formats: ClassVar[frozenset[str]] = frozenset({"sdf"})

    @abstractmethod
    def moments(self) -> Moments:
        """Return its moments; raise ``bad_size`` if a size is not a length above 0."""

    @abstractmethod
    def half_sizes(self, R: FloatArray) -> FloatArray:
        """Return half the sides (3,) [m] of its bounding box, or of one slightly larger, when rotated by R (3, 3)."""

    @abstractmethod
    def distance(self, points: FloatArray) -> FloatArray:
        """Return the distance [m] of points (n, 3) from its surface, negative inside; shape (n,)."""

    @abstractmethod
    def facets(self) -> tuple[FloatArray, list[tuple[int, ...]]]:
        """Return vertices (n, 3) and outward faces of a closed mesh with exactly its extents."""

    @classmethod
    def misfit(cls, _x: float, _y: float, _z: float) -> str:
        """Return why no such shape has these extents, all above 0; empty if one has."""
        return ""

    @classmethod
    @abstractmethod
    def _filling(cls, x: float, y: float, z: float) -> Shape:
        """Return the shape with these extents, for which `misfit` is empty."""

    @classmethod
    @abstractmethod
    def proportioned(cls, x: float, y: float, z: float) -> Shape | None:
        """Return a shape of any size with these mean x², y² and z² about its centroid; None if there is none."""

    @classmethod
    @abstractmethod
    def enclosing(cls, cloud: Cloud) -> tuple[Shape, FloatArray] | None:
        """Return a small shape around points, in their axes, and its centre (3,); None if there is none."""

    @classmethod
    def from_extents(cls, x: float, y: float, z: float) -> Shape:
        """Return the shape with these extents [m] along its axes.

        Raises
        ------
        InertiaError
            ``no_extent`` or ``unequal_extents``.
        """
        extents = f"its extents are {x:.6g} x {y:.6g} x {z:.6g} m"
        if min(x, y, z) <= 0.0:
            raise InertiaError.of("no_extent", "", "flat", extents=extents)
        why = cls.misfit(x, y, z)
        if why:
            raise InertiaError.of("unequal_extents", extents=extents, why=why)
        return cls._filling(x, y, z)

    def values(self) -> list[float | tuple[float, ...]]:
        """Return its sizes in the order of `fields`."""
        return [getattr(self, name) for name in self.fields]

    def scaled(self, factor: float) -> Self:
        """Return the shape scaled uniformly by a factor."""
        larger = [
            tuple([factor * x for x in size]) if isinstance(size, tuple) else factor * size for size in self.values()
        ]
        return type(self)(*larger)

    def renamed(self, became: Sequence[int]) -> Self:
        """Return the same solid in other axes, where the k-th was the `became[k]`-th."""
        sizes = [tuple([size[axis] for axis in became]) if isinstance(size, tuple) else size for size in self.values()]
        return type(self)(*sizes)

    def _lengths(self) -> list[float]:
        """Return the numbers of all its sizes; raise ``bad_size`` if one is not a length above 0."""
        numbers: list[float] = []
        for name, value in zip(self.fields, self.values(), strict=True):
            for number in (value,) if type(value) is float else np.asarray(value, np.float64).ravel().tolist():
                if not (isfinite(number) and number > 0.0):
                    raise InertiaError.of("bad_size", "", "shape", side=name, kind=self.kind, length=number)
                numbers.append(number)
        return numbers


def equal(a: float, b: float) -> bool:
    """Return True if two extents are equal."""
    return abs(a - b) <= EQUAL * max(abs(a), abs(b))


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


def solid(volume: float, xx: float, yy: float, zz: float, z: float = 0.0) -> Moments:
    """Return moments with a centroid on the z axis, and central second moments given in shares of the volume."""
    return Moments(volume, readonly_of([0.0, 0.0, z]), diagonal(volume * xx, volume * yy, volume * zz))


UNIT_BALL = solid(4 * pi / 3, 1 / 5, 1 / 5, 1 / 5)
UNIT_CYLINDER = solid(pi, 1 / 4, 1 / 4, 1 / 12)
