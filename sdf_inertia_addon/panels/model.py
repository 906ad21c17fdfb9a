# SPDX-License-Identifier: GPL-3.0-or-later
"""The model: its links and their parts as a list, with masses and findings."""

from __future__ import annotations

from typing import Any

import bpy

from ...core.units import mass_text, share_text
from .. import live
from ..importing.missing import count_missing
from ..live.model import joint_positions
from ..names import EXPORT_SDF, IMPORT_SDF, MODEL, PROPERTIES, RESET_POSE, SET_MODEL_MASS
from ..preferences import units
from ..scene import selection
from ..scene.properties import GEOMETRIES
from ..scene.scene_read import model_name
from ..translations.words import BoolProperty, iface_, n_
from .rows import Row, flags_and_order, matching, rows_of
from .sidebar import (
    CHECKING,
    GAP,
    ICONS,
    Sidebar,
    cell,
    draw_name,
    keep_height,
    list_of_objects,
    mass_setting,
    paragraph,
    remark,
    width_of,
)
from .texts import MODES, Button, Remark, export_remarks, model_remarks, model_total

SHAPES: dict[str, Any] = {item[0].lower(): item[3] for item in GEOMETRIES}

WIDE = 340.0
"""Pixels of the sidebar, at a resolution scale of 1, from which a row has both columns: the mass, and a collision's
share or how a link is written."""

WIDEST = MODES["manual"]
"""The widest text of the second column."""

FIRST_STEPS = (
    n_("Select the object that stands for a rigid body, such as its main part or an empty, and press Link above."),
    n_("Parent the body's other objects to it."),
    n_(
        "Select its solid parts and press Collision: they collide and have mass. For a part that has mass but does not"
        " collide, press Mass."
    ),
)
SHORTER = n_("Or select the whole robot and press Tag by Names or Hierarchy.")


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
        rows = rows_of(live.model(context.evaluated_depsgraph_get())).values()
        selection.listed["row"] = shown = matching(rows, self.filter_name, self.only_findings)
        return flags_and_order(shown, [ob.name_full for ob in data.objects], self.bitflag_filter_item)

    def draw_item(
        self,
        context: bpy.types.Context,
        layout: bpy.types.UILayout,
        _data: bpy.types.BlendData,
        item: bpy.types.Object,
        _icon: int,
        _active_data: object,
        _active_property: str,
    ) -> None:
        row = rows_of(live.model(context.evaluated_depsgraph_get())).get(item.name_full)
        if row is not None:
            _draw_row(context, layout, row, item)


class SDF_INERTIA_PT_model(Sidebar, bpy.types.Panel):
    bl_label = "Model"
    bl_order = 1

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        row = self.layout.row(align=True)
        row.prop(getattr(context.scene, PROPERTIES), "show", text="", icon="OVERLAY")
        row.popover("SDF_INERTIA_PT_overlay", text="")

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        model = live.model(context.evaluated_depsgraph_get())
        rows = rows_of(model)
        if not rows:
            _draw_first_steps(context, layout)
            return
        split = layout.split(factor=0.6)
        split.label(text=model_name(), icon="OUTLINER", translate=False)
        right = split.row()
        right.alignment = "RIGHT"
        right.label(text=model_total(model, units()), icon=CHECKING if model.checking else "NONE", translate=False)
        list_of_objects(context, layout, "SDF_INERTIA_UL_rows", "row", len(rows))
        _draw_mass(context, layout)
        remarks = (*model_remarks(model, count_missing(context.scene)), *export_remarks(model.links))
        keep_height(context, layout, "model", sum(remark(context, layout, shown) + GAP for shown in remarks))
        if joint_positions(model):
            layout.label(text=iface_("Shown in another pose"), icon="GHOST_ENABLED")
            layout.operator(RESET_POSE)
        layout.operator(EXPORT_SDF, text=iface_("Export SDFormat…"), icon="EXPORT")


def _draw_first_steps(context: bpy.types.Context, layout: bpy.types.UILayout) -> None:
    layout.label(text=iface_("No links yet"), icon="INFO")
    column = layout.column()
    for number, step in enumerate(FIRST_STEPS, 1):
        paragraph(context, column, f"{number}. {iface_(step)}")
    paragraph(context, column, iface_(SHORTER))
    instead = Remark(
        "IMPORT", iface_("Or import a robot from an SDF, URDF, MJCF or USD file."), buttons=(Button(IMPORT_SDF),)
    )
    remark(context, layout, instead)


def _draw_mass(context: bpy.types.Context, layout: bpy.types.UILayout) -> None:
    """Draw the mass of the whole robot; its check box is an operator, which starts from the current mass."""
    settings = getattr(context.scene, MODEL)
    split = layout.split(factor=0.5)
    icon: Any = "CHECKBOX_HLT" if settings.use_mass else "CHECKBOX_DEHLT"
    tick: Any = split.operator(
        SET_MODEL_MASS, text=iface_("Total Mass [{unit}]", unit=units().mass), icon=icon, emboss=False
    )
    tick.use = not settings.use_mass
    value = split.row()
    value.active = settings.use_mass
    mass_setting(value, settings, text="")


def _draw_row(context: bpy.types.Context, layout: bpy.types.UILayout, row: Row, ob: bpy.types.Object) -> None:
    ui_scale = context.preferences.system.ui_scale or 1.0
    wide = context.region.width / ui_scale >= WIDE
    line = layout.row(align=True)
    if row.link and not row.is_link:
        line.label(text="", icon="BLANK1")
    draw_name(context, line, ob, _icon(row))
    if row.severity is not None or row.checking:
        line.label(text="", icon=CHECKING if row.severity is None else ICONS[row.severity])
    for text, widest in _texts(row, wide):
        cell(line, text, width_of(context, widest)).active = not row.stale


def _icon(row: Row) -> Any:
    if not row.link:
        return "QUESTION"
    if row.joint:
        return "RIGID_BODY_CONSTRAINT"
    return "RIGID_BODY" if row.is_link else SHAPES.get(row.geometry, "MESH_DATA")


def _texts(row: Row, wide: bool) -> list[tuple[str, str]]:
    """Return what stands beside a name, each with the widest text of its column: of the first, it is its own."""
    times = f"×{row.count}" if row.count > 1 else ""
    mass = "…" * row.stale if row.mass is None else mass_text(row.mass, units())
    share = iface_("no mass") if row.only_collides else "" if row.share is None else share_text(row.share)
    number = mass if wide or row.is_link else share
    beside = f"{times}  {number}".strip()
    return [(beside, beside), (iface_(MODES[row.mode]) if row.mode in MODES else share, iface_(WIDEST))][: 1 + wide]


CLASSES = (SDF_INERTIA_UL_rows, SDF_INERTIA_PT_model)
