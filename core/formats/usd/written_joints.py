# SPDX-License-Identifier: Apache-2.0
"""The joints of a model as USD's: frames in both bodies, limits in degrees, drives, and what follows what.

UsdPhysics has neither friction, damping nor a rotor's inertia. Newton and PhysX each have attributes for them; both are
written, as plain text that other readers ignore.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import degrees

import numpy as np

from ...arrays import FloatArray
from ...body.few_digits import kept
from ...body.pose import Pose
from ...document.numbers import few_texts
from ...robot.model import Joint
from ..mjcf.written_joints import TIME_CONSTANT
from ..sdf.write import unit
from .mass_text import quaternion_text, single, values_text
from .written_prims import WrittenPrim, display_name

TYPES = {
    "fixed": "PhysicsFixedJoint",
    "revolute": "PhysicsRevoluteJoint",
    "continuous": "PhysicsRevoluteJoint",
    "prismatic": "PhysicsPrismaticJoint",
    "ball": "PhysicsSphericalJoint",
}
"""USD's joints, by ours."""

AXES = {(1.0, 0.0, 0.0): "X", (0.0, 1.0, 0.0): "Y", (0.0, 0.0, 1.0): "Z"}


def kind_of(joint: Joint) -> str:
    """Return what USD calls the motion about or along an axis: ``angular`` or ``linear``; empty for other joints."""
    return {"revolute": "angular", "continuous": "angular", "prismatic": "linear"}.get(joint.kind, "")


def joint_prim(name: str, joint: Joint, bodies: tuple[str, str], X_PJ: Pose, closes_loop: bool = False) -> WrittenPrim:
    """Return a joint between two bodies; its frame J has the pose X_PJ in the parent's.

    Its axis is X, Y or Z of that frame. For another axis, the frame is turned so that it is X.
    """
    letter, R = _axis(joint) if kind_of(joint) else ("", np.eye(3))  # others may have an axis of no length
    parent, child = Pose(X_PJ.R @ R, X_PJ.p), Pose(joint.pose.R @ R, joint.pose.p)
    prim = WrittenPrim(f'{TYPES[joint.kind]} "{name}"', metadata=display_name(name, joint.name))
    if kind_of(joint):
        prim.lines.append(f'uniform token physics:axis = "{letter}"')
    prim.lines += [f"rel physics:body{number} = <{path}>" for number, path in enumerate(bodies)]
    if closes_loop:
        prim.lines.append("uniform bool physics:excludeFromArticulation = true")
    for number, X in enumerate((parent, child)):
        prim.lines.append(f"point3f physics:localPos{number} = {values_text(map(float, few_texts(X.p)), single)}")
        turn = quaternion_text(X, lambda part: single(kept(part, 1.0)))
        prim.lines.append(f"quatf physics:localRot{number} = {turn}")
    limits = {} if joint.kind in ("continuous", "ball") else {"lower": joint.lower, "upper": joint.upper}
    for bound, limit in limits.items():
        if limit is not None and kind_of(joint):
            prim.lines.append(f"float physics:{bound}Limit = {single(limit * _per_unit(joint))}")
    _write_losses(prim, joint)
    return prim


def write_drive(prim: WrittenPrim, joint: Joint, inertia: float) -> None:
    """Write a drive for positions, as stiff as MJCF's actuators, into a joint that moves this inertia [kg·m² or kg].

    Its stiffness is the inertia over the square of `TIME_CONSTANT`, and its damping is critical.
    """
    kind = kind_of(joint)
    prim.schemas.append(f"PhysicsDriveAPI:{kind}")
    numbers = {
        "damping": 2.0 * inertia / TIME_CONSTANT / _per_unit(joint),
        "maxForce": joint.effort,
        "stiffness": inertia / TIME_CONSTANT**2 / _per_unit(joint),
    }
    for name, value in numbers.items():
        if value is not None:
            prim.lines.append(f"float drive:{kind}:physics:{name} = {single(value)}")


def write_mimic(prim: WrittenPrim, joint: Joint, leader: str) -> None:
    """Write what a joint follows: for Newton ``multiplier * leader + offset``; PhysX has the signs of both turned."""
    assert joint.mimic is not None
    multiplier, offset = joint.mimic.multiplier, joint.mimic.offset * _per_unit(joint)
    prim.schemas += ["NewtonMimicAPI", "PhysxMimicJointAPI:rotX"]
    prim.lines += [
        f"float newton:mimicCoef0 = {single(offset)}",
        f"float newton:mimicCoef1 = {single(multiplier)}",
        f"rel newton:mimicJoint = <{leader}>",
        f"float physxMimicJoint:rotX:gearing = {single(-multiplier)}",
        f"float physxMimicJoint:rotX:offset = {single(-offset)}",
        f"rel physxMimicJoint:rotX:referenceJoint = <{leader}>",
    ]


def _write_losses(prim: WrittenPrim, joint: Joint) -> None:
    """Write a joint's friction, damping, rotor and maximum velocity."""
    per_unit, kind = _per_unit(joint), kind_of(joint)
    velocity = None if joint.velocity is None else joint.velocity * per_unit
    damping = joint.damping / per_unit
    newton = {"armature": joint.armature, "damping": damping, "friction": joint.friction, "velocityLimit": velocity}
    of_joint = {"armature": joint.armature, "maxJointVelocity": velocity}
    of_axis = {
        "dynamicFrictionEffort": joint.friction,
        "staticFrictionEffort": joint.friction,
        "viscousFrictionCoefficient": damping,
    }
    groups: list[tuple[str, str, Mapping[str, float | None]]] = [("NewtonJointAPI", "newton", newton)]
    if kind:  # PhysX has them for each axis, and does not break them down for a ball
        groups += [("PhysxJointAPI", "physxJoint", of_joint)]
        groups += [(f"PhysxJointAxisAPI:{kind}", f"physxJointAxis:{kind}", of_axis)]
    for schema, prefix, numbers in groups:
        given = {name: value for name, value in numbers.items() if value}
        if given and joint.kind != "fixed":
            prim.schemas.append(schema)
            prim.lines += [f"float {prefix}:{name} = {single(value)}" for name, value in given.items()]


def _per_unit(joint: Joint) -> float:
    """Return USD's angle or length per radian or metre."""
    return 1.0 if joint.kind == "prismatic" else degrees(1.0)


def _axis(joint: Joint) -> tuple[str, FloatArray]:
    """Return the letter of a joint's axis, and the rotation (3, 3) of the joint's frame that makes it so."""
    along = unit(joint.axis)
    for axis, letter in AXES.items():
        if np.allclose(along, axis, rtol=0.0, atol=1e-12):
            return letter, np.eye(3)
    x = np.array(along)
    y = np.cross(x, np.eye(3)[np.argmin(np.abs(x))])  # across the coordinate axis that is furthest from it
    y /= np.linalg.norm(y)
    return "X", np.column_stack([x, y, np.cross(x, y)])
