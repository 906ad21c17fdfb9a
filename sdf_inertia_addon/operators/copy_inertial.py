# SPDX-License-Identifier: GPL-3.0-or-later
"""Copy the active link's inertial to the clipboard."""

from __future__ import annotations

import bpy
from bpy.props import EnumProperty

from ...core.sdf.write.inertial_text import FORMATS
from ..live import LiveLink
from ..names import COPY_INERTIAL
from ..panels.active import active_of
from ..panels.sections.inertia import COPY_FORMATS


class SDF_INERTIA_OT_copy_inertial(bpy.types.Operator):
    bl_idname = COPY_INERTIAL
    bl_label = "Copy Inertial"
    bl_description = "Copy mass, centre of mass and inertia of the active link to the clipboard, every digit"
    bl_options = {"REGISTER"}

    format: EnumProperty(name="Format", description="What to copy it as", items=COPY_FORMATS, default="SDF")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        why = _why_not(active_of(context).link)
        if why:
            cls.poll_message_set(why)
        return not why

    def execute(self, context: bpy.types.Context) -> set[str]:
        link = active_of(context).link
        assert link is not None
        context.window_manager.clipboard = FORMATS[self.format](link.body)
        name = next(item[1] for item in COPY_FORMATS if item[0] == self.format)
        self.report({"INFO"}, f"Copied the inertial of {link.body.name} as {name}")
        return {"FINISHED"}


def _why_not(link: LiveLink | None) -> str:
    if link is None:
        return "The active object is in no link"
    if link.stale:
        return f"{link.body.name} is not computed yet"
    if link.unchecked:
        return f"The meshes of {link.body.name} are not checked yet"
    return f"{link.body.name} has no inertia to copy: see its findings" if link.body.refused else ""


CLASSES = (SDF_INERTIA_OT_copy_inertial,)
