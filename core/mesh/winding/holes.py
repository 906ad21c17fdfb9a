# SPDX-License-Identifier: GPL-3.0-or-later
"""The holes of a surface, closed by fans that are small and apart where the holes allow it, and what they wind.

A long loop is parted by its shortest chords, so that a slit is closed by many small fans, of which all but those near
by are as good as dipoles.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...arrays import FloatArray, Indices, Ints, blocks
from ..topology.loops import Loops

EDGES = 24
"""A loop of more edges is parted."""

CHORDS = 128
"""So many vertices of a loop are asked for the shortest chord."""

ALONE = 256
"""Where there are more fans than this, those near each other go together."""

BOXES = 12.0
"""..so many such places along the longest side."""

MATRIX = 1 << 17
"""Pairs of a point and a triangle at a time."""

FOUR_PI = 4.0 * np.pi


@dataclass(frozen=True, eq=False)
class Holes:
    """Fans in groups: what is far from a group takes each of its fans for a dipole.

    Parameters
    ----------
    corners : ndarray, shape (k, 3, 3)
        Triangles of all fans [m].
    triangle_starts : ndarray, shape (g + 1,)
        Where those of each group begin.
    fan_starts : ndarray, shape (g + 1,)
        Where the fans of each group begin.
    place, area : ndarray, shape (f, 3)
        Of each fan, where it is [m], and its vector area [m²].
    centre : ndarray, shape (g, 3)
    radius : ndarray, shape (g,)
        A ball around each group [m].
    """

    corners: FloatArray
    triangle_starts: Ints
    fan_starts: Ints
    place: FloatArray
    area: FloatArray
    centre: FloatArray
    radius: FloatArray

    @classmethod
    def of(cls, corners: FloatArray, counts: Ints, longest: float) -> Holes:
        """Group fans, of which each has so many of the triangles."""
        fan = np.repeat(np.arange(len(counts)), counts)
        starts = np.cumsum(counts) - counts
        a, b, c = corners.transpose(1, 0, 2)
        vector = np.cross(b - a, c - a) / 2.0
        weight = np.linalg.norm(vector, axis=1) + np.finfo(np.float64).tiny
        place = np.add.reduceat(corners.mean(axis=1) * weight[:, None], starts)
        place /= np.add.reduceat(weight, starts)[:, None]
        area = np.add.reduceat(vector, starts)
        reach = np.linalg.norm(corners - place[fan][:, None], axis=2).max(axis=1)
        radius = np.maximum.reduceat(reach, starts)
        if len(counts) <= ALONE:
            bounds = np.arange(len(counts) + 1)
            return cls(corners, np.append(starts, len(corners)), bounds, place, area, place, radius)
        cell = longest / BOXES
        number = (np.floor((place - place.min(axis=0)) / cell) @ [1.0, 4096.0, 4096.0**2]).astype(np.int64)
        alone = np.flatnonzero(radius > cell / 2.0)
        number[alone] = -1 - np.arange(len(alone))
        order = np.argsort(number, kind="stable")
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        by_triangle = np.argsort(rank[fan], kind="stable")
        place, area, radius, counts = place[order], area[order], radius[order], counts[order]
        first = np.flatnonzero(np.diff(number[order], prepend=number.min() - 1))
        group = np.cumsum(np.diff(number[order], prepend=number.min() - 1) != 0) - 1
        members = np.diff(np.append(first, len(order)))
        centre = np.add.reduceat(place, first) / members[:, None]
        ball = np.maximum.reduceat(np.linalg.norm(place - centre[group], axis=1) + radius, first)
        triangles = np.append(0, np.cumsum(np.add.reduceat(counts, first)))
        return cls(corners[by_triangle], triangles, np.append(first, len(order)), place, area, centre, ball)

    def near(self, groups: Ints, points: FloatArray) -> FloatArray:
        """Return what groups wind around points (n, 3)."""
        middle, value = points.mean(axis=0), np.zeros(len(points))
        corners = self.corners[_members(self.triangle_starts, groups)] - middle
        for some in blocks(len(points), max(MATRIX // max(len(corners), 1), 1)):
            value[some] = _solid_angles(corners, points[some] - middle)
        return value

    def far(self, groups: Ints, points: FloatArray) -> FloatArray:
        """Return what groups far from points (n, 3) wind around them, each fan as a dipole."""
        middle, value = points.mean(axis=0), np.zeros(len(points))
        fans = _members(self.fan_starts, groups)
        place, area = self.place[fans] - middle, self.area[fans]
        for some in blocks(len(points), max(MATRIX // max(len(fans), 1), 1)):
            p = points[some] - middle
            square = p @ (-2.0 * place.T)
            square += np.einsum("ij,ij->i", p, p)[:, None]
            square += np.einsum("ij,ij->i", place, place)
            over = np.einsum("ij,ij->i", place, area) - p @ area.T
            over /= square * np.sqrt(square)
            value[some] = over.sum(axis=1) / FOUR_PI
        return value


def _members(starts: Ints, groups: Ints) -> Ints:
    """Return what is in groups, which begin at `starts`."""
    there = np.zeros(len(starts) - 1, dtype=bool)
    there[groups] = True
    return np.flatnonzero(np.repeat(there, np.diff(starts)))


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
            counts.append(1 if len(piece) == 3 else len(piece))
            if len(piece) == 3:
                triangles.append(vertices[None, ::-1])
                continue
            apexes.append(loops.position[begin + piece].mean(axis=0))
            apex = np.full(len(piece), -len(apexes))
            triangles.append(np.column_stack([np.roll(vertices, -1), vertices, apex]))
    return np.concatenate(triangles), np.array(apexes).reshape(-1, 3), np.array(counts)


def _pieces(position: FloatArray) -> Iterator[Indices]:
    """Part a loop (n, 3) by its shortest chords into loops of at most `EDGES`, each by its vertices in turn."""
    waiting = [np.arange(len(position))]
    while waiting:
        loop = waiting.pop()
        count = len(loop)
        if count <= EDGES:
            yield loop
            continue
        quarter = count // 4
        one = np.unique(np.linspace(0, count - 1, min(count, CHORDS)).astype(np.int64))
        other = (one[:, None] + np.arange(quarter, count - quarter + 1)) % count
        p = position[loop]
        length = ((p[other] - p[one][:, None]) ** 2).sum(axis=2)
        i, j = np.unravel_index(np.argmin(length), length.shape)
        low, high = sorted((int(one[i]), int(other[i, j])))
        waiting += [loop[low : high + 1], np.concatenate([loop[high:], loop[: low + 1]])]


def _solid_angles(triangles: FloatArray, points: FloatArray) -> FloatArray:
    """Return the sum of the solid angles of triangles (k, 3, 3) at points (n, 3), by 4 π.

    Van Oosterom & Strackee 1983, The solid angle of a plane triangle, doi 10.1109/TBME.1983.325207, eq. 8; products of
    corners less a point are matrix products.
    """
    a, b, c = triangles.transpose(1, 0, 2)
    square = np.einsum("ij,ij->i", points, points)[:, None]
    volume = np.einsum("ij,ij->i", a, np.cross(b, c)) - points @ (np.cross(a, b) + np.cross(b, c) + np.cross(c, a)).T

    def product(u: FloatArray, v: FloatArray) -> FloatArray:
        result: FloatArray = points @ -(u + v).T
        result += square
        result += np.einsum("ij,ij->i", u, v)
        return result

    da, db, dc = (np.sqrt(np.maximum(product(u, u), 0.0)) for u in (a, b, c))
    under = da * db
    under += product(a, b)
    under *= dc
    under += product(b, c) * da
    under += product(c, a) * db
    total: FloatArray = np.arctan2(volume, under).sum(axis=1) * (2.0 / FOUR_PI)
    return total
