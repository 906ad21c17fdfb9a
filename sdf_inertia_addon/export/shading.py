# SPDX-License-Identifier: GPL-3.0-or-later
"""How a body without shading of its own is shown: smooth where it bends gently, creased where it does not."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians

import numpy as np
import numpy.typing as npt

from ...core.arrays import FloatArray, TriangleArray

Indices = npt.NDArray[np.intp]

CREASE = cos(radians(32.0))
"""Faces that turn by more meet in a crease: a cylinder of 12 sides is still round."""

FINEST = 400_000
"""Triangles above which facets are too small to see, and creases too many to draw."""


@dataclass(frozen=True, eq=False)
class Solid:
    """A triangle mesh in the world, in Blender units: vertices (n, 3), triangles (m, 3)."""

    vertices: FloatArray
    triangles: TriangleArray


@dataclass(frozen=True, eq=False)
class Shaded:
    """What is sent to the GPU: corners (3 m, 3), their unit normals (3 m, 3), creases (k, 2, 3)."""

    corners: FloatArray
    normals: FloatArray
    creases: FloatArray


def shaded(solid: Solid) -> Shaded:
    """Return a solid's triangles with the normals to shade them by, and its creases."""
    corners = solid.vertices[solid.triangles]
    sides = np.roll(corners, -1, axis=1) - corners
    normals = np.cross(sides[:, 0], sides[:, 1])
    area = np.linalg.norm(normals, axis=1, keepdims=True)
    proper = area[:, 0] > 0.0
    corners, sides, normals = corners[proper], sides[proper], normals[proper] / area[proper]
    if len(corners) > FINEST:
        return Shaded(corners.reshape(-1, 3), np.repeat(normals, 3, axis=0), np.zeros((0, 2, 3)))
    triangles = _merged(solid)[proper]
    first, second, smooth, creased = _edges(triangles, normals)
    group = _united(3 * len(triangles), _shared_corners(triangles, first[smooth], second[smooth]))
    # Weighted by the angle at the corner, the normal does not depend on how a face was cut into triangles.
    lengths = np.linalg.norm(sides, axis=2)
    turn = -np.sum(sides * np.roll(sides, 1, axis=1), axis=2) / (lengths * np.roll(lengths, 1, axis=1))
    weighted = (np.arccos(np.clip(turn, -1.0, 1.0))[:, :, None] * normals[:, None]).reshape(-1, 3)
    total = np.stack([np.bincount(group, weighted[:, axis], minlength=len(group)) for axis in range(3)], axis=1)
    averaged = total[group]
    length = np.linalg.norm(averaged, axis=1, keepdims=True)
    flat = np.repeat(normals, 3, axis=0)
    smoothed: FloatArray = np.where(length > 0.0, averaged / np.where(length > 0.0, length, 1.0), flat)
    start, edge = np.divmod(creased, 3)
    creases = np.stack([corners[start, edge], corners[start, (edge + 1) % 3]], axis=1)
    return Shaded(corners.reshape(-1, 3), smoothed, creases)


def _merged(solid: Solid) -> npt.NDArray[np.int64]:
    """Return the triangles with one index per place, whatever the number of vertices there."""
    _places, index = np.unique(solid.vertices, axis=0, return_inverse=True)
    merged: npt.NDArray[np.int64] = index.reshape(-1)[solid.triangles].astype(np.int64)
    return merged


def _edges(
    triangles: npt.NDArray[np.int64], normals: FloatArray
) -> tuple[Indices, Indices, npt.NDArray[np.bool_], Indices]:
    """Return the half-edges that meet in pairs, whether each pair is smooth, and one half-edge of each crease.

    Half-edge 3 f + k runs from corner k of face f to the next.
    """
    start, end = triangles.reshape(-1), np.roll(triangles, -1, axis=1).reshape(-1)
    low, high = np.minimum(start, end), np.maximum(start, end)
    order = np.lexsort((high, low))
    begins = np.flatnonzero(np.r_[True, (np.diff(low[order]) != 0) | (np.diff(high[order]) != 0)])
    count = np.diff(np.r_[begins, len(order)])
    paired = begins[count == 2]
    first, second = order[paired], order[paired + 1]
    agree = np.where(start[first] == start[second], -1.0, 1.0)  # -1: wound against each other
    smooth = agree * np.sum(normals[first // 3] * normals[second // 3], axis=1) > CREASE
    # Averaging normals of opposite windings would cancel them.
    creased = np.concatenate([first[~smooth], order[begins[count != 2]]])
    return first, second, smooth & (agree > 0.0), creased


def _shared_corners(triangles: npt.NDArray[np.int64], first: Indices, second: Indices) -> tuple[Indices, Indices]:
    """Return the pairs of corners that two half-edges of opposite direction have in common."""

    def next_corner(half_edge: Indices) -> Indices:
        corner: Indices = half_edge - half_edge % 3 + (half_edge + 1) % 3
        return corner

    return np.concatenate([first, next_corner(first)]), np.concatenate([next_corner(second), second])


def _united(count: int, pairs: tuple[Indices, Indices]) -> Indices:
    """Return for each of `count` corners the least corner that pairs connect it to."""
    label: Indices = np.arange(count)
    a, b = pairs
    while True:
        before = label.copy()
        least = np.minimum(label[a], label[b])
        np.minimum.at(label, a, least)
        np.minimum.at(label, b, least)
        label = label[label]
        if np.array_equal(label, before):
            return label
