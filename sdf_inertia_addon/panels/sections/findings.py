# SPDX-License-Identifier: GPL-3.0-or-later
"""The findings about the active link and its collisions, and what helps.

For a refused part, this is a table of what each method gives: a click on one chooses it.
"""

from __future__ import annotations

from typing import Any

import bpy

from ....core.errors import WORST_FIRST, Finding, InertiaError, grouped
from ....core.findings.listed import listed, title_of
from ....core.judge.geometry.pending import Task
from ....core.mesh.faulty import SELECTABLE
from ....core.mesh.methods import METHODS
from ....core.robot.mesh_method import Outcome
from ....core.robot.part import PartBody
from ....core.robot.resolve import LinkBody
from ....core.units import Units, error_text, mass_text, volume_text
from ...live import LiveLink, jobs
from ...live.alternatives import Alternatives, alternatives
from ...live.model import NEXT_STEP, is_unfinished, shown_severity
from ...mesh_tools import trials
from ...mesh_tools.remedies import METHODS as CHOSEN_BY
from ...mesh_tools.remedies import ON_LINK, REMEDIES, remedies_of
from ...names import (
    ACCEPT_COMPUTED,
    CLOSE_HOLES,
    DELETE_LOOSE_FACES,
    EXPLAIN_FINDING,
    FIND_MESHES,
    JOINTS_FROM_HIERARCHY,
    SELECT_FAULTY,
    SELECT_OBJECT,
    SET_INERTIA,
    USE_EXACT,
    USE_HULL,
    USE_VOXELS,
)
from ...preferences import units
from ...scene.selection import object_by_full_name
from ...translations.words import iface_, n_
from ..active import Active, settings_of
from ..section import Section
from ..sidebar import GAP, ICONS, draw_buttons, keep_height, keeps_height, paragraph, set_apart
from ..texts import MASS, Button, and_more, by_severity, counted, message_of, remedy_of, sentence

COMPARED = (USE_EXACT, USE_VOXELS, USE_HULL)
"""What chooses the methods that need no length from the user."""

TITLE = 1.6
"""The height of a finding's title with the line above it, in heights of a button."""

NAMES = 0.34
"""The share of the width that the methods' names take."""


def _shown(active: Active) -> bool:
    return bool(findings_of(active)) or keeps_height("findings", active.object)


def _draw_header(_context: bpy.types.Context, layout: bpy.types.UILayout, active: Active) -> None:
    row = layout.row(align=True)
    row.alignment = "RIGHT"
    for severity, count in counted(findings_of(active)):
        row.label(text=str(count), icon=ICONS[severity], translate=False)
    if not findings_of(active):
        row.label(text="", icon="CHECKMARK")


def _draw(context: bpy.types.Context, layout: bpy.types.UILayout, active: Active) -> None:
    drawing = _Drawing(context, active)
    findings = grouped(findings_of(active))
    height = sum(_draw_finding(drawing, layout, finding, count) for finding, count in findings)
    keep_height(context, layout, "findings", height)
    # What only this sidebar wants to know; a region that is gone wants nothing more than it has asked for.
    jobs.want(("findings", context.region.as_pointer()), drawing.wanted)


class _Drawing:
    """What one drawing of the section knows: what other methods give for each part, found once."""

    def __init__(self, context: bpy.types.Context, active: Active) -> None:
        self.context, self.active = context, active
        self.depsgraph = context.evaluated_depsgraph_get()
        self._others: dict[str, Alternatives | None] = {}
        self._compared: set[str] = set()

    def part_of(self, finding: Finding) -> PartBody | None:
        """Return the part of the active link that a finding is about."""
        assert self.active.link is not None
        body = self.active.link.body
        return next((part for part in body.parts if finding.subject == f"{body.name}/{part.name}"), None)

    def others_of(self, part: PartBody | None, ob: bpy.types.Object | None) -> Alternatives | None:
        """Return what other methods give for a part; while it is edited, that is not looked for."""
        if part is None or ob is None or ob.mode != "OBJECT" or self.active.link is None:
            return None
        if part.name not in self._others:
            self._others[part.name] = alternatives(self.active.link, part)
        return self._others[part.name]

    def compares(self, finding: Finding, part: PartBody | None) -> bool:
        """Return True if the methods are compared here: at the first finding for which a part is refused."""
        if part is None or part.volume is not None or finding.severity != "error" or finding.code not in REMEDIES:
            return False
        first = part.name not in self._compared
        self._compared.add(part.name)
        return first

    @property
    def wanted(self) -> list[Task]:
        return [task for others in self._others.values() if others is not None for task in others.wanted]


def findings_of(active: Active) -> list[Finding]:
    """Return the findings about the active link, the worst first, of equals the active object's.

    That it has no collision yet is shown above, where a number would stand.
    """
    if active.link is None:
        return []
    unfinished = is_unfinished(active.link.body)
    findings = by_severity(
        each for each in active.link.body.all_findings() if not (unfinished and each.code == NEXT_STEP)
    )
    name = None if active.object is None else active.object.name_full
    return sorted(
        findings, key=lambda finding: (WORST_FIRST.index(finding.severity), active.object_of(finding) != name)
    )


def _draw_finding(drawing: _Drawing, layout: bpy.types.UILayout, finding: Finding, count: int = 1) -> float:
    """Lay out a finding and what helps; return its height, in heights of a button."""
    context, active = drawing.context, drawing.active
    target = active.object_of(finding)
    box = set_apart(layout)
    head = box.row()
    title = head.row()
    severity = shown_severity(finding)
    title.alert = severity == "error"
    times = f" ×{count}" if count > 1 else ""
    title.label(text=iface_(title_of(finding.code)) + times, icon=ICONS[severity], translate=False)
    unknown = active.is_about_unknown(finding)
    about = finding.subject.partition("/")[2] if unknown else ""
    if not unknown and (active.object is None or target != active.object.name_full):
        about = target
        select: Any = head.operator(SELECT_OBJECT, text="", icon="RESTRICT_SELECT_OFF", emboss=False)
        select.target = target
    if finding.code in listed():
        explain: Any = head.operator(EXPLAIN_FINDING, text="", icon="QUESTION", emboss=False)
        explain.code = finding.code
    if count > 1:
        about = and_more(about or target, count)
    height = TITLE + paragraph(context, box, f"{about}: {message_of(finding)}" if about else message_of(finding))
    remedy = remedy_of(finding)
    if unknown:  # a click would change the link's own mesh
        return height + paragraph(context, box, remedy, "LIGHT")
    ob, part = object_by_full_name(target), drawing.part_of(finding)
    others = drawing.others_of(part, ob)
    buttons = remedies_for(finding, ob, drawing.depsgraph, others, None if active.link is None else active.link.body)
    compared = others if drawing.compares(finding, part) else None
    if finding.remedy and not buttons and compared is None:
        height += paragraph(context, box, remedy, "LIGHT")
    if ob is not None and ob.library is not None and (buttons or finding.code in SELECTABLE):
        height += paragraph(context, box, iface_("It is linked from a library: make it local to repair it."))
    elif ob is not None:
        if compared is not None and part is not None and active.link is not None:
            buttons = _draw_methods(box, target, part, active.link, compared, buttons)
            height += len(COMPARED) + 1.0 + GAP
        height += _draw_buttons(box, finding, active, buttons)
        for text in trials.notes_on(ob, drawing.depsgraph, REMEDIES.get(finding.code, ())):
            height += paragraph(context, box, sentence(text), "INFO")
    return height


def remedies_for(
    finding: Finding,
    ob: bpy.types.Object | None,
    depsgraph: bpy.types.Depsgraph,
    others: Alternatives | None,
    body: LinkBody | None = None,
) -> tuple[str, ...]:
    """Return the operators that would help against a finding about an object, the one that its remedy names first.

    A method of which that is not known yet keeps its place where the methods are compared, and has none elsewhere.
    """
    if ob is None:
        return ()

    def helps(operator: str) -> bool:
        if operator in ON_LINK:
            return True
        if operator in CHOSEN_BY:
            better = None if others is None else others.would_help(CHOSEN_BY[operator], finding)
            return others is None or (finding.severity == "error" if better is None else better)
        return trials.would_help(ob, operator, finding, depsgraph)

    helpful = [operator for operator in remedies_of(finding, body) if helps(operator)]
    if {DELETE_LOOSE_FACES, CLOSE_HOLES} <= {*helpful}:  # a fin is to be deleted before a fan over its edges doubles it
        helpful.remove(DELETE_LOOSE_FACES)
        helpful.insert(helpful.index(CLOSE_HOLES), DELETE_LOOSE_FACES)
    return tuple(helpful)


def _draw_methods(
    layout: bpy.types.UILayout,
    target: str,
    part: PartBody,
    link: LiveLink,
    others: Alternatives,
    buttons: tuple[str, ...],
) -> tuple[str, ...]:
    """Lay out what each method gives, below what helps better if anything does; return the buttons that are left."""
    layout.separator(factor=0.5)
    if buttons and buttons[0] not in COMPARED:
        first: Any = layout.operator(buttons[0])
        first.target = target
        buttons = buttons[1:]
        layout.separator(factor=0.5)
    _draw_comparison(layout, target, part, link, others)
    return tuple(operator for operator in buttons if operator not in COMPARED)


def _draw_buttons(layout: bpy.types.UILayout, finding: Finding, active: Active, operators: tuple[str, ...]) -> float:
    assert active.link is not None
    target, link = active.object_of(finding), active.link.object
    buttons = [Button(operator, "", {"target": link if operator in ON_LINK else target}) for operator in operators]
    if active.link_object is not None:
        buttons += named_buttons(finding, active.link_object)
    if finding.code in SELECTABLE:
        buttons.append(Button(SELECT_FAULTY, "", {"target": target, "code": finding.code}))
    if buttons:
        layout.separator(factor=0.5)
    return draw_buttons(layout, buttons)


def named_buttons(finding: Finding, link: bpy.types.Object) -> list[Button]:
    """Return the other buttons that the remedy of a finding about a link, or a part of it, names."""
    manual = Button(SET_INERTIA, n_("Manual"), {"target": link.name_full, "mode": "MANUAL"})
    buttons = {
        "compute": computing(link, "" if settings_of(link).source else n_("Filled")),
        "compute_missing": computing(link),
        "enter": manual,
        "collide": manual,
        "join": Button(JOINTS_FROM_HIERARCHY, n_("From Hierarchy"), {"everywhere": True}),
        "find_meshes": Button(FIND_MESHES),
        "weigh_part": MASS,
    }
    mode = {"mode": settings_of(link).inertia}
    named = (buttons[action] for action in finding.actions if action in buttons and link.is_editable)
    return [button for button in named if not mode.items() <= button.values.items()]


def computing(ob: bpy.types.Object, label: str = n_("Compute Inertia")) -> Button:
    """Return the button that computes the inertia of a link; accepted, that of an imported one can be written back."""
    if settings_of(ob).source:
        return Button(ACCEPT_COMPUTED, label, {"target": ob.name_full, "accepted": True})
    return Button(SET_INERTIA, label, {"target": ob.name_full, "mode": "FILLED"})


def _draw_comparison(
    layout: bpy.types.UILayout, target: str, part: PartBody, link: LiveLink, others: Alternatives
) -> None:
    """Lay out a button for each method beside its number; the one that was refused comes last."""
    column = layout.column(align=True)
    for operator in sorted(COMPARED, key=lambda each: CHOSEN_BY[each] == part.method):
        method = CHOSEN_BY[operator]
        row = column.split(factor=NAMES, align=True)
        choose: Any = row.operator(operator, text=iface_(METHODS[method].label), depress=method == part.method)
        choose.target = target
        outcome = others.outcome(method)
        result = row.row()
        result.alert = isinstance(outcome, InertiaError)
        cancelled = others.given_up(method)
        text = iface_("cancelled") if cancelled else outcome_text(outcome, part, link, units())
        result.label(text=text, translate=False)


def outcome_text(outcome: Outcome | None, part: PartBody, link: LiveLink, shown_in: Units) -> str:
    """Return what a method gives for a part: its mass, or volume if the link's mass is given; or why nothing."""
    if outcome is None:
        return "…"
    if isinstance(outcome, InertiaError):
        return iface_(title_of(outcome.code))
    volume, read = outcome.moments.volume, link.body.link
    given = part.density is None or (read is not None and read.mass is not None)
    number = volume_text(volume, shown_in) if given else mass_text((part.density or 0.0) * volume, shown_in)
    # Nobody shall think that a filled hollow is exact.
    method = METHODS.get(outcome.method)
    of_another = method is not None and method.instead and outcome.error == 0.0
    return number + ("" if of_another else f"  {error_text(outcome.error, iface_)}")


SECTION = Section(n_("Findings"), _shown, _draw, draw_header=_draw_header)
