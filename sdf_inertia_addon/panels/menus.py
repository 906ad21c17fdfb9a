# SPDX-License-Identifier: GPL-3.0-or-later
"""Our entries in File > Export and in the Object menu, where F3 finds them; collections that export themselves."""

from typing import Any

import bpy

from ...core.formats.table import IMPORTED
from ..names import (
    CHECK_MESH,
    EXPORT_SDF,
    FILE_HANDLER,
    FIT_PRIMITIVE,
    IMPORT_HANDLER,
    IMPORT_SDF,
    JOINTS_FROM_ARMATURE,
    JOINTS_FROM_CONSTRAINTS,
    JOINTS_FROM_HIERARCHY,
    MIRROR_LINK,
    SET_DENSITY,
    SET_INERTIA,
    SET_JOINT,
    SET_MASS,
    SET_MATERIAL,
    TAG_BY_RULES,
    TAG_COLLISION,
    TAG_LINK,
    TAG_MASS,
    TAG_VISUAL,
    UNTAG,
)
from ..translations.words import iface_


class SDF_INERTIA_FH_sdf(bpy.types.FileHandler):
    bl_idname = FILE_HANDLER
    bl_label = "SDFormat"
    bl_export_operator = EXPORT_SDF
    bl_file_extensions = ".sdf"


class SDF_INERTIA_FH_robot(bpy.types.FileHandler):
    bl_idname = IMPORT_HANDLER
    bl_label = "Robot"
    bl_import_operator = IMPORT_SDF
    bl_file_extensions = ";".join(IMPORTED)

    @classmethod
    def poll_drop(cls, context: bpy.types.Context) -> bool:
        return context.area is not None and context.area.type == "VIEW_3D"


class SDF_INERTIA_MT_object(bpy.types.Menu):
    bl_idname = "SDF_INERTIA_MT_object"
    bl_label = "SDF Inertia"

    def draw(self, _context: bpy.types.Context) -> None:
        layout = self.layout
        link: Any = layout.operator(TAG_LINK)
        link.own_collision = True
        for group in GROUPS:
            for operator in group:
                layout.operator(operator)
            layout.separator()
        layout.operator_menu_enum(SET_INERTIA, "mode")


GROUPS = (
    (TAG_COLLISION, TAG_MASS, TAG_VISUAL, UNTAG, TAG_BY_RULES),
    (SET_MATERIAL, SET_DENSITY, SET_MASS),
    (SET_JOINT, JOINTS_FROM_HIERARCHY, JOINTS_FROM_CONSTRAINTS, JOINTS_FROM_ARMATURE, MIRROR_LINK),
    (FIT_PRIMITIVE, CHECK_MESH),
)
"""What the Object menu offers for the selected objects, after Tag as Link."""


def _draw_object(self: bpy.types.Menu, _context: bpy.types.Context) -> None:
    self.layout.separator()
    self.layout.menu(SDF_INERTIA_MT_object.bl_idname)


def _draw_export(self: bpy.types.Menu, _context: bpy.types.Context) -> None:
    self.layout.operator(EXPORT_SDF, text=iface_("SDFormat (.sdf)"))


def _draw_import(self: bpy.types.Menu, _context: bpy.types.Context) -> None:
    self.layout.operator(IMPORT_SDF, text=iface_("Robot (.sdf, .urdf, .xml)"))


CLASSES = (SDF_INERTIA_FH_sdf, SDF_INERTIA_FH_robot, SDF_INERTIA_MT_object)


def attach() -> None:
    bpy.types.TOPBAR_MT_file_export.append(_draw_export)
    bpy.types.TOPBAR_MT_file_import.append(_draw_import)
    bpy.types.VIEW3D_MT_object.append(_draw_object)


def detach() -> None:
    bpy.types.VIEW3D_MT_object.remove(_draw_object)
    bpy.types.TOPBAR_MT_file_import.remove(_draw_import)
    bpy.types.TOPBAR_MT_file_export.remove(_draw_export)
