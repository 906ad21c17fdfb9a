# SPDX-License-Identifier: GPL-3.0-or-later
"""Selecting an object on a click: the rows of the panel's list are the objects of the file, so nothing is kept."""

from __future__ import annotations

from contextlib import suppress

import bpy

from ..translations.words import n_, rpt_

_row = -1
"""Where the active object was the last time: each row of the list asks, and searching 10,000 takes a millisecond."""


def active_row() -> int:
    """Return the active object's place in ``bpy.data.objects``; -1 without one."""
    global _row
    ob = bpy.context.view_layer.objects.active
    if ob is None:
        return -1
    objects = bpy.data.objects
    with suppress(IndexError):  # cheaper than asking how many there are
        if _row >= 0 and objects[_row] == ob:
            return _row
    _row = next((index for index, other in enumerate(objects) if other == ob), -1)
    return _row


def choose_row(index: int) -> None:
    """Select the object in that place and no other; one that is not in the view layer leaves all as it is."""
    if 0 <= index < len(bpy.data.objects):
        ob = bpy.data.objects[index]
        if not why_not_selectable(bpy.context, ob):
            select_only(bpy.context, ob)


def why_not_selectable(context: bpy.types.Context, ob: bpy.types.Object | None) -> str:
    """Return why an object cannot be selected, or nothing."""
    if ob is None:
        return rpt_("There is no such object any more")
    if all(other != ob for other in context.view_layer.objects):
        text = n_("{name} is not in this view layer: it is in another scene, or in an excluded collection")
        return rpt_(text, name=ob.name)
    return ""


def select_only(context: bpy.types.Context, ob: bpy.types.Object) -> None:
    """Make an object the active and only selected one, in object mode; a hidden one can be active too."""
    objects = context.view_layer.objects
    active = objects.active
    if active is not None and active != ob and active.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    for other in objects:
        if other != ob and other.select_get():
            other.select_set(False)
    ob.select_set(True)
    objects.active = ob


def object_by_full_name(full_name: str) -> bpy.types.Object | None:
    """Return the object, which may be a library's."""
    ob: bpy.types.Object | None = bpy.data.objects.get(full_name)
    if ob is not None and ob.name_full == full_name:
        return ob
    return next((other for other in bpy.data.objects if other.name_full == full_name), None)
