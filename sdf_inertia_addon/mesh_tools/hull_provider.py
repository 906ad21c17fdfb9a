# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's convex hull for the core, which does not know Blender; its numpy comes without SciPy."""

import bmesh
import numpy as np

from ...core.arrays import FloatArray, TriangleArray
from ...core.mesh import hull

NAME = "Blender"


def triangles_of_hull(points: FloatArray) -> TriangleArray:
    """Return the triangles (m, 3) of the hull of points (n, 3), which Blender rounds to float32."""
    bm = bmesh.new()
    try:
        vertices = [bm.verts.new(point) for point in points]
        bmesh.ops.convex_hull(bm, input=vertices)
        bm.verts.index_update()
        bmesh.ops.triangulate(bm, faces=bm.faces[:])
        triangles = [[vertex.index for vertex in face.verts] for face in bm.faces]
    finally:
        bm.free()
    return np.array(triangles, dtype=np.int64).reshape(-1, 3)


def attach() -> None:
    hull.use_provider(NAME, triangles_of_hull)


def detach() -> None:
    hull.use_provider(NAME, None)
