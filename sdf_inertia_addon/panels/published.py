# SPDX-License-Identifier: GPL-3.0-or-later
"""Imported links: one verdict on the inertia in their file, or its numbers next to the computed ones; Write Back."""

from __future__ import annotations

import os
from functools import partial
from math import sqrt
from typing import Any, NamedTuple

import bpy
import numpy as np

from ...core.body.inertial import COMPONENTS, Inertial
from ...core.errors import worst_severity
from ...core.judge.comparison import AGREES, Comparison
from ...core.units import Units, mass_text, number_text
from .. import live
from ..importing.accepted import is_accepted, weighed_mass
from ..importing.missing import count_missing
from ..importing.sources import imported_links
from ..names import ACCEPT_COMPUTED, ACCEPT_WEIGHED, FIND_MESHES, PROPERTIES, SELECT_OBJECT, WRITE_BACK
from ..preferences import units
from ..scene.settings import shortest
from ..translations.words import iface_
from .active import active_of
from .compared import as_accepted, comparison_of, why_left
from .sidebar import Sidebar, paragraph, remark
from .texts import missing_meshes

MOST = 30
"""Links that are listed, and the active one; Accept All is for all of them."""

NAMES = 0.24
"""The share of the width that the names take."""

FIELD = 0.66
"""The share of the width that the field of a weighed mass takes, with its name."""

ORDER = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")

PRODUCTS = 7
"""The place of ixy after mass, centre and moments."""

ICONS: dict[str | None, Any] = {"error": "CANCEL", "warning": "ERROR"}
"""Of a link's row, by its worst finding."""


class SDF_INERTIA_PT_published(Sidebar, bpy.types.Panel):
    bl_label = "Imported"
    bl_order = 1

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return bool(imported_links(context.scene))

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        places = {link.object: place for place, link in enumerate(live.model(context.evaluated_depsgraph_get()).links)}
        links = sorted(imported_links(context.scene), key=lambda ob: places.get(ob.name_full, len(places)))
        names = dict.fromkeys(os.path.basename(getattr(ob, PROPERTIES).source) for ob in links)
        layout.label(text=", ".join(names), icon="FILE", translate=False)
        for shown in missing_meshes(count_missing(context.scene)):
            remark(context, layout, shown)
            layout.operator(FIND_MESHES, text=iface_("Find Meshes…"), icon="VIEWZOOM")
        head = layout.row()
        head.label(text=iface_("File against computed"))
        column = layout.column(align=True)
        active = active_of(context).link_object
        for ob in (*links[:MOST], *(ob for ob in links[MOST:] if ob == active)):
            _draw_link(context, column, ob, ob == active)
        if len(links) > MOST:
            column.label(text=iface_("… and {count} more", count=len(links) - MOST))
        row = layout.row(align=True)
        every: Any = row.operator(ACCEPT_COMPUTED, text=iface_("Accept All"), icon="CHECKMARK")
        every.accepted = True
        row.operator(WRITE_BACK, icon="FILE_TICK")


def _draw_link(context: bpy.types.Context, layout: bpy.types.UILayout, ob: bpy.types.Object, is_open: bool) -> None:
    row = layout.row(align=True)
    accepted, comparison = is_accepted(ob), comparison_of(context, ob)
    tick: Any = row.operator(
        ACCEPT_COMPUTED, text="", icon="CHECKBOX_HLT" if accepted else "CHECKBOX_DEHLT", emboss=False
    )
    tick.target, tick.accepted = ob.name_full, not accepted
    text, icon = verdict(comparison, units())
    name, cell = row.row(), row.row()
    name.alignment = "LEFT"
    cell.alignment = "RIGHT"
    places: Any = ((name, ob.name, icon), (cell, text, "NONE"))
    for place, shown, sign in places:  # both ends of the row select
        select = place.operator(SELECT_OBJECT, text=shown, icon=sign, emboss=False, translate=False)
        select.target = ob.name_full
    if is_open and comparison is not None:
        reason = "" if accepted else why_left(ob)
        _draw_numbers(context, layout, as_accepted(context, ob, comparison), units(), accepted, reason)
        _draw_weighed(layout, ob)
        layout.separator()


class Line(NamedTuple):
    """One number of both; `differs` if that is worth a mark. A heading has a name alone."""

    name: str
    file: str = ""
    computed: str = ""
    differs: bool = False


def verdict(comparison: Comparison | None, units: Units) -> tuple[str, Any]:
    """Return the verdict on a link's inertial in the file, and its icon."""
    if comparison is not None and comparison.published is None:
        return iface_("none in the file"), "RADIOBUT_OFF"
    if comparison is None or comparison.computed.inertial is None:
        known = comparison is not None and comparison.published is not None and comparison.impossible
        return iface_("impossible") if known else iface_("nothing to compare"), "QUESTION"
    if comparison.impossible or comparison.difference is None:
        return iface_("impossible"), "CANCEL"
    worst = worst_severity(comparison.findings)
    if worst in ICONS:
        return _difference(comparison, units), ICONS[worst]
    sound = "CHECKMARK" if comparison.difference.worst <= AGREES else "FAKE_USER_ON"
    return _difference(comparison, units), sound


def _difference(comparison: Comparison, units: Units) -> str:
    assert (
        comparison.published is not None
        and comparison.computed.inertial is not None
        and comparison.difference is not None
    )
    published, computed, apart = comparison.published, comparison.computed.inertial, comparison.difference.worst
    if apart < 5e-4:
        return iface_("agrees")
    if apart < 1.0:
        return iface_("{percent} % off", percent=f"{100.0 * apart:.2g}")
    if comparison.difference.com >= comparison.difference.inertia:
        distance = float(np.linalg.norm(published.com - computed.com)) * units.per_metre
        return iface_("centre {distance} off", distance=f"{number_text(distance, 2)} {units.length}")
    factor = float(np.trace(published.inertia) / np.trace(computed.inertia))
    return iface_("{factor}× computed", factor=number_text(factor, 2))


def lines_of(comparison: Comparison, units: Units) -> list[Line]:
    """Return the numbers of both in the link's axes; products only if one of them matters."""
    file, computed = _numbers(comparison.published), _numbers(comparison.computed.inertial)
    mass, *center_and_moments = computed if computed is not None else [0.0] * 10
    trace = sum(center_and_moments[3:6])
    sizes = [mass, *[sqrt(trace / mass) if mass > 0.0 else 0.0] * 3, *[trace] * 6]
    factors = [1.0, *[units.per_metre] * 3, *[units.per_kilogram_square_metre] * 6]
    headings = {
        1: iface_("Centre of mass in link [{unit}]", unit=units.length),
        4: iface_("Inertia about it, link axes [{unit}]", unit=units.inertia),
    }
    lines = []
    for place, name in enumerate((iface_("Mass"), *"XYZ", *(each.capitalize() for each in ORDER))):
        both = [None if side is None else side[place] for side in (file, computed)]
        if place in headings:
            lines.append(Line(headings[place]))
        if place < PRODUCTS or any(both):
            written = partial(mass_text, units=units) if place == 0 else number_text
            texts = ["–" if number is None else written(number * factors[place]) for number in both]
            a, b = both
            differs = a is not None and b is not None and not abs(a - b) <= AGREES * sizes[place]
            lines.append(Line(name, texts[0], texts[1], differs))
    return lines


def _numbers(inertial: Inertial | None) -> list[float] | None:
    if inertial is None:
        return None
    read = inertial.as_read()
    return [read.mass, *read.com.tolist(), *(float(read.inertia[COMPONENTS[name]]) for name in ORDER)]


def _draw_numbers(
    context: bpy.types.Context,
    layout: bpy.types.UILayout,
    comparison: Comparison,
    units: Units,
    accepted: bool,
    reason: str,
) -> None:
    """Lay out the numbers of both in three columns, and why Accept All leaves the link, if that is known."""
    heading = iface_("Accepted") if accepted else iface_("Computed")
    column = layout.column(align=True)
    column.scale_y = 0.8
    for line in (Line("", iface_("File"), heading), *lines_of(comparison, units)):
        if not line.file:
            column.label(text=line.name, translate=False)
            continue
        row = column.split(factor=NAMES)
        row.label(text=line.name, translate=False)
        for text, marked in ((line.file, line.differs), (line.computed, False)):
            cell = row.row()
            cell.alignment, cell.alert = "RIGHT", marked
            cell.label(text=text, translate=False)
    if reason:
        paragraph(context, layout, iface_("Accept All leaves it: {reason}", reason=reason), "INFO")


def _draw_weighed(layout: bpy.types.UILayout, ob: bpy.types.Object) -> None:
    """Lay out the field for what a scale showed for a link, and the button that accepts it."""
    settings = getattr(ob, PROPERTIES)
    row = layout.split(factor=FIELD, align=True)
    row.enabled = ob.is_editable
    row.prop(settings, "weighed_mass")
    accept = row.row(align=True)
    accept.enabled = settings.weighed_mass > 0.0
    weighed: Any = accept.operator(
        ACCEPT_WEIGHED, text=iface_("Accept"), depress=weighed_mass(ob) == shortest(settings.weighed_mass)
    )
    weighed.target = ob.name_full


CLASSES = (SDF_INERTIA_PT_published,)
