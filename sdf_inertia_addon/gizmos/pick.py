# SPDX-License-Identifier: GPL-3.0-or-later
"""Click a centre of mass to select its link.

One gizmo for all links: it finds the nearest centre under the mouse by itself, so a hundred links cost what one does,
where Blender would draw each of them for every move of the mouse.
"""

from __future__ import annotations

from typing import Any

import bpy

from ..names import SELECT_OBJECT
from ..scene.selection import why_not_selectable
from ..viewport.draw_handlers import hover
from . import strokes
from .centers import centers, object_of_view
from .drag import nearest

REACH = 4.0
"""How far beside a ball a click still counts [interface px]."""


class SDF_INERTIA_GT_center(bpy.types.Gizmo):
    bl_idname = "SDF_INERTIA_GT_center"

    __slots__ = ("index",)

    def setup(self) -> None:
        self.index = -1

    def test_select(self, context: bpy.types.Context, location: tuple[int, int]) -> int:
        index, name, link = _link_at(context, location)
        if index != self.index:
            self.index = index
            hover(context.region, link)
            context.region.tag_redraw()
            properties: Any = self.target_set_operator(SELECT_OBJECT)
            properties.target = name
        return -1 if index < 0 else 0

    def draw(self, context: bpy.types.Context) -> None:
        found = centers(context) if self.is_highlight else None
        if found is None or not 0 <= self.index < len(found.pixels):
            return  # the overlay draws the centre itself
        radius = found.radii[self.index] + REACH * found.camera.scale
        strokes.draw(strokes.circle(found.pixels[self.index], radius), found.camera)


def _link_at(context: bpy.types.Context, location: tuple[int, int]) -> tuple[int, str, str]:
    """Return the number of the link whose centre is there, its object's full name, and its own; -1 where none is."""
    found = centers(context)
    index = None if found is None else nearest(found.pixels, location, found.radii + REACH * found.camera.scale)
    ob = None if found is None or index is None else object_of_view(context, found.views[index])
    if ob is None or ob.hide_select or why_not_selectable(context, ob):
        return -1, "", ""
    if ob == context.active_object and ob.select_get():
        return -1, "", ""  # there is nothing to select: leave the click to the tools, whose gizmos may stand here too
    return index, ob.name_full, found.views[index].name
