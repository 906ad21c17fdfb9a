# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes with something wrong about them, a link of one, and what is found of it."""

import numpy as np

from .scenes import BOX_FACES, add, empty, mesh_data, read, tag

CORNERS = [(x, y, z) for z in (0.0, 1.0) for x, y in ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))]

TENT = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1.5), (0, 1, 1)]
TENT_SIDES = [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (2, 3, 7, 6), (0, 4, 7, 3), (1, 2, 6, 5)]


def part(mesh, name="part", **settings):
    """Return the one collision of a link of filled inertia, water."""
    link = tag(empty(), "link", inertia="FILLED", use_density=True)
    return tag(add(mesh, name, link), "collision", **settings)


def volume():
    """Return the collision's volume, or the code of what refuses it."""
    _model, (body,) = read()
    (found,) = body.parts
    return found.findings[-1].code if found.volume is None else found.volume


def codes():
    _model, (body,) = read()
    return {finding.code for finding in body.parts[0].findings}


def coordinates(mesh):
    return np.array([vertex.co for vertex in mesh.vertices]).tolist(), [tuple(face.vertices) for face in mesh.polygons]


def open_box():
    return mesh_data(CORNERS, BOX_FACES[:-1])


def bent_box():
    """A box with a corner 0.3 above the others of its top, which Blender folds along the diagonal through it."""
    return mesh_data([*CORNERS[:6], (1.0, 1.0, 1.3), CORNERS[7]], [*BOX_FACES[:1], (6, 7, 4, 5), *BOX_FACES[2:]])


def one_face_turned():
    return mesh_data(CORNERS, [BOX_FACES[0][::-1], *BOX_FACES[1:]])


def inside_out():
    return mesh_data(CORNERS, [face[::-1] for face in BOX_FACES])


def sheet():
    return mesh_data([(0, 0, 0), (2, 0, 0), (2, 1, 0), (0, 1, 0)], [(0, 1, 2, 3)])


def fin():
    """A box with two faces that stand on an edge of it, one on the other."""
    out = [(-0.5, -0.5, 0.0), (-0.5, -0.5, 1.0), (-1.0, -1.0, 0.0), (-1.0, -1.0, 1.0)]
    return mesh_data([*CORNERS, *out], [*BOX_FACES, (0, 4, 9, 8), (8, 9, 11, 10)])


def unwelded(mesh):
    """Return the mesh with vertices of its own for each face."""
    faces = [[mesh.vertices[i].co[:] for i in face.vertices] for face in mesh.polygons]
    ends = np.cumsum([0, *map(len, faces)])
    pairs = zip(ends, ends[1:], strict=False)
    return mesh_data([point for face in faces for point in face], [range(a, b) for a, b in pairs])


def joined(*meshes):
    corners, faces = [], []
    for mesh in meshes:
        points, rings = coordinates(mesh)
        faces += [[i + len(corners) for i in ring] for ring in rings]
        corners += points
    return mesh_data(corners, faces)


def turned(mesh):
    corners, faces = coordinates(mesh)
    return mesh_data(corners, [face[::-1] for face in faces])
