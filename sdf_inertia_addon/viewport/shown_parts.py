# SPDX-License-Identifier: GPL-3.0-or-later
"""Visuals, collisions and masses, each shown or hidden as one, by Blender's eye of each object."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy

from ..names import PROPERTIES
from ..scene.belonging import is_link, is_unseen_collision

KINDS: dict[str, Callable[[bpy.types.Object], bool]] = {
    "visuals": lambda ob: _tags(ob).is_visual,
    "collisions": is_unseen_collision,
    "masses": lambda ob: _tags(ob).is_mass and not (_tags(ob).is_collision or _tags(ob).is_visual),
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
    return [ob for ob in bpy.context.view_layer.objects if not is_link(ob) and KINDS[kind](ob)]


def _tags(ob: bpy.types.Object) -> Any:
    return getattr(ob, PROPERTIES)
