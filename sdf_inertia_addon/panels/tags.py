# SPDX-License-Identifier: GPL-3.0-or-later
"""What objects are: buttons for all that are selected, switches for the active one."""

from __future__ import annotations

from typing import Any

import bpy

from ..names import (
    SET_DENSITY,
    SET_MASS,
    SET_MATERIAL,
    TAG_BY_RULES,
    UNTAG,
)
from ..translations.words import iface_
from .active import settings_of
from .sidebar import Sidebar, draw_button
from .texts import COLLISION, LINK, MASS, VISUAL

SWITCHES: dict[str, Any] = {
    "is_link": "RIGID_BODY",
    "is_collision": "MOD_PHYSICS",
    "is_mass": "SNAP_VOLUME",
    "is_visual": "SHADING_RENDERED",
    "is_frame": "EMPTY_AXIS",
}


class SDF_INERTIA_PT_tags(Sidebar, bpy.types.Panel):
    bl_label = "Tags"
    bl_order = 0  # first: its buttons stay where they are whatever they make of the panels below

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        row = layout.row(align=True)
        for tag in (LINK, COLLISION, MASS, VISUAL):
            draw_button(row, tag)
        row.operator(UNTAG, text="", icon="X")
        layout.operator(TAG_BY_RULES, text=iface_("Tag by Names or Hierarchy"), icon="OUTLINER")
        row = layout.row(align=True)
        row.operator(SET_MATERIAL, text=iface_("Material"))
        row.operator(SET_DENSITY, text=iface_("Density"))
        row.operator(SET_MASS, text=iface_("Set Mass"))
        ob = context.view_layer.objects.active
        if ob is None:
            layout.label(text=iface_("Select an object to tag it"), icon="INFO")
            return
        row = layout.row()
        row.label(text=ob.name, icon="OBJECT_DATA", translate=False)
        switches = row.row(align=True)
        switches.alignment = "RIGHT"
        for name, icon in SWITCHES.items():
            switches.prop(settings_of(ob), name, text="", icon=icon)


CLASSES = (SDF_INERTIA_PT_tags,)
