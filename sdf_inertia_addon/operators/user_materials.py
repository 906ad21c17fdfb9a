# SPDX-License-Identifier: GPL-3.0-or-later
"""Add and remove materials of the user's own, which are kept in the preferences."""

from __future__ import annotations

import bpy

from ...core.body.materials import WATER
from ..names import ADD_MATERIAL, REMOVE_MATERIAL
from ..preferences import preferences
from ..scene.known_materials import known_name
from ..translations.words import FloatProperty, IntProperty, StringProperty, rpt_, tip_
from .base import enabled_if, refused


class SDF_INERTIA_OT_add_material(bpy.types.Operator):
    bl_idname = ADD_MATERIAL
    bl_label = "Add Material"
    bl_description = "Add a material of your own, to be chosen like those of the library"
    bl_options = {"INTERNAL"}

    name: StringProperty(name="Name", default="My Material")
    density: FloatProperty(name="Density [kg/m³]", default=WATER, precision=1)
    source: StringProperty(name="Source", description="Where the density is from, such as a data sheet")

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        return _kept(cls)

    def execute(self, context: bpy.types.Context) -> set[str]:
        settings = preferences()
        material = settings.materials.add()
        material.name = _free(self.name)
        material.density = self.density
        material.source = self.source
        settings.active_material = len(settings.materials) - 1
        context.preferences.is_dirty = True  # Blender saves what it knows to have changed
        return {"FINISHED"}


class SDF_INERTIA_OT_remove_material(bpy.types.Operator):
    bl_idname = REMOVE_MATERIAL
    bl_label = "Remove Material"
    bl_description = "Remove the material chosen; objects made of it keep its density"
    bl_options = {"INTERNAL"}

    index: IntProperty(name="Index", description="The one chosen in the list, if negative", default=-1)

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        return _kept(cls) and enabled_if(cls, preferences().materials, tip_("There is no material of your own"))

    def execute(self, context: bpy.types.Context) -> set[str]:
        settings = preferences()
        index = self.index if self.index >= 0 else settings.active_material
        if not 0 <= index < len(settings.materials):
            return refused(self, rpt_("There is no material number {number}", number=index))
        settings.materials.remove(index)
        settings.active_material = max(min(settings.active_material, len(settings.materials) - 1), 0)
        context.preferences.is_dirty = True
        return {"FINISHED"}


def _kept(cls: type[bpy.types.Operator]) -> bool:
    why_not = tip_("The add-on runs from a checkout, for which Blender keeps no preferences: install it")
    return enabled_if(cls, preferences() is not None, why_not)


def _free(name: str) -> str:
    """Return a name that no material has."""
    free, number = name, 1
    while known_name(free) is not None:
        number += 1
        free = f"{name} {number}"
    return free


CLASSES = (SDF_INERTIA_OT_add_material, SDF_INERTIA_OT_remove_material)
