# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults in one component that change no number: each function gives a mesh with the same solid, and what it gets."""

from fractions import Fraction

import numpy as np

from ..solids import inverted, joined, shuffled, unwelded
from .case import RIGHT, STATED, WARNED, Generated, placed, warned
from .raw import of_mesh
from .sound import convex, frame, solid, star, stone


def clean(rng):
    """Nothing is wrong; half of them have three vertices for each face."""
    mesh = solid(rng)
    mesh, truth = placed(rng, mesh, of_mesh(mesh))
    return Generated(shuffled(unwelded(mesh) if rng.random() < 0.5 else mesh, rng), truth)


def with_flipped(rng, mesh, share):
    """Return a mesh with about such a share of its faces turned, at least one and not all."""
    vertices, triangles = mesh
    which = rng.random(len(triangles)) < share
    which[rng.integers(len(which))] = True
    if which.all():
        which[0] = False
    return vertices, np.where(which[:, None], triangles[:, ::-1], triangles)


def flipped_faces(rng):
    """Some faces are turned, a few or most."""
    mesh = solid(rng)
    mesh, truth = placed(rng, mesh, of_mesh(mesh))
    return warned(with_flipped(rng, mesh, rng.choice([0.02, 0.2, 0.5, 0.9])), truth, "inconsistent_winding")


def with_repeated(rng, mesh, count):
    """Return a mesh with some faces there two or three times, each with its corners in turn."""
    vertices, triangles = mesh
    again = triangles[rng.integers(0, len(triangles), count)]
    return vertices, np.vstack([triangles, np.roll(again, int(rng.integers(3)), axis=1)])


def duplicates(rng):
    """Faces are repeated, the whole mesh sometimes, with vertices shared or of their own."""
    mesh = solid(rng)
    mesh, truth = placed(rng, mesh, of_mesh(mesh))
    if rng.random() < 0.3:
        mesh = mesh[0], np.tile(mesh[1], (int(rng.integers(2, 5)), 1))
    else:
        mesh = with_repeated(rng, mesh, int(rng.integers(1, len(mesh[1]) // 2)))
    return warned(shuffled(unwelded(mesh) if rng.random() < 0.5 else mesh, rng), truth, "duplicate_faces")


def with_walls(rng, mesh, count):
    """Return a convex mesh with walls across it, faces there and back between three of its vertices."""
    vertices, triangles = mesh
    walls = np.array([rng.choice(len(vertices), 3, replace=False) for _ in range(count)])
    walls = np.vstack([walls, walls[:, ::-1]])
    return vertices, np.vstack([triangles, walls])


def back_to_back(rng):
    """Walls without thickness, inside a convex solid or beside any, or faces without area."""
    kind = rng.integers(3)
    mesh = convex(rng) if kind == 0 else solid(rng)
    mesh, truth = placed(rng, mesh, of_mesh(mesh))
    vertices, triangles = mesh
    count = int(rng.integers(1, 4))
    if kind == 0:  # a single one: several would pass through each other
        mesh = with_walls(rng, mesh, 1)
    elif kind == 1:
        high = vertices.max(axis=0)
        sheets = high + 0.25 * (1 + np.arange(count))[:, None, None] + rng.integers(0, 8, (1, 3, 3)) / 64.0 * [1, 1, 0]
        sheets += np.array([[0, 0, 0], [0.5, 0, 0], [0, 0.5, 0]])
        new = np.arange(3 * count).reshape(-1, 3) + len(vertices)
        mesh = np.vstack([vertices, sheets.reshape(-1, 3)]), np.vstack([triangles, new, new[:, ::-1]])
    else:
        mesh = with_points_for_faces(rng, mesh, count)
    return Generated(shuffled(mesh, rng), truth, frozenset({RIGHT, WARNED}))


def with_points_for_faces(rng, mesh, count):
    """Return a mesh with faces without area: two corners at one vertex."""
    vertices, triangles = mesh
    one, other = rng.integers(0, len(vertices), (2, count))
    return vertices, np.vstack([triangles, np.column_stack([one, one, other])])


def with_t_junctions(rng, mesh, count):
    """Return a mesh in which some faces are cut in two at the middle of an edge, and those beyond it are not."""
    vertices, triangles = mesh
    vertices, triangles = list(vertices), triangles.tolist()
    cut = set()
    for face in rng.permutation(len(triangles))[:count].tolist():
        k = int(rng.integers(3))
        a, b, c = np.roll(triangles[face], -k).tolist()
        if frozenset((a, b)) in cut:
            continue
        # Nor may a neighbour's half begin where this one's does: each face is cut once, each edge once.
        cut |= {frozenset((a, b))}
        vertices.append((vertices[a] + vertices[b]) / 2)
        triangles[face] = [a, len(vertices) - 1, c]
        triangles.append([len(vertices) - 1, b, c])
    return np.array(vertices), np.array(triangles)


def t_junctions(rng):
    """Corners lie on the edges of other faces; sometimes faces without area close the cracks."""
    mesh = solid(rng)
    mesh, truth = placed(rng, mesh, of_mesh(mesh))
    before = len(mesh[1])
    mesh = with_t_junctions(rng, mesh, int(rng.integers(1, 6)))
    if rng.random() < 0.3:
        vertices, triangles = mesh
        more = triangles[before:]  # [middle, b, c]; the other half begins at a
        halves = {int(face[1]): int(face[0]) for face in triangles[:before]}
        slivers = [(halves[int(m)], int(b), int(m)) for m, b, _ in more if int(m) in halves]
        mesh = vertices, np.vstack([triangles, np.array(slivers, dtype=int).reshape(-1, 3)])
        return Generated(shuffled(mesh, rng), truth, frozenset({RIGHT, WARNED}))
    return warned(shuffled(mesh, rng), truth, "t_junction")


def near_duplicates(rng):
    """Each face has its own vertices, apart by less than the merging cell of a millionth of the size."""
    mesh = solid(rng)
    mesh, truth = placed(rng, mesh, of_mesh(mesh))
    vertices, triangles = unwelded(mesh)
    size = float(truth.size)
    vertices = vertices + size * 1e-7 * rng.uniform(-1, 1, vertices.shape)
    # What moving the surface by that much may do, of solids no thinner than a twentieth of their size.
    may = frozenset({RIGHT, WARNED, STATED})
    return Generated((vertices, triangles), truth, may, tolerance=Fraction(1, 10**5))


def far(rng):
    """Far from the origin in float64, or in float32: the truth is that of the coordinates as they are held."""
    (vertices, triangles), _ = placed(rng, solid(rng))
    way = rng.normal(size=3)
    way /= np.abs(way).max()
    if rng.random() < 0.5:
        vertices = vertices + way * 10.0 ** rng.uniform(1, 7)
    else:
        vertices = (vertices + way * 10.0 ** rng.uniform(0, 2)).astype(np.float32)
    mesh = vertices, triangles
    return Generated(mesh, of_mesh(mesh).exact(vertices), frozenset({RIGHT, WARNED}))


def thin(rng):
    """A plate from a hundred-thousandth to two millionths as thick as it is long."""
    (vertices, triangles) = frame(rng) if rng.random() < 0.5 else star(rng)
    high = vertices[:, 2].max() - vertices[:, 2].min()
    size = 2.0 ** round(np.log2(np.ptp(vertices[:, :2], axis=0).max()))
    levels = np.rint((vertices[:, 2] - vertices[:, 2].min()) / high * 64) / 64
    vertices = np.column_stack([vertices[:, :2], levels * size * 2.0 ** -int(rng.integers(14, 20))])
    mesh, truth = placed(rng, (vertices, triangles), of_mesh((vertices, triangles)))
    return Generated(mesh, truth, frozenset({RIGHT, WARNED}), tolerance=Fraction(1, 10**9))


def inside_out(rng):
    """One to four solids apart from each other, of which one at least looks inwards as a whole."""
    meshes, raw, turned, x = [], None, False, 0.0
    count = int(rng.integers(1, 5))
    for k in range(count):
        vertices, triangles = stone(rng, int(rng.integers(1, 3)))
        vertices = vertices + [x - vertices[:, 0].min(), 0, 0]
        x = vertices[:, 0].max() + float(rng.integers(64, 2048))
        one = of_mesh((vertices, triangles))
        raw = one if raw is None else raw + one
        turned_now = rng.random() < 0.5 or (k == count - 1 and not turned)
        turned |= turned_now
        meshes.append(inverted((vertices, triangles)) if turned_now else (vertices, triangles))
    mesh, truth = placed(rng, joined(*meshes), raw)
    return warned(shuffled(mesh, rng), truth, "inside_out")
