# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces whose faces do not meet as they should: cracks, T-junctions, edges and corners in common."""

from itertools import product

import numpy as np

from . import box, joined


def with_sides_moved(shift, axes, outwards):
    """Return a unit cube about the origin whose sides along some axes are moved a little, away from it or one way."""
    vertices, triangles = box(low=(-0.5, -0.5, -0.5))
    for axis in axes:
        for side in (-0.5, 0.5):
            there = (vertices[triangles, axis] == side).all(axis=1)
            own = vertices[triangles[there]].reshape(-1, 3)
            own[:, axis] += shift * (2 * side if outwards else 1)
            triangles = np.vstack([triangles[~there], len(vertices) + np.arange(len(own)).reshape(-1, 3)])
            vertices = np.vstack([vertices, own])
    return vertices, triangles


def quilt(low, high, rng, depth=3):
    """Return a box each face of which is cut into rectangles of its own, none of them sharing a vertex."""
    low, high = np.array(low, float), np.array(high, float)
    rectangles = []
    for axis, side in product(range(3), (0, 1)):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        todo = [(low[[u, v]], high[[u, v]], depth)]
        while todo:
            near, far, left = todo.pop()
            if left == 0 or rng.random() < 0.3:
                corners = np.empty((4, 3))
                corners[:, axis] = (low, high)[side][axis]
                corners[:, u], corners[:, v] = near[0], near[1]
                corners[1:3, u], corners[2:, v] = far[0], far[1]
                rectangles.append((corners[:: 2 * side - 1], np.array([[0, 1, 2], [0, 2, 3]])))
                continue
            along = rng.integers(2)
            near_end, far_start = far.copy(), near.copy()
            near_end[along] = far_start[along] = near[along] + rng.uniform(0.2, 0.8) * (far - near)[along]
            todo += [(near, near_end, left - 1), (far_start, far, left - 1)]
    return joined(*rectangles)


def tetrahedra(seed):
    """Return tetrahedra among a few points, which share corners, edges and walls at random, and which faces to turn."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(6, 9))
    vertices = rng.integers(0, 9, (count, 3)).astype(float) + rng.uniform(-0.2, 0.2, (count, 3))
    faces = []
    for _ in range(rng.integers(2, 7)):
        a, b, c, d = rng.choice(count, 4, replace=False)
        if np.linalg.det(vertices[[b, c, d]] - vertices[a]) < 0:
            c, d = d, c
        faces += [(a, c, b), (a, b, d), (b, c, d), (a, d, c)]
    vertices += rng.choice([0, 0, 1e3])
    share = rng.choice([0, 0.03, 0.1, 0.2, 0.3, 0.4, 0.5])
    triangles = np.array(faces)
    return vertices, triangles, rng.random(len(triangles)) < share
