# SPDX-License-Identifier: GPL-3.0-or-later
"""Click a centre of mass, or a joint, to select its link.

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
from .centers import centers, joint_views, object_of_link, object_of_view
from .drag import nearest

REACH = 4.0
"""How far beside a ball a click still counts [interface px]."""

JOINT = 9.0
"""How far beside a joint's place a click still counts [interface px]."""

JOINTS_FROM = 1_000_000
"""The number of the first joint: they come after all centres of mass."""


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
        if self.is_highlight and self.index >= JOINTS_FROM:
            joints, index = joint_views(context), self.index - JOINTS_FROM
            if joints is not None and index < len(joints.pixels):
                strokes.draw(strokes.circle(joints.pixels[index], JOINT * joints.camera.scale), joints.camera)
            return
        found = centers(context) if self.is_highlight else None
        if found is None or not 0 <= self.index < len(found.pixels):
            return  # the overlay draws the centre itself
        radius = found.radii[self.index] + REACH * found.camera.scale
        strokes.draw(strokes.circle(found.pixels[self.index], radius), found.camera)


def _link_at(context: bpy.types.Context, location: tuple[int, int]) -> tuple[int, str, str]:
    """Return the number of the link whose centre is there, its object's full name, and its own; -1 where none is."""
    found = centers(context)
    index = None if found is None else nearest(found.pixels, location, found.radii + REACH * found.camera.scale)
    if found is None or index is None:
        return _joint_at(context, location)
    ob = object_of_view(context, found.views[index])
    if ob is None or ob.hide_select or why_not_selectable(context, ob):
        return -1, "", ""
    if ob == context.active_object and ob.select_get():
        return -1, "", ""  # there is nothing to select: leave the click to the tools, whose gizmos may stand here too
    return index, ob.name_full, found.views[index].name


def _joint_at(context: bpy.types.Context, location: tuple[int, int]) -> tuple[int, str, str]:
    """Return the same of the joint whose place is there: numbered after all centres of mass."""
    found = joint_views(context)
    index = None if found is None else nearest(found.pixels, location, JOINT * found.camera.scale)
    if found is None or index is None:
        return -1, "", ""
    name = found.views[index].joint.child
    ob = object_of_link(context, name)
    if ob is None or ob.hide_select or why_not_selectable(context, ob):
        return -1, "", ""
    if ob == context.active_object and ob.select_get():
        return -1, "", ""
    return JOINTS_FROM + index, ob.name_full, name
