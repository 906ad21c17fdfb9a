# SPDX-License-Identifier: GPL-3.0-or-later
"""The active object's link: its mass, how it is written, what Gazebo makes of it; the rest in sections that fold."""

from __future__ import annotations

import os
from typing import Any

import bpy

from ...core.units import mass_text, number_text, point_text
from ..live import LiveLink
from ..live.model import is_unfinished
from ..names import COMPUTE, FIT_PRIMITIVE, PASTE_INERTIAL, SET_INERTIA
from ..overlay.content import length_of
from ..preferences import units
from ..scene.belonging import is_link, is_solid
from ..scene.properties import INERTIA_MODES
from ..scene.selection import object_by_full_name
from ..scene.together import button_target, selected_with, shown_settings
from ..translations.words import iface_, n_
from .active import Active, active_of, settings_of
from .sections import density, findings, inertia, joint, method
from .sidebar import CHECKING, Sidebar, facts, form, paragraph, remark, set_apart, setting
from .texts import COLLISION, LINK, Remark, cancelled, gazebo_remark, part_mass, sureness, waiting_text

SECTIONS = (
    findings.SECTION,
    density.SECTION,
    density.LINK_SECTION,
    inertia.SECTION,
    joint.SECTION,
    joint.DRIVE_SECTION,
    method.SECTION,
)


class SDF_INERTIA_PT_link(Sidebar, bpy.types.Panel):
    bl_label = "Link"
    bl_order = 2

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        active = active_of(context)
        return active.object is not None and bool(active.model.links or is_solid(active.object))

    def draw(self, context: bpy.types.Context) -> None:
        active = active_of(context)
        draw_brief(context, self.layout, active)
        for section in SECTIONS:
            section.draw_folding(context, self.layout, active)


def draw_brief(context: bpy.types.Context, layout: bpy.types.UILayout, active: Active) -> None:
    """Lay out what is always in sight."""
    if active.link is None:
        remark(context, layout, without_link(active))
        return
    ob = active.link_object
    layout.label(text=active.link.body.name, icon="RIGID_BODY", translate=False)
    _draw_together(context, layout, active)
    if ob is not None:
        _draw_modes(context, layout, ob)
    _draw_number(context, layout, active.link)
    if ob is not None and settings_of(ob).inertia == "MANUAL":
        _draw_manual(layout, ob)
    if active.part is not None and len(active.link.body.parts) > 1:
        split = set_apart(layout).split(factor=0.5)
        split.label(text=active.part.name, icon="MOD_PHYSICS", translate=False)
        right = split.row()
        right.alignment = "RIGHT"
        right.label(text=part_mass(active.part, active.link, units()), translate=False)
    if active.object is not None and is_solid(active.object):
        _draw_geometry(context, layout, active.object)


def without_link(active: Active) -> Remark:
    """Return what to do with an object that is in no link."""
    assert active.object is not None
    name = active.object.name
    if is_solid(active.object):
        text = n_("{name} is a part of no link. Parent it to a link, or tag the object above it as Link.")
        return Remark("CANCEL", iface_(text, name=name), True)
    text = n_("{name} is in no link. Tag it as Link, or parent it to one and tag it as Collision.")
    return Remark("INFO", iface_(text, name=name), buttons=(LINK, COLLISION))


def without_number(link: LiveLink) -> Remark:
    """Return what to do next for a link that has no number."""
    if is_unfinished(link.body):
        text = iface_("It has no collision yet: select its solid parts, below it, and press Collision.")
        left_out = iface_("Until then it is left out of the export.") if link.left_out else ""
        return Remark("INFO", f"{text} {left_out}".rstrip(), buttons=(COLLISION,))
    return Remark("CANCEL", iface_("It has no inertia yet: see its findings."), True)


def _draw_modes(context: bpy.types.Context, layout: bpy.types.UILayout, ob: bpy.types.Object) -> None:
    """Lay out how the link is written as buttons: setting the property would not start Manual from the present."""
    row = layout.row(align=True)
    row.enabled = ob.is_editable
    modes = {settings_of(other).inertia for other in selected_with(context, ob)}
    for mode, label, *_ in INERTIA_MODES:
        choose: Any = row.operator(SET_INERTIA, text=iface_(label), depress=mode in modes)
        choose.mode, choose.target = mode, button_target(context, ob)


def _draw_geometry(context: bpy.types.Context, layout: bpy.types.UILayout, ob: bpy.types.Object) -> None:
    """Lay out what shape a part is taken for."""
    row = form(layout.row(align=True))
    setting(row, shown_settings(context, ob), "geometry")
    fit: Any = row.operator(FIT_PRIMITIVE, text="", icon="MOD_MESHDEFORM")
    fit.target = button_target(context, ob)


def _draw_together(context: bpy.types.Context, layout: bpy.types.UILayout, active: Active) -> None:
    """Lay out how many links, or parts, the settings below are those of."""
    ob = active.object
    if ob is None or not (is_link(ob) or is_solid(ob)):
        return
    count = len(selected_with(context, ob))
    if count > 1:
        text = n_("Changes all {count} selected links") if is_link(ob) else n_("Changes all {count} selected parts")
        layout.label(text=iface_(text, count=count), icon="LINKED")


def _draw_number(context: bpy.types.Context, layout: bpy.types.UILayout, link: LiveLink) -> None:
    body = link.body
    if cancelled(body):
        layout.operator(COMPUTE, text=iface_("Cancelled: Compute Again"), icon="FILE_REFRESH")
    elif link.stale:
        paragraph(context, layout, waiting_text(body), CHECKING)
    elif link.unchecked and not link.checking:
        layout.operator(COMPUTE, text=iface_("Not Checked: Check Now"), icon="FILE_REFRESH")
    if body.inertial is None:
        if body.mode == "none":
            _draw_none(context, layout, link)
        elif not link.stale:
            remark(context, layout, without_number(link))
        return
    column = layout.column()
    column.active = not link.stale
    com = body.inertial.as_read(length_of(body)).com
    center, length = point_text(com, units(), digits=2)
    share = 0.34
    if any("·" in text for text in center):  # with powers of ten, three columns have no room
        center, share = ("  ".join(number_text(along * units().per_metre, 2) for along in com.tolist()),), 0.26
    facts(column, [(iface_("Mass"), f"{mass_text(body.inertial.mass, units())}  {sureness(link)}")])
    split = column.split(factor=share)
    split.label(text=iface_("Centre [{unit}]", unit=length), translate=False)
    cells = split.grid_flow(columns=len(center), row_major=True, even_columns=True)
    for text in center:
        cell = cells.row()
        cell.alignment = "RIGHT"
        cell.label(text=text, translate=False)
    explained = any(finding.code == "auto_not_possible" for finding in body.all_findings())
    shown = None if link.stale or link.checking or explained else gazebo_remark(body, units())
    if shown is not None:
        paragraph(context, column, shown.text, shown.icon)


def _draw_none(context: bpy.types.Context, layout: bpy.types.UILayout, link: LiveLink) -> None:
    """Lay out that a link has no inertial, and the button that computes it."""
    ob = object_by_full_name(link.object)
    if ob is None:
        return
    source = os.path.basename(settings_of(ob).source)
    text = iface_("None in the file {name}: it has no mass.", name=source) if source else iface_("It has no mass.")
    column = layout.column()
    column.enabled = ob.is_editable
    remark(context, column, Remark("INFO", text, buttons=(findings.computing(ob),)))


def _draw_manual(layout: bpy.types.UILayout, ob: bpy.types.Object) -> None:
    settings, column = settings_of(ob), form(layout.column())
    column.prop(settings, "manual_mass")
    center = column.column(align=True)
    for index, name in enumerate((iface_("Centre X"), "Y", "Z")):
        center.prop(settings, "manual_com", index=index, text=name)
    tensor = column.column(align=True)
    for index, name in enumerate(("Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz")):
        tensor.prop(settings, "manual_inertia", index=index, text=f"{name} [kg·m²]")
    row = layout.row()
    row.enabled = ob.is_editable
    paste: Any = row.operator(PASTE_INERTIAL, icon="PASTEDOWN")
    paste.target = ob.name_full


CLASSES = (SDF_INERTIA_PT_link,)
