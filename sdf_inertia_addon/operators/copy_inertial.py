# SPDX-License-Identifier: GPL-3.0-or-later
"""Copy the active link's inertial to the clipboard."""

from __future__ import annotations

import bpy

from ...core.formats.inertial_text import FORMATS
from ..live import LiveLink
from ..names import COPY_INERTIAL
from ..panels.active import active_of
from ..panels.sections.inertia import COPY_FORMATS
from ..translations.words import EnumProperty, rpt_, tip_
from .base import enabled_if


class SDF_INERTIA_OT_copy_inertial(bpy.types.Operator):
    bl_idname = COPY_INERTIAL
    bl_label = "Copy Inertial"
    bl_description = "Copy mass, centre of mass and inertia of the active link to the clipboard, every digit"
    bl_options = {"REGISTER"}

    format: EnumProperty(name="Format", description="What to copy it as", items=COPY_FORMATS, default="SDF")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        why_not = _why_not(active_of(context).link)
        return enabled_if(cls, not why_not, why_not)

    def execute(self, context: bpy.types.Context) -> set[str]:
        link = active_of(context).link
        assert link is not None
        context.window_manager.clipboard = FORMATS[self.format](link.body)
        name = next(item[1] for item in COPY_FORMATS if item[0] == self.format)
        self.report({"INFO"}, rpt_("Copied the inertial of {name} as {format}", name=link.body.name, format=name))
        return {"FINISHED"}


def _why_not(link: LiveLink | None) -> str:
    if link is None:
        return tip_("The active object is in no link")
    if link.stale:
        return tip_("{name} is not computed yet", name=link.body.name)
    if link.unchecked:
        return tip_("The meshes of {name} are not checked yet", name=link.body.name)
    refused = tip_("{name} has no inertia to copy: see its findings", name=link.body.name)
    return refused if link.body.refused else ""


CLASSES = (SDF_INERTIA_OT_copy_inertial,)
