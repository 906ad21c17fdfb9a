# SPDX-License-Identifier: GPL-3.0-or-later
"""How the active link's meshes are computed, and what shape the active collision is taken for."""

from __future__ import annotations

from typing import Any

import bpy

from ..names import FIT_PRIMITIVE
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
            _draw_method(layout, part, True)
            layout.separator()
        if link is not None:
            column = layout.column()
            column.active = settings_of(link).inertia != "MANUAL"
            _draw_method(column, link, part is not None)


def _draw_method(layout: bpy.types.UILayout, ob: bpy.types.Object, heading: bool) -> None:
    settings = settings_of(ob)
    if heading:
        layout.label(text=ob.name, icon="RIGID_BODY" if settings.is_link else "MOD_PHYSICS")
    if settings.is_collision:
        row = layout.row(align=True)
        row.prop(settings, "geometry")
        fit: Any = row.operator(FIT_PRIMITIVE, text="", icon="MOD_MESHDEFORM")
        fit.target = ob.name
    column = layout.column()
    column.active = settings.geometry == "MESH" or settings.is_link
    column.prop(settings, "method")
    if settings.method == "VOXEL":
        column.prop(settings, "voxel_size")
    elif settings.method == "SHELL":
        column.prop(settings, "thickness")


CLASSES = (SDF_INERTIA_PT_method,)
