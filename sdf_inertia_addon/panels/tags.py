# SPDX-License-Identifier: GPL-3.0-or-later
"""What the active object is, and its settings."""

from __future__ import annotations

import bpy

from ..names import PANEL_CATEGORY, PROPERTIES, TAG_COLLISION, TAG_LINK, TAG_VISUAL, UNTAG
from ..properties import SDF_INERTIA_PG_object


class SDF_INERTIA_PT_tags(bpy.types.Panel):
    bl_label = "Tags"
    bl_category = PANEL_CATEGORY
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        row = layout.row(align=True)
        row.operator(TAG_LINK, text="Link")
        row.operator(TAG_COLLISION, text="Collision")
        row.operator(TAG_VISUAL, text="Visual")
        row.operator(UNTAG, text="", icon="X")
        ob = context.active_object
        if ob is None:
            layout.label(text="Select an object to tag it", icon="INFO")
            return
        settings = getattr(ob, PROPERTIES)
        row = layout.row(align=True)
        row.label(text=ob.name, icon="OBJECT_DATA")
        row.prop(settings, "is_link", toggle=True)
        row.prop(settings, "is_collision", toggle=True)
        row.prop(settings, "is_visual", toggle=True)
        layout.use_property_split = True
        layout.use_property_decorate = False
        if settings.is_collision:
            layout.prop(settings, "geometry")
        if settings.is_link:
            layout.prop(settings, "inertia")
            if settings.inertia == "MANUAL":
                _draw_manual(layout, settings)
                return
        if settings.is_link or settings.is_collision:
            _draw_density(layout, settings)
            _draw_method(layout, settings)


def _draw_manual(layout: bpy.types.UILayout, settings: SDF_INERTIA_PG_object) -> None:
    layout.prop(settings, "manual_mass")
    layout.prop(settings, "manual_com")
    column = layout.column(align=True)
    for index, name in enumerate(("Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz")):
        column.prop(settings, "manual_inertia", index=index, text=f"{name} [kg·m²]")


def _draw_density(layout: bpy.types.UILayout, settings: SDF_INERTIA_PG_object) -> None:
    layout.prop(settings, "material")
    row = layout.row(heading="Density [kg/m³]")
    row.prop(settings, "use_density", text="")
    value = row.row()
    value.enabled = settings.use_density
    value.prop(settings, "density", text="")
    if settings.is_link:
        row = layout.row(heading="Target Mass [kg]")
        row.prop(settings, "use_mass", text="")
        value = row.row()
        value.enabled = settings.use_mass
        value.prop(settings, "mass", text="")


def _draw_method(layout: bpy.types.UILayout, settings: SDF_INERTIA_PG_object) -> None:
    layout.prop(settings, "method")
    if settings.method == "VOXEL":
        layout.prop(settings, "voxel_size")
    elif settings.method == "SHELL":
        layout.prop(settings, "thickness")


CLASSES = (SDF_INERTIA_PT_tags,)
