# SPDX-License-Identifier: GPL-3.0-or-later
"""Select the object that a finding is about, or the link whose centre of mass was clicked."""

from __future__ import annotations

import bpy
from bpy.props import BoolProperty, StringProperty

from ..names import SELECT_OBJECT
from ..scene.selection import object_by_full_name, select_only, why_not_selectable


class SDF_INERTIA_OT_select_object(bpy.types.Operator):
    bl_idname = SELECT_OBJECT
    bl_label = "Select Object"
    bl_description = "Make this object the active and only selected one. Shift: what is selected stays so"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    target: StringProperty(name="Object", description="Full name of the object")
    extend: BoolProperty(name="Extend", description="What is selected stays so", options={"SKIP_SAVE"})

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        self.extend = event.shift
        return self.execute(context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        ob = object_by_full_name(self.target)
        refusal = why_not_selectable(context, ob)
        if refusal:
            self.report({"ERROR"}, refusal)
            return {"CANCELLED"}
        if self.extend:
            ob.select_set(True)
            context.view_layer.objects.active = ob
        else:
            select_only(context, ob)
        return {"FINISHED"}


CLASSES = (SDF_INERTIA_OT_select_object,)
