# SPDX-License-Identifier: GPL-3.0-or-later
"""Imported links: the inertia in their file next to the one of their geometry, and Write Back."""

from __future__ import annotations

import os
from typing import Any

import bpy

from .. import live
from ..importing.accepted import is_accepted
from ..importing.missing import count_missing
from ..importing.sources import imported_links
from ..names import ACCEPT_COMPUTED, FIND_MESHES, PROPERTIES, SELECT_OBJECT, WRITE_BACK
from ..preferences import units
from ..translations.words import iface_
from .active import active_of
from .compared import as_accepted, comparison_of, why_left
from .file_numbers import draw_numbers, draw_weighed, verdict
from .sidebar import Sidebar, remark
from .texts import missing_meshes

MOST = 30
"""Links that are listed, and the active one; Accept All is for all of them."""


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
        draw_numbers(context, layout, as_accepted(context, ob, comparison), units(), accepted, reason)
        draw_weighed(layout, ob)
        layout.separator()


CLASSES = (SDF_INERTIA_PT_published,)
