# SPDX-License-Identifier: GPL-3.0-or-later
"""Make joints from what a scene already has, when asked: parents, Blender's own constraints, bones of an armature."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import bpy
from mathutils import Euler, Matrix, Vector

from ...mesh_tools.fitting import frame_of, wheel_of
from ...names import JOINTS_FROM_ARMATURE, JOINTS_FROM_CONSTRAINTS, JOINTS_FROM_HIERARCHY, PROPERTIES
from ...panels.texts import first_of
from ...scene.belonging import collections_for, is_link, link_above
from ...scene.properties import JOINT_TYPES
from ...translations.words import BoolProperty, EnumProperty, n_, nn_, rpt_, tip_
from ..base import enabled_if

ON_AXIS = 1e-5
"""A link's origin this close to the axis of its wheel, in Blender units or relatively, is on it."""

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
class SceneJoint:
    """A joint that a scene speaks of: its child link, what to set on that, and where it is if not at that."""

    child: bpy.types.Object
    settings: dict[str, Any] = field(default_factory=dict)
    frame: Matrix | None = None

    def make(self, scene: bpy.types.Scene) -> None:
        """Set it on its child link."""
        settings = getattr(self.child, PROPERTIES)
        if self.frame is not None:
            settings.joint_frame = _made_frame(self.child, self.frame, scene)
        for name, value in self.settings.items():
            setattr(settings, name, value)


def wheel_joint(link: bpy.types.Object) -> SceneJoint | None:
    """Return the joint by which a link turns that looks like a wheel; None for another link."""
    wheel = wheel_of(bpy.context.evaluated_depsgraph_get(), link)
    if wheel is None:
        return None
    axis, middle = wheel
    off = middle - middle.project(axis)  # how far the axis passes by the link's origin
    settings = {"joint_type": "CONTINUOUS", "joint_axis": axis}
    if off.length < ON_AXIS * max(middle.length, 1.0):
        return SceneJoint(link, settings | {"joint_frame": None})
    return SceneJoint(link, settings, frame_of(link) @ Matrix.Translation(off))


class _MakesJoints(bpy.types.Operator):
    """Joints of links that have none yet: of the selected ones, or of all where no link is selected."""

    bl_options = {"REGISTER", "UNDO"}

    everywhere: BoolProperty(
        name="All Links", description="Of all links, whichever are selected", options={"SKIP_SAVE"}
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return enabled_if(cls, any(map(is_link, context.scene.objects)), tip_("Tag the links first"))

    def execute(self, context: bpy.types.Context) -> set[str]:
        chosen = {ob for ob in context.selected_objects if is_link(ob) and not self.everywhere}
        links = chosen or {ob for ob in context.scene.objects if is_link(ob)}
        made = []
        for joint in self.joints(context.scene):
            settings = getattr(joint.child, PROPERTIES)
            if joint.child in links and joint.child.is_editable and settings.joint_type == "NONE":
                joint.make(context.scene)
                made.append(joint.child.name)
        text = nn_(len(made), "{count} joint: {names}", "{count} joints: {names}")
        report = rpt_(text, count=len(made), names=first_of(made)) if made else rpt_(self.nothing)
        self.report({"INFO"} if made else {"WARNING"}, report)
        return {"FINISHED"} if made else {"CANCELLED"}

    nothing = ""

    def joints(self, scene: bpy.types.Scene) -> Iterator[SceneJoint]:
        raise NotImplementedError


class SDF_INERTIA_OT_joints_from_hierarchy(_MakesJoints):
    bl_idname = JOINTS_FROM_HIERARCHY
    bl_label = "Joints from Hierarchy"
    bl_description = (
        "Give each selected link, or all, that stands below another one and has no joint yet a joint to it, of a type"
        " that you choose"
    )
    nothing = n_("No link without a joint stands below another one")

    joint_type: EnumProperty(name="Type", items=JOINT_TYPES[1:], default="FIXED")
    wheels: BoolProperty(
        name="Wheels Turn",
        description="Links that look like wheels turn without end: their one shape is round and wider than long, and"
        " its axis is horizontal",
        options={"SKIP_SAVE"},
    )
    wheels_only: BoolProperty(options={"SKIP_SAVE", "HIDDEN"})

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        if self.wheels_only:
            return self.execute(context)
        return set(context.window_manager.invoke_props_dialog(self))

    def joints(self, scene: bpy.types.Scene) -> Iterator[SceneJoint]:
        for ob in scene.objects:
            if is_link(ob) and link_above(ob.parent) is not None:
                turning = wheel_joint(ob) if self.wheels or self.wheels_only else None
                if turning is not None or not self.wheels_only:
                    yield turning or SceneJoint(ob, {"joint_type": self.joint_type})


class SDF_INERTIA_OT_joints_from_constraints(_MakesJoints):
    bl_idname = JOINTS_FROM_CONSTRAINTS
    bl_label = "Joints from Constraints"
    bl_description = (
        "Give each selected link, or all, that has no joint yet the joint that Blender's constraints speak of:"
        " rigid-body hinge, slider, piston, fixed and point, Limit Rotation and Limit Location with one free axis"
    )
    nothing = n_("No constraint speaks of a joint between two links that has not been made")

    def joints(self, scene: bpy.types.Scene) -> Iterator[SceneJoint]:
        for ob in scene.objects:
            joint = _rigid_body_joint(ob) or (_limited_joint(ob) if is_link(ob) else None)
            if joint is not None:
                yield joint


class SDF_INERTIA_OT_joints_from_armature(_MakesJoints):
    bl_idname = JOINTS_FROM_ARMATURE
    bl_label = "Joints from Armature"
    bl_description = (
        "Give each selected link, or all, that is parented to a bone and has no joint yet a joint at that bone: of the"
        " axes that its locks leave free, with the limits of its inverse kinematics or of Limit Rotation"
    )
    nothing = n_("No link without a joint is parented to a bone whose parents hold another link")

    def joints(self, scene: bpy.types.Scene) -> Iterator[SceneJoint]:
        by_bone: dict[tuple[str, str], bpy.types.Object] = {}
        for ob in scene.objects:
            if is_link(ob) and ob.parent is not None and ob.parent_type == "BONE":
                first = by_bone.setdefault((ob.parent.name_full, ob.parent_bone), ob)
                if first != ob:  # it moves as the other link of the bone does
                    yield SceneJoint(ob, {"joint_type": "FIXED", "joint_parent": first})
        for (_armature, name), ob in by_bone.items():
            assert ob.parent is not None and ob.parent.pose is not None
            bone: bpy.types.PoseBone | None = ob.parent.pose.bones.get(name)
            above = [] if bone is None else [(ob.parent.name_full, ancestor.name) for ancestor in bone.parent_recursive]
            parent = next((by_bone[key] for key in above if key in by_bone), link_above(ob.parent))
            if bone is not None and parent is not None:
                yield _bone_joint(ob, bone, parent)


def _bone_joint(ob: bpy.types.Object, bone: bpy.types.PoseBone, parent: bpy.types.Object) -> SceneJoint:
    """Return the joint that a bone's locks leave."""
    turning = [axis for axis in range(3) if not (bone.lock_rotation[axis] or getattr(bone, f"lock_ik_{'xyz'[axis]}"))]
    limited = _free_axes(bone, "LIMIT_ROTATION")
    turning = [axis for axis in turning if limited is None or axis in limited[0]]
    sliding = [] if bone.bone.use_connect else [axis for axis in range(3) if not bone.lock_location[axis]]
    settings: dict[str, Any]
    if len(turning) == 1:
        settings = _bone_limits(bone, turning[0], None if limited is None else limited[1])
    elif len(turning) == 2:
        settings = {"joint_type": "UNIVERSAL", "joint_axis": _unit(turning[0]), "joint_axis2": _unit(turning[1])}
    elif turning:
        settings = {"joint_type": "BALL"}
    elif len(sliding) == 1:
        settings = {"joint_type": "PRISMATIC", "joint_axis": _unit(sliding[0])}
    else:
        settings = {"joint_type": "FIXED"}
    assert ob.parent is not None
    if link_above(ob.parent) != parent:
        settings["joint_parent"] = parent
    location, rotation, _scale = (ob.parent.matrix_world @ bone.matrix).decompose()
    return SceneJoint(ob, settings, Matrix.LocRotScale(location, rotation, None))


def _bone_limits(bone: bpy.types.PoseBone, axis: int, constraint: Any) -> dict[str, Any]:
    """Return the joint about the one axis that is free, with the limits of a constraint, or those for IK."""
    present = bone.matrix_basis.to_euler()[axis]
    if constraint is not None:
        return _limits("REVOLUTE", axis, constraint, present, Vector(_unit(axis)))
    name = "xyz"[axis]
    if not getattr(bone, f"use_ik_limit_{name}"):
        return {"joint_type": "CONTINUOUS", "joint_axis": _unit(axis)}
    lower, upper = (getattr(bone, f"ik_{end}_{name}") - present for end in ("min", "max"))
    limits = {"joint_use_limits": True, "joint_lower": lower, "joint_upper": upper}
    return {"joint_type": "REVOLUTE", "joint_axis": _unit(axis), **limits}


def _made_frame(link: bpy.types.Object, frame: Matrix, scene: bpy.types.Scene) -> bpy.types.Object:
    """Make an empty below a link, at the place and with the axes of a joint."""
    made = bpy.data.objects.new(f"{link.name}_pivot", None)
    for collection in collections_for(link, scene):
        collection.objects.link(made)
    made.parent, made.matrix_parent_inverse = link, link.matrix_world.inverted_safe()
    made.location, made.rotation_euler = frame.to_translation(), frame.to_euler()
    made.empty_display_type, made.empty_display_size = "ARROWS", 0.05
    return made


def _rigid_body_joint(ob: bpy.types.Object) -> SceneJoint | None:
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
    return SceneJoint(child, settings)


def _above(ob: bpy.types.Object) -> Iterator[bpy.types.Object]:
    above = ob.parent
    while above is not None:
        yield above
        above = above.parent


def _limited_joint(ob: bpy.types.Object) -> SceneJoint | None:
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
        return SceneJoint(ob, _limits("REVOLUTE", free[0], constraint, present[free[0]], Vector(_unit(free[0]))))
    if sliding is not None and len(sliding[0]) == 1 and (turning is None or not turning[0]):
        free, constraint = sliding
        along = ob.matrix_basis.to_quaternion().inverted() @ Vector(_unit(free[0]))
        return SceneJoint(ob, _limits("PRISMATIC", free[0], constraint, ob.location[free[0]], along))
    return None


def _free_axes(ob: bpy.types.Object | bpy.types.PoseBone, kind: str) -> tuple[list[int], Any] | None:
    """Return the axes that a limit in local space leaves free, and it; None without one."""
    limits = [
        limit for limit in ob.constraints if limit.type == kind and limit.owner_space == "LOCAL" and not limit.mute
    ]
    if len(limits) != 1:
        return None
    return [index for index, axis in enumerate("xyz") if not _locked(limits[0], axis)], limits[0]


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


CLASSES = (
    SDF_INERTIA_OT_joints_from_hierarchy,
    SDF_INERTIA_OT_joints_from_constraints,
    SDF_INERTIA_OT_joints_from_armature,
)
