# SPDX-License-Identifier: GPL-3.0-or-later
"""Which link an object is in, and what could be a part of a link, by who is whose parent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

import bpy

from ..names import PROPERTIES
from .evaluated.evaluated_mesh import MESH_TYPES

Found = TypeVar("Found")


def is_link(ob: bpy.types.Object) -> bool:
    """Return True if an object is tagged as a link."""
    return bool(getattr(ob, PROPERTIES).is_link)


def find_upwards(ob: bpy.types.Object | None, find: Callable[[bpy.types.Object], Found | None]) -> Found | None:
    """Return what `find` has for an object, or else for the nearest one above it; None where it has nothing.

    Whatever asks which link an object is in asks this: by its tags (`link_above`), among the instances of one reading
    (`TaggedInstances`), or among links with their numbers (`LiveModel.link_of`).
    """
    above = ob
    while above is not None:
        result = find(above)
        if result is not None:
            return result
        above = above.parent
    return None


def link_above(ob: bpy.types.Object | None) -> bpy.types.Object | None:
    """Return the link that an object is or is below, by its current tags."""
    return find_upwards(ob, lambda above: above if is_link(above) else None)


def parent_link(link: bpy.types.Object) -> bpy.types.Object | None:
    """Return the link that a link is joined to: the one that was chosen, else the nearest above it, if any."""
    return getattr(link, PROPERTIES).joint_parent or link_above(link.parent)


def below(link: bpy.types.Object) -> Iterator[bpy.types.Object]:
    """Yield the objects below a link that are not part of another one."""
    for child in link.children:
        if not is_link(child):
            yield child
            yield from below(child)


def collections_for(ob: bpy.types.Object, scene: bpy.types.Scene) -> list[bpy.types.Collection]:
    """Return the collections to put something into that belongs to an object: its own, if they can be changed."""
    collections = [
        collection
        for collection in ob.users_collection
        if collection.is_editable and collection.override_library is None
    ]
    return collections or [scene.collection]


def is_or_could_be_part(ob: bpy.types.Object) -> bool:
    """Return True if an object has a shape to be a part by, or is tagged as one."""
    settings = getattr(ob, PROPERTIES)
    tagged = settings.is_collision or settings.is_mass or settings.is_visual
    return bool(ob.type in MESH_TYPES or ob.instance_type != "NONE" or tagged)


def is_solid(ob: bpy.types.Object) -> bool:
    """Return True if an object is tagged as a solid part: it collides, or has mass, or both."""
    settings = getattr(ob, PROPERTIES)
    return bool(settings.is_collision or settings.is_mass)


def is_part(ob: bpy.types.Object) -> bool:
    """Return True if an object is a solid part with settings of its own: one that is not a link itself."""
    return is_solid(ob) and not is_link(ob)


def is_unseen_collision(ob: bpy.types.Object) -> bool:
    """Return True if an object is tagged as a collision, and not as a visual."""
    settings = getattr(ob, PROPERTIES)
    return bool(settings.is_collision and not settings.is_visual)
