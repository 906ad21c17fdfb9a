# SPDX-License-Identifier: GPL-3.0-or-later
"""Solids that overlap, nest or touch, with the truth in closed form: by inclusion and exclusion, or by cells."""

from itertools import combinations

import numpy as np

from core import Moments

from . import box, cells, inverted, joined, subdivided


def solid(low, high):
    side = high - low
    return Moments(side.prod(), (low + high) / 2, np.diag(side**2) * side.prod() / 12)


def overlapping(shift):
    """Two boxes, one moved by `shift`, and the exact moments of their union by inclusion and exclusion."""
    size = np.array([1.0, 0.8, 0.6])
    union = solid(0 * size, size) + solid(shift, shift + size) + -solid(shift, size)
    return joined(box(size), box(size, shift)), union


def boxes_and_union(corners, turn=None):
    """Return boxes by low and high corner as one mesh, and the moments of their union by inclusion and exclusion."""
    turn = np.eye(3) if turn is None else turn
    corners = np.array(corners, dtype=float)
    total = Moments.zero
    for count in range(1, len(corners) + 1):
        for some in combinations(corners, count):
            low, high = np.max([one[0] for one in some], axis=0), np.min([one[1] for one in some], axis=0)
            if (low < high).all():
                total += solid(low, high) if count % 2 else -solid(low, high)
    vertices, triangles = joined(*(box(high - low, low) for low, high in corners))
    return vertices @ turn.T, triangles, total.transformed(turn)


def self_overlapping(times=0):
    """Return a U whose second arm is bent into the first, one shell, and the volume that it encloses twice."""
    arms = {(0, 0, k) for k in range(4)} | {(2, 0, k) for k in range(4)} | {(1, 0, 0)}
    vertices, triangles = cells(arms)
    bent = (vertices[:, 0] > 1.5) & (vertices[:, 2] > 1.5)
    vertices[bent, 0] -= 1.5
    for _ in range(times):
        vertices, triangles = subdivided((vertices, triangles))
    return (vertices, triangles), 0.5 * 2 + 0.5 * 0.5 / 3  # of 2 to 4 in z, and a wedge that begins at 5/3


def arranged(rng):
    """Return boxes as low corner, high corner and sign: those that look inwards (-1) each lie inside one that does not.

    Their corners are whole numbers, so that walls touch, or not.
    """
    whole = rng.random() < 0.5
    boxes = []
    for _ in range(rng.integers(2, 7)):
        outer = boxes[rng.integers(len(boxes))] if boxes and rng.random() < 0.7 else None
        if outer is None:
            low = rng.uniform(0.0, 8.0, 3)
            high = low + rng.uniform(2.0, 8.0, 3)
        else:
            low = outer[0] + rng.uniform(0.0, 0.5, 3) * (outer[1] - outer[0])
            high = low + rng.uniform(0.3, 1.0, 3) * (outer[1] - low)
        if whole:
            low, high = np.rint(low), np.rint(high)
        if (high - low).min() > 0.1:
            boxes.append((low, high, -1 if outer is not None and outer[2] > 0 and rng.random() < 0.5 else 1))
    return boxes


def built(boxes, times=0):
    """Return a mesh for each box, its faces cut in four so many times."""
    meshes = [box(high - low, low) if sign > 0 else inverted(box(high - low, low)) for low, high, sign in boxes]
    for _ in range(times):
        meshes = [subdivided(mesh) for mesh in meshes]
    return meshes


def wound(boxes):
    """Return the cells between the planes of all walls, low and high corner, and how often each is wound around."""
    planes = [np.unique([corner[axis] for low, high, _ in boxes for corner in (low, high)]) for axis in range(3)]
    index = np.indices([len(plane) - 1 for plane in planes]).reshape(3, -1)
    low = np.column_stack([plane[i] for plane, i in zip(planes, index, strict=True)])
    high = np.column_stack([plane[i + 1] for plane, i in zip(planes, index, strict=True)])
    middle = (low + high) / 2
    winding = sum(sign * ((a < middle) & (middle < b)).all(axis=1) for a, b, sign in boxes)
    return low, high, winding


def filled(low, high, which):
    """Return the moments of some cells."""
    side, middle = (high - low)[which], ((low + high) / 2)[which]
    volumes = side.prod(axis=1)
    centroid = volumes @ middle / volumes.sum()
    covariance = ((middle - centroid) * volumes[:, None]).T @ (middle - centroid)
    return Moments(volumes.sum(), centroid, covariance + np.diag(volumes @ side**2) / 12)
