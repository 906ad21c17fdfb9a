# SPDX-License-Identifier: GPL-3.0-or-later
"""From a link's joint settings, and from the joints that close loops, to joints of the core. Units are converted here.

A joint's frame is that of its child link, or the place and axes of another object; an instance of a collection takes
such an object along.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import bpy
from mathutils import Matrix

from ...core.body.pose import Pose
from ...core.robot.joints import AXES
from ...core.robot.model import DYNAMICS, WORLD, Joint, JointKind, Mimic
from .evaluated.instances import TaggedInstance, TaggedInstances
from .link_reader import LinkReader
from .properties import SDF_INERTIA_PG_object
from .settings import shortest
from .upright import upright

KINDS: dict[str, JointKind] = {
    "FIXED": "fixed",
    "REVOLUTE": "revolute",
    "CONTINUOUS": "continuous",
    "PRISMATIC": "prismatic",
    "SCREW": "screw",
    "UNIVERSAL": "universal",
    "BALL": "ball",
}

LIMITED = ("REVOLUTE", "PRISMATIC", "SCREW", "UNIVERSAL")


def read_joints(
    depsgraph: bpy.types.Depsgraph, reader: LinkReader, instances: TaggedInstances, roots: Iterable[TaggedInstance]
) -> tuple[Joint, ...]:
    """Read the joints of links that have a place in the scene; a missing parent keeps its name, if it has one."""
    joints: dict[TaggedInstance, Joint] = {}
    for root in roots:
        if root.settings.joint_type in KINDS and root.misplaced() is None:  # an unknown one refuses its link
            frame = root.settings.joint_frame
            pose = Pose.identity
            if frame is not None:
                pose = reader.between(reader.frame_of(root), reader.pose(_carried(frame, root, depsgraph)))
            joints[root] = _joint(reader, instances, root.settings, root, root, pose)
    for loop in instances.loops:
        held = loop.settings.joint_child
        child = None if held is None else instances.link_for(held, loop)
        if (
            child is not None
            and child in reader.link_names
            and loop.settings.joint_type in KINDS
            and loop.misplaced() is None
        ):
            pose = reader.between(reader.frame_of(child), reader.frame_of(loop))
            joints[loop] = _joint(reader, instances, loop.settings, loop, child, pose)
    return tuple(replace(joint, mimic=_mimic(instances, instance, joints)) for instance, joint in joints.items())


def _mimic(
    instances: TaggedInstances, follower: TaggedInstance, joints: Mapping[TaggedInstance, Joint]
) -> Mimic | None:
    """Return what a joint follows: the joint of the chosen link, or the chosen one, which closes a loop."""
    settings = follower.settings
    chosen = settings.joint_mimic
    if chosen is None:
        return None
    leader = instances.link_for(chosen, follower) or next(
        (loop for loop in instances.loops if loop.original == chosen), None
    )
    name = joints[leader].name if leader in joints else chosen.name
    return Mimic(name, shortest(settings.joint_mimic_multiplier), shortest(settings.joint_mimic_offset))


def _joint(
    reader: LinkReader,
    instances: TaggedInstances,
    settings: SDF_INERTIA_PG_object,
    owner: TaggedInstance,
    child: TaggedInstance,
    pose: Pose,
) -> Joint:
    name = reader.link_names[child]
    turns = settings.joint_type != "PRISMATIC"
    unit = 1.0 if turns else reader.unit
    moves = AXES[KINDS[settings.joint_type]] == 1
    limited = settings.joint_use_limits and settings.joint_type in LIMITED
    x, y, z = (shortest(along) for along in settings.joint_axis)
    u, v, w = (shortest(along) for along in settings.joint_axis2)
    dynamics: dict[str, Any] = {name: shortest(getattr(settings, f"joint_{name}")) for name in DYNAMICS}
    return Joint(
        _name(reader, settings, f"{name}_joint" if owner is child else owner.name),
        KINDS[settings.joint_type],
        _parent(reader, instances, settings, owner),
        name,
        pose,
        (x, y, z),
        (u, v, w),
        unit * shortest(settings.joint_lower) if limited else None,
        unit * shortest(settings.joint_upper) if limited else None,
        shortest(settings.joint_effort) or None,
        shortest(settings.joint_velocity) or None,
        pitch=reader.unit * shortest(settings.joint_pitch),
        rotor_inertia=shortest(settings.joint_rotor_inertia) if moves else 0.0,
        gear_ratio=shortest(settings.joint_gear_ratio) if moves else 1.0,
        **dynamics,
    )


def _name(reader: LinkReader, settings: SDF_INERTIA_PG_object, default: str) -> str:
    if settings.joint_name and settings.sdf_name and "::" not in settings.joint_name:  # as its file has it
        return reader.joint_names.keep(settings.joint_name)
    return reader.joint_names.give(settings.joint_name or default)


def _parent(
    reader: LinkReader, instances: TaggedInstances, settings: SDF_INERTIA_PG_object, owner: TaggedInstance
) -> str:
    if settings.joint_world:
        return WORLD
    chosen = settings.joint_parent
    parent = instances.link_above(owner) if chosen is None else instances.link_for(chosen, owner)
    if parent is None:
        return "" if chosen is None else chosen.name
    return reader.link_names.get(parent, parent.name)  # what is outside of a collection has none


def _carried(frame: bpy.types.Object, root: TaggedInstance, depsgraph: bpy.types.Depsgraph) -> Matrix:
    """Return the map of an object to the world without its mirrors; if the link is in an instance, as if in it too."""
    evaluated = frame.evaluated_get(depsgraph)
    there: Matrix = evaluated.matrix_world
    if root.instancer is not None:
        there = root.matrix_world @ root.original.matrix_world.inverted() @ there
    return upright(there, evaluated, root.instancer)
