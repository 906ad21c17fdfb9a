# SPDX-License-Identifier: GPL-3.0-or-later
"""Closed meshes to measure: solids of unit cells, extruded outlines, and ways to disguise them."""

from itertools import product

import numpy as np

_CORNERS = np.array(list(product((0, 1), repeat=3)))


def _plus(*vectors):
    return tuple(map(sum, zip(*vectors, strict=True)))


def cells(which, size=(1.0, 1.0, 1.0), low=(0.0, 0.0, 0.0)):
    """Return the surface of a set of unit cells (i, j, k), scaled by `size` from `low`; inner walls are left out."""
    filled = set(which)
    index, triangles = {}, []
    for cell in sorted(filled):
        for axis, side in product(range(3), (0, 1)):
            step, u, v = ([0, 0, 0] for _ in range(3))
            step[axis], u[(axis + 1) % 3], v[(axis + 2) % 3] = 2 * side - 1, 1, 1
            if _plus(cell, step) in filled:
                continue
            corner = _plus(cell, [max(one, 0) for one in step])
            quad = [corner, _plus(corner, u), _plus(corner, u, v), _plus(corner, v)]
            a, b, c, d = (index.setdefault(point, len(index)) for point in quad[:: 2 * side - 1])
            triangles += [(a, b, c), (a, c, d)]
    vertices = np.array(list(index), dtype=np.float64) * size + low
    return vertices, np.array(triangles)


def box(size=(1.0, 1.0, 1.0), low=(0.0, 0.0, 0.0)):
    """Return a box of 8 vertices and 12 faces."""
    return cells({(0, 0, 0)}, size, low)


def grid(nx, ny, nz):
    """Return the cells of a full block."""
    return set(product(range(nx), range(ny), range(nz)))


L_CELLS = {(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0), (0, 2, 0)}
U_CELLS = {(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0), (2, 1, 0), (0, 2, 0), (2, 2, 0)}
TUBE_CELLS = grid(3, 3, 4) - {(1, 1, k) for k in range(4)}
HOLLOW_CELLS = grid(4, 3, 3) - {(1, 1, 1), (2, 1, 1)}


def prism(outline, bottom=0.0, top=1.0, top_scale=1.0):
    """Return the prism or frustum of an outline (n, 2), counter-clockwise and star-shaped about the origin."""
    outline = np.asarray(outline, dtype=float)
    n = len(outline)
    low = np.column_stack([outline, np.full(n, bottom)])
    high = np.column_stack([outline * top_scale, np.full(n, top)])
    vertices = np.vstack([low, high, [[0.0, 0.0, bottom], [0.0, 0.0, top]]])
    i = np.arange(n)
    j = np.roll(i, -1)
    faces = [(i, j, j + n), (i, j + n, i + n), (j, i, np.full(n, 2 * n)), (i + n, j + n, np.full(n, 2 * n + 1))]
    return vertices, np.vstack([np.column_stack(face) for face in faces])


def polygon(n, radius=1.0):
    """Return a regular outline (n, 2)."""
    angle = 2 * np.pi * np.arange(n) / n
    return radius * np.column_stack([np.cos(angle), np.sin(angle)])


def joined(*meshes):
    """Return several meshes as one, each with its own vertices."""
    vertices, triangles, count = [], [], 0
    for points, faces in meshes:
        vertices.append(points)
        triangles.append(faces + count)
        count += len(points)
    return np.vstack(vertices), np.vstack(triangles)


def inverted(mesh):
    """Return the mesh inside out."""
    return mesh[0], mesh[1][:, ::-1]


def subdivided(mesh):
    """Return the mesh with each face cut in four at the middles of its edges."""
    vertices, triangles = np.asarray(mesh[0], dtype=float), np.asarray(mesh[1])
    edges = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    edges, number = np.unique(edges, axis=0, return_inverse=True)
    a, b, c = triangles.T
    ab, bc, ca = (number.reshape(-1, 3) + len(vertices)).T
    faces = np.stack([a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca], axis=1).reshape(-1, 3)
    return np.vstack([vertices, vertices[edges].mean(axis=1)]), faces


def shuffled(mesh, rng):
    """Return the same surface with vertices, faces and the first corner of each face in random order."""
    vertices, triangles = mesh
    order = rng.permutation(len(vertices))
    triangles = np.argsort(order)[triangles][rng.permutation(len(triangles))]
    turn = rng.integers(0, 3, len(triangles))[:, None]
    return vertices[order], np.take_along_axis(triangles, (np.arange(3) + turn) % 3, axis=1)


def unwelded(mesh):
    """Return the mesh with three vertices of its own for every face, as an STL file has."""
    vertices, triangles = mesh
    return vertices[triangles].reshape(-1, 3), np.arange(3 * len(triangles)).reshape(-1, 3)


def rotation(rng):
    """Return a random rotation matrix."""
    q, r = np.linalg.qr(rng.normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    return q * np.sign(np.linalg.det(q))


def frustum():
    """Return a cone of 768 faces whose tip is cut off: it has neither corners at round numbers nor faces on a grid."""
    return subdivided(subdivided(prism(polygon(12), -0.7, 0.6, top_scale=0.6)))


def ball():
    """Return a sphere of 2048 faces, of radius 1."""
    vertices, triangles = subdivided(subdivided(subdivided(prism(polygon(8), -1, 1, top_scale=0.5))))
    return vertices / np.linalg.norm(vertices, axis=1)[:, None], triangles


def torus(around=64, across=32, radius=1.0, tube=0.4):
    """Return a ring about z of so many faces around and across, twice."""
    i, j = np.meshgrid(np.arange(around), np.arange(across), indexing="ij")
    u, v = 2 * np.pi * i / around, 2 * np.pi * j / across
    far = radius + tube * np.cos(v)
    points = np.dstack([far * np.cos(u), far * np.sin(u), tube * np.sin(v)]).reshape(-1, 3)
    a, b, c, d = (
        ((i + di) % around * across + (j + dj) % across).ravel() for di, dj in ((0, 0), (1, 0), (1, 1), (0, 1))
    )
    return points, np.vstack([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])


SOLIDS = {
    "ball": ball(),
    "gear": prism(polygon(68) * np.where(np.arange(68) % 4 < 2, 1.0, 0.8)[:, None], -0.2, 0.2),
    "box": box((1.0, 0.7, 0.4)),
    "rod": box((0.1, 0.1, 1.0)),
    "plate": box((1.0, 1.0, 0.05)),
    "tube": cells(TUBE_CELLS, (0.5, 0.7, 0.4)),
}


def two_materials():
    """Return a box's vertices, and the faces of its caps and of its sides."""
    vertices, triangles = box((1.0, 2.0, 3.0), (-0.5, -1.0, -1.5))
    vertices, triangles = np.asarray(vertices), np.asarray(triangles)
    corners = vertices[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    caps = np.abs(normals[:, 2]) > 0
    assert caps.sum() == 4
    return vertices, triangles[caps], triangles[~caps]
