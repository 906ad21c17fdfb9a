# SPDX-License-Identifier: GPL-3.0-or-later
"""What an export will write, and the button for it."""

from __future__ import annotations

import bpy

from .. import live
from ..names import EXPORT_SDF
from .parts import Sidebar, remark
from .texts import export_remarks


class SDF_INERTIA_PT_export(Sidebar, bpy.types.Panel):
    bl_label = "Export"
    bl_order = 4

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        for shown in export_remarks(live.model(context.evaluated_depsgraph_get()).links):
            remark(context, layout, shown)
        row = layout.row()
        row.scale_y = 1.3
        row.operator(EXPORT_SDF, text="Export SDFormat…", icon="EXPORT")


CLASSES = (SDF_INERTIA_PT_export,)
