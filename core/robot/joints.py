# SPDX-License-Identifier: Apache-2.0
"""The joints of a model: which can be written, what is wrong with the others, and how they move links."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, count
from math import cos, hypot, isfinite, pi, radians, remainder, sin

import numpy as np

from ..body.pose import Pose
from ..errors import Finding
from ..units import few_text, numbers_text
from .model import WORLD, Joint, Model

AXES = {"revolute": 1, "continuous": 1, "prismatic": 1, "screw": 1, "universal": 2, "fixed": 0, "ball": 0}
"""Number of axes of a joint of each kind."""

FEW_TURNS = 8.0 * pi
"""A hinge with larger limits [rad] turns more than four times to one side: it is a winch, or its limits are degrees."""


def with_checked_joints(model: Model) -> Model:
    """Return a model in kinematic order with the joints that can be written, and findings about them.

    Empty links are not written, and neither are joints to them.

    Returns
    -------
    Model
        With findings about joints, by the name of the child, or of the model: ``joint_parent_missing``, ``axis_zero``,
        ``limits_swapped``, ``joint_loop`` and ``no_root`` (errors), ``limits_in_degrees``, ``no_leader``,
        ``two_parents`` and ``free_links`` (warnings).
    """
    names = [link.name for link in model.links if not link.empty]
    empty = {link.name for link in model.links if link.empty}
    joints = [joint for joint in model.joints if not {joint.parent, joint.child} & empty]
    faults = {joint.name: _fault(joint, {*names, WORLD}) for joint in joints}
    good = [joint for joint in joints if faults[joint.name] is None]
    findings = [fault for fault in faults.values() if fault is not None]
    findings += [doubt for joint in good for doubt in wrong_numbers(joint)]
    good, lost = named(good, {joint.name: joint.name for joint in good})
    leaders = ((joint, joint.mimic.joint) for joint in lost if joint.mimic is not None)
    findings += [Finding.of("warning", "no_leader", joint.child, leader=leader) for joint, leader in leaders]
    circle = _in_circles(good)
    findings += [Finding.of("error", "joint_loop", name, "itself") for name in sorted(circle)]
    children = Counter(joint.child for joint in good)
    several = {name: count for name, count in sorted(children.items()) if count > 1}
    findings += [Finding.of("warning", "two_parents", name, count=count) for name, count in several.items()]
    root = root_of(names, good)
    if root is None and names:
        findings.append(Finding.of("error", "no_root", model.name))
    elif root is not None and not model.static:
        findings += _free(model.name, names, good, root)
    place = {name: number for number, name in enumerate(kinematic_order((link.name for link in model.links), good))}
    return replace(
        model,
        links=tuple(sorted(model.links, key=lambda link: place[link.name])),
        joints=tuple(sorted(good, key=lambda joint: place.get(joint.child, -1))),
        frames=tuple(sorted(model.frames, key=lambda frame: place.get(frame.attached_to, -1))),
        findings=(*model.findings, *findings),
    )


def named(joints: Iterable[Joint], names: Mapping[str, str]) -> tuple[list[Joint], list[Joint]]:
    """Return the joints with new names, and those that cannot follow the joint that they mimic, as they were.

    A joint with one axis can follow another such joint.
    """
    every = list(joints)
    moving = {joint.name for joint in every if AXES[joint.kind] == 1}
    renamed, lost = [], []
    for joint in every:
        mimic = joint.mimic
        if mimic is not None:
            if mimic.joint != joint.name and {mimic.joint, joint.name} <= moving:
                mimic = mimic._replace(joint=names[mimic.joint])
            else:
                mimic = None
                lost.append(joint)
        renamed.append(replace(joint, name=names[joint.name], mimic=mimic))
    return renamed, lost


def kinematic_order(names: Iterable[str], joints: Iterable[Joint]) -> list[str]:
    """Return links depth-first from the root, siblings by name; then the other trees, by the names of their roots."""
    names, joints = sorted(names), tuple(joints)
    joint_of = own_joints(joints)
    below: dict[str, list[str]] = {}
    for name in names:
        below.setdefault(joint_of[name].parent if name in joint_of else "", []).append(name)
    # A stack: the root is taken first, then the other links without a joint above, and last what only circles reach.
    waiting = [*reversed(names), *reversed(below.get("", ())), root_of(names, joints) or ""]
    order: dict[str, None] = {}
    while waiting:
        name = waiting.pop()
        if name not in order:
            order[name] = None
            waiting += reversed(below.get(name, ()))
    return [name for name in order if name not in (WORLD, "")]


def root_of(names: Iterable[str], joints: Iterable[Joint]) -> str | None:
    """Return the world if a joint has it as parent, else the root link with the most descendants."""
    joints = tuple(joints)
    if any(joint.parent == WORLD for joint in joints):
        return WORLD
    children = {joint.child for joint in joints}
    roots = [name for name in names if name not in children]
    return max(roots, key=lambda name: len(_reached(name, joints)), default=None)


def with_fixed_base(model: Model) -> Model:
    """Return a model whose root a joint of its own fixes to the world; unchanged if one to the world is there."""
    root = root_of((link.name for link in model.links), model.joints)
    if root is None or root == WORLD:
        return model
    taken = {item.name for items in (model.links, model.joints, model.frames) for item in items}
    names = chain(["fixed_base"], (f"fixed_base_{number}" for number in count(2)))
    joint = Joint(next(name for name in names if name not in taken), "fixed", WORLD, root)
    return replace(model, joints=(joint, *model.joints))


def own_joints(joints: Iterable[Joint]) -> dict[str, Joint]:
    """Return the joint of each child: its first; further ones close loops."""
    joint_of: dict[str, Joint] = {}
    for joint in joints:
        joint_of.setdefault(joint.child, joint)
    return joint_of


def split_tree(joints: Iterable[Joint], names: Iterable[str]) -> tuple[list[Joint], list[Joint]]:
    """Return the joints between links or the world: the first of each child, and the others, which close loops."""
    there = {*names, WORLD}
    between = [joint for joint in joints if {joint.parent, joint.child} <= there]
    joint_of = own_joints(between)
    return list(joint_of.values()), [joint for joint in between if joint_of[joint.child] is not joint]


def leaders_of(joints: Sequence[Joint]) -> dict[str, tuple[str, float, float]]:
    """Return for each joint that mimics one the joint that moves it at last, with the multiplier and the offset."""
    movable = {joint.name: joint for joint in own_joints(joints).values() if AXES[joint.kind] == 1}
    leaders: dict[str, tuple[str, float, float]] = {}
    for name in movable:
        leader, multiplier, offset, passed = movable[name], 1.0, 0.0, {name}
        while (mimic := leader.mimic) is not None and mimic.joint in movable.keys() - passed:
            passed.add(mimic.joint)
            offset += multiplier * mimic.offset
            multiplier *= mimic.multiplier
            leader = movable[mimic.joint]
        if leader.name != name and leader.mimic is None and isfinite(multiplier) and isfinite(offset):
            leaders[name] = leader.name, multiplier, offset
    return leaders


def motion(joint: Joint, position: float) -> Pose:
    """Return the motion of a joint's child at a position, in the joint's frame.

    Parameters
    ----------
    position : float
        [rad], of a prismatic joint [m]; of a universal joint about its first axis. Fixed joints and balls do not move.
    """
    if joint.kind in ("fixed", "ball") or position == 0.0:
        return Pose.identity
    axis = np.array(joint.axis) / hypot(*joint.axis)
    if joint.kind == "prismatic":
        return Pose(np.eye(3), position * axis)
    # A rotation by an angle about an axis u is the quaternion (u sin, cos) of half the angle; a screw also advances by
    # its pitch with each revolution.
    x, y, z = sin(position / 2.0) * axis
    along = position / (2.0 * pi) * joint.pitch if joint.kind == "screw" else 0.0
    return Pose.from_quaternion(along * axis, (float(x), float(y), float(z), cos(position / 2.0)))


def posed(frames: Mapping[str, Pose], joints: Iterable[Joint], positions: Mapping[str, float]) -> dict[str, Pose]:
    """Return the poses of links when their joints are at other positions.

    Parameters
    ----------
    frames : mapping of str to Pose
        Pose of each link with all joints at 0, in any common frame.
    joints : iterable of Joint
        If a child has several, the first one applies: loops are not closed.
    positions : mapping of str to float
        Of joints by name, see `motion`; 0 for all others.

    Returns
    -------
    dict of str to Pose
        Of the links that move.
    """
    if not any(positions.values()):
        return {}
    joint_of = own_joints(joints)
    shifts: dict[str, Pose] = {}

    def shift(name: str) -> Pose:
        """Return the motion of a link from its pose with all joints at 0; `Pose.identity` itself if it stays."""
        if name not in joint_of or name not in frames:
            return Pose.identity
        if name not in shifts:
            shifts[name] = Pose.identity  # a link in a loop
            joint = joint_of[name]
            shifts[name] = shift(joint.parent)
            moved = motion(joint, positions.get(joint.name, 0.0))
            if moved is not Pose.identity:  # expressed in the common frame, and on top of the parent's
                there = frames[name] @ joint.pose
                shifts[name] @= there @ moved @ there.inverse()
        return shifts[name]

    return {name: shift(name) @ frame for name, frame in frames.items() if shift(name) is not Pose.identity}


def is_beyond(joint: Joint, position: float) -> bool:
    """Return True if a position is outside a joint's limits."""
    return (joint.lower is not None and position < joint.lower) or (joint.upper is not None and position > joint.upper)


def wrong_numbers(joint: Joint) -> Iterator[Finding]:
    """Yield what is wrong with the numbers of a joint by themselves, about its child: errors, or a warning."""
    for axis in (joint.axis, joint.axis2)[: AXES[joint.kind]]:
        if not all(map(isfinite, axis)) or not any(axis):
            yield Finding.of("error", "axis_zero", joint.child, "joint", axis=numbers_text(axis))
    lower, upper = joint.lower, joint.upper
    if AXES[joint.kind] == 0 or lower is None or upper is None:
        return
    if not lower <= upper:
        yield Finding.of("error", "limits_swapped", joint.child, lower=lower, upper=upper)
    elif joint.kind == "revolute" and _are_degrees(lower, upper):
        values = {"turns": (upper - lower) / (2.0 * pi), "least": radians(lower), "most": radians(upper)}
        yield Finding.of("warning", "limits_in_degrees", joint.child, lower=lower, upper=upper, **values)


def _are_degrees(lower: float, upper: float) -> bool:
    """Return True if limits in radians are plainly angles in degrees.

    A joint that winds up a cable may turn as often. Its limits are turns, perhaps rounded to whole radians, and hardly
    round angles. Limits of ±100 mean none.
    """
    return (
        FEW_TURNS < max(-lower, upper) <= 360.0
        and (lower, upper) != (-100.0, 100.0)
        and all(limit.is_integer() for limit in (lower, upper))
        and all(limit % 5.0 == 0.0 or abs(remainder(limit, 2.0 * pi)) > 0.5 for limit in (lower, upper))
    )


def _fault(joint: Joint, there: set[str]) -> Finding | None:
    if joint.parent not in there or joint.child not in there:
        form = "unknown" if joint.parent else ""
        return Finding.of("error", "joint_parent_missing", joint.child, form, parent=joint.parent)
    if joint.parent == joint.child:
        return Finding.of("error", "joint_loop", joint.child, "own_parent")
    return next((finding for finding in wrong_numbers(joint) if finding.severity == "error"), None)


def _reached(root: str, joints: Iterable[Joint]) -> set[str]:
    """Return a root and all links below it, through any number of joints."""
    below: dict[str, list[str]] = {}
    for joint in joints:
        below.setdefault(joint.parent, []).append(joint.child)
    reached, waiting = {root}, [root]
    while waiting:
        new = [child for child in below.get(waiting.pop(), ()) if child not in reached]
        reached.update(new)
        waiting += new
    return reached


def _in_circles(joints: list[Joint]) -> set[str]:
    """Return the links that are their own ancestors."""
    below: dict[str, set[str]] = {}
    for joint in joints:
        below.setdefault(joint.parent, set()).add(joint.child)
    return {name for name in below if any(name in _reached(child, joints) for child in below[name]) and name != WORLD}


def free_links(names: Iterable[str], joints: Sequence[Joint]) -> list[str]:
    """Return the links that no joint holds, from the root on; without joints all of them, if there are several."""
    names = list(names)
    root = root_of(names, joints)
    reached = set() if root is None else _reached(root, joints)
    free = [name for name in names if name not in reached]
    return names if free and not joints else free


def _free(model: str, names: list[str], joints: list[Joint], root: str) -> list[Finding]:
    free = free_links(names, joints)
    if not free:
        return []
    if not joints:
        return [Finding.of("warning", "free_links", model, "all", total=len(names))]
    values = {"count": len(free), "total": len(names), "root": root, "links": few_text(free, 5)}
    return [Finding.of("warning", "free_links", model, **values)]
