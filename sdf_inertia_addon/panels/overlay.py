# SPDX-License-Identifier: GPL-3.0-or-later
"""Our section of the Overlays popover: what of the links' inertia the viewport shows."""

from __future__ import annotations

import bpy

from ..translations.words import iface_
from ..viewport import draw_handlers, shown_parts, view_settings
from .sidebar import lines_of

POPOVER = 260.0
"""Width of Blender's Overlays popover [interface px]."""


class SDF_INERTIA_PT_overlay(bpy.types.Panel):
    bl_label = "SDF Inertia"
    bl_ui_units_x = 17  # in the sidebar's popover, the words of each choice in full
    bl_space_type = "VIEW_3D"
    bl_region_type = "HEADER"
    bl_parent_id = "VIEW3D_PT_overlay"

    def draw(self, context: bpy.types.Context) -> None:
        settings = view_settings.of(context.scene)
        layout = self.layout
        space = context.space_data
        layout.active = isinstance(space, bpy.types.SpaceView3D) and space.overlay.show_overlays
        draw_toggle(context, layout, settings)
        draw_settings(layout, settings)
        row = layout.row(heading=iface_("Objects"), align=True)
        for kind in shown_parts.KINDS:
            button = row.row(align=True)
            button.enabled = bool(shown_parts.parts_of(kind, context.scene))
            button.prop(settings, f"show_{kind}", toggle=True)


def draw_toggle(
    context: bpy.types.Context, layout: bpy.types.UILayout, settings: view_settings.SDF_INERTIA_PG_scene
) -> None:
    """Draw the switch of the overlay, and why it is off where it failed."""
    layout.prop(settings, "show")
    failure = draw_handlers.failure()
    if failure is not None and settings.show:
        column = layout.column(align=True)
        column.alert = True
        text = f"{iface_('The overlay failed; switch it off and on to try again.')} {failure}"
        for number, line in enumerate(lines_of(context, text, True, POPOVER)):
            column.label(text=line, icon="ERROR" if number == 0 else "BLANK1", translate=False)


def draw_settings(layout: bpy.types.UILayout, settings: view_settings.SDF_INERTIA_PG_scene) -> None:
    """Draw all that there is to choose, greyed out where the overlay is off: for popover and sidebar alike."""
    column = layout.column()
    column.active = settings.show
    column.row(align=True).prop(settings, "scope", expand=True)
    _choice(column, settings, "shape", iface_("Solid"))
    row = column.row()
    row.active = settings.shape != "NONE"
    row.prop(settings, "opacity", slider=True)
    _choice(column, settings, "center", iface_("Centre of Mass"))
    _choice(column, settings, "labels", iface_("Labels"))
    grid = column.grid_flow(columns=2, row_major=True, even_columns=True, align=True)
    grid.prop(settings, "show_axes")
    grid.prop(settings, "show_joints")
    grid.prop(settings, "show_statics")
    grid.prop(settings, "show_total")
    grid.prop(settings, "show_parts")
    grid.prop(settings, "show_voxels")
    grid.prop(settings, "show_faulty")
    grid.prop(settings, "in_front")


def _choice(layout: bpy.types.UILayout, settings: view_settings.SDF_INERTIA_PG_scene, name: str, text: str) -> None:
    split = layout.split(factor=0.38)
    split.label(text=text, translate=False)
    split.row(align=True).prop(settings, name, expand=True)


CLASSES = (SDF_INERTIA_PT_overlay,)
