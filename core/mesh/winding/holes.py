# SPDX-License-Identifier: Apache-2.0
"""Closes the holes of a surface by fans, small and apart if possible, and computes their winding numbers.

A long loop is split at its shortest chords, so that a slit is closed by many small fans, all of which but the near ones
are well approximated by dipoles.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from ...arrays import Bools, FloatArray, Indices, Ints, blocks
from ..topology.loops import Loops
from ..topology.vectors import cross

EDGES = 24
"""Maximum edges of a loop: longer ones are split."""

CHORDS = 128
"""Vertices of a loop that are searched for the shortest chord."""

FAR = 3.0
"""Beyond this many radii a fan is approximated by a dipole."""

SURE = 0.05
"""Fans whose total winding number is below this are left out."""

MATRIX = 1 << 17
"""Pairs of a point and a triangle per block."""

NODES: FloatArray = np.cos(np.pi * (np.arange(4) + 0.5) / 4.0)
"""Chebyshev's coordinates in a cube from -1 to 1, between which the smooth winding number of distant fans is
interpolated."""

APART = 1.25
"""Distant fans are outside of the ball around a cube times this: 2.16 half sides, so that the interpolation is right to
(2.16 + √(2.16² - 1))⁻⁴ = 4e-3 of their winding number."""

FOUR_PI = 4.0 * np.pi


@dataclass(frozen=True, eq=False)
class Holes:
    """Fans over the holes of a surface.

    Parameters
    ----------
    corners : ndarray, shape (k, 3, 3)
        Triangles of all fans [m].
    fan : ndarray, shape (k,)
        The fan of each.
    place, area : ndarray, shape (f, 3)
        Position [m] and vector area [m²] of each fan.
    size : ndarray, shape (f,)
        Its area, above zero [m²].
    radius : ndarray, shape (f,)
        Of a ball around that position that contains the fan [m].
    """

    corners: FloatArray
    fan: Ints
    place: FloatArray
    area: FloatArray
    size: FloatArray
    radius: FloatArray

    @classmethod
    def of(cls, corners: FloatArray, counts: Ints) -> Holes:
        """Return fans, each with a count of the triangles."""
        fan = np.repeat(np.arange(len(counts)), counts)
        starts = np.cumsum(counts) - counts
        a, b, c = corners.transpose(1, 0, 2)
        # Per triangle its vector area, and its area as the weight of its middle; a fan without area has the tiny weight
        # instead of a division by zero.
        vector = np.cross(b - a, c - a) / 2.0
        weight = np.linalg.norm(vector, axis=1) + np.finfo(np.float64).tiny
        place = np.add.reduceat(corners.mean(axis=1) * weight[:, None], starts)
        size = np.add.reduceat(weight, starts)
        place /= size[:, None]
        reach = np.linalg.norm(corners - place[fan][:, None], axis=2).max(axis=1)
        return cls(corners, fan, place, np.add.reduceat(vector, starts), size, np.maximum.reduceat(reach, starts))

    def winding(self, axes: Sequence[FloatArray]) -> FloatArray:
        """Return the winding number of the fans at all points of a small grid, given by its coordinates along each
        axis; x varies most slowly."""
        # The ball around the grid, and the distance of each fan's middle from it.
        ends = np.array([(axis[0], axis[-1]) for axis in axes])
        middle, half = ends.mean(axis=1), np.ptp(ends, axis=1) / 2.0
        reach = float(np.linalg.norm(half))
        distance = np.maximum(np.linalg.norm(self.place - middle, axis=1) - reach, 0.0)
        # The winding number of a triangle is at most that of its area at the distance.
        most = self.size / np.maximum(FOUR_PI * distance**2, self.size)
        order = np.argsort(most)
        counted = np.zeros(len(order), dtype=bool)
        counted[order] = np.cumsum(most[order]) > SURE  # the others together are below that
        # Distant fans vary so little over the grid that a few nodes of it are enough; on a grid of no more points than
        # nodes nothing is gained.
        smooth = (
            counted & (distance - self.radius > (APART - 1.0) * reach) & (min(len(axis) for axis in axes) > len(NODES))
        )
        value = self._sum(
            counted & ~smooth, distance, [axis - at for axis, at in zip(axes, middle, strict=True)], middle
        )
        if smooth.any():
            nodes = self._sum(smooth, distance, [NODES * side for side in half], middle)
            for axis in axes:
                nodes = np.tensordot(nodes, _interpolation(len(axis)), axes=(0, 1))  # the next axis becomes the first
            value += nodes
        return value.ravel()

    def _sum(self, which: Bools, distance: FloatArray, axes: Sequence[FloatArray], middle: FloatArray) -> FloatArray:
        """Return the winding number of some fans at the points of a grid, relative to its middle."""
        # Relative to the grid's middle: near fans by their triangles, others as dipoles.
        p = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
        near = distance <= FAR * self.radius
        corners, far = self.corners[(which & near)[self.fan]] - middle, np.flatnonzero(which & ~near)
        value = np.empty(len(p))
        for some in blocks(len(p), max(MATRIX // max(len(corners), len(far), 1), 1)):
            value[some] = _solid_angles(corners, p[some]) + _dipoles(self.place[far] - middle, self.area[far], p[some])
        return value.reshape([len(axis) for axis in axes])


@cache
def _interpolation(count: int) -> FloatArray:
    """Return the matrix (count, nodes) that interpolates values at `NODES` at evenly spaced points from -1 to 1."""
    return np.linalg.solve(np.vander(NODES).T, np.vander(np.linspace(-1.0, 1.0, count), len(NODES)).T).T


def fan_triangles(loops: Loops) -> tuple[Ints, FloatArray, Ints]:
    """Close loops by small fans.

    Returns
    -------
    triangles : ndarray, shape (k, 3)
        Indices of vertices; below zero those of apexes: -1 the first.
    apexes : ndarray, shape (f, 3)
    counts : ndarray, shape (f,)
        The triangles of each fan.
    """
    triangles, apexes, counts = [], [], []
    for begin, count in zip(loops.starts.tolist(), loops.counts.tolist(), strict=True):
        for piece in _pieces(loops.position[begin : begin + count]):
            vertices = loops.vertices[begin + piece]
            counts.append(len(piece) - 2 if len(piece) <= 4 else len(piece))
            if len(piece) <= 4:
                triangles.append(vertices[[[2, 1, 0], [3, 2, 0]][: len(piece) - 2]])
                continue
            apexes.append(loops.position[begin + piece].mean(axis=0))
            apex = np.full(len(piece), -len(apexes))
            triangles.append(np.column_stack([np.roll(vertices, -1), vertices, apex]))
    return np.concatenate(triangles), np.array(apexes).reshape(-1, 3), np.array(counts)


def _pieces(position: FloatArray) -> Iterator[Indices]:
    """Split a loop (n, 3) at its shortest chords into loops of at most `EDGES`, each by its vertices in order."""
    waiting = [np.arange(len(position))]
    while waiting:
        loop = waiting.pop()
        count = len(loop)
        if count <= EDGES:
            yield loop
            continue
        # A chord joins two vertices that are at least a quarter of the loop apart, so that both pieces are shorter by
        # that.
        quarter = count // 4
        start = np.unique(np.linspace(0, count - 1, min(count, CHORDS)).astype(np.int64))
        end = (start[:, None] + np.arange(quarter, count - quarter + 1)) % count
        p = position[loop]
        length = ((p[end] - p[start][:, None]) ** 2).sum(axis=2)
        i, j = np.unravel_index(np.argmin(length), length.shape)
        low, high = sorted((int(start[i]), int(end[i, j])))
        waiting += [loop[low : high + 1], np.concatenate([loop[high:], loop[: low + 1]])]


def _solid_angles(triangles: FloatArray, points: FloatArray) -> FloatArray:
    """Return the sum of the solid angles of triangles (k, 3, 3) at points (n, 3), by 4 π.

    Van Oosterom & Strackee 1983, The solid angle of a plane triangle, doi 10.1109/TBME.1983.325207, eq. 8; products of
    corners less a point are matrix products.
    """
    a, b, c = triangles.transpose(1, 0, 2)
    square = np.einsum("ij,ij->i", points, points)[:, None]
    ab, bc, ca = (cross(u.T, v.T).T for u, v in ((a, b), (b, c), (c, a)))
    volume = np.einsum("ij,ij->i", a, bc) - points @ (ab + bc + ca).T

    def product(u: FloatArray, v: FloatArray) -> FloatArray:
        result: FloatArray = points @ -(u + v).T
        result += square
        result += np.einsum("ij,ij->i", u, v)
        return result

    # |a| |b| |c| + (a · b) |c| + (b · c) |a| + (c · a) |b|, for corners less the point; atan2 of the volume and this is
    # half the solid angle.
    da, db, dc = (np.sqrt(np.maximum(product(u, u), 0.0)) for u in (a, b, c))
    under = da * db
    under += product(a, b)
    under *= dc
    under += product(b, c) * da
    under += product(c, a) * db
    total: FloatArray = np.arctan2(volume, under).sum(axis=1) * (2.0 / FOUR_PI)
    return total


def _dipoles(place: FloatArray, area: FloatArray, points: FloatArray) -> FloatArray:
    """Return the sum of the solid angles of vector areas (k, 3) far from points (n, 3), by 4 π."""
    square = points @ (-2.0 * place.T)
    square += np.einsum("ij,ij->i", points, points)[:, None]
    square += np.einsum("ij,ij->i", place, place)
    # A dipole's solid angle is r · area / |r|³, with r from the point to its place.
    over = np.einsum("ij,ij->i", place, area) - points @ area.T
    over /= square * np.sqrt(square)
    total: FloatArray = over.sum(axis=1) / FOUR_PI
    return total
