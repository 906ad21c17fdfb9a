# SPDX-License-Identifier: GPL-3.0-or-later
"""Make joints of what a scene already says: who is whose parent, and Blender's own constraints. Only when asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import bpy
from mathutils import Euler, Vector

from ..names import JOINTS_FROM_CONSTRAINTS, JOINTS_FROM_HIERARCHY, PROPERTIES
from ..scene.belonging import is_link, link_above
from ..translations.words import n_, nn_, rpt_, tip_

RIGID_BODIES = {
    "FIXED": "FIXED",
    "POINT": "BALL",
    "HINGE": "REVOLUTE",
    "SLIDER": "PRISMATIC",
    "PISTON": "PRISMATIC",
}
"""The joint that a rigid-body constraint stands for; of a piston, the sliding."""

ALONG = {"HINGE": (0.0, 0.0, 1.0), "SLIDER": (1.0, 0.0, 0.0), "PISTON": (1.0, 0.0, 0.0)}
"""Its axis in the frame of its object."""

BOUNDS = {"HINGE": "ang_z", "SLIDER": "lin_x", "PISTON": "lin_x"}


@dataclass(frozen=True, eq=False)
class Found:
    """A joint that a scene speaks of: its child link, and what to set on that."""

    child: bpy.types.Object
    settings: dict[str, Any] = field(default_factory=dict)


class _MakesJoints(bpy.types.Operator):
    """Joints of links that have none yet: of the selected ones, or of all where no link is selected."""

    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if any(map(is_link, context.scene.objects)):
            return True
        cls.poll_message_set(tip_("Tag the links first"))
        return False

    def execute(self, context: bpy.types.Context) -> set[str]:
        chosen = {ob for ob in context.selected_objects if is_link(ob)}
        links = chosen or {ob for ob in context.scene.objects if is_link(ob)}
        made = []
        for found in self.found(context.scene):
            settings = getattr(found.child, PROPERTIES)
            if found.child in links and found.child.is_editable and settings.joint_type == "NONE":
                for name, value in found.settings.items():
                    setattr(settings, name, value)
                made.append(found.child.name)
        names = ", ".join(made[:3]) + (", ..." if len(made) > 3 else "")
        text = nn_(len(made), "{count} joint: {names}", "{count} joints: {names}")
        told = rpt_(text, count=len(made), names=names) if made else rpt_(self.nothing)
        self.report({"INFO"} if made else {"WARNING"}, told)
        return {"FINISHED"} if made else {"CANCELLED"}

    nothing = ""

    def found(self, scene: bpy.types.Scene) -> Iterator[Found]:
        raise NotImplementedError


class SDF_INERTIA_OT_joints_from_hierarchy(_MakesJoints):
    bl_idname = JOINTS_FROM_HIERARCHY
    bl_label = "Joints from Hierarchy"
    bl_description = (
        "Give each selected link, or all, that stands below another one and has no joint yet a fixed joint to it"
    )
    nothing = n_("No link without a joint stands below another one")

    def found(self, scene: bpy.types.Scene) -> Iterator[Found]:
        for ob in scene.objects:
            if is_link(ob) and link_above(ob.parent) is not None:
                yield Found(ob, {"joint_type": "FIXED"})


class SDF_INERTIA_OT_joints_from_constraints(_MakesJoints):
    bl_idname = JOINTS_FROM_CONSTRAINTS
    bl_label = "Joints from Constraints"
    bl_description = (
        "Give each selected link, or all, that has no joint yet the joint that Blender's constraints speak of:"
        " rigid-body hinge, slider, piston, fixed and point, Limit Rotation and Limit Location with one free axis"
    )
    nothing = n_("No constraint speaks of a joint between two links that has not been made")

    def found(self, scene: bpy.types.Scene) -> Iterator[Found]:
        for ob in scene.objects:
            joint = _rigid_body_joint(ob) or (_limited_joint(ob) if is_link(ob) else None)
            if joint is not None:
                yield joint


def _rigid_body_joint(ob: bpy.types.Object) -> Found | None:
    constraint: Any = ob.rigid_body_constraint
    if constraint is None or constraint.type not in RIGID_BODIES:
        return None
    parent, child = link_above(constraint.object1), link_above(constraint.object2)
    if parent is None or child is None or parent == child:
        return None
    if child in _above(parent):  # whichever stands below the other is its child
        parent, child = child, parent
    settings: dict[str, Any] = {"joint_type": RIGID_BODIES[constraint.type]}
    if link_above(child.parent) != parent:
        settings["joint_parent"] = parent
    if ob != child:
        settings["joint_frame"] = ob
    if constraint.type in ALONG:
        settings["joint_axis"] = ALONG[constraint.type]
        bounds = BOUNDS[constraint.type]
        if getattr(constraint, f"use_limit_{bounds}"):
            settings["joint_use_limits"] = True
            settings["joint_lower"] = getattr(constraint, f"limit_{bounds}_lower")
            settings["joint_upper"] = getattr(constraint, f"limit_{bounds}_upper")
    return Found(child, settings)


def _above(ob: bpy.types.Object) -> Iterator[bpy.types.Object]:
    above = ob.parent
    while above is not None:
        yield above
        above = above.parent


def _limited_joint(ob: bpy.types.Object) -> Found | None:
    """Return the joint that a link's own limits leave: about one axis, or along one."""
    if link_above(ob.parent) is None:
        return None
    turning, sliding = (_free_axes(ob, kind) for kind in ("LIMIT_ROTATION", "LIMIT_LOCATION"))
    if turning is not None and len(turning[0]) == 1 and (sliding is None or not sliding[0]):
        free, constraint = turning
        present = ob.matrix_basis.to_euler(ob.rotation_mode if len(ob.rotation_mode) == 3 else "XYZ")
        rest = Euler([0.0 if index == free[0] else angle for index, angle in enumerate(present)], present.order)
        # The rotations that stay as they are stand before or after the free one: only if there are none is it plain.
        if any(abs(angle) > 1e-6 for angle in rest):
            return None
        return Found(ob, _limits("REVOLUTE", free[0], constraint, present[free[0]], Vector(_unit(free[0]))))
    if sliding is not None and len(sliding[0]) == 1 and (turning is None or not turning[0]):
        free, constraint = sliding
        along = ob.matrix_basis.to_quaternion().inverted() @ Vector(_unit(free[0]))
        return Found(ob, _limits("PRISMATIC", free[0], constraint, ob.location[free[0]], along))
    return None


def _free_axes(ob: bpy.types.Object, kind: str) -> tuple[list[int], Any] | None:
    """Return the axes that a limit in local space leaves free, and it; None without one."""
    own = [one for one in ob.constraints if one.type == kind and one.owner_space == "LOCAL" and not one.mute]
    if len(own) != 1:
        return None
    return [index for index, axis in enumerate("xyz") if not _locked(own[0], axis)], own[0]


def _locked(constraint: Any, axis: str) -> bool:
    low, high = getattr(constraint, f"min_{axis}"), getattr(constraint, f"max_{axis}")
    if constraint.type == "LIMIT_ROTATION":
        return bool(getattr(constraint, f"use_limit_{axis}") and low == high)
    return bool(getattr(constraint, f"use_min_{axis}") and getattr(constraint, f"use_max_{axis}") and low == high)


def _limits(kind: str, index: int, constraint: Any, present: float, axis: Vector) -> dict[str, Any]:
    settings: dict[str, Any] = {"joint_type": kind, "joint_axis": axis}
    name = "xyz"[index]
    if kind == "REVOLUTE":
        limited = getattr(constraint, f"use_limit_{name}")
    else:
        limited = getattr(constraint, f"use_min_{name}") and getattr(constraint, f"use_max_{name}")
    if limited:  # counted from where the link stands now
        settings["joint_use_limits"] = True
        settings["joint_lower"] = getattr(constraint, f"min_{name}") - present
        settings["joint_upper"] = getattr(constraint, f"max_{name}") - present
    elif kind == "REVOLUTE":
        settings["joint_type"] = "CONTINUOUS"
    return settings


def _unit(index: int) -> tuple[float, ...]:
    return tuple(float(axis == index) for axis in range(3))


CLASSES = (SDF_INERTIA_OT_joints_from_hierarchy, SDF_INERTIA_OT_joints_from_constraints)
