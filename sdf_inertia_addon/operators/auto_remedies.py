# SPDX-License-Identifier: GPL-3.0-or-later
"""Remedies for what an AUTO link cannot be: write our numbers, or compute as a simulator does."""

from __future__ import annotations

from typing import ClassVar

import bpy

from ..names import PROPERTIES, USE_EXACT, WRITE_FILLED
from ..scene.selection import object_by_full_name
from ..translations.words import StringProperty, rpt_


class _Choice(bpy.types.Operator):
    """Set one property of one object."""

    bl_options = {"REGISTER", "UNDO"}
    target: StringProperty(name="Object", description="Full name of the object; the active one if empty")
    choice: ClassVar[tuple[str, str]]

    def execute(self, context: bpy.types.Context) -> set[str]:
        ob = object_by_full_name(self.target) if self.target else context.active_object
        if ob is None or not ob.is_editable:
            gone = rpt_("There is no object '{name}'", name=self.target)
            self.report({"ERROR"}, gone if ob is None else rpt_("{name} is linked from a library", name=ob.name))
            return {"CANCELLED"}
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


CLASSES = (SDF_INERTIA_OT_write_filled, SDF_INERTIA_OT_use_exact)
