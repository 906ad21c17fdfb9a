# SPDX-License-Identifier: Apache-2.0
"""The joints of a model as MJCF: axes, constraints and position actuators."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from lxml import etree

from ...arrays import FloatArray
from ...body.inertial import Inertial
from ...body.pose import Pose
from ...document.numbers import few, few_texts
from ...robot.joints import kinematic_order
from ...robot.model import WORLD, Joint
from ..sdf.write import unit
from ..urdf.write import UNLIMITED

TYPES = {"revolute": "hinge", "continuous": "hinge", "prismatic": "slide", "universal": "hinge", "ball": "ball"}
"""MuJoCo's joints, by ours that move; a universal joint is two hinges."""

LOOPS = {"ball": "connect", "revolute": "connect", "continuous": "connect", "fixed": "weld"}
"""MuJoCo's constraints for joints that close a loop. At a hinge it leaves the axis to the rest of the loop."""

TIME_CONSTANT = 0.01
"""Of position actuators [s]: kp is the inertia that the joint moves with all joints at 0, over the square of this, and
MuJoCo adds critical damping. So a slide sags by g T² = 1 mm under any weight. It is five of MuJoCo's default steps,
which is stable with the integrator implicitfast."""

Element = Any  # lxml has no public type for it


def followed(tree: Iterable[Joint]) -> set[str]:
    """Return the joints that others may follow: hinges and slides."""
    return {joint.name for joint in tree if joint.kind in TYPES and joint.kind != "ball"}


def write_joint(body: Element, joint: Joint) -> list[str]:
    """Write a joint that moves into its child, and return its position at 0."""
    for name, axis in _axes(joint).items():
        texts = {"name": name, "type": TYPES[joint.kind], "pos": " ".join(few_texts(joint.pose.p))}
        if joint.kind != "ball":
            texts["axis"] = " ".join(few_texts(axis, 1.0))
        lower, upper = _limits(joint)
        if lower != upper:
            texts["range"] = (
                f"{few(-UNLIMITED if lower is None else lower)} {few(UNLIMITED if upper is None else upper)}"
            )
        losses = {"damping": joint.damping, "frictionloss": joint.friction, "armature": joint.armature}
        losses |= {"stiffness": joint.spring_stiffness, "springref": joint.spring_reference}
        etree.SubElement(body, "joint", texts | {key: few(value) for key, value in losses.items() if value})
    return ["1", "0", "0", "0"] if joint.kind == "ball" else ["0"] * len(_axes(joint))


def write_exclusions(contact: Element, tree: Collection[Joint]) -> None:
    """Exclude contacts of links with their parents that are fixed to the world, where MuJoCo itself does not."""
    joint_of = {joint.child: joint for joint in tree}
    held = {WORLD}
    for name in kinematic_order(joint_of, tree):
        parent = joint_of[name].parent
        if joint_of[name].kind == "fixed":
            held |= {name} if parent in held else set()
        elif parent in held - {WORLD}:
            etree.SubElement(contact, "exclude", body1=parent, body2=name)


def write_constraints(equality: Element, tree: Collection[Joint], closing: Iterable[Joint]) -> None:
    """Write joints that close loops, that follow others, or that have no play."""
    for joint in closing:
        if joint.kind in LOOPS:
            ends = {"name": joint.name, "body1": joint.child, "body2": joint.parent}
            anchor = {"anchor": " ".join(few_texts(joint.pose.p))} if joint.kind != "fixed" else {}
            etree.SubElement(equality, LOOPS[joint.kind], ends | anchor)
    leaders = followed(tree)
    for joint in tree:
        for name in _axes(joint) if joint.name in leaders else ():
            if joint.mimic is not None and joint.mimic.joint in leaders:
                curve = f"{few(joint.mimic.offset)} {few(joint.mimic.multiplier)} 0 0 0"
                etree.SubElement(equality, "joint", joint1=name, joint2=joint.mimic.joint, polycoef=curve)
            elif _is_rigid(joint):
                etree.SubElement(equality, "joint", joint1=name, polycoef=f"{few(joint.lower or 0.0)} 0 0 0 0")


def write_actuators(
    actuator: Element, tree: Collection[Joint], poses: Mapping[str, Pose], bodies: Mapping[str, Inertial]
) -> None:
    """Write a position actuator for each axis that has a motor, see `driven_axes`."""
    for joint, name, inertia in driven_axes(tree, poses, bodies):
        texts = {"name": name, "joint": name, "kp": few(inertia / TIME_CONSTANT**2), "dampratio": "1"}
        lower, upper = _limits(joint)
        if lower is not None and upper is not None:
            texts["ctrlrange"] = f"{few(lower)} {few(upper)}"
        if joint.effort is not None:
            texts["forcerange"] = f"{few(-joint.effort)} {few(joint.effort)}"
        etree.SubElement(actuator, "position", texts)


def driven_axes(
    tree: Collection[Joint], poses: Mapping[str, Pose], bodies: Mapping[str, Inertial]
) -> Iterator[tuple[Joint, str, float]]:
    """Yield each axis that has a motor: that is neither passive nor follows another.

    Parameters
    ----------
    poses, bodies
        Of each link, its pose in the model's frame, and its inertial in its own.

    Yields
    ------
    (Joint, str, float)
        The joint, the name of the axis, and the inertia that it moves [kg·m², of a slide kg].
    """
    # Each link with all links below it, in the model's frame: summed from the leaves to the root.
    moved = {name: body.transformed(poses[name]) for name, body in bodies.items()}
    joint_of = {joint.child: joint for joint in tree}
    for name in reversed(kinematic_order(bodies, tree)):
        if name in joint_of and joint_of[name].parent != WORLD:
            moved[joint_of[name].parent] += moved[name]
    for joint in tree:
        if joint.kind != "ball" and joint.mimic is None and joint.effort != 0.0 and not _is_rigid(joint):
            for name, inertia in _felt(joint, poses[joint.child], moved[joint.child]):
                yield joint, name, inertia


def _felt(joint: Joint, X_ML: Pose, moved: Inertial) -> Iterator[tuple[str, float]]:
    """Return the inertia [kg·m², of a slide kg] that each axis of a joint moves; `moved` is in the model's frame M."""
    # All that moves, in the model's frame M, about the joint's origin Jo: a hinge feels its moment about the axis.
    p_MoJo_M = X_ML.R @ joint.pose.p + X_ML.p
    I_MovedJo_M = moved.inertia_about(p_MoJo_M)
    for name, axis in _axes(joint).items():
        axis_M = X_ML.R @ axis
        yield name, (moved.mass if joint.kind == "prismatic" else float(axis_M @ I_MovedJo_M @ axis_M)) + joint.armature


def _limits(joint: Joint) -> tuple[float | None, float | None]:
    return (None, None) if joint.kind in ("continuous", "ball") else (joint.lower, joint.upper)


def _is_rigid(joint: Joint) -> bool:
    """Return True if a joint's limits leave it no play; MuJoCo would read them as no limits."""
    lower, upper = _limits(joint)
    return lower is not None and lower == upper


def _axes(joint: Joint) -> dict[str, FloatArray]:
    """Return the axes of a joint in the child's frame, by the names of MuJoCo's joints; none of a fixed joint."""
    axes = {joint.name: joint.axis} if joint.kind in TYPES else {}
    if joint.kind == "universal":
        axes[f"{joint.name}_second"] = joint.axis2
    return {name: joint.pose.R @ np.array(unit(axis)) for name, axis in axes.items()}
