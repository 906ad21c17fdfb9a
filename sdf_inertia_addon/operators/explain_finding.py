# SPDX-License-Identifier: GPL-3.0-or-later
"""Explain a finding: what it means, what to do, and its place in the manual."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

import bpy

from ...core.findings.listed import PAGE, listed, section_url
from ..names import EXPLAIN_FINDING
from ..panels.sidebar import paragraph
from ..translations.words import StringProperty, iface_, rpt_, tip_
from .base import refused

PAGE_NAME = PurePosixPath(PAGE).name

WIDTH, TEXT = 330, 370
"""Of the popup, in pixels at a resolution scale of 1; of its text, as if it had the sidebar's wider margins."""


class SDF_INERTIA_OT_explain_finding(bpy.types.Operator):
    bl_idname = EXPLAIN_FINDING
    bl_label = "What Does It Mean?"
    bl_description = "Show what a finding means, what to do about it, and its section in the list of all findings"
    bl_options = {"INTERNAL"}

    code: StringProperty(name="Code", description="Code of the finding")

    @classmethod
    def description(cls, _context: bpy.types.Context, properties: Any) -> str:
        """Return the tooltip of a button: what the finding means."""
        entry = listed().get(properties.code)
        return "" if entry is None else tip_(entry.meaning).removesuffix(".")  # Blender ends a tooltip with a full stop

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        if self.code not in listed():
            return self.execute(context)
        popup: Any = context.window_manager.invoke_popup
        return set(popup(self, width=WIDTH))

    def draw(self, context: bpy.types.Context) -> None:
        entry = listed()[self.code]
        layout = self.layout
        layout.label(text=iface_(entry.title), icon="QUESTION")
        paragraph(context, layout, tip_(entry.meaning), width=TEXT)
        paragraph(context, layout, tip_(entry.remedy), "LIGHT", width=TEXT)
        layout.separator()
        layout.label(text=f"{PAGE_NAME}: {self.code}", icon="HELP", translate=False)
        page: Any = layout.operator("wm.url_open", text=iface_("Open {file}", file=PAGE_NAME), icon="URL")
        page.url = section_url(self.code)

    def execute(self, _context: bpy.types.Context) -> set[str]:
        entry = listed().get(self.code)
        if entry is None:
            return refused(self, rpt_("No finding has the code '{code}'", code=self.code))
        explanation = f"{rpt_(entry.title)}. {tip_(entry.meaning)} {tip_(entry.remedy)}"
        self.report({"INFO"}, f"{explanation} ({PAGE_NAME}: {self.code})")
        return {"FINISHED"}


CLASSES = (SDF_INERTIA_OT_explain_finding,)
