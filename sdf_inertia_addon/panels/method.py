# SPDX-License-Identifier: GPL-3.0-or-later
"""How the active link's meshes are computed, and what shape the active collision is taken for."""

from __future__ import annotations

import bpy

from ..properties import SDF_INERTIA_PG_object
from .active import active_of, settings_of
from .density import own_part
from .parts import Sidebar


class SDF_INERTIA_PT_method(Sidebar, bpy.types.Panel):
    bl_label = "Method"
    bl_parent_id = "SDF_INERTIA_PT_link"
    bl_order = 3
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        active = active_of(context)
        return active.link is not None or (active.object is not None and settings_of(active.object).is_collision)

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        active = active_of(context)
        link, part = active.link_object, own_part(active)
        if part is not None:
            _draw_method(layout, settings_of(part), part.name)
            layout.separator()
        if link is not None:
            column = layout.column()
            column.active = settings_of(link).inertia != "MANUAL"
            _draw_method(column, settings_of(link), link.name if part is not None else "")


def _draw_method(layout: bpy.types.UILayout, settings: SDF_INERTIA_PG_object, heading: str) -> None:
    if heading:
        layout.label(text=heading, icon="RIGID_BODY" if settings.is_link else "MOD_PHYSICS")
    if settings.is_collision:
        layout.prop(settings, "geometry")
    column = layout.column()
    column.active = settings.geometry == "MESH" or settings.is_link
    column.prop(settings, "method")
    if settings.method == "VOXEL":
        column.prop(settings, "voxel_size")
    elif settings.method == "SHELL":
        column.prop(settings, "thickness")


CLASSES = (SDF_INERTIA_PT_method,)
