# SPDX-License-Identifier: GPL-3.0-or-later
"""What OpenUSD and Newton read of a .usda: each body and joint in SI, by prim path; and what two validators refuse."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from pxr import Gf, Usd, UsdGeom, UsdPhysics, UsdValidation

from core.body.inertial import Inertial
from core.body.pose import Pose

UNSEEN = 1e-5
"""ComputeMassProperties takes a diagonalInertia of less, as a vector, for one that is not there (OpenUSD 26.11)."""

ADVICE = ("UsdAsciiPerformanceChecker",)
"""A rule of NVIDIA's that we break on purpose: layers are text, also those with arrays of more than 64 numbers."""


@dataclass(frozen=True)
class Body:
    inertial: Inertial
    """In the axes of the link."""
    pose: Pose
    """In the world."""


@dataclass(frozen=True)
class Joint:
    kind: str
    parent: str
    child: str
    point: np.ndarray
    """In the world, shape (3,)."""
    axis: np.ndarray
    """In the world, shape (3,)."""
    lower: float
    upper: float
    """[rad], [m]; infinite if there is no limit."""
    effort: float = math.inf
    """[N m], [N]."""


@dataclass(frozen=True)
class Robot:
    bodies: Mapping[str, Body]
    joints: Mapping[str, Joint]


def openusd(path: Path) -> Robot:
    """Return what OpenUSD's own ComputeMassProperties and physics parser get, of bodies that need no collider."""
    stage = Usd.Stage.Open(str(path))
    length, kilograms = UsdGeom.GetStageMetersPerUnit(stage), UsdPhysics.GetStageKilogramsPerUnit(stage)
    bodies, joints = {}, {}
    for kind, (paths, descs) in UsdPhysics.UsdPhysicsLoadStageFromPrimRange(stage, ["/"]).items():
        for prim, desc in zip(map(str, paths), descs, strict=True):
            if kind == UsdPhysics.ObjectType.RigidBody:
                api = UsdPhysics.RigidBodyAPI(stage.GetPrimAtPath(prim))
                mass, diagonal, com, axes = api.ComputeMassProperties(_no_shape)
                written = UsdPhysics.MassAPI(api).GetDiagonalInertiaAttr().Get()
                if written is None or not axes.GetLength() > 0.5:
                    continue
                if written.GetLength() < UNSEEN:
                    diagonal = written
                R = _pose((0.0, 0.0, 0.0), axes).R
                tensor = R @ np.diag(diagonal) @ R.T * kilograms * length**2
                pose = _pose(np.array(desc.position) * length, desc.rotation)
                bodies[prim] = Body(Inertial(mass * kilograms, np.array(com) * length, tensor), pose)
            elif kind.name.endswith("Joint"):
                joints[prim] = _joint(stage, desc, kind.name, length)
    return Robot(bodies, joints)


def newton(path: Path) -> Robot:
    """Return what Newton's ModelBuilder gets; it is never finalised, which would compile kernels for minutes."""
    import warp

    warp.config.quiet = True
    from newton import JointType, ModelBuilder

    builder = ModelBuilder()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        read = builder.add_usd(str(path))
    length, kilograms = read["linear_unit"], read["mass_unit"]
    bodies, joints = {}, {}
    for prim, i in read["path_body_map"].items():
        tensor = np.array(builder.body_inertia[i], dtype=float).reshape(3, 3) * kilograms * length**2
        com = np.array(builder.body_com[i], dtype=float) * length
        inertial = Inertial(builder.body_mass[i] * kilograms, com, tensor)
        bodies[prim] = Body(inertial, _warp_pose(builder.body_q[i]))
    names = {i: prim for prim, i in read["path_body_map"].items()} | {-1: ""}
    poses = {"": Pose.identity} | {prim: body.pose for prim, body in bodies.items()}
    for prim, i in read["path_joint_map"].items():
        parent, child = names[builder.joint_parent[i]], names[builder.joint_child[i]]
        pose = poses[child] @ _warp_pose(builder.joint_X_c[i])
        kind, dof = JointType(builder.joint_type[i]), builder.joint_qd_start[i]
        axis, limits = np.zeros(3), [-math.inf, math.inf, math.inf]
        if kind in (JointType.REVOLUTE, JointType.PRISMATIC):
            axis = pose.R @ np.array(builder.joint_axis[dof], dtype=float)
            limits = [
                _unlimited(x[dof])
                for x in (builder.joint_limit_lower, builder.joint_limit_upper, builder.joint_effort_limit)
            ]
        joints[prim] = Joint(kind.name.lower(), parent, child, pose.p, axis, *limits)
    return Robot(bodies, joints)


READERS: Mapping[str, Callable[[Path], Robot]] = {"OpenUSD": openusd, "Newton": newton}


def refusals(path: Path) -> list[str]:
    """Return the errors of UsdValidation's validators, and the errors and failures of NVIDIA's."""
    from usd_validation_nvidia import IssueSeverity, ValidationEngine

    stage = Usd.Stage.Open(str(path))
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    texts = [error.GetErrorAsString() for error in UsdValidation.ValidationContext(validators).Validate(stage)]
    for issue in ValidationEngine().validate(str(path)).issues():
        if issue.severity in (IssueSeverity.ERROR, IssueSeverity.FAILURE) and issue.rule.__name__ not in ADVICE:
            texts.append(f"{issue.rule.__name__}: {issue.message}")
    return texts


def _no_shape(_: Usd.Prim) -> UsdPhysics.RigidBodyAPI.MassInformation:
    information = UsdPhysics.RigidBodyAPI.MassInformation()
    information.localRot, information.volume = Gf.Quatf(1.0), 0.0
    return information


def _joint(stage: Usd.Stage, desc, kind: str, length: float) -> Joint:
    body0, body1 = ("" if path.isEmpty else str(path) for path in (desc.body0, desc.body1))
    at = (desc.localPose1Position, desc.localPose1Orientation)
    if not body1:
        at = (desc.localPose0Position, desc.localPose0Orientation)
    world = UsdGeom.Xformable(stage.GetPrimAtPath(body1 or body0)).ComputeLocalToWorldTransform(Usd.TimeCode.Default())
    q = world.RemoveScaleShear().ExtractRotationQuat()
    pose = _pose(np.array(world.ExtractTranslation()) * length, q) @ _pose(np.array(at[0]) * length, at[1])
    axis, limits, effort = np.zeros(3), (-math.inf, math.inf), math.inf
    if kind in ("RevoluteJoint", "PrismaticJoint"):
        axis = pose.R[:, {"X": 0, "Y": 1, "Z": 2}[str(desc.axis)[-1]]]
        scale = math.radians(1.0) if kind == "RevoluteJoint" else length
        if desc.limit.enabled:
            limits = (desc.limit.lower * scale, desc.limit.upper * scale)
        if desc.drive.enabled:
            effort = desc.drive.forceLimit
    return Joint(kind.removesuffix("Joint").lower(), body0, body1, pose.p, axis, *limits, effort)


def _pose(p, q) -> Pose:
    return Pose.from_quaternion(p, (*q.GetImaginary(), q.GetReal()))


def _warp_pose(numbers) -> Pose:
    numbers = np.array(numbers, dtype=float)
    return Pose.from_quaternion(numbers[:3], numbers[3:])


def _unlimited(limit: float) -> float:
    return limit if abs(limit) < 1e9 else math.copysign(math.inf, limit)
