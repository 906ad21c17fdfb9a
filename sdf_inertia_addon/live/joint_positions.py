# SPDX-License-Identifier: GPL-3.0-or-later
"""At which positions joints are shown, and where their links stand then. Nothing of the scene is moved."""

from __future__ import annotations

from ...core.body.pose import Pose
from ...core.robot.joints import own_joints, posed
from ...core.robot.model import Joint
from ..names import PROPERTIES
from ..scene.selection import object_by_full_name
from .model import LiveLink, LiveModel


def link_by_name(model: LiveModel) -> dict[str, LiveLink]:
    """Return the links by their names in the file."""
    return {link.body.name: link for link in model.links}


def joint_positions(model: LiveModel) -> dict[str, float]:
    """Return the positions other than 0 at which joints are shown, by name: [rad], of prismatic ones [m]."""
    links = link_by_name(model)
    found = {}
    for name, joint in own_joints(model.joints).items():
        ob = object_by_full_name(links[name].object)
        value = 0.0 if ob is None else float(getattr(ob, PROPERTIES).joint_position)
        if value:
            found[joint.name] = value * unit_of(joint, model)
    return found


def unit_of(joint: Joint, model: LiveModel) -> float:
    """Return what a position as stored is multiplied by."""
    return model.metres_per_unit if joint.kind == "prismatic" else 1.0


def shown_poses(model: LiveModel, positions: dict[str, float]) -> dict[str, Pose]:
    """Return where the links that the positions move stand then, in the world [m]."""
    return posed({link.body.name: link.body.pose for link in model.links}, model.joints, positions)
