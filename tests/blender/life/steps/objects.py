# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects moved, scaled, mirrored, parented, renamed, hidden, instanced, duplicated and deleted."""

from __future__ import annotations

import bpy

from ...scenes import add, box_mesh, empty, module, select, tag
from ..modes import in_any_mode
from ..robot import Life


@in_any_mode
def move(life: Life) -> None:
    life.any().location = life.vector(3.0)


@in_any_mode
def move_far(life: Life) -> None:
    life.any().location = life.vector(1e3)


@in_any_mode
def nudge(life: Life) -> None:
    life.any().location.x += 1e-6


@in_any_mode
def turn(life: Life) -> None:
    life.any().rotation_euler = life.vector()


@in_any_mode
def scale(life: Life) -> None:
    life.any().scale = life.vector()


@in_any_mode
def mirror(life: Life) -> None:
    life.any().scale.x *= -1.0


@in_any_mode
def drag(life: Life) -> None:
    """Move a link many times, as a mouse does, with a look at each place."""
    ob = life.any()
    for _ in range(10):
        ob.location.y += 0.1
        ob.rotation_euler.z += 0.1
        module("sdf_inertia_addon.live").model(bpy.context.evaluated_depsgraph_get())


def apply_scale(life: Life) -> None:
    ob = life.any_mesh()
    if ob and ob.data.users == 1 and ob.visible_get():
        select(ob)
        bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)


def parent(life: Life) -> None:
    child, above = life.any(own=True), life.any()
    ancestor = above
    while ancestor is not None and ancestor is not child:
        ancestor = ancestor.parent
    if child and ancestor is None:
        child.parent = above


def parent_in_place(life: Life) -> None:
    child, above = life.any(own=True), life.any()
    if child and child.visible_get() and above.visible_get() and child is not above:
        select(above, child)
        try:
            bpy.ops.object.parent_set(type="OBJECT", keep_transform=True)
        except RuntimeError as error:
            assert "Loop in parents" in str(error), error


def unparent_in_place(life: Life) -> None:
    child = life.any(own=True)
    if child:
        place = child.matrix_world.copy()
        child.parent = None
        child.matrix_world = place


def rename(life: Life) -> None:
    life.any().name = str(life.random.choice([life.name("new"), "zz top", "a/b", "base", "world", "a::b", "é <&>"]))


def select_some(life: Life) -> None:
    life.any().select_set(True)
    bpy.context.view_layer.objects.active = life.any()


def hide(life: Life) -> None:
    ob = life.any()
    ob.hide_set(not ob.hide_get())


def disable(life: Life) -> None:
    ob = life.any()
    ob.hide_viewport = not ob.hide_viewport


def exclude(life: Life) -> None:
    """Exclude a collection of the scene, made for it, or take it in again."""
    top = bpy.context.view_layer.layer_collection
    children = [child for child in top.children if child.collection.library is None]
    if children and life.random.random() < 0.7:
        child = children[life.random.integers(len(children))]
        child.exclude = not child.exclude
        return
    made = bpy.data.collections.new(life.name("set"))
    bpy.context.scene.collection.children.link(made)
    ob = life.any()
    if ob.name in bpy.context.scene.collection.objects:
        made.objects.link(ob)
        bpy.context.scene.collection.objects.unlink(ob)


def make(life: Life) -> None:
    if not life.crowded():
        ob = add(box_mesh(), life.name("made"), life.any(), location=life.vector())
        tag(ob, str(life.random.choice(["collision", "mass", "link"])))


def duplicate(life: Life) -> None:
    if not life.crowded():
        bpy.context.scene.collection.objects.link(life.any().copy())


def duplicate_below(life: Life) -> None:
    """Duplicate an object and what hangs on it, with the same meshes or their copies, as Alt D and Shift D do."""
    ob = life.any(own=True)
    if ob and not life.crowded():
        family = [one for one in (ob, *ob.children_recursive) if one.visible_get()]
        if family:
            select(*family)
            bpy.ops.object.duplicate(linked=bool(life.random.random() < 0.5))


def delete(life: Life) -> None:
    if len(bpy.context.scene.objects) > 6:
        bpy.data.objects.remove(life.any())


def delete_selected(life: Life) -> None:
    ob = life.any()
    if len(bpy.context.scene.objects) > 10 and ob.visible_get():
        select(ob, *ob.children)
        bpy.ops.object.delete()


def unlink(life: Life) -> None:
    ob = life.any()
    if ob.name in bpy.context.scene.collection.objects and len(bpy.context.scene.objects) > 6:
        bpy.context.scene.collection.objects.unlink(ob)


def instance(life: Life) -> None:
    collection = bpy.data.collections.get("instances")
    if not life.crowded() and collection is not None:
        ob = empty(life.name("instancer"), location=life.vector())
        ob.instance_type, ob.instance_collection = "COLLECTION", collection


def uninstance(life: Life) -> None:
    for ob in [ob for ob in bpy.context.scene.objects if ob.instance_type == "COLLECTION"]:
        bpy.data.objects.remove(ob)
