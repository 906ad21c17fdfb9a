# SPDX-License-Identifier: GPL-3.0-or-later
"""Selecting objects by clicks on the panels' lists: their rows are the objects of the file, so nothing is stored."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import bpy

from ..translations.words import n_, rpt_
from .belonging import find_upwards

listed: dict[str, Sequence[str]] = {}
"""Full names of the objects that a list shows, in their order, by the property that holds the list's active row."""

_rows: dict[str, int] = {}
"""Where the active object of a list was the last time: each row asks, and searching 10,000 takes a millisecond."""


def active_row(ob: bpy.types.Object | None, row: str) -> int:
    """Return the place in ``bpy.data.objects`` of the object that is active in a list; -1 for none."""
    if ob is None:
        return -1
    objects, last = bpy.data.objects, _rows.get(row, -1)
    with suppress(IndexError):  # cheaper than asking how many there are
        if last >= 0 and objects[last] == ob:
            return last
    _rows[row] = next((index for index, other in enumerate(objects) if other == ob), -1)
    return _rows[row]


def choose_row(index: int, row: str) -> None:
    """Select the object in that place, by the keys that are held; one not in the view layer leaves all as it is."""
    if 0 <= index < len(bpy.data.objects):
        ob = bpy.data.objects[index]
        if not why_not_selectable(bpy.context, ob):  # a property does not see the keys, but an operator does
            operators: Any = bpy.ops
            operators.sdf_inertia.select_object("INVOKE_DEFAULT", target=ob.name_full, row=row)


def between(active: bpy.types.Object | None, ob: bpy.types.Object, row: str) -> list[bpy.types.Object]:
    """Return the objects in a list from the active one, or what it is a part of, to another; or that one alone."""
    places = {name: place for place, name in enumerate(listed.get(row, ()))}
    first, last = find_upwards(active, lambda above: places.get(above.name_full)), places.get(ob.name_full)
    if first is None or last is None:
        return [ob]
    names = {*listed[row][min(first, last) : max(first, last) + 1]}
    return [other for other in bpy.context.view_layer.objects if other.name_full in names]


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
