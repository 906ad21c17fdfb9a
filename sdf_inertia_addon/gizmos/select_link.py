# SPDX-License-Identifier: GPL-3.0-or-later
"""Select a link by its centre of mass."""

from __future__ import annotations

import bpy
from bpy.props import BoolProperty, StringProperty

from ..names import SELECT_LINK
from .shown import object_named


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
        ob = object_named(self.target)
        refusal = why_not(context, ob)
        if refusal:
            self.report({"ERROR"}, refusal)
            return {"CANCELLED"}
        if not self.extend:
            for other in context.selected_objects:
                other.select_set(False)
        ob.select_set(True)
        context.view_layer.objects.active = ob
        return {"FINISHED"}


def why_not(context: bpy.types.Context, ob: bpy.types.Object | None) -> str:
    """Return why an object cannot be selected, or nothing."""
    if ob is None:
        return "There is no such object any more"
    if ob.name not in context.view_layer.objects or context.view_layer.objects[ob.name] != ob:
        return f"{ob.name} is not in this view layer"
    return f"{ob.name} cannot be selected in viewports" if ob.hide_select else ""


CLASSES = (SDF_INERTIA_OT_select_link,)
