# SPDX-License-Identifier: GPL-3.0-or-later
"""Give the selected links and parts a density: a material, or a slider in the redo panel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy

from ...core.body.materials import SOURCES, WATER
from ..names import PROPERTIES, SET_DENSITY, SET_MATERIAL
from ..panels.sidebar import form
from ..scene import known_materials
from ..scene.belonging import is_solid
from ..translations.words import EnumProperty, FloatProperty, StringProperty, iface_, n_, rpt_, tip_
from .base import and_left_alone, enabled_if, refused


def _material_chosen(self: SDF_INERTIA_OT_set_density, _context: bpy.types.Context) -> None:
    known = known_materials.known_name(self.material)
    density = None if known is None else known_materials.density_of(known)
    if known is not None and known != self.material:
        self.material = known
    if density is not None and not known_materials.same_density(self.density, density):
        self.density = density


def _density_dragged(self: SDF_INERTIA_OT_set_density, _context: bpy.types.Context) -> None:
    # A density of one's own is no longer that of the material.
    density = known_materials.density_of(self.material)
    if density is not None and not known_materials.same_density(self.density, density):
        self.material = ""


class _ActsOnSelected:
    """What an operator on the selected links and parts is besides a `bpy.types.Operator`."""

    @classmethod
    def poll(cls: Any, context: bpy.types.Context) -> bool:
        possible = any(map(_has_density, context.selected_objects))
        return enabled_if(cls, possible, tip_("Select links or parts: tag objects first"))

    def give(self: Any, context: bpy.types.Context, give: Callable[[Any], None]) -> tuple[int, int]:
        """Change the settings of each; return how many were changed, and how many are linked from a library."""
        chosen = [ob for ob in context.selected_objects if _has_density(ob)]
        editable = [ob for ob in chosen if ob.is_editable]
        for ob in editable:
            give(getattr(ob, PROPERTIES))
        return len(editable), len(chosen) - len(editable)


class SDF_INERTIA_OT_set_density(_ActsOnSelected, bpy.types.Operator):
    bl_idname = SET_DENSITY
    bl_label = "Set Density"
    bl_description = "Give each selected link or part a density, by material or in kg/m³"
    bl_options = {"REGISTER", "UNDO"}

    material: StringProperty(
        name="Material", description="Sets the density", search=known_materials.search, update=_material_chosen
    )
    density: FloatProperty(
        name="Density [kg/m³]",
        description="Density in kg/m³ of the solid material",
        default=WATER,
        soft_min=10.0,
        soft_max=10000.0,
        precision=1,
        step=1000,
        update=_density_dragged,
    )
    infill: FloatProperty(
        name="Infill",
        description="Mass of the part in percent of a solid one",
        default=100.0,
        soft_min=1.0,
        soft_max=100.0,
        subtype="PERCENTAGE",
        precision=1,
    )

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        """Start from what the active object, or else the first of the selected, has."""
        chosen = [ob for ob in context.selected_objects if _has_density(ob)]
        first = context.active_object if context.active_object in chosen else chosen[0]
        settings = getattr(first, PROPERTIES)
        given = ("material", "density", "infill")
        if settings.use_density and not any(self.properties.is_property_set(name) for name in given):
            self.density, self.infill = settings.density, settings.infill
            self.material = known_materials.known_name(settings.material) or ""  # another user's: its density counts
        return self.execute(context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        material = self.material
        if material:
            material = known_materials.known_name(material) or ""
            if not material:
                return refused(self, rpt_("There is no material '{name}'", name=self.material))

        def give(settings: Any) -> None:
            settings.material = material
            if not material:
                settings.density = self.density
                settings.use_density = True
            settings.infill = self.infill

        count, linked = self.give(context, give)
        density = known_materials.density_of(material) or self.density
        weight = f"{density * self.infill / 100.0:.6g}"
        text = rpt_("{count} at {density} kg/m³", count=count, density=weight) + (f" ({material})" if material else "")
        self.report({"WARNING" if linked else "INFO"}, and_left_alone(text, linked))
        return {"FINISHED"} if count else {"CANCELLED"}

    def draw(self, _context: bpy.types.Context) -> None:
        layout = form(self.layout)
        layout.prop(self, "material", icon="MATERIAL")
        layout.prop(self, "density", slider=True)
        layout.prop(self, "infill", slider=True)
        if self.infill != 100.0:
            counts = f"{self.density * self.infill / 100.0:.5g}"
            layout.label(text=iface_("Counts as {density} kg/m³", density=counts), icon="INFO")
        source = SOURCES.get(self.material)
        if source:
            layout.label(text=iface_("Source: {source}", source=source), icon="BOOKMARKS")


def _has_density(ob: bpy.types.Object) -> bool:
    settings = getattr(ob, PROPERTIES)
    return bool(settings.is_link or is_solid(ob))


_items: list[tuple[str, str, str]] = []
"""Blender does not keep what a callback returns."""


def _materials(_self: object, _context: bpy.types.Context | None) -> list[tuple[str, str, str]]:
    _items[:] = [
        (name, known_materials.in_a_list(name, density), iface_(category))
        for category, members in known_materials.by_category().items()
        for name, density in members
    ]
    return _items


class SDF_INERTIA_OT_set_material(_ActsOnSelected, bpy.types.Operator):
    bl_idname = SET_MATERIAL
    bl_label = "Set Material"
    bl_description = "Give each selected link or part the density of a material, found by typing part of its name"
    bl_options = {"REGISTER", "UNDO"}
    bl_property = "material"

    material: EnumProperty(name="Material", description="Sets the density", items=_materials)

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        context.window_manager.invoke_search_popup(self)
        return {"RUNNING_MODAL"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        count, linked = self.give(context, lambda settings: setattr(settings, "material", self.material))
        density = f"{known_materials.density_of(self.material):.6g}"
        template = n_("{count} of {material}, {density} kg/m³")
        text = rpt_(template, count=count, material=self.material, density=density)
        self.report({"WARNING" if linked else "INFO"}, and_left_alone(text, linked))
        return {"FINISHED"} if count else {"CANCELLED"}


CLASSES = (SDF_INERTIA_OT_set_density, SDF_INERTIA_OT_set_material)
