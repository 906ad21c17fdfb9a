# SPDX-License-Identifier: Apache-2.0
"""What the inertials of a robot mean for its motors and its feet: the rows that command, page and Blender show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import degrees

import numpy as np

from ..arrays import FloatArray
from ..errors import Finding, InertiaError
from ..robot.joints import is_beyond
from ..robot.model import Joint
from ..robot.report import Json, finding_json
from ..units import few_text
from .largest import Largest, largest_torques
from .mechanism import GRAVITY, Mechanism
from .support import Support, foot_points, lowest, standing, support

NOISE = 1e-12
"""Torques below this share of the robot's weight times its size are rounding errors: they are shown as 0."""


COLUMNS = ("joint", "position", "torque", "largest", "effort", "margin", "effective inertia")
"""Of a table of joints: see `JointStatics.cells`."""


@dataclass(frozen=True, eq=False)
class JointStatics:
    """A joint that moves.

    Parameters
    ----------
    joint : Joint
    position : float
        [rad or m].
    follows : str
        The joint that moves it, whose motor holds it too; empty if it has a motor of its own. Then the rest is None.
    torque : float or None
        What its motor gives to hold the pose [N·m, of a slider N].
    largest : float or None
        The largest that was found over the limits of all joints, with its sign.
    worst : mapping of str to float
        The pose that has it: the positions of the joints that matter.
    inertia : float or None
        What its motor accelerates [kg·m², of a slider kg].
    """

    joint: Joint
    position: float
    follows: str = ""
    torque: float | None = None
    largest: float | None = None
    worst: Mapping[str, float] | None = None
    inertia: float | None = None

    @property
    def effort(self) -> float | None:
        """The most that its motor gives; None if the file gives none, or 0, which many files have for unknown."""
        return self.joint.effort or None

    @property
    def margin(self) -> float | None:
        """How often the effort is the largest torque; None without either."""
        return self.effort / abs(self.largest) if self.effort and self.largest else None

    @property
    def unit(self) -> str:
        """Of its torque."""
        return "N" if self.joint.kind == "prismatic" else "N·m"

    @property
    def cells(self) -> tuple[str, ...]:
        """Its texts under `COLUMNS`."""
        slides = self.joint.kind == "prismatic"
        position = f"{self.position:.4g} {'m' if slides else 'rad'}"
        if self.torque is None:
            return self.joint.name, position, f"follows {self.follows}", "", "", "", ""
        torques = (f"{torque:.4g} {self.unit}" for torque in (self.torque, abs(self.largest or 0.0)))
        effort = "" if self.effort is None else f"{self.effort:.4g} {self.unit}"
        margin = "" if self.margin is None else f"{self.margin:.3g}×" if self.margin >= 1.0 else "too weak"
        inertia = f"{self.inertia:.4g} {'kg' if slides else 'kg·m²'}"
        return self.joint.name, position, *torques, effort, margin, inertia

    def to_dict(self) -> Json:
        """Return it as JSON has it, SI."""
        return {
            "name": self.joint.name,
            "kind": self.joint.kind,
            "follows": self.follows or None,
            "position": self.position,
            "torque": self.torque,
            "largest": self.largest,
            "worst_pose": None if self.worst is None else dict(self.worst),
            "effort": self.effort,
            "margin": self.margin,
            "effective_inertia": self.inertia,
        }


@dataclass(frozen=True, eq=False)
class Statics:
    """A robot at rest in a pose.

    Parameters
    ----------
    name : str
        Of the model.
    joints : tuple of JointStatics
    mass : float
        [kg], with the payload.
    com : ndarray, shape (3,)
        In the model's frame [m].
    feet : tuple of str
        The links that it stands on, which were given or are lowest.
    support : Support or None
        None if it is fixed to the world and no feet are given, or if no link has a geometry.
    findings : tuple of Finding
    """

    name: str
    joints: tuple[JointStatics, ...]
    mass: float
    com: FloatArray
    feet: tuple[str, ...]
    support: Support | None
    findings: tuple[Finding, ...]

    @property
    def stance(self) -> str:
        """What it stands on, and by how much it can be tilted, as a sentence; empty without a support."""
        if self.support is None:
            return ""
        feet = few_text([*self.feet], 6)
        if not self.support.inside or self.support.edge is None:
            return f"On {feet}, its centre of mass is not above its feet."
        x, y = self.support.edge.direction + 0.0
        return (
            f"On {feet}, its centre of mass is {self.support.height:.4g} m high; tilted by"
            f" {degrees(self.support.angle):.3g}° toward ({x:.2f}, {y:.2f}) it tips over."
        )

    def worst_pose(self, name: str) -> Mapping[str, float]:
        """Return the pose that loads a joint most; raises InertiaError ``pose_refused`` for a joint without any."""
        poses = {row.joint.name: row.worst for row in self.joints if row.worst is not None}
        if name not in poses:
            raise InertiaError.of("pose_refused", name, "unknown", name=name, near=few_text([*poses], 8) or "none")
        return poses[name]

    def to_dict(self) -> Json:
        """Return what ``sdf-inertia statics --json`` prints of a model, SI."""
        ground: Json | None = None
        if self.support is not None:
            direction = None if self.support.edge is None else self.support.edge.direction.tolist()
            ground = {
                "feet": [*self.feet],
                "polygon": self.support.polygon.tolist(),
                "height": self.support.height,
                "inside": self.support.inside,
                "tip_over_angle": self.support.angle,
                "direction": direction,
            }
        return {
            "name": self.name,
            "mass": self.mass,
            "com": self.com.tolist() if self.mass else None,
            "joints": [joint.to_dict() for joint in self.joints],
            "support": ground,
            "findings": [finding_json(finding) for finding in self.findings],
        }


def statics(
    mechanism: Mechanism,
    values: Mapping[str, float] | None = None,
    feet: Iterable[str] = (),
    floating: bool = False,
    largest: Largest | None = None,
) -> Statics:
    """Return the torques, the inertias and the support of a robot in a pose.

    Parameters
    ----------
    mechanism : Mechanism
    values : mapping of str to float
        Positions of joints [rad or m]; 0 for the others.
    feet : iterable of str
        The links that it stands on; by default those that are lowest.
    floating : bool
        For the effective inertia, the root moves freely.
    largest : Largest
        Those of `largest_torques`, which do not depend on the pose; computed if they are not given.

    Raises
    ------
    InertiaError
        ``pose_refused``, or ``unknown_link`` or ``no_feet`` for a foot.
    """
    values = values or {}
    q = mechanism.positions(values)
    largest = largest_torques(mechanism) if largest is None else largest
    com = mechanism.com(q[None])[0]
    feet = tuple(feet)
    links, ground = _support(mechanism, q, com, feet)
    rows = tuple(_rows(mechanism, q, floating, largest))
    findings = [*mechanism.notes, *_pose_findings(mechanism, values), *_weak(rows)]
    if feet and ground is not None and not ground.inside:  # the root of an arm without feet is bolted down
        findings.append(Finding.of("warning", "tips_over", mechanism.model.name, feet=few_text([*links], 4)))
    return Statics(mechanism.model.name, rows, mechanism.mass, com, links, ground, tuple(findings))


def _rows(mechanism: Mechanism, q: FloatArray, floating: bool, largest: Largest) -> Iterator[JointStatics]:
    lower, upper = mechanism.ranges
    span = np.abs(mechanism.point - mechanism.point.mean(axis=0)).max() if len(mechanism.joints) else 0.0
    noise = NOISE * GRAVITY * mechanism.mass * (span + 1.0)
    torques = _quiet(mechanism.gravity_torques(q[None])[0], noise)
    found_torques = _quiet(largest.torques, noise)
    inertias = mechanism.effective_inertia(q[None], floating)[0]
    every = mechanism.reduction @ q + mechanism.offset
    for joint, position in zip(mechanism.joints, every.tolist(), strict=True):
        if joint.name in mechanism.followed:
            yield JointStatics(joint, position, mechanism.followed[joint.name])
            continue
        number = mechanism.free.index(joint.name)
        worst = largest.positions[number]
        matters = mechanism.matters[number]
        pose = {name: float(worst[column]) for column, name in enumerate(mechanism.free) if matters[column]}
        torque, most = float(torques[number]), float(found_torques[number])
        yield JointStatics(joint, position, "", torque, most, pose, float(inertias[number]))


def _quiet(torques: FloatArray, noise: float) -> FloatArray:
    return np.where(np.abs(torques) <= noise, 0.0, torques)


def _support(
    mechanism: Mechanism, q: FloatArray, com: FloatArray, feet: tuple[str, ...]
) -> tuple[tuple[str, ...], Support | None]:
    links = {link.name: link for link in mechanism.model.links}
    for name in feet:
        if name not in links:
            raise InertiaError.of("unknown_link", name, "feet", name=name, links=few_text([*links], 8))
    if not mechanism.mass or (mechanism.fixed and not feet):
        return (), None
    poses = mechanism.poses(q)
    points = {name: foot_points(links[name], poses[name]) for name in feet or links}
    for name in feet:
        if not len(points[name]):
            raise InertiaError.of("no_feet", name, "", name=name)
    names = tuple(feet or standing(points))
    if not names:
        return (), None
    return names, support(np.concatenate([lowest(points[name]) for name in names]), com)


def _pose_findings(mechanism: Mechanism, values: Mapping[str, float]) -> Iterator[Finding]:
    of = {joint.name: joint for joint in mechanism.joints}
    for name, value in values.items():
        if name in mechanism.followed:
            yield Finding.of("warning", "pose_refused", name, "follower", name=name, leader=mechanism.followed[name])
        elif is_beyond(of[name], value):
            limits = {"lower": of[name].lower, "upper": of[name].upper}
            yield Finding.of("warning", "pose_refused", name, "beyond", name=name, value=value, **limits)


def _weak(rows: Iterable[JointStatics]) -> Iterator[Finding]:
    for row in rows:
        if row.margin is not None and row.margin < 1.0:
            values = {"effort": row.effort, "largest": abs(row.largest or 0.0), "unit": row.unit}
            yield Finding.of("warning", "weak_motor", row.joint.name, name=row.joint.name, **values)
