# SPDX-License-Identifier: GPL-3.0-or-later
"""The objects that make instances of others, and which of these instances concern us."""

from __future__ import annotations

from collections.abc import Iterator

import bpy

from ....core.errors import Finding
from ...names import PROPERTIES
from .evaluated_mesh import MESH_TYPES
from .hidden_objects import hidden_by_eye


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
    return any(tagged(one.object.original) or tagged(one.parent.original) for one in instances(depsgraph))


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
