# SPDX-License-Identifier: GPL-3.0-or-later
"""Visuals, collisions and masses, each shown or hidden as one, by Blender's eye of each object."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy

from ..names import PROPERTIES

KINDS: dict[str, Callable[[Any], bool]] = {
    "visuals": lambda one: one.is_visual,
    "collisions": lambda one: one.is_collision and not one.is_visual,
    "masses": lambda one: one.is_mass and not (one.is_collision or one.is_visual),
}
"""What an object that is not a link itself counts as, by its tags."""


def are_shown(kind: str, scene: bpy.types.ID) -> bool:
    """Return True if no object of a kind is hidden."""
    return not any(ob.hide_get() for ob in parts_of(kind, scene))


def show(kind: str, shown: bool, scene: bpy.types.ID) -> None:
    """Show or hide all objects of a kind in the view layer."""
    for ob in parts_of(kind, scene):
        ob.hide_set(not shown)


def parts_of(kind: str, scene: bpy.types.ID) -> list[bpy.types.Object]:
    """Return the objects of a kind in the view layer; none if it is that of another scene."""
    if bpy.context.scene != scene:
        return []
    settings = ((ob, getattr(ob, PROPERTIES)) for ob in bpy.context.view_layer.objects)
    return [ob for ob, one in settings if not one.is_link and KINDS[kind](one)]
