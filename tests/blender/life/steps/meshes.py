# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes edited, by the mouse, by modifiers and by scripts; edit mode and sculpt mode entered and left."""

from __future__ import annotations

import bmesh
import bpy
import numpy as np

from ...scenes import select
from ..modes import in_any_mode, leave_mode
from ..robot import Life


def edit_mesh(life: Life) -> None:
    ob = life.any_mesh()
    if ob and len(ob.data.vertices):
        ob.data.vertices[0].co.x += 0.25
        ob.data.update()


def edit_mesh_without_telling(life: Life) -> None:
    ob = life.any_mesh()
    if ob:
        points = np.empty(3 * len(ob.data.vertices), dtype=np.float32)
        ob.data.vertices.foreach_get("co", points)
        ob.data.vertices.foreach_set("co", points * 1.25)


def open_mesh(life: Life) -> None:
    ob = life.any_mesh()
    if ob and len(ob.data.polygons):
        bm = bmesh.new()
        bm.from_mesh(ob.data)
        bm.faces.ensure_lookup_table()
        bm.faces.remove(bm.faces[0])
        bm.to_mesh(ob.data)
        bm.free()
        ob.data.update()


def swap_mesh(life: Life) -> None:
    one, other = life.any_mesh(), life.any_mesh()
    if one:
        one.data = other.data


def own_mesh(life: Life) -> None:
    """Make single-user."""
    ob = life.any_mesh()
    if ob:
        ob.data = ob.data.copy()


def modify(life: Life) -> None:
    ob = life.any_mesh()
    if ob and len(ob.modifiers) < 2:
        kind = str(life.random.choice(["ARRAY", "MIRROR", "SUBSURF", "SOLIDIFY", "TRIANGULATE"]))
        ob.modifiers.new(kind.lower(), kind)


def change_modifier(life: Life) -> None:
    ob = life.any_mesh()
    if ob and ob.modifiers:
        modifier = ob.modifiers[0]
        modifier.show_viewport = not modifier.show_viewport


def apply_modifier(life: Life) -> None:
    ob = life.any_mesh()
    if ob and ob.modifiers and ob.data.users == 1 and ob.visible_get() and len(ob.data.polygons) < 1000:
        select(ob)
        kind = ob.modifiers[0].type
        if kind != "MULTIRES":
            bpy.ops.object.modifier_apply(modifier=ob.modifiers[0].name)


def unmodify(life: Life) -> None:
    ob = life.any_mesh()
    if ob:
        ob.modifiers.clear()


@in_any_mode
def enter_edit_mode(life: Life) -> None:
    """Stay there: what happens next happens to a mesh that is being edited."""
    leave_mode()
    ob = life.any_mesh()
    if ob and ob.visible_get() and len(ob.data.polygons) < 1000:
        select(ob)
        bpy.ops.object.mode_set(mode="EDIT")


@in_any_mode
def edit(life: Life) -> None:
    """Edit what is in edit mode, by hand or by an operator."""
    ob = bpy.context.edit_object
    if ob is None:
        return enter_edit_mode(life)
    if life.random.random() < 0.5:
        bm = bmesh.from_edit_mesh(ob.data)
        if len(bm.verts):
            next(iter(bm.verts)).co.z += 0.25
        bmesh.update_edit_mesh(ob.data)
    else:
        bpy.ops.mesh.select_all(action="SELECT")
        if life.random.random() < 0.3 and len(ob.data.polygons) < 200:
            bpy.ops.mesh.subdivide()
        else:
            bpy.ops.transform.resize(value=(1.1, 0.9, 1.0))
    return None


@in_any_mode
def enter_sculpt_mode(life: Life) -> None:
    leave_mode()
    ob = life.any_mesh()
    if ob and ob.visible_get() and len(ob.data.polygons) < 1000:
        select(ob)
        if not ob.modifiers and life.random.random() < 0.5:
            ob.modifiers.new("Multiresolution", "MULTIRES")
            bpy.ops.object.multires_subdivide(modifier="Multiresolution")
        bpy.ops.object.mode_set(mode="SCULPT")


@in_any_mode
def leave_the_mode(life: Life) -> None:
    leave_mode()


def animate(life: Life) -> None:
    ob = life.any(own=True)
    if ob:
        ob.keyframe_insert("location", frame=1)
        ob.location = life.vector()
        ob.keyframe_insert("location", frame=20)
        bpy.context.scene.frame_set(int(life.random.integers(1, 20)))


def show_frame(life: Life) -> None:
    bpy.context.scene.frame_set(int(life.random.integers(1, 20)))
