# SPDX-License-Identifier: Apache-2.0
"""The robot of a USD stage as a model: its links, and its joints as a tree, parents first, with what closes loops."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import atan2, degrees, inf, radians, remainder, tau
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ...arrays import FloatArray
from ...body.pose import Pose, rigid
from ...errors import Finding
from ...robot.model import (
    WORLD,
    Collision,
    InertiaMode,
    Joint,
    JointKind,
    Link,
    Mimic,
    Model,
    Unusable,
    Visual,
)
from ..robot_file import ImportedRobot, LostPart, elements_left_out, mesh_not_imported, not_imported, part_key
from .links import UsdLink
from .prims import Prim
from .read import UsdRobot, affine, as_written, labels, optional, shortest

_Shown = TypeVar("_Shown", Collision, Visual)

KINDS: Mapping[str, JointKind] = {
    "PhysicsFixedJoint": "fixed",
    "PhysicsRevoluteJoint": "revolute",
    "PhysicsPrismaticJoint": "prismatic",
    "PhysicsSphericalJoint": "ball",
}

GENERIC = "PhysicsJoint"
"""A joint that locks axes one by one."""

AXES: Mapping[str, FloatArray] = dict(zip("XYZ", np.eye(3), strict=True))

TURNS, MOVES = ("rotX", "rotY", "rotZ"), ("transX", "transY", "transZ")

APART = 1e-4
"""Frames of a joint agree if they are turned by less [rad], or are apart by less of their distances from the bodies:
they are in single precision."""

ROUNDED = 2e-7
"""Smaller components of an axis are 0: they are in single precision."""


class JointTree(NamedTuple):
    """The joints of a robot.

    Parameters
    ----------
    joints : sequence of Joint
        Those of the tree, parents first, then those that close loops. Positions are measured from the pose in the
        stage, as in all other formats.
    parents : mapping of str to str
        The link, or the world, that each link hangs on.
    findings : sequence of Finding
        What is wrong with joints.
    left_out : sequence of Finding
        Which joints are of types that are not read.
    """

    joints: Sequence[Joint]
    parents: Mapping[str, str]
    findings: Sequence[Finding]
    left_out: Sequence[Finding]


class _End(NamedTuple):
    """A body at an end of a joint, or the world; the joint's frame J in it and in the model [m]."""

    name: str
    X_BJ: Pose
    X_WJ: Pose


@dataclass(frozen=True, eq=False)
class _Read:
    """A joint from its first body to the second; `rest` is its position in the stage [rad or m]."""

    joint: Joint
    first: _End
    axis: str
    rest: float
    is_loop: bool

    def reversed(self) -> Joint:
        """Return it from the second body to the first: a turn of one is the opposite turn of the other."""
        pose, (x, y, z) = _axis(self.first.X_BJ, self.axis)
        parent, child = self.joint.child, self.joint.parent
        return replace(self.joint, parent=parent, child=child, pose=pose, axis=(0.0 - x, 0.0 - y, 0.0 - z))


def read_joints(robot: UsdRobot) -> JointTree:
    """Return the joints of a stage."""
    findings: list[Finding] = []
    given = [joint for joint in robot.stage["joints"] if joint["enabled"]]
    names = dict(zip([joint["path"] for joint in given], labels(given, robot.stage["default_prim"]), strict=True))
    reads = {joint["path"]: read for joint in given if (read := _read(robot, joint, names, findings)) is not None}
    rests = {read.joint.name: read.rest for read in reads.values()}
    shifted = [replace(read, joint=_from_rest(read.joint, rests)) for read in reads.values()]
    left_out = [finding for finding in findings if finding.code == "not_imported"]
    return JointTree(*_tree(robot, shifted), [finding for finding in findings if finding not in left_out], left_out)


def _read(robot: UsdRobot, given: Mapping[str, Any], names: Mapping[str, str], findings: list[Finding]) -> _Read | None:
    """Return a joint, or add why it is left out."""
    place, name = robot.prim(given["path"], given["layer"]), names[given["path"]]
    first, second = (_end(robot, given[f"body{end}"], given[f"at{end}"], place) for end in (0, 1))
    kind, axis, limits = _kind(given)
    if given["missing"] or first.name == second.name:
        form, bodies = ("missing", ", ".join(given["missing"])) if given["missing"] else ("same", first.name)
        findings.append(Finding.of("warning", "usd_joint", str(place), form, bodies=bodies))
        return None
    if kind is None:
        findings.append(not_imported(str(place), "joint", joint=name, kind=given["type"]))
        return None
    meters, kilograms = robot.units.meters, robot.units.kilograms
    slides = kind == "prismatic"
    position, effort = (meters, kilograms * meters) if slides else (radians(1.0), kilograms * meters**2)
    lower, upper = (optional(limit, position) for limit in limits)
    joint = Joint(
        name,
        "continuous" if kind == "revolute" and lower is upper is None else kind,
        first.name,
        second.name,
        *_axis(second.X_BJ, axis),
        lower=lower,
        upper=upper,
        effort=optional(given["effort"], effort),
        velocity=optional(given["max_velocity"], position),
        damping=optional(given["damping"], effort / position) or 0.0,
        friction=optional(given["friction"], effort) or 0.0,
        rotor_inertia=optional(given["armature"], kilograms if slides else effort) or 0.0,
        mimic=_mimic(given["mimic"], names, position),
        place=place,
    )
    rest, distance, angle = _at_rest(joint.kind, AXES[axis], first, second)
    if distance or angle:
        values = {"distance": distance, "angle": degrees(angle)}
        findings.append(Finding.of("warning", "usd_joint", str(place), "apart", **values))
    return _Read(joint, first, axis, rest, given["excluded"])


def _mimic(given: Mapping[str, Any] | None, names: Mapping[str, str], position: float) -> Mimic | None:
    if given is None or given["joint"] not in names:
        return None
    return Mimic(names[given["joint"]], shortest(given["multiplier"]), shortest(given["offset"]) * position)


def _axis(X_BJ: Pose, axis: str) -> tuple[Pose, tuple[float, float, float]]:
    """Return the pose of a joint in a body, turned as that is, and its axis there."""
    along = X_BJ.R @ AXES[axis]
    x, y, z = np.where(np.abs(along) < ROUNDED, 0.0, along).tolist()
    return Pose(np.eye(3), as_written(X_BJ.p)), (x, y, z)


def _end(robot: UsdRobot, path: str, frame: Sequence[Any], place: Prim) -> _End:
    X_BJ = rigid(*affine(frame, place))[0]
    body = robot.every_body.get(path)
    if body is None:
        local = Pose(X_BJ.R, X_BJ.p * robot.units.meters)
        return _End(WORLD, robot.up @ local, robot.up @ local)
    local = Pose(X_BJ.R, body.scale * X_BJ.p * robot.units.meters)
    there = body.pose @ local
    return _End(body.name, local, there) if body.given["enabled"] else _End(WORLD, there, there)


def _kind(given: Mapping[str, Any]) -> tuple[JointKind | None, str, Sequence[float | None]]:
    """Return the kind of a joint, None for one that is not read, the name of its axis, and its limits."""
    if given["type"] != GENERIC:
        return KINDS.get(given["type"]), given["axis"], (given["lower"], given["upper"])
    limits = given["limits"]
    free = [name for name in (*TURNS, *MOVES) if not _is_locked(limits.get(name))]
    if not free or tuple(free) == TURNS:
        return "ball" if free else "fixed", "X", (None, None)
    if len(free) > 1:
        return None, "X", (None, None)
    return "prismatic" if free[0] in MOVES else "revolute", free[0][-1], limits.get(free[0], (None, None))


def _is_locked(limit: Sequence[float | None] | None) -> bool:
    """Return True if an axis cannot move: its lower limit is above the upper one."""
    if limit is None:
        return False
    low, high = limit
    return (-inf if low is None else low) > (inf if high is None else high)


def _at_rest(kind: JointKind, axis: FloatArray, first: _End, second: _End) -> tuple[float, float, float]:
    """Return the position of a joint in the stage, and how far its frames are apart besides that [m, rad], or 0."""
    X_JJ = first.X_WJ.inverse() @ second.X_WJ
    *vector, w = X_JJ.to_quaternion().tolist()
    turns, slides = kind in ("revolute", "continuous"), kind == "prismatic"
    turn = 2.0 * atan2(float(axis @ vector), w) if turns else 0.0
    slide = float(axis @ X_JJ.p) if slides else 0.0
    half = turn / 2.0
    rest = Pose.from_quaternion(np.zeros(3), (*(-np.sin(half) * axis), np.cos(half))).R @ X_JJ.R
    angle = 0.0 if kind == "ball" else _angle(rest)
    distance = float(np.linalg.norm(X_JJ.p - slide * axis))
    size = max(float(np.linalg.norm(p)) for p in (first.X_BJ.p, second.X_BJ.p, X_JJ.p))
    rest = remainder(turn, tau) if abs(turn) > APART else slide if abs(slide) > APART * size else 0.0
    return rest, distance if distance > APART * size else 0.0, angle if angle > APART else 0.0


def _angle(R: FloatArray) -> float:
    """Return the angle of a rotation [rad]."""
    *vector, w = Pose(R, np.zeros(3)).to_quaternion().tolist()
    return 2.0 * atan2(float(np.linalg.norm(vector)), w)


def _from_rest(joint: Joint, rests: Mapping[str, float]) -> Joint:
    """Return a joint whose limits, and the offset from another one, are measured from the pose in the stage."""
    rest, mimic = rests[joint.name], joint.mimic
    lower, upper = (None if limit is None else limit - rest for limit in (joint.lower, joint.upper))
    if mimic is not None:
        offset = mimic.offset + mimic.multiplier * rests.get(mimic.joint, 0.0) - rest
        mimic = mimic._replace(offset=offset)
    return replace(joint, lower=lower, upper=upper, mimic=mimic)


def _tree(robot: UsdRobot, reads: Sequence[_Read]) -> tuple[list[Joint], dict[str, str]]:
    """Return the joints as a tree from the world, or from bodies that are second in none; and each link's parent.

    A joint may be written from the child to the parent. One that is excluded, or reaches a link again, closes a loop.
    """
    at: dict[str, list[_Read]] = {}
    for read in reads:
        if not read.is_loop:
            at.setdefault(read.joint.parent, []).append(read)
            at.setdefault(read.joint.child, []).append(read)
    second = {read.joint.child for read in reads if not read.is_loop}
    names = [body.name for body in robot.bodies]
    roots = [WORLD, *(name for name in names if name not in second), *names]
    parents: dict[str, str] = {}
    tree: dict[_Read, Joint] = {}
    reached: set[str] = set()
    for root in roots:
        waiting = [] if root in reached else [root]
        reached.add(root)
        while waiting:
            name = waiting.pop(0)
            for read in at.get(name, ()):
                joint = read.joint if read.joint.parent == name else read.reversed()
                if read not in tree and joint.child not in reached:
                    tree[read], parents[joint.child] = joint, name
                    reached.add(joint.child)
                    waiting.append(joint.child)
    loops = [read.reversed() if read.joint.child == WORLD else read.joint for read in reads if read not in tree]
    return [*tree.values(), *loops], parents


def usd_model(robot: UsdRobot, links: Sequence[UsdLink], tree: JointTree, findings: Sequence[Finding]) -> ImportedRobot:
    """Return a robot as a model; a link that nothing gives mass has the mode ``none``."""
    notes, lost = [*findings, *tree.left_out], list[LostPart]()
    imported = {link.local_name: _link(link, notes, lost) for link in links}
    stage, document = robot.stage, robot.document
    others = dict(stage["other"])
    if stage["uninstanced_colliders"]:
        others["colliders outside of all bodies"] = stage["uninstanced_colliders"]
    notes += elements_left_out(str(document.root), others, "info")
    between = {*imported, WORLD}
    joints = tuple(joint for joint in tree.joints if {joint.parent, joint.child} <= between)
    return ImportedRobot(
        document.path or Path(document.name),
        Model(robot.name, tuple(imported.values()), joints),
        {link.name: link.manual for link in imported.values()},
        {},
        tuple(dict.fromkeys(notes)),
        tuple(lost),
    )


def _link(link: UsdLink, notes: list[Finding], lost: list[LostPart]) -> Link:
    """Return a link whose parts can all be read; one that engines compute keeps the densities of its colliders.

    It has their numbers if these are not the sum of solids that can be read.
    """
    read, given, manual = link.drawn, link.given, link.inertial
    unread = any(isinstance(part.geometry, Unusable) for part in read.weighed)
    masses = [shape.own.mass for shape in link.read.colliders if shape.own.mass is not None]
    shapes_differ = any(shape.own.has_own_shape for shape in link.read.colliders)
    if link.auto and (unread or shapes_differ or given.com is not None or (masses and given.mass is not None)):
        manual = link.body.inertial
    mode: InertiaMode = "manual" if manual is not None else "filled" if link.auto else "none"
    return replace(
        read,
        name=link.local_name,
        mode=mode,
        manual=manual,
        mass=given.mass if mode == "filled" else None,
        collisions=tuple(_readable(link.local_name, read.collisions, notes, lost)),
        visuals=tuple(_readable(link.local_name, read.visuals, notes, lost)),
    )


def _readable(link: str, parts: Sequence[_Shown], notes: list[Finding], lost: list[LostPart]) -> Iterator[_Shown]:
    for part in parts:
        if isinstance(part.geometry, Unusable):
            lost.append(LostPart(link, part_key(part)))
            notes.append(mesh_not_imported(f"'{part.name}'", part.geometry.error))
        else:
            yield part
