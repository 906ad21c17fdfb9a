# SPDX-License-Identifier: GPL-3.0-or-later
"""Imported links: one verdict on the inertia in their file, or its numbers next to the computed ones; Write Back."""

from __future__ import annotations

import os
from collections import Counter
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
from ..names import ACCEPT_COMPUTED, ACCEPT_WEIGHED, PROPERTIES, WRITE_BACK
from ..preferences import units
from ..scene import selection
from ..scene.settings import shortest
from ..translations.words import BoolProperty, EnumProperty, iface_
from .active import active_of
from .compared import as_accepted, comparison_of, why_left
from .rows import flags_and_order, named
from .sidebar import Sidebar, cell, draw_name, list_of_objects, mass_setting, paragraph, remark, width_of
from .texts import missing_meshes

KINDS = (
    ("ALL", "All", "All imported links", 0),
    ("DOUBTFUL", "Doubtful", "Links whose inertia in the file is doubtful", 1),
    ("WRONG", "Wrong", "Links whose inertia in the file is wrong", 2),
)
"""What the list shows, see `kinds_of`."""

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
        layout, links = self.layout, imported_links(context.scene)
        names = dict.fromkeys(os.path.basename(getattr(ob, PROPERTIES).source) for ob in links)
        layout.label(text=", ".join(names), icon="FILE", translate=False)
        for shown in missing_meshes(count_missing(context.scene)):
            remark(context, layout, shown)
        layout.label(text=iface_("File against computed"))
        list_of_objects(context, layout, "SDF_INERTIA_UL_imported", "imported_row", len(links))
        row = layout.row(align=True)
        every: Any = row.operator(ACCEPT_COMPUTED, text=iface_("Accept All"), icon="CHECKMARK")
        every.accepted = True
        row.operator(WRITE_BACK, icon="FILE_TICK")
        active = active_of(context).link_object
        comparison = comparison_of(context, active) if active in links else None
        if active is not None and comparison is not None:
            _draw_numbers(context, layout, active, comparison)


class SDF_INERTIA_UL_imported(bpy.types.UIList):
    """The objects of the file, of which the imported links are shown, in the order of the model."""

    kind: EnumProperty(name="Links", description="Which links are listed", items=KINDS)
    opened: BoolProperty(name="Opened", description="The filter was shown once, so that it can be found")

    def draw_filter(self, context: bpy.types.Context, layout: bpy.types.UILayout) -> None:
        counts = Counter(kind for ob in imported_links(context.scene) for kind in kinds_of(context, ob))
        row = layout.row(align=True)
        for kind, label, *_ in KINDS:
            row.prop_enum(self, "kind", kind, text=f"{iface_(label)} {counts[kind]}")
        layout.prop(self, "filter_name", text="", icon="VIEWZOOM")

    def filter_items(
        self, context: bpy.types.Context, data: bpy.types.BlendData, _property: str
    ) -> tuple[list[int], list[int]]:
        if not self.opened:
            self.opened = self.use_filter_show = True
        places = {link.object: place for place, link in enumerate(live.model(context.evaluated_depsgraph_get()).links)}
        links = {
            ob.name_full: places.get(ob.name_full, len(places))
            for ob in imported_links(context.scene)
            if self.kind in kinds_of(context, ob)
        }
        selection.listed["imported_row"] = shown = named(sorted(links, key=links.__getitem__), self.filter_name)
        return flags_and_order(shown, [ob.name_full for ob in data.objects], self.bitflag_filter_item)

    def draw_item(
        self,
        context: bpy.types.Context,
        layout: bpy.types.UILayout,
        _data: bpy.types.BlendData,
        item: bpy.types.Object,
        _icon: int,
        _active_data: object,
        _active_property: str,
    ) -> None:
        accepted = is_accepted(item)
        icon: Any = "CHECKBOX_HLT" if accepted else "CHECKBOX_DEHLT"
        row = layout.row(align=True)
        tick: Any = row.operator(ACCEPT_COMPUTED, text="", icon=icon, emboss=False)
        tick.target, tick.accepted = item.name_full, not accepted
        text, sign = verdict(comparison_of(context, item), units())
        draw_name(context, row, item, sign)
        cell(row, text, width_of(context, text))


def kinds_of(context: bpy.types.Context, ob: bpy.types.Object) -> tuple[str, ...]:
    """Return by which of `KINDS` an imported link is listed: one that is accepted is neither doubtful nor wrong."""
    comparison = None if is_accepted(ob) else comparison_of(context, ob)
    worst = None if comparison is None else worst_severity(comparison.findings)
    return {"error": ("ALL", "WRONG"), "warning": ("ALL", "DOUBTFUL")}.get(worst or "", ("ALL",))


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
        return iface_("impossible") if known else iface_("not compared"), "QUESTION"
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
    context: bpy.types.Context, layout: bpy.types.UILayout, ob: bpy.types.Object, comparison: Comparison
) -> None:
    """Lay out the numbers of both in three columns, and why Accept All leaves the link, if that is known."""
    if comparison.published is None and comparison.computed.inertial is None:
        return
    accepted = is_accepted(ob)
    heading = iface_("Accepted") if accepted else iface_("Computed")
    layout.label(text=ob.name, icon="RIGID_BODY", translate=False)
    column = layout.column(align=True)
    column.scale_y = 0.8
    for line in (Line("", iface_("File"), heading), *lines_of(as_accepted(context, ob, comparison), units())):
        if not line.file:
            column.label(text=line.name, translate=False)
            continue
        row = column.split(factor=NAMES)
        row.label(text=line.name, translate=False)
        for text, marked in ((line.file, line.differs), (line.computed, False)):
            cell = row.row()
            cell.alignment, cell.alert = "RIGHT", marked
            cell.label(text=text, translate=False)
    reason = "" if accepted else why_left(ob)
    if reason:
        paragraph(context, layout, iface_("Accept All leaves it: {reason}", reason=reason), "INFO")
    _draw_weighed(layout, ob)


def _draw_weighed(layout: bpy.types.UILayout, ob: bpy.types.Object) -> None:
    """Lay out the field for what a scale showed for a link, and the button that accepts it."""
    settings = getattr(ob, PROPERTIES)
    row = layout.split(factor=FIELD, align=True)
    row.enabled = ob.is_editable
    mass_setting(row, settings, "weighed_mass")
    accept = row.row(align=True)
    accept.enabled = settings.weighed_mass > 0.0
    weighed: Any = accept.operator(
        ACCEPT_WEIGHED, text=iface_("Accept"), depress=weighed_mass(ob) == shortest(settings.weighed_mass)
    )
    weighed.target = ob.name_full


CLASSES = (SDF_INERTIA_UL_imported, SDF_INERTIA_PT_published)
