# SPDX-License-Identifier: GPL-3.0-or-later
"""Builders of awkward meshes; the table of them is tests/core/mesh/diagnosis/test_awkward_set.py."""

import numpy as np

from . import box, cells, grid, joined, unwelded


def without(mesh, *faces):
    return mesh[0], np.delete(mesh[1], faces, axis=0)


def turned(mesh, *faces):
    triangles = mesh[1].copy()
    triangles[list(faces)] = triangles[list(faces), ::-1]
    return mesh[0], triangles


def moved(mesh, *shift):
    return mesh[0] + np.array(shift), mesh[1]


def doubled(mesh, *faces, reverse=False):
    more = mesh[1][list(faces)]
    return mesh[0], np.vstack([mesh[1], more[:, ::-1] if reverse else more])


def welded(mesh):
    """Return the mesh with equal vertices shared."""
    vertices, number = np.unique(mesh[0], axis=0, return_inverse=True)
    return vertices, number.ravel()[mesh[1]]


def snake(path):
    """Return one closed surface around cells in a row, which share the walls to the next one only."""
    sides = []
    for k, cell in enumerate(path):
        vertices, triangles = cells({tuple(cell)})
        open_walls = [np.subtract(path[j], cell) for j in (k - 1, k + 1) if 0 <= j < len(path)]
        centres = vertices[triangles].min(axis=1) + vertices[triangles].max(axis=1) - 2 * np.array(cell) - 1
        kept = [not any((centre == wall).all() for wall in open_walls) for centre in centres]
        sides.append((vertices, triangles[kept], k))
    index, triangles = {}, []
    for vertices, faces, k in sides:
        for face in faces:
            corners = []
            for point in vertices[face]:
                # A corner belongs to the wall before or after this cell where it lies on one, else to the cell.
                near = k
                while near > 0 and _on_wall(point, path[near - 1], path[near]):
                    near -= 1
                corners.append(index.setdefault((tuple(point.tolist()), near), len(index)))
            triangles.append(corners)
    return np.array([point for point, _ in index]), np.array(triangles)


def _on_wall(point, one, other):
    low, high = np.maximum(one, other), np.minimum(one, other) + 1
    return bool(((point >= low) & (point <= high)).all())


def klein(n=12):
    i, j = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")

    def number(a, b):
        return (a % n) * n + np.where((a // n) % 2, -b, b) % n

    a, b, c, d = number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)
    u, v = 2 * np.pi * i / n, 2 * np.pi * j / n
    r = 3 + np.cos(u / 2) * np.sin(v) - np.sin(u / 2) * np.sin(2 * v)
    points = np.dstack([r * np.cos(u), r * np.sin(u), np.sin(u / 2) * np.sin(v) + np.cos(u / 2) * np.sin(2 * v)])
    return points.reshape(-1, 3), np.vstack([np.dstack([a, b, c]).reshape(-1, 3), np.dstack([a, c, d]).reshape(-1, 3)])


def moebius(n=12):
    """Return the band of a Klein bottle along the one circle that comes back to itself."""
    vertices, triangles = klein(n)
    return vertices, triangles[np.isin(triangles % n, (n - 1, 0, 1)).all(axis=1)]


def bow_tie(crossing):
    outline = np.array([[0, 0], [2, 2], [2, 0], [0, crossing]], dtype=float)
    n = len(outline)
    low, high = (np.column_stack([outline, np.full(n, z)]) for z in (0.0, 1.0))
    i, j = np.arange(n), np.roll(np.arange(n), -1)
    walls = [np.column_stack([i, j, j + n]), np.column_stack([i, j + n, i + n])]
    caps = [[0, 2, 1], [0, 3, 2], [n, n + 1, n + 2], [n, n + 2, n + 3]]
    return np.vstack([low, high]), np.vstack([*walls, caps])


def soup(count, rng):
    return rng.normal(size=(3 * count, 3)), np.arange(3 * count).reshape(-1, 3)


def normals(mesh):
    a, b, c = mesh[0][mesh[1].T]
    return np.cross(b - a, c - a)


def two_touching():
    """Return two cubes whose common wall is cut along unlike diagonals."""
    return joined(box(), box(low=(1, 0, 0)))


def beside_sheet(cube):
    sheet = np.array([[5.0, 0, 0], [6, 0, 0], [6, 1, 0]]), np.array([[0, 1, 2], [2, 1, 0]])
    return joined(cube, sheet)


def inner_wall():
    """Return two cubes that keep the wall between them, from both sides, with its corners shared."""
    return welded(two_touching_mirrored())


def two_touching_mirrored():
    cube = box()
    mirrored = (cube[0] * [-1, 1, 1] + [2, 0, 0], cube[1][:, ::-1])
    return joined(cube, mirrored)


def t_junctions():
    """Return a block of two cells, one half of it cut finer, so that long edges meet two short ones."""
    fine = cells(grid(2, 2, 2), (0.5, 0.5, 0.5))
    coarse = box(low=(1, 0, 0))
    keep_fine = ~(fine[0][fine[1], 0] == 1).all(axis=1)
    keep_coarse = ~(coarse[0][coarse[1], 0] == 1).all(axis=1)
    return welded(joined((fine[0], fine[1][keep_fine]), (coarse[0], coarse[1][keep_coarse])))


def almost_zero():
    """Return a cube some of whose corners miss the plane x = 0 by 1e-17, as CAD systems write them."""
    vertices, triangles = unwelded(box())
    zero = np.flatnonzero(vertices[:, 0] == 0)
    vertices[zero[::2], 0] = 1e-17
    vertices[zero[1::3], 0] = -1e-17
    return vertices, triangles


def scaled(mesh, factor):
    return mesh[0] * factor, mesh[1]


def far_in_float32():
    vertices, triangles = box((0.01, 0.01, 0.01), (1000.0, 0.0, 0.0))
    return vertices.astype(np.float32), triangles
