# SPDX-License-Identifier: GPL-3.0-or-later
"""Imported links: the inertia in their file next to the one of their geometry, and Write Back."""

from __future__ import annotations

import os
from typing import Any
from weakref import WeakKeyDictionary

import bpy

from ...core.judge.comparison import Comparison, compared
from ...core.robot.resolve import LinkBody
from .. import live
from ..importing.accepted import imported_links, is_accepted
from ..importing.missing import count_missing
from ..live import LiveLink, LiveModel
from ..names import ACCEPT_COMPUTED, FIND_MESHES, PROPERTIES, WRITE_BACK
from ..scene.link_reader import manual_inertial
from ..translations.words import iface_, nn_
from .sidebar import Sidebar, width_of

MOST = 30
"""Links that are listed; Accept All is for all of them."""

WORTH_SAYING = 0.05
"""From this relative difference on the inertia in the file is doubtful for its geometry."""


class SDF_INERTIA_PT_published(Sidebar, bpy.types.Panel):
    bl_label = "Imported"
    bl_order = 1

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return bool(imported_links(context.scene))

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        links = imported_links(context.scene)
        model = live.model(context.evaluated_depsgraph_get())
        names = dict.fromkeys(os.path.basename(getattr(ob, PROPERTIES).source) for ob in links)
        layout.label(text=", ".join(names), icon="FILE", translate=False)
        missing = count_missing(context.scene)
        if missing:
            text = nn_(missing, "{count} mesh is missing", "{count} meshes are missing")
            layout.label(text=iface_(text, count=missing), icon="ERROR", translate=False)
            layout.operator(FIND_MESHES, text=iface_("Find Meshes…"), icon="VIEWZOOM")
        head = layout.row()
        head.label(text=iface_("File against computed"))
        column = layout.box().column(align=True)
        for ob in links[:MOST]:
            _draw_link(context, column, ob, model)
        if len(links) > MOST:
            column.label(text=iface_("… and {count} more", count=len(links) - MOST))
        row = layout.row(align=True)
        every: Any = row.operator(ACCEPT_COMPUTED, text=iface_("Accept All"), icon="CHECKMARK")
        every.accepted = True
        row.operator(WRITE_BACK, icon="FILE_TICK")


def _draw_link(context: bpy.types.Context, layout: bpy.types.UILayout, ob: bpy.types.Object, model: LiveModel) -> None:
    row = layout.row(align=True)
    accepted = is_accepted(ob)
    link = next((one for one in model.links if one.object == ob.name_full), None)
    found = None if link is None else comparison_of(link, ob, model)
    tick: Any = row.operator(
        ACCEPT_COMPUTED, text="", icon="CHECKBOX_HLT" if accepted else "CHECKBOX_DEHLT", emboss=False
    )
    tick.target, tick.accepted = ob.name_full, not accepted
    text, icon = verdict(found)
    row.prop(ob, "name", text="", emboss=False, icon=icon)
    cell = row.row()
    cell.ui_units_x = width_of(context, text)
    cell.alignment = "RIGHT"
    cell.label(text=text, translate=False)


def verdict(found: Comparison | None) -> tuple[str, Any]:
    """Return the verdict on a link's inertia in the file, and its icon."""
    if found is None or found.computed.inertial is None:
        known = found is not None and found.impossible
        return iface_("impossible") if known else iface_("nothing to compare"), "QUESTION"
    if found.published is None:
        return iface_("none"), "CANCEL"
    if found.impossible or found.apart is None:
        return iface_("impossible"), "CANCEL"
    if found.apart >= 1.0:
        return iface_("far off"), "ERROR"
    off = iface_("{percent} % off", percent=f"{100.0 * found.apart:.2g}")
    share = off if found.apart >= 5e-4 else iface_("agrees")
    return (share, "ERROR") if found.apart > WORTH_SAYING else (share, "CHECKMARK")


def computed_of(context: bpy.types.Context, ob: bpy.types.Object) -> LinkBody | None:
    """Return what a link's geometry gives, whatever is written for it; None where it stands nowhere."""
    model = live.model(context.evaluated_depsgraph_get())
    link = next((one for one in model.links if one.object == ob.name_full), None)
    found = None if link is None else comparison_of(link, ob, model)
    return None if found is None else found.computed


_known: WeakKeyDictionary[LinkBody, Comparison] = WeakKeyDictionary()


def comparison_of(link: LiveLink, ob: bpy.types.Object, model: LiveModel) -> Comparison | None:
    """Return how a link's inertia in the file compares with its geometry, computed once for each state of the link."""
    read = link.body.link
    if read is None:
        return None
    if link.body not in _known:
        settings = getattr(ob, PROPERTIES)
        given = manual_inertial(settings, model.metres_per_unit) if settings.is_property_set("manual_mass") else None
        _known[link.body] = compared(read, given, quick=True)
    return _known[link.body]


CLASSES = (SDF_INERTIA_PT_published,)
