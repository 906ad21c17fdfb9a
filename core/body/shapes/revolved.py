# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes of what is round about z, by turning an outline."""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np

from ...arrays import FloatArray

SEGMENTS = 32
"""Round the axis; a multiple of four, so that there are vertices on x and y."""

RINGS = 8
"""From the equator to a pole."""


def arc(radius: float, half: float = 0.0) -> list[tuple[float, float]]:
    """Return (distance from the axis, z) from pole to pole of a ball that is pulled apart by twice `half`."""
    upper = [(radius * cos(turn), half + radius * sin(turn)) for turn in np.arange(RINGS) * (pi / 2.0 / RINGS)]
    lower = [(across, -z) for across, z in reversed(upper)]
    return [(0.0, -half - radius), *(lower if half else lower[:-1]), *upper, (0.0, half + radius)]


def revolved(outline: list[tuple[float, float]]) -> tuple[FloatArray, list[tuple[int, ...]]]:
    """Return vertices and outward faces of an outline (distance from the axis, z), from below, turned about z."""
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
