# SPDX-License-Identifier: GPL-3.0-or-later
"""Find Meshes: look in a folder for the meshes that an import did not find."""

from __future__ import annotations

import os
from pathlib import Path

import bpy

from ...compat import blend_relative
from ...importing.missing import count_missing, find_meshes, incomplete_links
from ...names import FIND_MESHES, PROPERTIES
from ...translations.words import BoolProperty, StringProperty, rpt_, tip_
from ..base import enabled_if, refused, report_findings


class SDF_INERTIA_OT_find_meshes(bpy.types.Operator):
    bl_idname = FIND_MESHES
    bl_label = "Find Meshes"
    bl_description = "Look in a folder, and in the folders in it, for the meshes that the import did not find"
    bl_options = {"REGISTER", "UNDO"}

    directory: StringProperty(
        name="Folder",
        description="A package, a workspace, or a folder of meshes",
        subtype="DIR_PATH",
        options=blend_relative() | {"SKIP_SAVE"},
    )
    filter_folder: BoolProperty(default=True, options={"HIDDEN"})

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return enabled_if(cls, count_missing(context.scene), tip_("No mesh is missing"))

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        if not self.properties.is_property_set("directory"):
            source = getattr(incomplete_links(context.scene)[0], PROPERTIES).source
            self.directory = os.path.join(os.path.dirname(bpy.path.abspath(source)), "")
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        folder = Path(bpy.path.abspath(self.directory))
        wanted = count_missing(context.scene)
        made, findings = find_meshes(context, folder)
        report_findings(self, findings)
        if not made:
            return refused(
                self, rpt_("None of the {count} missing meshes is in {folder}", count=wanted, folder=folder.name)
            )
        self.report({"INFO"}, rpt_("Found {found} of {count} missing meshes", found=made, count=wanted))
        return {"FINISHED"}


CLASSES = (SDF_INERTIA_OT_find_meshes,)
