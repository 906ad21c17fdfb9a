# SPDX-License-Identifier: GPL-3.0-or-later
"""The active object's link: its parts, mass, centre of mass, inertia, and what is wrong with them."""

from __future__ import annotations

import textwrap
from typing import Any

import bpy

from ...core.errors import Finding
from ...core.inertial import Inertial
from ...core.resolve import LinkBody
from .. import live
from ..names import PANEL_CATEGORY
from ..remedies import REMEDIES, objects_by_part

WRITTEN = {"auto": "auto", "filled": "filled in", "manual": "as entered"}
ICONS: dict[str, Any] = {"info": "INFO", "warning": "ERROR", "error": "CANCEL"}

MARGINS, CHARACTER = 70.0, 6.6
"""Pixels beside the text of a finding, and the width of its average character, at a resolution scale of 1."""


class SDF_INERTIA_PT_link(bpy.types.Panel):
    bl_label = "Link"
    bl_category = PANEL_CATEGORY
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        ob = context.active_object
        body = None if ob is None else live.link_body(context.evaluated_depsgraph_get(), ob)
        if body is None:
            column = layout.column(align=True)
            column.label(text="The active object is in no link.", icon="INFO")
            column.label(text="Tag it, or an object above it, as Link;")
            column.label(text="then tag what has mass as Collision.")
            return
        layout.label(text=f"{body.name} (written {WRITTEN[body.mode]})", icon="PHYSICS")
        _draw_parts(layout, body)
        if body.inertial is not None:
            _draw_inertial(layout, body.inertial)
        findings = body.all_findings()
        curable = any(finding.code in REMEDIES for finding in findings)
        objects = objects_by_part(context.evaluated_depsgraph_get(), ob) if curable else {}
        for finding in findings:
            box = _draw_finding(layout, finding, context.region.width)
            _draw_remedies(box, finding, objects.get(finding.subject.rpartition("/")[2]))


def _draw_parts(layout: bpy.types.UILayout, body: LinkBody) -> None:
    column = layout.box().column(align=True)
    if not body.parts:
        column.label(text="No collision" if body.mode != "manual" else "Entered by hand")
    for part in body.parts:
        row = column.split(factor=0.5)
        row.label(text=part.name, icon="MESH_DATA" if part.geometry == "mesh" else "MESH_CUBE")
        if part.inertial is None:
            row.label(text="refused", icon="CANCEL")
            continue
        share = "" if body.inertial is None else f"  ({part.inertial.mass / body.inertial.mass:.0%})"
        row.label(text=f"{part.inertial.mass:.4g} kg{share}")


def _draw_inertial(layout: bpy.types.UILayout, inertial: Inertial) -> None:
    layout.label(text=f"Mass  {inertial.mass:.6g} kg")
    x, y, z = inertial.com + 0.0
    layout.label(text=f"Centre of mass  {x:.5g}, {y:.5g}, {z:.5g} m")
    column = layout.column(align=True)
    column.label(text="Inertia about it, in link axes [kg·m²]")
    grid = column.box().grid_flow(columns=3, row_major=True, even_columns=True)
    for row in range(3):
        for cell in range(3):
            grid.label(text=f"{inertial.inertia[row, cell] + 0.0:.4g}" if cell >= row else "")


def _draw_finding(layout: bpy.types.UILayout, finding: Finding, width: int) -> bpy.types.UILayout:
    box = layout.box().column(align=True)
    box.alert = finding.severity == "error"
    ui_scale = bpy.context.preferences.system.ui_scale or 1.0  # 0 until there is a window
    characters = max(int((width / ui_scale - MARGINS) / CHARACTER), 20)
    text = f"{finding.subject}: {finding.message}" + (f". Remedy: {finding.remedy}." if finding.remedy else "")
    for number, line in enumerate(textwrap.wrap(text, characters)):
        box.label(text=line, icon=ICONS[finding.severity] if number == 0 else "BLANK1")
    return box


def _draw_remedies(box: bpy.types.UILayout, finding: Finding, target: str | None) -> None:
    if target is None:
        return
    flow = box.grid_flow(columns=2, even_columns=True, align=True)
    flow.alert = False
    for operator in REMEDIES.get(finding.code, ()):
        properties: Any = flow.operator(operator)
        properties.target = target


CLASSES = (SDF_INERTIA_PT_link,)
