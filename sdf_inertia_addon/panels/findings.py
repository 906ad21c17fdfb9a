# SPDX-License-Identifier: GPL-3.0-or-later
"""What is to be said of the active link and its collisions, and what helps."""

from __future__ import annotations

from typing import Any

import bpy

from ...core.errors import WORST_FIRST, Finding, grouped
from ...core.findings.listed import listed, title_of
from ...core.mesh.faulty import SELECTABLE
from ..live.unfinished import NEXT_STEP, is_unfinished, shown_severity
from ..mesh_tools import trials
from ..mesh_tools.remedies import LINK_REMEDIES, REMEDIES
from ..mesh_tools.remedy_notes import notes_on
from ..names import EXPLAIN_FINDING, SELECT_FAULTY, SELECT_OBJECT, WRITE_FILLED
from ..scene.selection import object_by_full_name
from .active import Active
from .section import Section
from .sidebar import ICONS, paragraph
from .texts import and_more, by_severity, counted, sentence


def _shown(active: Active) -> bool:
    return bool(findings_of(active))


def _draw_header(_context: bpy.types.Context, layout: bpy.types.UILayout, active: Active) -> None:
    row = layout.row(align=True)
    row.alignment = "RIGHT"
    for severity, count in counted(findings_of(active)):
        row.label(text=str(count), icon=ICONS[severity])


def _draw(context: bpy.types.Context, layout: bpy.types.UILayout, active: Active) -> None:
    trials.begin_drawing()
    for finding, count in grouped(findings_of(active)):
        _draw_finding(context, layout, finding, active, count)


def findings_of(active: Active) -> list[Finding]:
    """Return what there is to say of the active link, the worst first, of equals the active object's.

    That it has no collision yet is said above, where a number would stand.
    """
    if active.link is None:
        return []
    unfinished = is_unfinished(active.link.body)
    told = [each for each in active.link.body.all_findings() if not (unfinished and each.code == NEXT_STEP)]
    found = by_severity(told)
    own = None if active.object is None else active.object.name_full
    return sorted(found, key=lambda finding: (WORST_FIRST.index(finding.severity), active.object_of(finding) != own))


def _draw_finding(
    context: bpy.types.Context, layout: bpy.types.UILayout, finding: Finding, active: Active, count: int = 1
) -> None:
    target = active.object_of(finding)
    box = layout.box().column(align=True)
    head = box.row()
    title = head.row()
    severity = shown_severity(finding)
    title.alert = severity == "error"
    title.label(text=title_of(finding.code) + (f" ×{count}" if count > 1 else ""), icon=ICONS[severity])
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
        about = (about or target) + and_more(count)
    paragraph(context, box, f"{about}: {sentence(finding.message)}" if about else sentence(finding.message))
    if unknown:  # a click would change the link's own mesh
        paragraph(context, box, sentence(finding.remedy), "LIGHT")
        return
    ob = object_by_full_name(target)
    depsgraph = context.evaluated_depsgraph_get()
    buttons = remedies_for(finding, ob, depsgraph)
    if finding.remedy and not buttons:
        paragraph(context, box, sentence(finding.remedy), "LIGHT")
    if ob is not None and ob.library is not None and (buttons or finding.code in SELECTABLE):
        paragraph(context, box, "It is linked from a library: make it local to repair it.")
    elif ob is not None:
        _draw_buttons(box, finding, active, buttons)
        for text in notes_on(ob, depsgraph, REMEDIES.get(finding.code, ())):
            paragraph(context, box, sentence(text), "INFO")


def remedies_for(finding: Finding, ob: bpy.types.Object | None, depsgraph: bpy.types.Depsgraph) -> tuple[str, ...]:
    """Return the operators that would help against a finding about an object, the likeliest first."""
    if ob is None:
        return ()
    known = REMEDIES.get(finding.code, ())
    helping = tuple(operator for operator in known if trials.would_help(ob, operator, finding, depsgraph))
    return helping + LINK_REMEDIES.get(finding.code, ())


def _draw_buttons(layout: bpy.types.UILayout, finding: Finding, active: Active, buttons: tuple[str, ...]) -> None:
    assert active.link is not None
    target = active.object_of(finding)
    if not buttons and finding.code not in SELECTABLE:
        return
    layout.separator(factor=0.5)
    flow = layout.grid_flow(columns=2, even_columns=True, align=True)
    if finding.code in SELECTABLE:
        show: Any = flow.operator(SELECT_FAULTY, icon="EDITMODE_HLT")
        show.target, show.code = target, finding.code
    for operator in buttons:
        properties: Any = flow.operator(operator)
        properties.target = active.link.object if operator == WRITE_FILLED else target


SECTION = Section("Findings", _shown, _draw, draw_header=_draw_header)
