# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces to give a thickness, and the solids that they then are."""

import numpy as np

from core import mesh_moments

from . import box, subdivided


def sheet(*lines, length=3.0):
    """Return the surface that open polylines (n, 2) sweep along z; points at the same place are shared."""
    index, triangles = {}, []
    for line in lines:
        numbers = [index.setdefault(tuple(map(float, point)), len(index)) for point in line]
        for i, j in zip(numbers, numbers[1:], strict=False):
            triangles += [(2 * i, 2 * j, 2 * j + 1), (2 * i, 2 * j + 1, 2 * i + 1)]
    vertices = [(x, y, z) for x, y in index for z in (0.0, length)]
    return np.array(vertices), np.array(triangles)


def strip(line, thickness, length=3.0):
    """Return the moments of the solid that an open polyline's sheet is: a mitred quadrilateral prism per segment."""
    line = np.asarray(line, dtype=float)
    along = np.diff(line, axis=0)
    along /= np.linalg.norm(along, axis=1)[:, None]
    normal = np.column_stack([-along[:, 1], along[:, 0]])
    before, after = np.vstack([normal[:1], normal]), np.vstack([normal, normal[-1:]])
    # Along the bisector to where both offset lines meet: m·n = 1 for both normals n.
    mitre = (before + after) / (1.0 + (before * after).sum(axis=1))[:, None]
    left, right = line + thickness / 2 * mitre, line - thickness / 2 * mitre
    total = None
    for i in range(len(line) - 1):
        moments = _quad_prism(np.array([right[i], right[i + 1], left[i + 1], left[i]]), length)
        total = moments if total is None else total + moments
    return total


def _quad_prism(outline, length):
    low, high = (np.column_stack([outline, np.full(4, z)]) for z in (0.0, length))
    vertices, triangles = box()
    # The box's corners by their unit coordinates, counter-clockwise from (0, 0).
    places = [(0, 0), (1, 0), (1, 1), (0, 1)]
    placed = [(high if z else low)[places.index((int(x), int(y)))] for x, y, z in vertices]
    return mesh_moments(np.array(placed), triangles)


def sphere(steps, radius=1.0):
    """Return an octahedron's faces cut in four `steps` times, its vertices on a sphere."""
    vertices = np.vstack([np.eye(3), -np.eye(3)])
    triangles = np.array(
        [(0, 1, 2), (1, 3, 2), (3, 4, 2), (4, 0, 2), (1, 0, 5), (3, 1, 5), (4, 3, 5), (0, 4, 5)], dtype=int
    )
    for _ in range(steps):
        vertices, triangles = subdivided((vertices, triangles))
        vertices = vertices / np.linalg.norm(vertices, axis=1)[:, None]
    return radius * vertices, triangles


def moebius(n=60, width=0.4):
    """Return a Moebius strip of 2 n triangles."""
    angle = 2 * np.pi * np.arange(n) / n
    across = np.column_stack([np.cos(angle / 2) * np.cos(angle), np.cos(angle / 2) * np.sin(angle), np.sin(angle / 2)])
    middle = np.column_stack([np.cos(angle), np.sin(angle), 0 * angle])
    vertices = np.vstack([middle - width / 2 * across, middle + width / 2 * across])
    i = np.arange(n - 1)
    triangles = np.vstack([np.column_stack([i, i + 1, i + 1 + n]), np.column_stack([i, i + 1 + n, i + n])])
    return vertices, np.vstack([triangles, [(n - 1, n, 0), (n - 1, 0, 2 * n - 1)]])
