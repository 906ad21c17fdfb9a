# SPDX-License-Identifier: GPL-3.0-or-later
"""The unit shapes that every body is drawn by: plain numpy, no GPU."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ...core.arrays import FloatArray

Triangles = npt.NDArray[np.int32]


def apply(matrix: FloatArray, points: npt.ArrayLike) -> FloatArray:
    """Return points (..., 3) mapped by an affine matrix (4, 4)."""
    mapped: FloatArray = np.asarray(points, dtype=np.float64) @ matrix[:3, :3].T + matrix[:3, 3]
    return mapped


def unit_sphere(around: int = 48, down: int = 24) -> tuple[FloatArray, Triangles]:
    """Return vertices (n, 3) and outward triangles (m, 3) of the unit sphere; its six poles are among the vertices."""
    polar, azimuth = np.meshgrid(
        np.pi * np.arange(1, down) / down, 2 * np.pi * np.arange(around) / around, indexing="ij"
    )
    belt = np.stack([np.sin(polar) * np.cos(azimuth), np.sin(polar) * np.sin(azimuth), np.cos(polar)], axis=-1)
    vertices = np.concatenate([[[0.0, 0.0, 1.0]], belt.reshape(-1, 3), [[0.0, 0.0, -1.0]]])
    here = np.arange(around)
    after = (here + 1) % around
    first, last, south = 1, 1 + (down - 2) * around, len(vertices) - 1
    rows = (1 + around * np.arange(down - 2))[:, None]
    a, b, c, d = (corner.ravel() for corner in (rows + here, rows + after, rows + around + after, rows + around + here))
    triangles = (
        np.stack([np.zeros_like(here), first + here, first + after], axis=1),
        np.stack([a, d, c], axis=1),
        np.stack([a, c, b], axis=1),
        np.stack([np.full_like(here, south), last + after, last + here], axis=1),
    )
    return vertices, np.concatenate(triangles).astype(np.int32)


def unit_cube() -> tuple[FloatArray, FloatArray, Triangles]:
    """Return vertices (24, 3), normals (24, 3) and outward triangles (12, 3) of the cube from -1 to 1."""
    square = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    vertices, normals = np.zeros((2, 6, 4, 3))
    for axis in range(3):
        for side, sign in enumerate((-1.0, 1.0)):
            face = vertices[2 * axis + side]
            face[:, axis] = sign
            face[:, axis - 2] = square[:, 0] * sign  # mirrored with the side, so that both look outward
            face[:, axis - 1] = square[:, 1]
            normals[2 * axis + side, :, axis] = sign
    corners = 4 * np.arange(6)[:, None, None] + np.array([[0, 1, 2], [0, 2, 3]])
    return vertices.reshape(-1, 3), normals.reshape(-1, 3), corners.reshape(-1, 3).astype(np.int32)


def unit_rings(count: int = 64) -> FloatArray:
    """Return three closed unit circles (3, count + 1, 3), each in the plane that the i-th axis stands on."""
    angle = 2 * np.pi * np.arange(count + 1) / count
    rings = np.zeros((3, count + 1, 3))
    for i in range(3):
        rings[i, :, i - 2] = np.cos(angle)
        rings[i, :, i - 1] = np.sin(angle)
    return rings


def cube_edges() -> FloatArray:
    """Return the edges of the cube from -1 to 1 as 12 curves of two points (12, 2, 3)."""
    edges = np.zeros((3, 4, 2, 3))
    for axis in range(3):
        edges[axis, :, :, axis] = (-1.0, 1.0)
        for other, signs in ((axis - 2, (-1, 1, -1, 1)), (axis - 1, (-1, -1, 1, 1))):
            edges[axis, :, :, other] = np.array(signs)[:, None]
    return edges.reshape(12, 2, 3)


def ribbon(curves: Sequence[FloatArray] | FloatArray) -> tuple[dict[str, npt.NDArray[np.float32]], Triangles]:
    """Return curves (m, 3) each as strips of triangles that a shader widens on the screen.

    Returns
    -------
    vertices : dict of str to ndarray
        For each vertex the point `here` (n, 3), its neighbours `before` and `after` (n, 3), and `side` (n,), -1 or 1.
        A curve that ends where it begins has its neighbours around; another's ends are their own.
    triangles : ndarray, shape (k, 3)
    """
    columns: dict[str, list[FloatArray]] = {"here": [], "before": [], "after": [], "side": []}
    triangles, start = [], 0
    for curve in curves:
        closed = len(curve) > 2 and np.allclose(curve[0], curve[-1])
        before = np.concatenate([curve[-2:-1] if closed else curve[:1], curve[:-1]])
        after = np.concatenate([curve[1:], curve[1:2] if closed else curve[-1:]])
        for name, points in (("here", curve), ("before", before), ("after", after)):
            columns[name].append(np.repeat(points, 2, axis=0))
        columns["side"].append(np.tile([-1.0, 1.0], len(curve)))
        a = start + 2 * np.arange(len(curve) - 1)[:, None]
        triangles += [a + (0, 1, 2), a + (1, 3, 2)]
        start += 2 * len(curve)
    vertices = {name: np.concatenate(parts).astype(np.float32) for name, parts in columns.items()}
    return vertices, np.concatenate(triangles).astype(np.int32)
