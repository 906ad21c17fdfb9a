# SPDX-License-Identifier: GPL-3.0-or-later
"""Closed solids as vertices and faces that wind outwards. Plain Python, so every Blender builds the same numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import cos, pi, sin

Point = tuple[float, float, float]
Ring = Sequence[Point]
Solid = tuple[list[Point], list[tuple[int, ...]]]

SEGMENTS = 48
"""Around a round shape. A multiple of four puts vertices on the axes, so its extents are those of the true circle."""


def box() -> Solid:
    """A cube of side 1 about the origin."""
    return prism([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)], 1.0)


def cylinder() -> Solid:
    """Diameter 1, height 1, about the origin, along z."""
    return loft([circle(0.5, -0.5), circle(0.5, 0.5)])


def cone() -> Solid:
    """Diameter 1, height 1, about the origin, apex at +z."""
    return loft([circle(0.5, -0.5), [(0.0, 0.0, 0.5)]])


def ball() -> Solid:
    """Diameter 1, about the origin."""
    return capsule(0.5, 0.0)


def capsule(radius: float, length: float) -> Solid:
    """Two half-balls with a cylinder of `length` between them, about the origin, along z."""
    arc = [pi / 2.0 * step / 8.0 for step in range(1, 9)]
    lower = [circle(radius * sin(a), -length / 2.0 - radius * cos(a)) for a in arc]
    upper = [circle(radius * sin(a), length / 2.0 + radius * cos(a)) for a in reversed(arc)]
    rings = lower + (upper if length else upper[1:])
    return loft([[(0.0, 0.0, -length / 2.0 - radius)], *rings, [(0.0, 0.0, length / 2.0 + radius)]])


def circle(radius: float, z: float, segments: int = SEGMENTS) -> list[Point]:
    """A polygon on a circle about the z axis, counter-clockwise."""
    turns = [2.0 * pi * step / segments for step in range(segments)]
    return [(radius * cos(turn), radius * sin(turn), z) for turn in turns]


def prism(outline: Sequence[tuple[float, float]], height: float) -> Solid:
    """A counter-clockwise outline in x and y, which may be concave, drawn out along z about z = 0."""
    return loft([[(x, y, z) for x, y in outline] for z in (-height / 2.0, height / 2.0)])


def loft(rings: Sequence[Ring]) -> Solid:
    """A skin over rings of equally many points, closed by a face at both ends; a ring at an end may be one point.

    Rings run counter-clockwise seen from +z, in the order that leads up the outside (and, in a hollow body, down the
    inside).
    """
    vertices = [point for ring in rings for point in ring]
    faces: list[tuple[int, ...]] = []
    start = 0
    for ring, following in zip(rings, rings[1:], strict=False):
        after, n = start + len(ring), max(len(ring), len(following))
        for a in range(n):
            b = (a + 1) % n
            low = (start + a, start + b) if len(ring) > 1 else (start,)
            high = (after + b, after + a) if len(following) > 1 else (after,)
            faces.append(low + high)
        start = after
    if len(rings[0]) > 1:
        faces.append(tuple(reversed(range(len(rings[0])))))
    if len(rings[-1]) > 1:
        faces.append(tuple(range(start, len(vertices))))
    return vertices, faces


def cells(
    count: tuple[int, int, int],
    filled: Callable[[int, int, int], bool],
    place: Callable[[int, int, int], Point],
    wrap: bool = False,
) -> Solid:
    """The skin of the filled cells of a grid.

    Parameters
    ----------
    count : tuple of int
        Cells along i, j, k.
    filled : callable
        Whether the cell (i, j, k) is solid. Filled cells must not touch in a mere edge or corner.
    place : callable
        Where the grid point (i, j, k) stands; right-handed in i, j, k.
    wrap : bool
        The last cell along j borders on the first: a grid around an axis.
    """

    def solid(cell: tuple[int, int, int]) -> bool:
        i, j, k = cell
        if wrap:
            j %= count[1]
        return 0 <= i < count[0] and 0 <= j < count[1] and 0 <= k < count[2] and filled(i, j, k)

    number: dict[tuple[int, int, int], int] = {}
    faces: list[tuple[int, ...]] = []
    for cell in product(*map(range, count)):
        if not solid(cell):
            continue
        for axis, side in product(range(3), (0, 1)):
            neighbour = list(cell)
            neighbour[axis] += 2 * side - 1
            if solid((neighbour[0], neighbour[1], neighbour[2])):
                continue
            face = []
            for u, v in ((0, 0), (1, 0), (1, 1), (0, 1)):
                corner = list(cell)
                corner[axis] += side
                corner[(axis + 1) % 3] += u
                corner[(axis + 2) % 3] += v
                if wrap:
                    corner[1] %= count[1]
                face.append(number.setdefault((corner[0], corner[1], corner[2]), len(number)))
            faces.append(tuple(face if side else reversed(face)))
    return [place(*point) for point in number], faces
