# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints set, shown at positions, made of the hierarchy, and closing loops."""

from __future__ import annotations

import bpy

from ...scenes import empty, tag
from ..buttons import press
from ..modes import in_any_mode
from ..robot import Life

KINDS = ["NONE", "FIXED", "REVOLUTE", "CONTINUOUS", "PRISMATIC", "SCREW", "UNIVERSAL", "BALL"]


@in_any_mode
def set_joint(life: Life) -> None:
    settings = life.any().sdf_inertia
    settings.joint_type = str(life.random.choice(KINDS))
    settings.joint_axis = life.vector()
    settings.joint_use_limits = bool(life.random.random() < 0.5)
    settings.joint_lower, settings.joint_upper = sorted(life.vector()[:2])
    settings.joint_damping, settings.joint_effort = life.random.uniform(size=2)
    settings.joint_world = bool(life.random.random() < 0.1)
    settings.joint_name = str(life.random.choice(["", "hinge", "base"]))


@in_any_mode
def point_joint(life: Life) -> None:
    """Set parent and frame of a joint, of which either may be renamed, moved or deleted later."""
    settings = life.any().sdf_inertia
    settings.joint_parent = life.any() if life.random.random() < 0.7 else None
    settings.joint_frame = life.any() if life.random.random() < 0.7 else None


@in_any_mode
def show_position(life: Life) -> None:
    life.any().sdf_inertia.joint_position = life.random.uniform(-2.0, 2.0)


def joints_from_hierarchy(life: Life) -> None:
    press("joints_from_hierarchy")


def close_loop(life: Life) -> None:
    if not life.crowded():
        ob = empty(life.name("loop"), life.any(), location=life.vector())
        tag(ob, joint_type="REVOLUTE", is_joint=True)
        links = [one for one in bpy.context.scene.objects if one.sdf_inertia.is_link]
        ob.sdf_inertia.joint_child = links[life.random.integers(len(links))] if links else None


def reset_pose(life: Life) -> None:
    press("reset_pose")
