# SPDX-License-Identifier: GPL-3.0-or-later
"""Which link an object is in, and what could be a part of a link, by who is whose parent."""

from __future__ import annotations

from collections.abc import Iterator

import bpy

from ..names import PROPERTIES
from .evaluated_mesh import MESH_TYPES


def is_link(ob: bpy.types.Object) -> bool:
    """Say whether an object is tagged as a link."""
    return bool(getattr(ob, PROPERTIES).is_link)


def link_above(ob: bpy.types.Object | None) -> bpy.types.Object | None:
    """Return the link that an object is or stands below."""
    above = ob
    while above is not None and not is_link(above):
        above = above.parent
    return above


def below(link: bpy.types.Object) -> Iterator[bpy.types.Object]:
    """Yield the objects below a link that are no part of another one."""
    for child in link.children:
        if not is_link(child):
            yield child
            yield from below(child)


def is_or_could_be_part(ob: bpy.types.Object) -> bool:
    """Say whether an object has a shape to be a part by, or is tagged as one."""
    settings = getattr(ob, PROPERTIES)
    tagged = settings.is_collision or settings.is_visual
    return bool(ob.type in MESH_TYPES or ob.instance_type != "NONE" or tagged)
