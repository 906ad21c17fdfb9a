# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials of an imported robot, under the names of its files; those that look alike are one."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ...core.files.look import Material, find_texture


@dataclass(eq=False)
class Materials:
    """Makes each material once."""

    _made: dict[tuple[Material, Path | None], bpy.types.Material] = field(default_factory=dict)

    def of_mesh_file(self, given: Material, folder: Path) -> bpy.types.Material:
        """Return a material of a mesh file in a folder."""
        return self.of(given, find_texture(given.image, folder) if given.image else None)

    def of(self, given: Material, image: Path | None = None) -> bpy.types.Material:
        """Return a material of a file, with the image of its texture."""
        key = (given, image)
        if key not in self._made:
            self._made[key] = _new_material(given, image)
        return self._made[key]


def _new_material(given: Material, image: Path | None) -> bpy.types.Material:
    material = bpy.data.materials.new(given.name or "Material")
    material.use_nodes = True
    shader = next((node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED"), None)
    if given.color is not None:
        material.diffuse_color = given.color
        if shader is not None:
            base: Any = shader.inputs["Base Color"]
            base.default_value = given.color
            alpha: Any = shader.inputs["Alpha"]
            alpha.default_value = given.color[3]
    if image is not None and shader is not None:
        try:
            loaded = bpy.data.images.load(str(image), check_existing=True)
        except RuntimeError:  # not a picture
            return material
        node: Any = material.node_tree.nodes.new("ShaderNodeTexImage")
        node.image, node.location = loaded, (-300.0, 300.0)
        material.node_tree.links.new(shader.inputs["Base Color"], node.outputs["Color"])
    return material


def lay_out(mesh: bpy.types.Mesh) -> None:
    """Lay a texture upon a mesh without texture coordinates: each face sees it as the nearest side of a box does."""
    corner, faces = np.empty(len(mesh.loops), dtype=np.int32), len(mesh.polygons)
    mesh.loops.foreach_get("vertex_index", corner)
    points, normals = np.empty(3 * len(mesh.vertices), dtype=np.float32), np.empty(3 * faces, dtype=np.float32)
    mesh.vertices.foreach_get("co", points)
    mesh.polygons.foreach_get("normal", normals)
    count = np.empty(faces, dtype=np.int32)
    mesh.polygons.foreach_get("loop_total", count)
    places, n = points.reshape(-1, 3), normals.reshape(-1, 3)
    size = np.ptp(places, axis=0)
    inside = (places - places.min(axis=0)) / np.where(size > 0.0, size, 1.0)  # 0 to 1 along each axis
    along = np.abs(n).argmax(axis=1)
    # Seen from outside, the first of the other two axes goes to the right, or from the opposite side to the left.
    mirrored = (np.take_along_axis(n, along[:, None], axis=1)[:, 0] < 0.0) != (along == 1)
    others = np.array([[1, 2], [0, 2], [0, 1]])[np.repeat(along, count)]
    uv = np.take_along_axis(inside[corner], others, axis=1)
    uv[:, 0] = np.where(np.repeat(mirrored, count), 1.0 - uv[:, 0], uv[:, 0])
    layer: Any = mesh.uv_layers.new()
    layer.data.foreach_set("uv", uv.ravel())
