# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints by hand, of many links at once; limits to start from; and the pose shown, put back."""

from __future__ import annotations

from math import pi
from typing import Any

import bpy

from ...names import PROPERTIES, RESET_POSE, SET_JOINT, SET_JOINT_LIMITS
from ...panels.active import active_of
from ...panels.texts import first_of
from ...scene.belonging import is_link, link_above
from ...scene.joint_reader import LIMITED
from ...scene.properties import JOINT_TYPES
from ...scene.scene_read import metres_per_unit
from ...scene.together import selected_with
from ...translations.words import BoolProperty, EnumProperty, FloatProperty, FloatVectorProperty, nn_, rpt_, tip_
from ..base import enabled_if, refused
from .from_scene import wheel_joint

HALF_TURN, TRAVEL = pi / 2.0, 0.1
"""What limits start from, to both sides [rad], [m]."""

PARENTS = (
    ("HIERARCHY", "Link Above", "The nearest link above each", 0),
    ("ACTIVE", "Active Link", "The active object's link", 1),
    ("WORLD", "World", "The world", 2),
)


class SDF_INERTIA_OT_set_joint(bpy.types.Operator):
    bl_idname = SET_JOINT
    bl_label = "Set Joint"
    bl_description = "Give all selected links the same kind of joint; a link with nothing to be joined to is left alone"
    bl_options = {"REGISTER", "UNDO"}

    wheels: BoolProperty(
        name="Wheels Turn",
        description="Links that look like wheels turn without end: their one shape is round and wider than long, and"
        " its axis is horizontal",
        options={"SKIP_SAVE"},
    )
    joint_type: EnumProperty(name="Type", items=JOINT_TYPES, default="REVOLUTE")
    parent: EnumProperty(name="Parent", description="What they are joined to", items=PARENTS, default="HIERARCHY")
    axis: FloatVectorProperty(
        name="Axis", description="In the frame of each joint", size=3, subtype="XYZ", default=(0.0, 0.0, 1.0)
    )
    use_limits: BoolProperty(name="Limits", description="They move within limits")
    lower_angle: FloatProperty(name="Lower", unit="ROTATION", default=-HALF_TURN)
    upper_angle: FloatProperty(name="Upper", unit="ROTATION", default=HALF_TURN)
    lower_length: FloatProperty(name="Lower", unit="LENGTH", default=-TRAVEL)
    upper_length: FloatProperty(name="Upper", unit="LENGTH", default=TRAVEL)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return enabled_if(cls, any(map(is_link, context.selected_objects)), tip_("Select the links"))

    def draw(self, _context: bpy.types.Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        for name in ("joint_type", "parent", "wheels"):
            layout.prop(self, name)
        if self.joint_type in ("NONE", "FIXED", "BALL"):
            return
        layout.prop(self, "axis")
        if self.joint_type in LIMITED:
            layout.prop(self, "use_limits")
            column = layout.column()
            column.active = self.use_limits
            for name in self._bounds():
                column.prop(self, name)

    def execute(self, context: bpy.types.Context) -> set[str]:
        links = [ob for ob in context.selected_objects if is_link(ob) and ob.is_editable]
        if not links:
            return refused(self, rpt_("The selected objects are linked from a library"))
        if self.parent == "ACTIVE":
            parent = active_of(context).link_object
            if parent is None:
                return refused(self, rpt_("The active object is in no link: make the parent the active object"))
            links = [ob for ob in links if ob != parent]
        roots = [ob for ob in links if self.parent == "HIERARCHY" and link_above(ob.parent) is None]
        links = [ob for ob in links if ob not in roots]
        for ob in links:
            settings: Any = getattr(ob, PROPERTIES)
            settings.joint_type = self.joint_type
            settings.joint_world = self.parent == "WORLD"
            settings.joint_parent = parent if self.parent == "ACTIVE" else None
            settings.joint_axis = self.axis
            settings.joint_use_limits = self.use_limits and self.joint_type in LIMITED
            if settings.joint_use_limits:
                settings.joint_lower, settings.joint_upper = (getattr(self, name) for name in self._bounds())
        for wheel in filter(None, map(wheel_joint, links if self.wheels and self.joint_type != "NONE" else ())):
            wheel.make(context.scene)
        text = rpt_(nn_(len(links), "{count} joint set", "{count} joints set"), count=len(links))
        if roots:
            names = first_of([ob.name for ob in roots])
            text += f"; {rpt_('no link is above {names}: left alone', names=names)}"
        self.report({"INFO" if links else "WARNING"}, text)
        return {"FINISHED"}  # also for none: the redo panel offers another parent

    def _bounds(self) -> tuple[str, str]:
        kind = "length" if self.joint_type == "PRISMATIC" else "angle"
        return f"lower_{kind}", f"upper_{kind}"


class SDF_INERTIA_OT_set_joint_limits(bpy.types.Operator):
    bl_idname = SET_JOINT_LIMITS
    bl_label = "Limits"
    bl_description = "The joint moves within limits; they start from a right angle, or 0.1 m, to both sides"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    use: BoolProperty(name="Limits", default=True)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return active_of(context).link_object is not None

    def execute(self, context: bpy.types.Context) -> set[str]:
        link = active_of(context).link_object
        for ob in () if link is None else selected_with(context, link):
            settings: Any = getattr(ob, PROPERTIES)
            if not ob.is_editable or (ob != link and settings.joint_type not in LIMITED):
                continue
            if self.use and not any(settings.is_property_set(name) for name in ("joint_lower", "joint_upper")):
                slides = settings.joint_type == "PRISMATIC"
                reach = TRAVEL / metres_per_unit(context.scene) if slides else HALF_TURN
                settings.joint_lower, settings.joint_upper = -reach, reach
            settings.joint_use_limits = self.use
        return {"FINISHED"}


class SDF_INERTIA_OT_reset_pose(bpy.types.Operator):
    bl_idname = RESET_POSE
    bl_label = "Reset Pose"
    bl_description = "Show all links where they stand"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        posed = any(getattr(ob, PROPERTIES).joint_position for ob in context.scene.objects)
        return enabled_if(cls, posed, tip_("All links are shown where they stand"))

    def execute(self, context: bpy.types.Context) -> set[str]:
        for ob in context.scene.objects:
            settings: Any = getattr(ob, PROPERTIES)
            if settings.joint_position and ob.is_editable:
                settings.joint_position = 0.0
        return {"FINISHED"}


CLASSES = (SDF_INERTIA_OT_set_joint, SDF_INERTIA_OT_set_joint_limits, SDF_INERTIA_OT_reset_pose)
