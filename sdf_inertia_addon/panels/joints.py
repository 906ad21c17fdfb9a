# SPDX-License-Identifier: GPL-3.0-or-later
"""The positions at which the viewport shows the joints of the whole robot, in one place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy

from ...core.robot.joints import AXES, own_joints
from .. import live
from ..live import LiveModel
from ..names import RESET_POSE
from ..scene.selection import object_by_full_name
from ..translations.words import iface_
from .active import settings_of
from .sections.joint import is_outside
from .sidebar import Sidebar

MOST = 60
"""Joints that have a slider."""


class SDF_INERTIA_PT_joints(Sidebar, bpy.types.Panel):
    bl_label = "Joints"
    bl_order = 3
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return any(moving_links(live.model(context.evaluated_depsgraph_get())))

    def draw(self, context: bpy.types.Context) -> None:
        links = list(moving_links(live.model(context.evaluated_depsgraph_get())))
        column = self.layout.column(align=True)
        for ob in links[:MOST]:
            settings = settings_of(ob)
            row = column.row(align=True)
            row.alert = is_outside(settings)
            kind: Any = "length" if settings.joint_type == "PRISMATIC" else "angle"
            row.prop(settings, f"joint_position_{kind}", text=ob.name, slider=True, translate=False)
        if len(links) > MOST:
            column.label(text=iface_("… and {count} more", count=len(links) - MOST))
        self.layout.operator(RESET_POSE)


def moving_links(model: LiveModel) -> Iterator[bpy.types.Object]:
    """Yield the objects of the links that hang on a joint which moves."""
    objects = {link.body.name: link.object for link in model.links}
    for name, joint in own_joints(model.joints).items():
        ob = object_by_full_name(objects[name])
        if ob is not None and AXES[joint.kind]:
            yield ob


CLASSES = (SDF_INERTIA_PT_joints,)
