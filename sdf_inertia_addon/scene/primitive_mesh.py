# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes of shapes, whose extents are exactly those of the shape, so that they read back as it."""

from __future__ import annotations

import bpy

from ...core.body.shapes import Shape


def mesh_of(shape: Shape, name: str) -> bpy.types.Mesh:
    """Make a closed mesh of a shape, centred, its axis z; lengths as they are in `shape`."""
    vertices, faces = shape.facets()
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices.tolist(), [], faces)
    mesh.polygons.foreach_set("use_smooth", [shape.smooth] * len(faces))
    mesh.update()
    return mesh
