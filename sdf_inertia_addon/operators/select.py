# SPDX-License-Identifier: GPL-3.0-or-later
"""Select what a finding is about: its object, or the faces, edges or vertices of a mesh that it counts."""

from __future__ import annotations

import bpy

from ...core.findings.listed import title_of
from ...core.mesh.faulty import SELECTABLE
from ..mesh_tools.faulty_elements import FaultyElements, find_faulty_elements, select, why_unseen
from ..names import SELECT_FAULTY, SELECT_OBJECT
from ..scene.selection import between, object_by_full_name, select_only, why_not_selectable
from ..translations.words import BoolProperty, StringProperty, n_, rpt_
from .base import OnTarget, refused

WORDS = {
    "VERT": (n_("vertex"), n_("vertices")),
    "EDGE": (n_("edge"), n_("edges")),
    "FACE": (n_("face"), n_("faces")),
}


class SDF_INERTIA_OT_select_object(bpy.types.Operator):
    bl_idname = SELECT_OBJECT
    bl_label = "Select Object"
    bl_description = (
        "Make this object the active and only selected one. Shift: what is selected stays so, also up to it in a list."
        " Ctrl: it is selected as well, or no longer"
    )
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    target: StringProperty(name="Object", description="Full name of the object")
    extend: BoolProperty(name="Extend", description="What is selected stays so", options={"SKIP_SAVE"})
    toggle: BoolProperty(
        name="Toggle", description="It is selected as well, or no longer if it was", options={"SKIP_SAVE"}
    )
    row: StringProperty(
        name="List", description="The property of the list that was clicked", options={"SKIP_SAVE", "HIDDEN"}
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        self.extend, self.toggle = event.shift, event.ctrl
        return self.execute(context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        ob = object_by_full_name(self.target)
        refusal = why_not_selectable(context, ob)
        if refusal:
            return refused(self, refusal)
        objects = context.view_layer.objects
        if self.toggle and ob.select_get():
            ob.select_set(False)
        elif self.extend or self.toggle:
            for other in between(objects.active, ob, self.row) if self.extend else [ob]:
                other.select_set(True)
            objects.active = ob
        else:
            select_only(context, ob)
        return {"FINISHED"}


class SDF_INERTIA_OT_select_faulty(OnTarget):
    bl_idname = SELECT_FAULTY
    bl_label = "Select Faulty"
    bl_description = "Go to edit mode with the faces, edges or vertices selected that this is about"

    code: StringProperty(name="Finding", description="What to select: the code of the finding")

    def execute(self, context: bpy.types.Context) -> set[str]:
        if self.code not in SELECTABLE:
            no_place = rpt_("'{code}' has no place in a mesh", code=self.code)
            problem = no_place if self.code else rpt_("No finding is chosen")
            text = n_("press Select Faulty beside one in the SDF tab, or set code to one of {codes}")
            return refused(self, f"{problem}: {rpt_(text, codes=', '.join(sorted(SELECTABLE)))}")
        ob = self.chosen(context)
        refusal = why_not_selectable(context, ob)
        if refusal:
            return refused(self, refusal)
        if ob.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")  # writes back what was edited
        depsgraph = context.evaluated_depsgraph_get()
        refusal = why_unseen(ob, depsgraph)
        if refusal:
            return refused(self, refusal)
        faulty = find_faulty_elements(ob, depsgraph, self.code)
        if not faulty.elements:
            text = n_("{name} has nothing of the kind '{title}' to select")
            return refused(self, rpt_(text, name=ob.name, title=rpt_(title_of(self.code))))
        self._show(context, ob, faulty)
        count = len(faulty.elements)
        text = n_("{name}: {count} {elements} selected (Numpad . shows them)")
        word = rpt_(WORDS[faulty.kind][count > 1])
        self.report({"INFO"}, rpt_(text, name=ob.name, count=count, elements=word))
        return {"FINISHED"}

    def _show(self, context: bpy.types.Context, ob: bpy.types.Object, faulty: FaultyElements) -> None:
        assert isinstance(ob.data, bpy.types.Mesh)
        select_only(context, ob)
        bpy.ops.object.mode_set(mode="EDIT")
        context.tool_settings.mesh_select_mode = [faulty.kind == kind for kind in WORDS]
        bpy.ops.mesh.select_all(action="DESELECT")
        select(ob.data, faulty)


CLASSES = (SDF_INERTIA_OT_select_object, SDF_INERTIA_OT_select_faulty)
