# SPDX-License-Identifier: GPL-3.0-or-later
"""Remedies for a link or part: write our numbers, compute as a simulator does, correct a mistake in manual ones."""

from __future__ import annotations

from typing import ClassVar

import bpy

from .. import live
from ..names import PROPERTIES, USE_EXACT, USE_MEANT_INERTIAL, WRITE_FILLED
from ..scene.scene_read import metres_per_unit
from ..scene.selection import object_by_full_name
from ..scene.start_values import as_kept
from ..translations.words import StringProperty, rpt_


class _OnObject(bpy.types.Operator):
    """Change one object that can be edited."""

    bl_options = {"REGISTER", "UNDO"}
    target: StringProperty(name="Object", description="Full name of the object; the active one if empty")

    def execute(self, context: bpy.types.Context) -> set[str]:
        ob = object_by_full_name(self.target) if self.target else context.active_object
        if ob is None or not ob.is_editable:
            gone = rpt_("There is no object '{name}'", name=self.target)
            self.report({"ERROR"}, gone if ob is None else rpt_("{name} is linked from a library", name=ob.name))
            return {"CANCELLED"}
        return self.change(context, ob)

    def change(self, context: bpy.types.Context, ob: bpy.types.Object) -> set[str]:
        raise NotImplementedError


class _Choice(_OnObject):
    """Set one property of one object."""

    choice: ClassVar[tuple[str, str]]

    def change(self, context: bpy.types.Context, ob: bpy.types.Object) -> set[str]:
        setattr(getattr(ob, PROPERTIES), *self.choice)
        return {"FINISHED"}


class SDF_INERTIA_OT_write_filled(_Choice):
    bl_idname = WRITE_FILLED
    bl_label = "Write Filled"
    bl_description = "Write the numbers computed here for this link, instead of leaving them to the simulator"
    choice = ("inertia", "FILLED")


class SDF_INERTIA_OT_use_exact(_Choice):
    bl_idname = USE_EXACT
    bl_label = "Use Exact"
    bl_description = "Compute the inertia of this object by the exact integral over its mesh"
    choice = ("method", "EXACT")


class SDF_INERTIA_OT_use_meant_inertial(_OnObject):
    bl_idname = USE_MEANT_INERTIAL
    bl_label = "Correct the Mistake"
    bl_description = "Put the numbers that fit this link's geometry in place of the entered ones"

    def change(self, context: bpy.types.Context, ob: bpy.types.Object) -> set[str]:
        body = live.link_body(context.evaluated_depsgraph_get(), ob)
        if body is None or body.right is None or not getattr(ob, PROPERTIES).is_link:
            self.report({"ERROR"}, rpt_("{name} has no mistake with one certain correction", name=ob.name))
            return {"CANCELLED"}
        settings = getattr(ob, PROPERTIES)
        settings.manual_mass = body.right.mass
        settings.manual_com = body.right.com / metres_per_unit(context.scene)
        settings.manual_inertia = as_kept(body.right)
        return {"FINISHED"}


CLASSES = (SDF_INERTIA_OT_write_filled, SDF_INERTIA_OT_use_exact, SDF_INERTIA_OT_use_meant_inertial)
