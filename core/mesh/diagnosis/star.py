# SPDX-License-Identifier: Apache-2.0
"""Proves at the cost of the integral that a surface is star-shaped: every ray from the middle of its box meets it once.

Three facts together prove it. (1) Every face is wound outward as seen from the middle, so that a ray only leaves there.
(2) Every edge is traversed equally in both directions, so that all rays that meet no edge meet equally many faces.
(3) One ray meets one face. Then the surface is closed, in one piece, wound outward, and touches itself nowhere: its
winding number is 1 inside and 0 outside, and no two of its vertices are at one place.

(2) is tested without a sort. Give every vertex two numbers by a hash: the areas of all faces in that plane, signed by
their winding, add up to zero if every side has its opposite. In integers modulo 2⁶⁴ that sum is exact, and for another
surface it is zero with a probability of about 2⁻⁶⁰.
"""

from __future__ import annotations

import numpy as np

from ...arrays import Bools, FloatArray, Ints, blocks
from ..integrate import BLOCK, smallest_cone
from ..surface import Surface
from ..topology.connected import mixed
from ..topology.vectors import cross, dot, face_corners

LEAST_CONE = 4096 * float(np.finfo(np.float64).eps)
"""Minimum of twice a face's a · (b × c) about the middle, relative to the cube of half the longest side: far above its
rounding. A face without area, as `without_area` defines it, is below."""

MARGIN = 1e-9
"""A ray that comes nearer to an edge than this, relative to half the longest side, proves nothing."""

RAY = np.array([0.8147, 0.4058, 0.4141])
"""A direction that meets no edge or corner of a modelled mesh."""

ACROSS = np.cross(RAY, (0.0, 0.0, 1.0))
PLANE = np.stack([ACROSS / np.linalg.norm(ACROSS), np.cross(RAY, ACROSS) / np.linalg.norm(np.cross(RAY, ACROSS))])
"""Axes (2, 3) of the plane across the ray, which looks up there."""


def is_star(surface: Surface) -> bool:
    """Return True if a surface is proved to be star-shaped about the middle of the box of its vertices."""
    return smallest_cone(surface) > LEAST_CONE and _meets_one_face(surface) and _is_balanced(surface)


def _meets_one_face(surface: Surface) -> bool:
    """Return True if the ray meets one face, and passes by all edges.

    It may be the ray or its opposite: a face that is wound outward has a positive area as seen from its end alone.
    """
    low, high = surface.box
    half = float((high - low).max()) / 2.0
    x, y = PLANE @ surface.vertices.T / half - (PLANE @ (low + high) / (2.0 * half))[:, None]
    # A face with all its corners clearly on one side of the line x = 0 is not met: that leaves a few.
    side = (x > MARGIN).astype(np.int8) - (x < -MARGIN)
    near = [np.zeros(0, np.int64)]
    for some in blocks(len(surface.triangles), BLOCK):
        sides = side.take(surface.triangles[some], mode="clip")
        near.append(np.flatnonzero(np.abs(sides[:, 0] + sides[:, 1] + sides[:, 2]) < 3) + some.start)
    corners = surface.triangles[np.concatenate(near)].T
    areas = _around_ray(x[corners], y[corners])
    return int(np.count_nonzero(areas > -MARGIN)) == 1 == int(np.count_nonzero(areas > MARGIN))


def _around_ray(x: FloatArray, y: FloatArray) -> FloatArray:
    """Return twice the smallest area between a ray and a side of each face, above zero for those that it meets, of
    corners (3, k) in the plane across it."""
    following = [1, 2, 0]
    areas: FloatArray = (x * y[following] - x[following] * y).min(axis=0)
    return areas


def star_components(surface: Surface, component: Ints, low: FloatArray, high: FloatArray) -> Bools:
    """Return which components (k,) of a surface are proved to be star-shaped about the middles of their boxes.

    Parameters
    ----------
    surface : Surface
        Closed, and wound consistently.
    component : ndarray, shape (m,)
    low, high : ndarray, shape (3, k)
        The box of each component.
    """
    middle, half = (low + high) / 2.0, (high - low).max(axis=0) / 2.0
    half[half == 0.0] = 1.0
    smallest = np.full(len(half), np.inf)
    met, clearly_met = np.zeros((2, len(half)), dtype=np.int64)
    for some in blocks(len(component), BLOCK):
        owner = component[some]
        corners = face_corners(surface, np.arange(some.start, some.stop))
        corners -= middle.take(owner, axis=1)[:, None]
        corners /= half.take(owner)
        np.minimum.at(smallest, owner, dot(corners[:, 0], cross(corners[:, 1], corners[:, 2])))
        areas = _around_ray(*np.tensordot(PLANE, corners, 1))
        met += np.bincount(owner[areas > -MARGIN], minlength=len(half))
        clearly_met += np.bincount(owner[areas > MARGIN], minlength=len(half))
    return np.asarray((smallest > LEAST_CONE) & (met == 1) & (clearly_met == 1))


def _is_balanced(surface: Surface) -> bool:
    """Return True if every edge is traversed equally in both directions: see the module's text."""
    x = mixed(np.arange(len(surface.vertices)))
    y = mixed(x)
    total = 0
    for some in blocks(len(surface.triangles), BLOCK):
        a, b, c = np.array(surface.triangles[some].T, dtype=np.intp, order="C")
        xa, ya = x.take(a, mode="clip"), y.take(a, mode="clip")
        areas = (x.take(b, mode="clip") - xa) * (y.take(c, mode="clip") - ya)
        areas -= (x.take(c, mode="clip") - xa) * (y.take(b, mode="clip") - ya)
        total += int(np.add.reduce(areas))
    return total % (1 << 64) == 0
