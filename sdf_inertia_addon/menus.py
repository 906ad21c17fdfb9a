# SPDX-License-Identifier: GPL-3.0-or-later
"""Our entry in File > Export, and what makes a collection export itself as SDFormat."""

import bpy

from .names import EXPORT_SDF, FILE_HANDLER


class SDF_INERTIA_FH_sdf(bpy.types.FileHandler):
    bl_idname = FILE_HANDLER
    bl_label = "SDFormat"
    bl_export_operator = EXPORT_SDF
    bl_file_extensions = ".sdf"


def _draw_export(self: bpy.types.Menu, _context: bpy.types.Context) -> None:
    self.layout.operator(EXPORT_SDF, text="SDFormat (.sdf)")


CLASSES = (SDF_INERTIA_FH_sdf,)


def attach() -> None:
    bpy.types.TOPBAR_MT_file_export.append(_draw_export)


def detach() -> None:
    bpy.types.TOPBAR_MT_file_export.remove(_draw_export)
