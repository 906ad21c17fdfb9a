# SPDX-License-Identifier: GPL-3.0-or-later
"""What both examples need of Blender: objects with tags, colours, a view, a file."""

from __future__ import annotations

from math import radians
from pathlib import Path
from typing import Any

import bpy
from mathutils import Euler, Vector
from solids import Solid

COLORS = {
    "Aluminium": (0.62, 0.64, 0.67),
    "Steel": (0.33, 0.35, 0.38),
    "Brass": (0.72, 0.50, 0.16),
    "Rubber": (0.025, 0.026, 0.028),
    "Carbon fibre": (0.06, 0.065, 0.075),
    "FR4": (0.02, 0.22, 0.09),
    "Glass": (0.03, 0.07, 0.16),
    "ABS": (0.85, 0.84, 0.80),
    "PLA": (0.90, 0.27, 0.03),
    "POM": (0.80, 0.80, 0.78),
    "Nylon": (0.16, 0.17, 0.19),
    "Battery": (0.04, 0.18, 0.55),
    "Basalt": (0.23, 0.15, 0.11),
    "Motor": (0.11, 0.12, 0.13),
}
"""Colours in the viewport, linear RGB."""


def empty_scene() -> None:
    """Start from nothing but Blender's factory settings."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.preferences.filepaths.save_version = 0


def mesh(name: str, solid: Solid, look: str) -> bpy.types.Mesh:
    """A mesh with one material for its looks; rounded where its faces bend gently."""
    vertices, faces = solid
    data = bpy.data.meshes.new(name)
    data.from_pydata(vertices, [], faces)
    data.materials.append(_material(look))
    data.shade_smooth()
    data.set_sharp_from_angle(angle=radians(35.0))
    return data


def _material(name: str) -> bpy.types.Material:
    material = bpy.data.materials.get(name)
    if material is None:
        material = bpy.data.materials.new(name)
        material.diffuse_color = (*COLORS[name], 1.0)
        material.metallic = 0.4 if name in ("Aluminium", "Steel", "Brass") else 0.0
        material.roughness = 0.5
    return material


def place(
    name: str,
    data: bpy.types.Mesh | None,
    parent: bpy.types.Object | None = None,
    at: tuple[float, float, float] = (0.0, 0.0, 0.0),
    turned: tuple[float, float, float] = (0.0, 0.0, 0.0),
    size: tuple[float, float, float] = (1.0, 1.0, 1.0),
) -> bpy.types.Object:
    """An object in its parent's axes: place, rotation (XYZ, degrees) and scale. Without data, an Empty."""
    ob = bpy.data.objects.new(name, data)
    ob.location, ob.scale = at, size
    ob.rotation_euler = Euler([radians(angle) for angle in turned])
    ob.parent = parent
    ob.empty_display_size = 0.02 / bpy.context.scene.unit_settings.scale_length
    bpy.context.scene.collection.objects.link(ob)
    return ob


def link(ob: bpy.types.Object, inertia: str, **settings: Any) -> bpy.types.Object:
    """Tag a link."""
    ob.sdf_inertia.is_link = True
    ob.sdf_inertia.inertia = inertia
    return _set(ob, settings)


def joint(ob: bpy.types.Object, kind: str, **settings: Any) -> bpy.types.Object:
    """Join a link to its parent: the one above it, or `parent`. Settings are those of `joint_`, without that."""
    ob.sdf_inertia.joint_type = kind
    if "lower" in settings:
        ob.sdf_inertia.joint_use_limits = True
    for name, value in settings.items():
        setattr(ob.sdf_inertia, f"joint_{name}", value)
    return ob


def part(ob: bpy.types.Object, geometry: str = "MESH", **settings: Any) -> bpy.types.Object:
    """Tag a collision that is its own visual: `material` or `density` say what it weighs."""
    ob.sdf_inertia.is_collision = ob.sdf_inertia.is_visual = True
    ob.sdf_inertia.geometry = geometry
    return _set(ob, settings)


def visual(ob: bpy.types.Object) -> bpy.types.Object:
    """Tag what is only seen."""
    ob.sdf_inertia.is_visual = True
    return ob


def _set(ob: bpy.types.Object, settings: dict[str, Any]) -> bpy.types.Object:
    for name, value in settings.items():
        setattr(ob.sdf_inertia, name, value)
        if name in ("density", "mass"):
            setattr(ob.sdf_inertia, f"use_{name}", True)
    return ob


def copy_tree(
    ob: bpy.types.Object, suffix: tuple[str, str], parent: bpy.types.Object | None = None
) -> bpy.types.Object:
    """Copy an object with all below it, sharing their meshes; in the names, the first suffix becomes the second."""
    twin = ob.copy()
    twin.name = ob.name.replace(*suffix)
    twin.parent = parent or ob.parent
    bpy.context.scene.collection.objects.link(twin)
    for child in ob.children:
        copy_tree(child, suffix, twin)
    return twin


def look_at(target: tuple[float, float, float], distance: float, azimuth: float, elevation: float) -> None:
    """Aim every 3D view at the model, in the materials' colours, with the sidebar open."""
    rotation = Euler((radians(90.0 - elevation), 0.0, radians(azimuth))).to_quaternion()
    for screen in bpy.data.screens:
        for area in screen.areas:
            if area.type == "VIEW_3D":
                space: Any = area.spaces.active
                region = space.region_3d
                region.view_perspective = "PERSP"
                region.view_location, region.view_distance = Vector(target), distance
                region.view_rotation = rotation
                space.clip_start, space.clip_end = distance / 1000.0, distance * 1000.0
                space.shading.type, space.shading.color_type = "SOLID", "MATERIAL"
                space.shading.show_cavity = space.shading.show_shadows = True
                space.overlay.show_relationship_lines = False
                space.show_region_ui = True


def save(path: Path) -> None:
    """Write a small .blend."""
    path.unlink(missing_ok=True)
    bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=True, check_existing=False)
