# SPDX-License-Identifier: GPL-3.0-or-later
"""Choose how the inertia of links is written; Manual starts from the current numbers."""

from __future__ import annotations

import bpy

from .. import live
from ..names import PROPERTIES, SET_INERTIA
from ..scene.belonging import link_above
from ..scene.properties import INERTIA_MODES
from ..scene.scene_read import metres_per_unit
from ..scene.selection import object_by_full_name
from ..scene.start_values import start_manual
from ..translations.words import EnumProperty, StringProperty, rpt_, tip_
from .base import refused


class SDF_INERTIA_OT_set_inertia(bpy.types.Operator):
    bl_idname = SET_INERTIA
    bl_label = "Set Inertia Mode"
    bl_description = (
        "Choose how the inertia of each selected link is written. Manual starts from the current numbers, unless some"
        " were entered before"
    )
    bl_options = {"REGISTER", "UNDO"}

    mode: EnumProperty(name="Inertia", description="How the inertia is written", items=INERTIA_MODES, default="AUTO")
    target: StringProperty(
        name="Object",
        description="Full name of the link; empty: the links of the selected objects",
        options={"SKIP_SAVE"},
    )

    @classmethod
    def description(cls, _context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        chosen = next(item for item in INERTIA_MODES if item[0] == properties.mode)
        more = tip_("Starts from the current numbers, unless some were entered before")
        return tip_(chosen[2]) + (f". {more}" if chosen[0] == "MANUAL" else "")

    def execute(self, context: bpy.types.Context) -> set[str]:
        links = target_links(context, self.target)
        editable = [ob for ob in links if ob.is_editable]
        if not editable:
            return refused(self, self._why_none(bool(links)))
        changed = [ob for ob in editable if getattr(ob, PROPERTIES).inertia != self.mode]
        if self.mode == "MANUAL":
            self._start(context, changed)
        for ob in changed:
            getattr(ob, PROPERTIES).inertia = self.mode
        if len(links) > len(editable):
            linked = len(links) - len(editable)
            self.report({"WARNING"}, rpt_("{count} linked from a library and left alone", count=linked))
        return {"FINISHED"}

    def _why_none(self, linked: bool) -> str:
        if self.target and linked:
            return rpt_("{name} is linked from a library", name=self.target)
        if self.target:
            return rpt_("{name} is not a link: tag objects first", name=self.target)
        if linked:
            return rpt_("The selected objects are linked from a library")
        return rpt_("None of the selected objects is a link: tag objects first")

    def _start(self, context: bpy.types.Context, links: list[bpy.types.Object]) -> None:
        depsgraph, unit = context.evaluated_depsgraph_get(), metres_per_unit(context.scene)
        bodies = [live.link_body(depsgraph, ob) for ob in links]
        for ob, body in zip(links, bodies, strict=True):
            present = None if body is None else body.inertial
            start_manual(ob, present, unit)
            if present is None:
                text = rpt_("{name} has no inertia to start from: enter its numbers", name=ob.name)
                self.report({"WARNING"}, text)


def target_links(context: bpy.types.Context, target: str = "") -> list[bpy.types.Object]:
    """Return the link of that full name, or those of the selected objects, that of the active one first."""
    if target:
        ob = object_by_full_name(target)
        return [ob] if ob is not None and getattr(ob, PROPERTIES).is_link else []
    active = context.active_object
    chosen = sorted(context.selected_objects, key=lambda ob: (ob != active, ob.name_full))
    return list(dict.fromkeys(link for link in map(link_above, chosen) if link is not None))


CLASSES = (SDF_INERTIA_OT_set_inertia,)
