# SPDX-License-Identifier: GPL-3.0-or-later
"""The model: its links and their collisions as a list, with masses and findings."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import BoolProperty

from ...core.units import mass_text, share_text
from .. import live
from ..names import PROPERTIES
from ..preferences import units
from ..properties import GEOMETRIES
from ..scene_read import model_name
from .parts import ICONS, Sidebar, paragraph
from .rows import Row, flags_and_order, matching, rows_of
from .texts import model_total

SHAPES: dict[str, Any] = {item[0].lower(): item[3] for item in GEOMETRIES}

MODE_ICONS: dict[str, Any] = {"auto": "AUTO", "filled": "TEXT", "manual": "HAND"}

WIDE = 300.0
"""Pixels of the sidebar, at a resolution scale of 1, from which a collision's mass stands beside its share."""

FEWEST, MOST = 3, 12
"""Lines of the list before it is dragged larger."""

FIRST_STEPS = (
    "Select the objects of one rigid body, the one that it hangs on last.",
    "Press Link below: the active object becomes a link.",
    "Select its solid parts and press Collision: they have mass.",
)


class SDF_INERTIA_UL_rows(bpy.types.UIList):
    """The objects of the file, of which those that are tagged are shown, each below its link."""

    only_findings: BoolProperty(name="Findings", description="Show only what has a warning or an error")

    def draw_filter(self, _context: bpy.types.Context, layout: bpy.types.UILayout) -> None:
        row = layout.row(align=True)
        row.prop(self, "filter_name", text="", icon="VIEWZOOM")
        row.prop(self, "only_findings", text="", icon="ERROR")

    def filter_items(
        self, context: bpy.types.Context, data: bpy.types.BlendData, _property: str
    ) -> tuple[list[int], list[int]]:
        rows = rows_of(live.model(context.evaluated_depsgraph_get()))
        shown = matching(rows, self.filter_name, self.only_findings)
        names = [ob.name_full for ob in data.objects]
        return flags_and_order(rows, shown, names, self.bitflag_filter_item)

    def draw_item(
        self,
        context: bpy.types.Context,
        layout: bpy.types.UILayout,
        _data: bpy.types.BlendData,
        item: bpy.types.Object,
        *_others: object,
    ) -> None:
        rows = rows_of(live.model(context.evaluated_depsgraph_get()))
        row = next((row for row in rows if row.object == item.name_full), None)
        if row is not None:
            _draw_row(context, layout, row, item)


class SDF_INERTIA_PT_model(Sidebar, bpy.types.Panel):
    bl_label = "Model"
    bl_order = 0

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        model = live.model(context.evaluated_depsgraph_get())
        rows = rows_of(model)
        if not rows:
            _draw_first_steps(context, layout)
            return
        split = layout.split(factor=0.6)
        split.label(text=model_name(), icon="OUTLINER")
        right = split.row()
        right.alignment = "RIGHT"
        right.label(text=model_total(model, units()))
        _draw_list(context, layout, len(rows))


def _draw_first_steps(context: bpy.types.Context, layout: bpy.types.UILayout) -> None:
    layout.label(text="No links yet", icon="INFO")
    column = layout.column()
    for number, step in enumerate(FIRST_STEPS, 1):
        paragraph(context, column, f"{number}. {step}")


def _draw_list(context: bpy.types.Context, layout: bpy.types.UILayout, count: int) -> None:
    lines = min(max(count, FEWEST), MOST)
    settings = getattr(context.scene, PROPERTIES)
    layout.template_list(
        "SDF_INERTIA_UL_rows", "", context.blend_data, "objects", settings, "row", rows=lines, maxrows=lines
    )


def _draw_row(context: bpy.types.Context, layout: bpy.types.UILayout, row: Row, ob: bpy.types.Object) -> None:
    ui_scale = context.preferences.system.ui_scale or 1.0
    wide = context.region.width / ui_scale >= WIDE
    split = layout.split(factor=0.6 if wide else 0.62, align=True)
    left = split.row(align=True)
    if not row.is_link:
        left.label(text="", icon="BLANK1")
    left.prop(ob, "name", text="", emboss=False, icon=_icon(row))
    if row.count > 1:
        times = left.row(align=True)
        times.alignment = "RIGHT"
        times.label(text=f"×{row.count}")
    right = split.row(align=True)
    right.alignment = "RIGHT"
    right.active = not row.stale
    for text in _texts(row, wide):
        right.label(text=text)
    if row.is_link and wide:
        right.label(text="", icon=MODE_ICONS[row.mode])
    right.label(text="", icon=ICONS[row.severity])


def _icon(row: Row) -> Any:
    if not row.link:
        return "QUESTION"
    return "RIGID_BODY" if row.is_link else SHAPES.get(row.geometry, "MESH_DATA")


def _texts(row: Row, wide: bool) -> list[str]:
    if row.stale:
        return ["…"]
    mass = [] if row.mass is None else [mass_text(row.mass, units())]
    if row.is_link:
        return mass or ["no mass"]
    share = [] if row.share is None else [share_text(row.share)]
    return [*(mass if wide else []), *share]


CLASSES = (SDF_INERTIA_UL_rows, SDF_INERTIA_PT_model)
