# SPDX-License-Identifier: GPL-3.0-or-later
"""Select the object that a finding is about."""

from __future__ import annotations

import bpy
from bpy.props import StringProperty

from ..names import SELECT_OBJECT
from ..selection import object_by_full_name, select_only, why_not


class SDF_INERTIA_OT_select_object(bpy.types.Operator):
    bl_idname = SELECT_OBJECT
    bl_label = "Select Object"
    bl_description = "Select this object, and no other"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    target: StringProperty(name="Object", description="Full name of the object")

    def execute(self, context: bpy.types.Context) -> set[str]:
        ob = object_by_full_name(self.target)
        refusal = why_not(context, ob)
        if refusal:
            self.report({"ERROR"}, refusal)
            return {"CANCELLED"}
        select_only(context, ob)
        return {"FINISHED"}


CLASSES = (SDF_INERTIA_OT_select_object,)
