# SPDX-License-Identifier: GPL-3.0-or-later
"""How a visual looks: colour, metalness, roughness and texture of its first material."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ...core.errors import Finding, InertiaError
from ...core.files.input_file import read_bytes
from ...core.files.limits import MAX_MESH_BYTES
from ...core.robot.model import Look, Texture
from .evaluated.instances import TaggedInstance

PLAIN = 0.8
"""Each channel of the default colour of Blender's shader: it was not chosen, so it is not exported."""

WHITE = (1.0, 1.0, 1.0, 1.0)
"""The colour beside a texture: simulators multiply the two."""

KINDS = {b"\x89PNG": ".png", b"\xff\xd8\xff": ".jpg"}
"""How files begin that simulators take as textures."""


def look_of(part: TaggedInstance) -> Look:
    """Return the viewport's colour, or the shader's where one was chosen; metalness and roughness where they are."""
    material = _material(part)
    if material is None:
        return Look()
    red, green, blue, alpha = material.diffuse_color
    shader = _shader(material)
    if shader is None:
        return Look((red, green, blue, alpha))
    values = {}
    for name in ("Base Color", "Metallic", "Roughness"):
        value: Any = shader.inputs[name]
        values[name] = None if value.is_linked else value.default_value
    base = values["Base Color"]
    if base is not None and any(abs(channel - PLAIN) > 1e-6 for channel in base[:3]):
        red, green, blue, alpha = base
    metalness, roughness = values["Metallic"], values["Roughness"]
    if metalness is None or roughness is None or (metalness == 0.0 and roughness == 0.5):
        return Look((red, green, blue, alpha))
    return Look((red, green, blue, alpha), float(metalness), float(roughness))


def texture_of(part: TaggedInstance, subject: str, is_mesh: bool) -> tuple[Texture | None, tuple[Finding, ...]]:
    """Return the image that the colour of a part's material comes from, laid upon a mesh by its active UV map.

    Returns
    -------
    texture : Texture or None
    findings : tuple of Finding
        ``texture_not_written``, where there is an image that cannot be had, or no UV map.
    """
    image = _image(_material(part))
    if image is None:
        return None, ()
    uv = _uv(part) if is_mesh else None
    if uv is None and is_mesh:
        return None, (_left_out(subject, "no_uv", image=image.name),)
    try:
        data = _data(image)
    except InertiaError as error:
        return None, (_left_out(subject, "unreadable", image=image.name, reason=error.sentence),)
    suffix = next((suffix for start, suffix in KINDS.items() if data.startswith(start)), None)
    if suffix is None:
        return None, (_left_out(subject, "format", image=image.name),)
    return Texture(Path(image.name).stem or "texture", suffix, data, uv), ()


def _material(part: TaggedInstance) -> bpy.types.Material | None:
    return next((slot.material for slot in part.original.material_slots if slot.material is not None), None)


def _shader(material: bpy.types.Material) -> Any:
    nodes = material.node_tree.nodes if material.use_nodes and material.node_tree is not None else ()
    return next((node for node in nodes if node.type == "BSDF_PRINCIPLED"), None)


def _image(material: bpy.types.Material | None) -> Any:
    shader = None if material is None else _shader(material)
    links = () if shader is None else shader.inputs["Base Color"].links
    node: Any = next((link.from_node for link in links), None)
    return node.image if node is not None and node.type == "TEX_IMAGE" else None


def _uv(part: TaggedInstance) -> Any:
    """Return where each corner of each triangle is in the image (m, 3, 2), in the order of the part's surface."""
    if part.pieces or part.evaluated is None or part.evaluated.type != "MESH":
        return None
    mesh = part.evaluated.to_mesh()
    try:
        layer = mesh.uv_layers.active
        if layer is None:
            return None
        mesh.calc_loop_triangles()
        corner = np.empty(3 * len(mesh.loop_triangles), dtype=np.uint32)
        mesh.loop_triangles.foreach_get("loops", corner)
        flat = np.empty(2 * len(mesh.loops), dtype=np.float32)
        layer.data.foreach_get("uv", flat)
        return flat.reshape(-1, 2)[corner].reshape(-1, 3, 2).astype(np.float64)
    finally:
        part.evaluated.to_mesh_clear()


def _data(image: Any) -> bytes:
    if image.packed_file is not None:
        return bytes(image.packed_file.data)
    return read_bytes(Path(bpy.path.abspath(image.filepath, library=image.library)), MAX_MESH_BYTES)


def _left_out(subject: str, form: str, **values: object) -> Finding:
    return Finding.of("warning", "texture_not_written", subject, form, **values)
