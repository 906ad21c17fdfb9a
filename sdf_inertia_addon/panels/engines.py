# SPDX-License-Identifier: GPL-3.0-or-later
"""What engines simulate of the exported file: which refuse it, and the bodies that they simulate differently."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import bpy

from ...core.errors import Finding
from ...core.units import Units, inertia_text, mass_text, point_text
from .. import live
from ..export.compared_engines import READ_BY, EngineComparison, kept_comparison, property_of
from ..names import COMPARE_ENGINES, MODEL
from ..preferences import units
from ..scene.properties import SDF_INERTIA_PG_model
from ..translations.words import iface_, n_, nn_
from .sidebar import Sidebar, form, paragraph, remark, set_apart
from .texts import Remark, first_of, message_of

if TYPE_CHECKING:
    from ...core.engines.compared import Case, ComparedBody, Comparison
    from ...core.engines.engine import EngineView

MOST = 6
"""Bodies, and sentences about one, that are listed."""

WITHOUT = {"welded": n_("does not move"), "geometry": n_("not known")}
"""Why a body has no inertial in an engine, by the form of the finding."""

_LINK = re.compile(r"link\[@name='([^']*)'\]")


class SDF_INERTIA_PT_engines(Sidebar, bpy.types.Panel):
    bl_label = "Engines"
    bl_order = 4
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return bool(live.model(context.evaluated_depsgraph_get()).links)

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        last, current = _kept(context)
        if last is not None and current:
            sign: Any = result_of(last.comparison).icon
            self.layout.label(text="", icon=sign)

    def draw(self, context: bpy.types.Context) -> None:
        layout, settings = self.layout, getattr(context.scene, MODEL)
        form(layout.column()).prop(settings, "compared_format")
        last, current = _kept(context)
        column = layout.column(align=True)
        for name in READ_BY[settings.compared_format]:
            view = None if last is None else last.comparison.views.get(name)
            _draw_engine(context, column, name, view, current)
        layout.operator(COMPARE_ENGINES, icon="VIEWZOOM")
        if last is None:
            return
        if not current:
            remark(context, layout, Remark("SORTTIME", iface_("From before the last change: compare again")))
        column = layout.column()
        column.active = current
        _draw_result(context, column, last.comparison)


def _kept(context: bpy.types.Context) -> tuple[EngineComparison | None, bool]:
    """Return the last comparison, and whether nothing has changed since."""
    last = kept_comparison(context.scene)
    signature = live.model(context.evaluated_depsgraph_get()).signature
    return last, last is not None and last.signature == signature


def _draw_engine(
    context: bpy.types.Context, layout: bpy.types.UILayout, name: str, view: EngineView | None, current: bool
) -> None:
    """Lay out an engine's check box, beside it whether it loads the file, and below it why not."""
    row = layout.row()
    row.prop(getattr(context.scene, MODEL), property_of(name))
    if view is None:
        return
    sign: Any = "CHECKMARK" if view.bodies else "CANCEL" if view.refused else "INFO"
    text = iface_("loads it") if view.bodies else iface_("refuses it") if view.refused else iface_("not compared")
    state, why = row.row(), layout.column()
    state.alignment, state.active, state.alert = "RIGHT", current, view.refused
    state.label(text=text, translate=False)
    state.label(text="", icon=sign)
    why.active = current
    if not view.bodies:
        reasons = (finding for finding in view.findings if finding.severity == "error" or not view.refused)
        _sentences(context, why, map(_with_link, reasons))


def _draw_result(context: bpy.types.Context, layout: bpy.types.UILayout, comparison: Comparison) -> None:
    remark(context, layout, result_of(comparison))
    differ = [body for body in comparison.bodies if len(body.cases) > 1]
    for body in differ[:MOST]:
        column = set_apart(layout)
        names = (name.rpartition("::")[2] for name in body.members)
        column.label(text=" + ".join(names), icon="RIGID_BODY", translate=False)
        for line in case_lines(body, units()):
            paragraph(context, column, line, "DOT")
        _sentences(context, column, reasons_of(body))
    if len(differ) > MOST:
        layout.label(text=iface_("… and {count} more", count=len(differ) - MOST))
    titles = ", ".join(engine.title for engine in comparison.engines)
    paragraph(context, layout, iface_("By the rules of {engines}.", engines=titles))


def _sentences(context: bpy.types.Context, layout: bpy.types.UILayout, texts: Iterable[str]) -> None:
    each = [*dict.fromkeys(texts)]
    for text in each[:MOST]:
        paragraph(context, layout, text, "BLANK1")
    if len(each) > MOST:
        layout.label(text=iface_("… and {count} more", count=len(each) - MOST), icon="BLANK1")


def result_of(comparison: Comparison) -> Remark:
    """Return in one line whether the engines agree."""
    refused = [name_of(name) for name, view in comparison.views.items() if view.refused]
    if refused:
        text = nn_(len(refused), "{names} refuses the file.", "{names} refuse the file.")
        return Remark("CANCEL", iface_(text, names=first_of(refused)), True)
    count, differ = len(comparison.bodies), sum(len(body.cases) > 1 for body in comparison.bodies)
    if differ:
        return Remark("ERROR", iface_("The engines differ on {differ} of {count} bodies.", differ=differ, count=count))
    text = nn_(count, "All engines agree on {count} body.", "All engines agree on {count} bodies.")
    return Remark("CHECKMARK", iface_(text, count=count))


def name_of(engine: str) -> str:
    """Return the name of an engine's check box."""
    return iface_(SDF_INERTIA_PG_model.bl_rna.properties[property_of(engine)].name)


def case_lines(body: ComparedBody, shown_in: Units) -> list[str]:
    """Return a line for each inertial that engines give a body: the engines, and the first number that differs."""
    each = [_values(case, shown_in) for case in body.cases]
    known = [values for case, values in zip(body.cases, each, strict=True) if case.inertial is not None]
    numbers = enumerate(zip(*known, strict=True))
    place = next((place for place, values in numbers if len({*values}) > 1), 0 if len(known) < 2 else -1)
    names = [", ".join(map(name_of, case.engines)) for case in body.cases]
    return [f"{name}: {values[place]}" for name, values in zip(names, each, strict=True)]


def _values(case: Case, shown_in: Units) -> tuple[str, str, str]:
    """Return the mass, the centre of mass and the moments that engines give a body, or why there are none."""
    if case.inertial is None:
        forms = (reason.sentence.form for reason in case.reasons)
        return (iface_(next((WITHOUT[form] for form in forms if form in WITHOUT), n_("left out"))),) * 3
    read = case.inertial.as_read()
    center, length = point_text(read.com, shown_in)
    moments, unit = inertia_text(read.inertia.diagonal(), shown_in)
    return (
        mass_text(read.mass, shown_in),
        iface_("centre of mass {numbers} {unit}", numbers=", ".join(center), unit=length),
        iface_("moments {numbers} {unit}", numbers=", ".join(moments), unit=unit),
    )


def reasons_of(body: ComparedBody) -> list[str]:
    """Return why engines differ on a body, as sentences."""
    sentence = message_of if len(body.members) == 1 else _with_link
    return [sentence(reason) for case in body.cases for reason in case.reasons]


def _with_link(finding: Finding) -> str:
    """Return the message of a finding, after the name of the link that its place has."""
    link = _LINK.search(finding.subject)
    return message_of(finding) if link is None else f"{link[1]}: {message_of(finding)}"


CLASSES = (SDF_INERTIA_PT_engines,)
