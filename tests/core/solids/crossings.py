# SPDX-License-Identifier: GPL-3.0-or-later
"""Closed surfaces of one shell that pass through themselves by a known depth; below zero, they keep off by it."""

import numpy as np

from .awkward import bow_tie
from .sheets import sphere


def tube(path, radius, sides=16, closed=False, beside=(0.0, 0.0, 1.0)):
    """Return a tube (vertices, triangles) of a radius at each point of a path (n, 3) that never runs along `beside`.

    It has edges where that points, and at right angles. An open one ends in points.
    """
    path = np.asarray(path, dtype=float)
    count = len(path)
    radius = np.broadcast_to(np.asarray(radius, dtype=float), count)[:, None]
    along = np.roll(path, -1, axis=0) - np.roll(path, 1, axis=0) if closed else np.gradient(path, axis=0)
    along /= np.linalg.norm(along, axis=1)[:, None]
    across = np.cross(along, beside)
    across /= np.linalg.norm(across, axis=1)[:, None]
    up = np.cross(across, along)
    angles = 2 * np.pi * np.arange(sides) / sides
    rings = [path + radius * (np.cos(angle) * across + np.sin(angle) * up) for angle in angles]
    vertices = np.stack(rings, axis=1).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(count if closed else count - 1), np.arange(sides), indexing="ij")
    a, b = i * sides + j, i * sides + (j + 1) % sides
    c, d = ((i + 1) % count) * sides + (j + 1) % sides, ((i + 1) % count) * sides + j
    triangles = np.vstack([np.dstack([a, c, b]).reshape(-1, 3), np.dstack([a, d, c]).reshape(-1, 3)])
    if closed:
        return vertices, triangles
    k = np.arange(sides)
    first = np.column_stack([k, (k + 1) % sides, np.full(sides, len(vertices))])
    last = np.column_stack([k[::-1], k[::-1] - 1, np.full(sides, 0)]) % sides + (count - 1) * sides
    last[:, 2] = len(vertices) + 1
    ends = [path[0] - radius[0] * along[0], path[-1] + radius[-1] * along[-1]]
    return np.vstack([vertices, ends]), np.vstack([triangles, first, last])


def ring(steps=64, sides=40):
    """Return a torus, which passes through nothing and is not star-shaped; by default of 5,120 faces."""
    angle = 2 * np.pi * np.arange(steps) / steps
    return tube(np.column_stack([2 * np.cos(angle), 2 * np.sin(angle), 0 * angle]), 1.0, sides, closed=True)


def loop(depth):
    """Return a tube bent to more than a full ring, of size 2, one end on top of the other."""
    turn = np.linspace(0.0, 1.1, 120)
    rise = (0.2 - depth) * np.clip((turn - 0.2) / 0.7, 0.0, 1.0)  # level where one end is above the other
    angle = 2 * np.pi * turn
    return tube(np.column_stack([np.cos(angle), np.sin(angle), rise]), 0.1)


def hook(depth):
    """Return a tube bent back to its own side, where it ends in a long thin spike; its size is 2."""
    straight = np.column_stack([np.linspace(-1.0, 1.0, 20), np.zeros(20), np.zeros(20)])
    angle = np.linspace(0.0, 1.2 * np.pi, 24)[1:]
    back = np.column_stack([1.0 + 0.4 * np.sin(angle), np.zeros(23), 0.4 - 0.4 * np.cos(angle)])
    wall = 0.1 - np.tan(np.pi / 16) * 0.012  # the tube's top is an edge; its height is that, so far beside it
    spike = np.linspace(back[-1], [-0.093, 0.012, wall - depth], 12)[1:]
    path = np.vstack([straight, back, spike])
    radius = np.concatenate([np.full(43, 0.1), np.linspace(0.1, 1e-3, 12)[1:]])
    vertices, triangles = tube(path[:-1], radius[:-1], beside=(0.0, 1.0, 0.0))
    vertices[-1] = path[-1]
    return vertices, triangles


def dent(depth):
    """Return a flat ball, of size 2, that is pushed in at one vertex until its bottom bulges, or is pierced."""
    vertices, triangles = sphere(4)
    vertices = vertices * [1.0, 1.0, 0.2]
    tip = int(np.argmin(np.linalg.norm(vertices - [0.1, 0.07, 0.2], axis=1)))
    x, y, _ = vertices[tip]
    vertices[tip, 2] = height_below(vertices, triangles, x + 1e-3, y + 2e-3) - depth
    vertices[tip, :2] += 1e-3, 2e-3  # above no vertex of the bottom
    return vertices, triangles


def height_below(vertices, triangles, x, y):
    """Return where a line along z meets the lowest face."""
    heights = []
    shadows = vertices[triangles][:, :, :2]
    near = ((shadows.min(axis=1) <= (x, y)) & (shadows.max(axis=1) >= (x, y))).all(axis=1)
    for corners in vertices[triangles[near]]:
        weights, *_ = np.linalg.lstsq(np.vstack([corners.T[:2], np.ones(3)]), [x, y, 1.0], rcond=None)
        if (weights >= 0).all():
            heights.append(weights @ corners[:, 2])
    return min(heights)


def tie(depth):
    """Return a bow-tie, of size 2, with one lobe as wide as that; no lobe below zero."""
    return bow_tie(depth)


def knot(depth, count=220):
    """Return a trefoil knot's tube, about 6 in size, whose strands are nearer than twice its radius by `depth`."""
    t = 2 * np.pi * np.arange(count) / count
    path = np.column_stack([np.sin(t) + 2 * np.sin(2 * t), np.cos(t) - 2 * np.cos(2 * t), -np.sin(3 * t)])
    apart = np.linalg.norm(path[:, None] - path, axis=2)
    steps = np.abs(np.arange(count)[:, None] - np.arange(count))
    strands = apart[np.minimum(steps, count - steps) > count // 8].min()
    return tube(path, (strands + depth) / 2, sides=10, closed=True)


SHAPES = {"loop": loop, "hook": hook, "dent": dent, "tie": tie}
