# SPDX-License-Identifier: GPL-3.0-or-later
"""Accept computed inertias of imported links, and write them back into the file they came from."""

from __future__ import annotations

from collections.abc import Iterable

import bpy

from ....core.body.inertial import Inertial
from ....core.errors import InertiaError, first_error
from ... import live
from ...importing.accepted import accept, has_published, has_stated_mass, imported_links, is_accepted, write_accepted
from ...names import ACCEPT_COMPUTED, WRITE_BACK
from ...panels.compared import KEPT, comparison_of
from ...panels.texts import first_of, in_words, message_of
from ...scene.selection import object_by_full_name
from ...translations.words import BoolProperty, StringProperty, nn_, rpt_, tip_
from ..base import enabled_if, refused


class SDF_INERTIA_OT_accept_computed(bpy.types.Operator):
    bl_idname = ACCEPT_COMPUTED
    bl_label = "Accept Computed"
    bl_description = (
        "Give an imported link the inertia computed from its geometry at the mass in its file, or take that back"
    )
    bl_options = {"REGISTER", "UNDO"}

    target: StringProperty(
        name="Link",
        description="Full name of the link; empty: all whose numbers in the file are worse than the computed ones",
        options={"SKIP_SAVE"},
    )
    accepted: BoolProperty(name="Accepted", description="Off: the numbers in the file again", default=True)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return enabled_if(cls, imported_links(context.scene), tip_("No link was imported"))

    def execute(self, context: bpy.types.Context) -> set[str]:
        named = object_by_full_name(self.target) if self.target else None
        links = [ob for ob in imported_links(context.scene) if ob.is_editable and is_accepted(ob) != self.accepted]
        kept: dict[str, list[str]] = {}
        if self.target:
            links = [ob for ob in links if ob == named]
        elif self.accepted:
            links = [ob for ob in links if has_published(ob)]
            kept = _kept(context, links)
            links = [ob for ob in links if not any(ob.name in names for names in kept.values())]
        without = [ob.name for ob in links if self.accepted and not self._computes(context, ob)]
        links = [ob for ob in links if ob.name not in without]
        for ob in links:
            accept(ob, self.accepted)
        if kept:
            reasons = "; ".join(f"{rpt_(KEPT[reason])}: {first_of(names)}" for reason, names in kept.items())
            self.report({"INFO"}, rpt_("Left alone: {reasons}", reasons=reasons))
        if without:
            text = rpt_("Not accepted, without a geometry or a mass: {names}", names=first_of(without))
            self.report({"WARNING"} if links or kept else {"ERROR"}, text)
        return {"FINISHED"} if links else {"CANCELLED"}

    def _computes(self, context: bpy.types.Context, ob: bpy.types.Object) -> bool:
        """Return True if a link has a computed inertia; among all links, one whose mass is nobody's guess."""
        found = comparison_of(context, ob)
        return found is not None and not found.computed.refused and (bool(self.target) or has_stated_mass(ob))


def _kept(context: bpy.types.Context, links: Iterable[bpy.types.Object]) -> dict[str, list[str]]:
    """Return the names of the links whose inertial in the file is at least as good as the computed one, by reason."""
    kept: dict[str, list[str]] = {}
    for ob in links:
        found = comparison_of(context, ob)
        if found is not None and found.kept_for is not None:
            kept.setdefault(found.kept_for, []).append(ob.name)
    return kept


class SDF_INERTIA_OT_write_back(bpy.types.Operator):
    bl_idname = WRITE_BACK
    bl_label = "Write Back"
    bl_description = (
        "Write the accepted inertials into the file that the links came from; the first time, the original is kept as"
        " FILE.bak"
    )
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        accepted = any(map(is_accepted, imported_links(context.scene)))
        return enabled_if(cls, accepted, tip_("Accept a computed inertia first"))

    def execute(self, context: bpy.types.Context) -> set[str]:
        depsgraph = context.evaluated_depsgraph_get()
        accepted: list[tuple[bpy.types.Object, Inertial]] = []
        for ob in filter(is_accepted, imported_links(context.scene)):
            body = live.link_body(depsgraph, ob)
            error = None if body is None else first_error(body.all_findings())
            if body is None or body.inertial is None or error is not None:
                why = "" if error is None else f": {in_words(error)}"
                nothing = rpt_("Nothing was written. {name} has no inertia", name=ob.name)
                return refused(self, f"{nothing}{why}")
            accepted.append((ob, body.inertial))
        try:
            written, findings = write_accepted(accepted)
        except InertiaError as error:
            return refused(self, f"{rpt_('Nothing was written.')} {in_words(error.finding())}")
        except OSError as error:
            return refused(self, rpt_("Cannot write {path}: {why}", path=error.filename, why=error.strerror))
        for finding in findings:
            if finding.severity == "warning":
                self.report({"WARNING"}, in_words(finding))
        for path, count in written.items():
            text = nn_(count, "Wrote {count} inertial into {file}", "Wrote {count} inertials into {file}")
            backups = [message_of(one) for one in findings if one.code == "backup" and one.subject == str(path)]
            self.report({"INFO"}, ". ".join([rpt_(text, count=count, file=path.name), *backups]))
        return {"FINISHED"}


CLASSES = (SDF_INERTIA_OT_accept_computed, SDF_INERTIA_OT_write_back)
