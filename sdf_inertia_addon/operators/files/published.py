# SPDX-License-Identifier: GPL-3.0-or-later
"""Accept computed inertias of imported links, and write them back into the file they came from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import bpy

from ....core.errors import Finding, InertiaError, first_error
from ....core.judge.comparison import Comparison
from ....core.robot.resolve import LinkBody
from ... import live
from ...importing.accepted import is_accepted, take_back
from ...importing.judged import JudgedFile
from ...importing.sources import check_unedited, imported_links, source_of
from ...importing.written_back import (
    accept_by_hand,
    accept_weighed,
    judged_with_weighed,
    planned_change,
    write_accepted,
)
from ...live import jobs
from ...names import ACCEPT_COMPUTED, ACCEPT_WEIGHED, PROPERTIES, WRITE_BACK
from ...panels.active import active_of
from ...panels.compared import comparison_of, why_left_in
from ...panels.texts import in_words, message_of
from ...scene.scene_read import metres_per_unit
from ...scene.selection import object_by_full_name
from ...scene.settings import shortest
from ...steps import Step, Steps
from ...translations.words import BoolProperty, StringProperty, iface_, nn_, rpt_, tip_
from ..base import enabled_if, refused
from ..stepwise import Stepwise


class SDF_INERTIA_OT_accept_computed(Stepwise, bpy.types.Operator):
    bl_idname = ACCEPT_COMPUTED
    bl_label = "Accept Computed"
    bl_description = (
        "Give an imported link the inertia computed from its geometry at the mass in its file, or take that back"
    )
    bl_options = {"REGISTER", "UNDO"}

    target: StringProperty(
        name="Link",
        description="Full name of the link; empty: all that the command repair changes in the file",
        options={"SKIP_SAVE"},
    )
    accepted: BoolProperty(name="Accepted", description="Off: the numbers in the file again", default=True)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return enabled_if(cls, imported_links(context.scene), tip_("No link was imported"))

    def steps(self, context: bpy.types.Context, threaded: bool) -> Steps[set[str]]:
        named = object_by_full_name(self.target) if self.target else None
        links = [ob for ob in imported_links(context.scene) if ob.is_editable and is_accepted(ob) != self.accepted]
        if self.target:
            links = [ob for ob in links if ob == named]
        if not self.accepted:
            for ob in links:
                take_back(ob)
            return {"FINISHED"} if links else {"CANCELLED"}
        files = {}
        try:
            check_unedited(links)
            every = imported_links(context.scene)
            for path in dict.fromkeys(map(source_of, links)):
                files[path] = yield from judged_with_weighed(path, every, threaded)
            while threaded and (status := jobs.status()) and live.model(context.evaluated_depsgraph_get()).stale:
                yield Step(iface_("computing {name}", name=status.title), status.share)
            judged = [(ob, files[source_of(ob)]) for ob in links]
            if self.target:
                done = self._accept_by_hand(context, judged)
            else:
                done = yield from self._accept_all(context, judged)
        except InertiaError as error:
            return refused(self, f"{rpt_('Nothing was accepted.')} {in_words(error.finding())}")
        return {"FINISHED"} if done else {"CANCELLED"}

    def _accept_all(
        self, context: bpy.types.Context, links: Sequence[tuple[bpy.types.Object, JudgedFile]]
    ) -> Steps[bool]:
        """Accept what `repair` changes by default, all at once, and report how many links it leaves, by reason."""
        unit = metres_per_unit(context.scene)
        changes: list[Callable[[], None]] = []
        reasons: Counter[str] = Counter()
        for number, (ob, file) in enumerate(links):
            yield Step(iface_("comparing links"), number / len(links))
            link, comparison = file.link_of(ob), _comparison(context, ob)
            plan = None if link is None else file.plan(link)
            change = None
            if plan is None or plan.new is None:
                reasons[why_left_in(file, ob)] += 1
                continue
            if comparison is not None:
                change = planned_change(ob, file, plan.new, comparison, unit)
            if change is None:
                reasons[rpt_("without a geometry or a mass")] += 1
            else:
                changes.append(change)
        for change in changes:
            change()
        text = rpt_(nn_(len(changes), "Accepted {count} link", "Accepted {count} links"), count=len(changes))
        if reasons:
            counts = ", ".join(f"{reason}: {count}" for reason, count in reasons.most_common())
            text = f"{text}. {rpt_('Left as in the file: {reasons}', reasons=counts)}"
        self.report({"INFO"}, text)
        return bool(changes)

    def _accept_by_hand(self, context: bpy.types.Context, links: Sequence[tuple[bpy.types.Object, JudgedFile]]) -> bool:
        """Accept the chosen link, or report why it has no computed inertia."""
        for ob, file in links:
            comparison = _comparison(context, ob)
            reason: Finding | None = None
            if comparison is not None:
                reason = accept_by_hand(ob, file, comparison, metres_per_unit(context.scene))
            why = "" if reason is None else in_words(replace(reason, subject=ob.name))
            if not is_accepted(ob):
                text = rpt_("Not accepted, without a geometry or a mass: {names}", names=ob.name)
                self.report({"ERROR"}, f"{rpt_('Not accepted.')} {why}" if why else text)
                return False
            if why:
                self.report({"WARNING"}, rpt_("Accepted, but the command repair leaves it. {why}", why=why))
        return bool(links)


class SDF_INERTIA_OT_accept_weighed(bpy.types.Operator):
    bl_idname = ACCEPT_WEIGHED
    bl_label = "Accept Weighed Mass"
    bl_description = (
        "Give an imported link the mass that a scale showed: its tensor is scaled with it, and its centre of mass"
        " stays, as by the command repair --weighed"
    )
    bl_options = {"REGISTER", "UNDO"}

    target: StringProperty(
        name="Link", description="Full name of the link; empty: the active one", options={"SKIP_SAVE"}
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return enabled_if(cls, imported_links(context.scene), tip_("No link was imported"))

    def execute(self, context: bpy.types.Context) -> set[str]:
        ob = object_by_full_name(self.target) if self.target else active_of(context).link_object
        links = imported_links(context.scene)
        if ob is None or ob not in links or not ob.is_editable:
            return refused(self, rpt_("Select an imported link that is not linked from a library"))
        comparison = _comparison(context, ob)
        if comparison is None:
            return refused(self, rpt_("Not accepted, without a geometry or a mass: {names}", names=ob.name))
        try:
            with _waiting(context):
                check_unedited([ob])
                plan = accept_weighed(ob, links, comparison, metres_per_unit(context.scene))
        except InertiaError as error:
            return refused(self, f"{rpt_('Not accepted.')} {in_words(error.finding())}")
        mass = f"{shortest(getattr(ob, PROPERTIES).weighed_mass):.6g}"
        if plan is None:
            self.report({"INFO"}, rpt_("{name} has this mass in its file: {mass} kg", name=ob.name, mass=mass))
            return {"FINISHED"}
        why = " ".join(in_words(finding) for finding in plan.findings if finding.severity != "info")
        if plan.new is None:
            text = rpt_("Not accepted, without a geometry or a mass: {names}", names=ob.name)
            return refused(self, f"{rpt_('Not accepted.')} {why}" if why else text)
        if why:
            self.report({"WARNING"}, rpt_("Accepted, but doubtful. {why}", why=why))
        self.report({"INFO"}, rpt_("Weighed mass of {name}: {mass} kg", name=ob.name, mass=mass))
        return {"FINISHED"}


def _comparison(context: bpy.types.Context, ob: bpy.types.Object) -> Comparison | None:
    """Return the comparison of a link whose numbers are those of now."""
    depsgraph = context.evaluated_depsgraph_get()
    if live.model(depsgraph).stale:
        live.link_body(depsgraph, ob)  # waits
    return comparison_of(context, ob)


@contextmanager
def _waiting(context: bpy.types.Context) -> Iterator[None]:
    """Show that the user has to wait, if there is a window."""
    window = context.window
    if window is not None:
        window.cursor_modal_set("WAIT")
    try:
        yield
    finally:
        if window is not None:
            window.cursor_modal_restore()


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
        accepted: list[tuple[bpy.types.Object, LinkBody]] = []
        for ob in filter(is_accepted, imported_links(context.scene)):
            body = live.link_body(depsgraph, ob)
            error = None if body is None else first_error(body.all_findings())
            if body is None or body.inertial is None or error is not None:
                why = "" if error is None else f": {in_words(error)}"
                nothing = rpt_("Nothing was written. {name} has no inertia", name=ob.name)
                return refused(self, f"{nothing}{why}")
            accepted.append((ob, body))
        try:
            written, findings = write_accepted(accepted)
        except InertiaError as error:
            return refused(self, f"{rpt_('Nothing was written.')} {in_words(error.finding())}")
        except OSError as error:
            return refused(self, rpt_("Cannot write {path}: {why}", path=error.filename, why=error.strerror))
        for finding in findings:
            if finding.severity == "warning":
                self.report({"WARNING"}, in_words(finding))
        for count, paths in written.values():
            text = nn_(count, "Wrote {count} inertial into {file}", "Wrote {count} inertials into {file}")
            subjects = {str(path) for path in paths}
            backups = [
                message_of(backup) for backup in findings if backup.code == "backup" and backup.subject in subjects
            ]
            names = ", ".join(path.name for path in paths)
            self.report({"INFO"}, ". ".join([rpt_(text, count=count, file=names), *backups]))
        return {"FINISHED"}


CLASSES = (SDF_INERTIA_OT_accept_computed, SDF_INERTIA_OT_accept_weighed, SDF_INERTIA_OT_write_back)
