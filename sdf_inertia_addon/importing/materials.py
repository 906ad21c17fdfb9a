# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials of an imported robot, under the names of its files; those that look alike are one."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import bpy

from ...core.files.look import Material, find_texture


@dataclass(eq=False)
class Materials:
    """Makes each material once."""

    _made: dict[tuple[Material, Path | None], bpy.types.Material] = field(default_factory=dict)

    def of(self, given: Material, folder: Path | None = None) -> bpy.types.Material:
        """Return a material of a file; `folder` is that of the mesh file that names its texture."""
        image = None if folder is None or not given.image else find_texture(given.image, folder)
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
