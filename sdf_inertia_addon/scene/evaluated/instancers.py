# SPDX-License-Identifier: GPL-3.0-or-later
"""The objects that make instances of others, and which of these instances concern us.

Objects that the outliner's eye hides are evaluated, but Blender lists neither them nor the instances they make.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy

from ....core.errors import Finding, InertiaError
from ...names import PROPERTIES
from .evaluated_mesh import MESH_TYPES


def tagged(ob: bpy.types.Object) -> bool:
    """Return True if an object has any tag."""
    settings = getattr(ob, PROPERTIES)
    part = settings.is_collision or settings.is_mass or settings.is_visual
    return bool(settings.is_link or part or settings.is_frame or settings.is_joint)


def instances(depsgraph: bpy.types.Depsgraph) -> Iterator[bpy.types.DepsgraphObjectInstance]:
    """Yield each instance; none outlives the step of the iteration that it is yielded in."""
    for instance in depsgraph.object_instances:
        # The mesh of a text, curve or metaball is listed as an instance beside it: taken once, from there.
        if instance.is_instance and instance.parent is not None and instance.object.type not in MESH_TYPES - {"MESH"}:
            yield instance


def instances_concern_us(depsgraph: bpy.types.Depsgraph) -> bool:
    """Return True if any instance is of a tagged object, or made by one."""
    return any(
        tagged(instance.object.original) or tagged(instance.parent.original) for instance in instances(depsgraph)
    )


def disabled_instancers(depsgraph: bpy.types.Depsgraph) -> list[Finding]:
    """Return a warning for each object whose instances of tagged objects Blender does not make: it is disabled.

    Not for tagged objects, which are refused themselves, nor for what is a template in a collection that is instanced.
    """
    makers = [ob for ob in depsgraph.scene.objects if ob.instance_collection is not None and not tagged(ob)]
    if not makers:
        return []
    listed = {ob.original.name_full: ob for ob in depsgraph.objects}
    collections = {ob.instance_collection for ob in listed.values() if ob.instance_collection is not None}
    templates = {collection.name_full for collection in collections}
    findings = []
    for ob in makers:
        if ob.name_full in listed or hidden_by_eye(ob, depsgraph) is not None:
            continue
        if any(collection.name_full in templates for collection in ob.users_collection):
            continue
        if any(map(tagged, ob.instance_collection.all_objects)):
            name = ob.instance_collection.name
            findings.append(Finding.of("warning", "not_evaluated", ob.name, "instancer", collection=name))
    return findings


def hidden_by_eye(ob: bpy.types.Object, depsgraph: bpy.types.Depsgraph) -> bpy.types.Object | None:
    """Return the evaluated object, if only the eye hides it."""
    if not ob.hide_get(view_layer=depsgraph.view_layer):
        return None
    evaluated = ob.evaluated_get(depsgraph)
    return evaluated if evaluated.is_evaluated else None


def may_make_instances(evaluated: bpy.types.Object) -> bool:
    """Return True if the object makes instances; before Blender 4.5, which shows them, if it has geometry nodes."""
    if evaluated.is_instancer:  # of a collection, on vertices or faces, by particles
        return True
    if not any(modifier.type == "NODES" and modifier.show_viewport for modifier in evaluated.modifiers):
        return False
    if not hasattr(evaluated, "evaluated_geometry"):
        return True
    geometry: Any = evaluated.evaluated_geometry()
    return geometry.instances_pointcloud() is not None


def hidden_instances(name: str) -> InertiaError:
    return InertiaError.of("hidden_instances", name)
