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
from .centers import centers, joint_views, object_of_link
from .drag import nearest

REACH = 4.0
"""How far beside a ball a click still counts [interface px]."""

JOINT = 9.0
"""How far beside a joint's place a click still counts [interface px]."""

JOINTS_FROM = 1_000_000
"""The number of the first joint: they come after all centres of mass."""

NOTHING = -1, "", ""


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
        balls = centers(context) if self.is_highlight else None
        if balls is None or not 0 <= self.index < len(balls.pixels):
            return  # the overlay draws the centre itself
        radius = balls.radii[self.index] + REACH * balls.camera.scale
        strokes.draw(strokes.circle(balls.pixels[self.index], radius), balls.camera)


def _link_at(context: bpy.types.Context, location: tuple[int, int]) -> tuple[int, str, str]:
    """Return the number of the link or joint that is there, its object's full name, and the link's; -1 where none is.

    Joints are numbered after all centres of mass.
    """
    balls, joints = centers(context), joint_views(context)
    index = None if balls is None else nearest(balls.pixels, location, balls.radii + REACH * balls.camera.scale)
    if balls is not None and index is not None:
        return _selectable(context, index, balls.views[index].name)
    index = None if joints is None else nearest(joints.pixels, location, JOINT * joints.camera.scale)
    if joints is not None and index is not None:
        return _selectable(context, JOINTS_FROM + index, joints.views[index].joint.child)
    return NOTHING


def _selectable(context: bpy.types.Context, number: int, link: str) -> tuple[int, str, str]:
    ob = object_of_link(context, link)
    if ob is None or ob.hide_select or why_not_selectable(context, ob):
        return NOTHING
    if ob == context.active_object and ob.select_get():
        return NOTHING  # there is nothing to select: leave the click to the tools, whose gizmos may stand here too
    return number, ob.name_full, link
