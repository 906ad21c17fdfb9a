# SPDX-License-Identifier: GPL-3.0-or-later
"""Tag and untag the selected objects."""

from __future__ import annotations

from typing import ClassVar

import bpy

from ..names import PROPERTIES, TAG_COLLISION, TAG_LINK, TAG_VISUAL, UNTAG


class _TagSelected(bpy.types.Operator):
    """Set tags on every selected object that can be edited."""

    bl_options = {"REGISTER", "UNDO"}
    tags: ClassVar[dict[str, bool]]

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if context.selected_objects:
            return True
        cls.poll_message_set("Select one or more objects first")
        return False

    def execute(self, context: bpy.types.Context) -> set[str]:
        editable = [ob for ob in context.selected_objects if ob.is_editable]
        for ob in editable:
            for tag, value in self.tags.items():
                setattr(getattr(ob, PROPERTIES), tag, value)
        linked = len(context.selected_objects) - len(editable)
        if linked:
            self.report({"WARNING"}, f"{linked} objects are linked from a library and were left alone")
        return {"FINISHED"} if editable else {"CANCELLED"}


class SDF_INERTIA_OT_tag_link(_TagSelected):
    bl_idname = TAG_LINK
    bl_label = "Tag as Link"
    bl_description = "Make each selected object a link: a rigid body with the collisions and visuals below it"
    tags = {"is_link": True}


class SDF_INERTIA_OT_tag_collision(_TagSelected):
    bl_idname = TAG_COLLISION
    bl_label = "Tag as Collision"
    bl_description = "Make each selected object a collision of the nearest link above it"
    tags = {"is_collision": True}


class SDF_INERTIA_OT_tag_visual(_TagSelected):
    bl_idname = TAG_VISUAL
    bl_label = "Tag as Visual"
    bl_description = "Make each selected object a visual of the nearest link above it"
    tags = {"is_visual": True}


class SDF_INERTIA_OT_untag(_TagSelected):
    bl_idname = UNTAG
    bl_label = "Untag"
    bl_description = "Remove the tags of each selected object; its settings stay"
    tags = {"is_link": False, "is_collision": False, "is_visual": False}


CLASSES = (SDF_INERTIA_OT_tag_link, SDF_INERTIA_OT_tag_collision, SDF_INERTIA_OT_tag_visual, SDF_INERTIA_OT_untag)
