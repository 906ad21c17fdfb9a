# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes of primitives, whose extents are exactly those of the primitive, so that they read back as it."""

from __future__ import annotations

from math import cos, pi, sin

import bpy
import numpy as np

from ...core.arrays import FloatArray
from ...core.robot.model import Box, Capsule, Cone, Cylinder, Ellipsoid, Primitive, Sphere

SEGMENTS = 32
"""Round the axis; a multiple of four, so that there are vertices on x and y."""

RINGS = 8
"""From the equator to a pole."""

BOX_FACES = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))


def mesh_of(shape: Primitive, name: str) -> bpy.types.Mesh:
    """Make a closed mesh of a primitive, centred, its axis z; lengths as they are in `shape`."""
    if isinstance(shape, Box):
        corners = [(x, y, z) for z in (-0.5, 0.5) for y in (-0.5, 0.5) for x in (-0.5, 0.5)]
        return _mesh(np.array(corners) * shape.size, list(BOX_FACES), name, smooth=False)
    if isinstance(shape, Sphere):
        vertices, faces = _revolved(_arc(shape.radius, 0.0))
    elif isinstance(shape, Ellipsoid):
        vertices, faces = _revolved(_arc(1.0, 0.0))
        vertices = vertices * shape.radii
    elif isinstance(shape, Capsule):
        vertices, faces = _revolved(_arc(shape.radius, shape.length / 2.0))
    else:
        half, top = shape.length / 2.0, 0.0 if isinstance(shape, Cone) else shape.radius
        vertices, faces = _revolved([(shape.radius, -half), (top, half)])
    return _mesh(vertices, faces, name, smooth=not isinstance(shape, Cylinder | Cone))


def _arc(radius: float, half: float) -> list[tuple[float, float]]:
    """Return (distance from the axis, z) from pole to pole of a ball that is pulled apart by twice `half`."""
    upper = [(radius * cos(turn), half + radius * sin(turn)) for turn in np.arange(RINGS) * (pi / 2.0 / RINGS)]
    lower = [(across, -z) for across, z in reversed(upper)]
    return [(0.0, -half - radius), *(lower if half else lower[:-1]), *upper, (0.0, half + radius)]


def _revolved(outline: list[tuple[float, float]]) -> tuple[FloatArray, list[tuple[int, ...]]]:
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


def _mesh(vertices: FloatArray, faces: list[tuple[int, ...]], name: str, smooth: bool) -> bpy.types.Mesh:
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices.tolist(), [], faces)
    mesh.polygons.foreach_set("use_smooth", [smooth] * len(faces))
    mesh.update()
    return mesh
