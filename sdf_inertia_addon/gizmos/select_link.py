# SPDX-License-Identifier: GPL-3.0-or-later
"""Select a link by its centre of mass."""

from __future__ import annotations

import bpy
from bpy.props import BoolProperty, StringProperty

from ..names import SELECT_LINK
from ..selection import object_by_full_name, select_only, why_not


class SDF_INERTIA_OT_select_link(bpy.types.Operator):
    bl_idname = SELECT_LINK
    bl_label = "Select Link"
    bl_description = "Make the object that is the link the active one"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    target: StringProperty(name="Link", description="Full name of the object")
    extend: BoolProperty(name="Extend", description="What is selected stays so", options={"SKIP_SAVE"})

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        self.extend = event.shift
        return self.execute(context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        ob = object_by_full_name(self.target)
        refusal = why_not(context, ob)
        if refusal:
            self.report({"ERROR"}, refusal)
            return {"CANCELLED"}
        if self.extend:
            ob.select_set(True)
            context.view_layer.objects.active = ob
        else:
            select_only(context, ob)
        return {"FINISHED"}


CLASSES = (SDF_INERTIA_OT_select_link,)
