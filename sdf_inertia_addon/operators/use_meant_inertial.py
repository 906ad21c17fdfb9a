# SPDX-License-Identifier: GPL-3.0-or-later
"""Correct a manual inertial that has one certain mistake, such as exchanged axes or another unit."""

from __future__ import annotations

import bpy

from .. import live
from ..names import PROPERTIES, USE_MEANT_INERTIAL
from ..scene.scene_read import metres_per_unit
from ..scene.selection import object_by_full_name
from ..scene.start_values import as_kept
from ..translations.words import StringProperty, rpt_


class SDF_INERTIA_OT_use_meant_inertial(bpy.types.Operator):
    bl_idname = USE_MEANT_INERTIAL
    bl_label = "Correct the Mistake"
    bl_description = "Put the numbers that fit this link's geometry in place of the entered ones"
    bl_options = {"REGISTER", "UNDO"}

    target: StringProperty(name="Object", description="Full name of the link; the active object if empty")

    def execute(self, context: bpy.types.Context) -> set[str]:
        ob = object_by_full_name(self.target) if self.target else context.active_object
        if ob is None or not ob.is_editable:
            gone = rpt_("There is no object '{name}'", name=self.target)
            self.report({"ERROR"}, gone if ob is None else rpt_("{name} is linked from a library", name=ob.name))
            return {"CANCELLED"}
        body = live.link_body(context.evaluated_depsgraph_get(), ob)
        if body is None or body.right is None or not getattr(ob, PROPERTIES).is_link:
            self.report({"ERROR"}, rpt_("{name} has no mistake with one certain correction", name=ob.name))
            return {"CANCELLED"}
        settings = getattr(ob, PROPERTIES)
        settings.manual_mass = body.right.mass
        settings.manual_com = body.right.com / metres_per_unit(context.scene)
        settings.manual_inertia = as_kept(body.right)
        return {"FINISHED"}


CLASSES = (SDF_INERTIA_OT_use_meant_inertial,)
