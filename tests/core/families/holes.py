# SPDX-License-Identifier: GPL-3.0-or-later
"""Holes small and large, and components that cross themselves."""

from fractions import Fraction

import numpy as np

from ..solids import cells, shuffled, subdivided, unwelded
from ..solids.awkward import bow_tie, snake
from .case import REFUSED, STATED, UNION, WARNED, Generated, placed, refused
from .convex import common, faces_of
from .raw import NOTHING, of_cells, of_mesh, of_triangles
from .sound import block, frame, star, stone

CERTAIN = 5e-4
"""Of holes that could hold no more than this share of the solid a number is due: the policy goes up to 1e-3."""

DOME = 0.376
"""A half ball over a loop of area A holds 2/3 π (A/π)^1.5 = 0.376 A^1.5."""


def small_holes(rng):
    """Of a fine mesh one to fifty faces are missing, one by one or beside each other; the truth is the whole mesh."""
    vertices, triangles = stone(rng, int(rng.integers(4, 6))) if rng.random() < 0.7 else block(rng, 4)
    whole = of_mesh((vertices, triangles))
    if rng.random() < 0.5:
        missing = rng.choice(len(triangles), int(rng.integers(1, 13)), replace=False)
    else:
        middles = vertices[triangles].mean(axis=1)
        distance = np.linalg.norm(middles - middles[rng.integers(len(middles))], axis=1)
        missing = np.argsort(distance)[: int(rng.integers(2, 51))]
    kept = np.setdiff1d(np.arange(len(triangles)), missing)
    exact = whole.exact(vertices)
    due = _could_hold(vertices, triangles[missing], exact) < CERTAIN
    mesh, truth = placed(rng, (vertices, triangles[kept]), whole)
    mesh = shuffled(unwelded(mesh) if rng.random() < 0.3 else mesh, rng)
    may = {WARNED, STATED} if due else {WARNED, STATED, REFUSED}
    return Generated(mesh, truth, frozenset(may), frozenset({"small_holes"}), frozenset({"open_mesh"}))


def _could_hold(vertices, missing, exact):
    """Return a share of volume or tensor that is more than what lies over or under the missing faces."""
    corners = vertices[missing]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]) / 2
    areas = np.linalg.norm(normals, axis=1)
    label = np.arange(len(missing))
    for _ in missing:  # holes that share a corner are one
        for vertex in np.unique(missing):
            here = (missing == vertex).any(axis=1)
            label[here] = label[here].min()
    volume, reach = float(exact.volume), 0.0
    centroid = np.array([float(one) for one in exact.centroid])
    trace = float(sum(exact.covariance[i][i] for i in range(3)))
    share = 0.0
    for one in np.unique(label):
        points = corners[label == one].reshape(-1, 3)
        area, normal = areas[label == one].sum(), normals[label == one].sum(axis=0)
        deep = np.ptp(points @ normal) / np.linalg.norm(normal)
        held = max(area * deep, DOME * area**1.5)
        reach = ((points - centroid) ** 2).sum(axis=1).max()
        share += held * max(1 / volume, reach / trace)
    return share


def large_holes(rng):
    """A box without its lid, a tube without its ends, half a stone: no definite solid."""
    kind = rng.integers(4)
    if kind == 0:
        vertices, triangles = block(rng, int(rng.integers(0, 3)))
        axis, side = rng.integers(3), vertices[:, :].max(axis=0)
        lid = (vertices[triangles][:, :, axis] == side[axis]).all(axis=1)
        triangles = triangles[~lid]
    elif kind == 1:
        vertices, triangles = star(rng) if rng.random() < 0.5 else frame(rng)
        levels = vertices[triangles][:, :, 2]
        triangles = triangles[np.ptp(levels, axis=1) > 0]
    elif kind == 2:
        vertices, triangles = stone(rng, 3)
        triangles = triangles[vertices[triangles].mean(axis=1)[:, int(rng.integers(3))] < 0]
    else:
        vertices, triangles = block(rng, 1)
        triangles = triangles[rng.random(len(triangles)) < 0.7]
    (vertices, triangles), _ = placed(rng, (vertices, triangles))
    mesh = vertices, triangles
    return refused(shuffled(unwelded(mesh) if rng.random() < 0.3 else mesh, rng), "open_mesh")


def self_crossing(rng):
    """One component crosses itself: a tube of cells, a bent U, or a bow-tie, which is inside out in parts."""
    return (_snake, _bent, _bow_tie)[rng.integers(3)](rng)


def _snake(rng):
    """A tube runs in a loop and then across itself, or into its own beginning."""
    a, b = rng.integers(2, 5, 2).tolist()
    back = int(rng.integers(1, a))
    corners = [(0, 0), (a, 0), (a, b), (back, b), (back, -int(rng.integers(0, 3)))]
    path = [(0, 0, 0)]
    for (x0, y0), (x1, y1) in zip(corners, corners[1:], strict=False):
        for _ in range(abs(x1 - x0) + abs(y1 - y0)):
            path.append((path[-1][0] + np.sign(x1 - x0), path[-1][1] + np.sign(y1 - y0), 0))
    path = [(int(x), int(y), int(z)) for x, y, z in path]
    mesh = snake(path)
    low = np.array(sorted(set(path)))
    raw = of_cells(low, low + 1)
    if rng.random() < 0.5:
        mesh = subdivided(mesh)
    mesh, truth = placed(rng, (mesh[0] * 8, mesh[1]), raw.transformed(8 * np.eye(3, dtype=int), np.zeros(3)))
    return Generated(
        mesh, truth, frozenset({WARNED, STATED}), frozenset({"overlapping_shells", "crossing_faces"}), tolerance=UNION
    )


def _bent(rng):
    """The second arm of a U is bent into the first; what both fill is clipped exactly."""
    tall, start = int(rng.integers(3, 6)), int(rng.integers(1, 3))
    shift = Fraction(int(rng.integers(17, 30)), 16)
    arms = {(0, 0, k) for k in range(tall)} | {(2, 0, k) for k in range(tall)} | {(1, 0, 0)}
    vertices, triangles = cells(arms)
    bent = (vertices[:, 0] > 1.5) & (vertices[:, 2] > start + 0.5)
    vertices[bent, 0] -= float(shift)
    low, shared = np.zeros(3, dtype=int), NOTHING

    def piece(bottom, top, at_bottom, at_top):
        corners = np.empty((2, 2, 2, 3), dtype=object)
        for i, j, k in np.ndindex(2, 2, 2):
            corners[i, j, k] = [2 + i - (at_top if k else at_bottom), Fraction(j), Fraction(top if k else bottom)]
        return faces_of(corners)

    first = faces_of([[[[i, j, tall * k] for k in (0, 1)] for j in (0, 1)] for i in (0, 1)] + low)
    shared = common([first, piece(start, start + 1, Fraction(0), shift)])
    if start + 1 < tall:
        shared += common([first, piece(start + 1, tall, shift, shift)])
    raw = of_mesh((vertices, triangles)) - shared
    for _ in range(int(rng.integers(0, 3))):
        vertices, triangles = subdivided((vertices, triangles))
    mesh, truth = placed(rng, (vertices, triangles), raw)
    return Generated(
        mesh, truth, frozenset({WARNED, STATED}), frozenset({"overlapping_shells", "crossing_faces"}), tolerance=UNION
    )


def _bow_tie(rng):
    """A prism over a bow-tie: one half of it is inside out, or a thousandth and less of it."""
    power = int(rng.integers(-1, 8))
    crossing = 2.0**-power
    mesh = bow_tie(crossing)
    x = 2 * Fraction(crossing) / (2 + Fraction(crossing))
    # The larger half decides which way is out; w > 1/2 is that half alone: its three corners, from z = 0 to 1.
    half = [(x, x), (Fraction(2), Fraction(0)), (Fraction(2), Fraction(2))]
    if crossing >= 2.0:
        return refused(placed(rng, mesh)[0], "zero_volume", "negative_winding")
    share = crossing * float(x) / (2 * (2 - float(x)))
    raw = _prism_of(half)
    mesh, truth = placed(rng, mesh, raw)
    if share > 2e-3:
        return refused(mesh, "negative_winding")
    may = {WARNED, STATED} if share < 2e-4 else {WARNED, STATED, REFUSED}
    return Generated(
        mesh, truth, frozenset(may), frozenset({"small_inside_out", "crossing_faces"}), frozenset({"negative_winding"})
    )


def _prism_of(outline):
    """Return the moments of the prism from z = 0 to 1 over a triangle, counter-clockwise."""
    a, b, c = ([np.array([*point, Fraction(z)], dtype=object) for z in (0, 1)] for point in outline)
    walls = [(p[0], q[0], q[1]) for p, q in ((a, b), (b, c), (c, a))] + [
        (p[0], q[1], p[1]) for p, q in ((a, b), (b, c), (c, a))
    ]
    return of_triangles([*walls, (a[1], b[1], c[1]), (a[0], c[0], b[0])])
