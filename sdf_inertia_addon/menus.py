# SPDX-License-Identifier: GPL-3.0-or-later
"""Our entry in File > Export."""

import bpy

from .names import EXPORT_SDF


def _draw_export(self: bpy.types.Menu, _context: bpy.types.Context) -> None:
    self.layout.operator(EXPORT_SDF, text="SDFormat (.sdf)")


def attach() -> None:
    bpy.types.TOPBAR_MT_file_export.append(_draw_export)


def detach() -> None:
    bpy.types.TOPBAR_MT_file_export.remove(_draw_export)
