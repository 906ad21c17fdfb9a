# SPDX-License-Identifier: GPL-3.0-or-later
"""Accept computed inertias of imported links, and write them back into the file they came from."""

from __future__ import annotations

import bpy
from bpy.props import BoolProperty, StringProperty

from ....core.errors import InertiaError, first_error
from ...importing.accepted import accept, imported_links, is_accepted, write_accepted
from ...live import link_body
from ...names import ACCEPT_COMPUTED, WRITE_BACK
from ...panels.texts import in_words
from ...scene.selection import object_by_full_name


class SDF_INERTIA_OT_accept_computed(bpy.types.Operator):
    bl_idname = ACCEPT_COMPUTED
    bl_label = "Accept Computed"
    bl_description = (
        "Give an imported link the inertia computed from its geometry at its published mass, or take that back"
    )
    bl_options = {"REGISTER", "UNDO"}

    target: StringProperty(
        name="Link", description="Full name of the link; empty: all imported ones", options={"SKIP_SAVE"}
    )
    accepted: BoolProperty(name="Accepted", description="Off: the published numbers again", default=True)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if imported_links(context.scene):
            return True
        cls.poll_message_set("No link was imported")
        return False

    def execute(self, context: bpy.types.Context) -> set[str]:
        named = object_by_full_name(self.target) if self.target else None
        links = [ob for ob in imported_links(context.scene) if named is None or ob == named]
        links = [ob for ob in links if ob.is_editable and is_accepted(ob) != self.accepted]
        for ob in links:
            accept(ob, self.accepted)
        return {"FINISHED"} if links else {"CANCELLED"}


class SDF_INERTIA_OT_write_back(bpy.types.Operator):
    bl_idname = WRITE_BACK
    bl_label = "Write Back"
    bl_description = "Write the accepted inertials into the file that the links came from; no other byte of it changes"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if any(map(is_accepted, imported_links(context.scene))):
            return True
        cls.poll_message_set("Accept a computed inertia first")
        return False

    def execute(self, context: bpy.types.Context) -> set[str]:
        chosen = [ob for ob in imported_links(context.scene) if is_accepted(ob)]
        depsgraph = context.evaluated_depsgraph_get()
        inertials = []
        for ob in chosen:
            body = link_body(depsgraph, ob)
            error = None if body is None else first_error(body.all_findings())
            if body is None or body.inertial is None or error is not None:
                why = "" if error is None else f": {in_words(error)}"
                self.report({"ERROR"}, f"Nothing was written. {ob.name} has no inertia{why}")
                return {"CANCELLED"}
            inertials.append((ob, body.inertial))
        try:
            written = write_accepted(inertials)
        except InertiaError as error:
            self.report({"ERROR"}, f"Nothing was written. {in_words(error.finding())}")
            return {"CANCELLED"}
        except OSError as error:
            self.report({"ERROR"}, f"Cannot write {error.filename}: {error.strerror}")
            return {"CANCELLED"}
        for path, count in written.items():
            self.report({"INFO"}, f"Wrote {count} {'inertial' if count == 1 else 'inertials'} into {path.name}")
        return {"FINISHED"}


CLASSES = (SDF_INERTIA_OT_accept_computed, SDF_INERTIA_OT_write_back)
