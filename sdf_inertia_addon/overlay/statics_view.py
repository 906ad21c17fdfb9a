# SPDX-License-Identifier: GPL-3.0-or-later
"""Statics as lines: what each joint's motor holds, and the centre of mass above the ground. Plain numpy, no GPU."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import copysign, pi

import numpy as np

from ...core.arrays import FloatArray
from ...core.robot.model import Joint
from ...core.statics.support import Support
from ..colors import ERROR, TOTAL, WARNING, Color
from ..live.statics import LiveStatics
from .camera import Camera
from .joint_view import HEAD, JointView, Lines, arc, basis
from .texts import holds_text

ENOUGH: Color = (0.18, 0.80, 0.56)
"""Of a motor with torque to spare, and of what the robot stands on."""

SPARE = 2.0
"""A motor whose effort is below so many times the torque has little left to move with."""

RADIUS, OFFSET, LONGEST, TURN = 34.0, 9.0, 60.0, 1.5 * pi
"""Of a torque's arc; of a force's arrow its distance from the axis and its greatest length [interface px]; the greatest
angle of an arc [rad]."""

LEAST = 0.02
"""Torques below this share of the largest have no mark."""

MARK = 9.0
"""Half the arms of the cross on the ground below the centre of mass [interface px]."""


@dataclass(frozen=True, eq=False)
class Load:
    """What a joint's motor holds.

    Parameters
    ----------
    view : JointView
    torque : float
        About its axis [N·m, of a slider N].
    share : float
        Of the largest of the robot's torques, or of its forces: -1 to 1.
    """

    view: JointView
    torque: float
    share: float

    @property
    def text(self) -> str:
        """What its motor holds, and of how much."""
        return holds_text(self.view.joint, self.torque)

    def strips(self, pixel: float) -> list[FloatArray]:
        """Return its lines, each as points (k, 3) about the joint's origin; `pixel` is one of the interface."""
        axis = self.view.axis()
        if self.view.joint.kind == "prismatic":
            along, aside = self.share * LONGEST * pixel * axis, OFFSET * pixel * basis(axis)[0]
            return [np.stack([aside, aside + along]), *_head(aside + along, copysign(pixel, self.share) * axis, aside)]
        points = RADIUS * pixel * arc(axis, 0.0, abs(self.share) * TURN)
        points = points if self.share > 0.0 else points - 2.0 * np.outer(points @ basis(axis)[1], basis(axis)[1])
        way = points[-1] - points[-2]
        return [points, *_head(points[-1], pixel * way / np.linalg.norm(way), points[-1])]


@dataclass(frozen=True, eq=False)
class StaticsView:
    """The statics of a robot as they are shown.

    Parameters
    ----------
    loads : tuple of Load
    com : ndarray, shape (3,), or None
        The robot's centre of mass in the world [m].
    support : Support or None
        What it stands on; without it the ground is at z = 0.
    problem : str
        Why nothing is shown.
    crowded : bool
        Its marks are half as large.
    """

    loads: tuple[Load, ...] = ()
    com: FloatArray | None = None
    support: Support | None = None
    problem: str = ""
    crowded: bool = False

    @classmethod
    def of(cls, statics: LiveStatics, views: Sequence[JointView], crowded: bool = False) -> StaticsView:
        """Return how the statics of a model are shown at some of its joints."""
        return cls(
            loads_of(views, statics.torques, statics.quiet), statics.com, statics.support, statics.problem, crowded
        )

    @property
    def color(self) -> Color:
        """Of what is on the ground."""
        return TOTAL if self.support is None else ENOUGH if self.support.inside else ERROR

    @property
    def texts(self) -> Mapping[str, str]:
        """The text of the load of each joint, by the name of its child."""
        return {load.view.joint.child: load.text for load in self.loads}

    def lines(self, camera: Camera, metres_per_unit: float) -> Lines:
        """Return starts (n, 3) and ends (n, 3) of lines in Blender units, and their colours (n, 3)."""
        strips: list[tuple[FloatArray, Color]] = []
        for load in self.loads:
            origin = load.view.frame.p / metres_per_unit
            if abs(load.share) >= LEAST and np.all(np.isfinite(camera.project(origin))):
                pixel = camera.units_per_pixel(origin) * camera.scale * (0.5 if self.crowded else 1.0)
                color = margin_color(load.view.joint, load.torque)
                strips += [(origin + strip, color) for strip in load.strips(pixel)]
        strips += [(strip / metres_per_unit, self.color) for strip in self._on_ground(camera, metres_per_unit)]
        if not strips:
            return np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 3))
        starts, ends = (np.concatenate([strip[part] for strip, _ in strips]) for part in (slice(-1), slice(1, None)))
        return starts, ends, np.concatenate([np.tile(color, (len(strip) - 1, 1)) for strip, color in strips])

    def _on_ground(self, camera: Camera, metres_per_unit: float) -> list[FloatArray]:
        """Return the support polygon, and the line from the centre of mass to its cross on the ground [m]."""
        if self.com is None:
            return []
        ground = 0.0 if self.support is None else self.com[2] - self.support.height
        below = np.array([*self.com[:2], ground])
        arms = MARK * camera.units_per_pixel(below / metres_per_unit) * camera.scale * metres_per_unit
        strips = [np.stack([self.com, below]), *(below + np.outer([-arms, arms], axis) for axis in np.eye(3)[:2])]
        if self.support is not None and len(self.support.polygon) > 1:
            corners = np.column_stack([self.support.polygon, np.full(len(self.support.polygon), ground)])
            strips.append(np.concatenate([corners, corners[:1]]))
        return strips


def margin_color(joint: Joint, torque: float) -> Color:
    """Return the colour of a torque: green, yellow or red by how often the effort limit is that; grey without limit."""
    if not joint.effort:
        return TOTAL
    times = joint.effort / abs(torque) if torque else SPARE
    return ENOUGH if times >= SPARE else WARNING if times >= 1.0 else ERROR


def loads_of(views: Sequence[JointView], torques: Mapping[str, float], quiet: float = 0.0) -> tuple[Load, ...]:
    """Return what the motors of joints hold, relative to the largest of their kind, or to `quiet` if that is more."""
    held = [(view, torques[view.joint.name]) for view in views if view.joint.name in torques]
    largest = {True: quiet, False: quiet}
    for view, torque in held:
        slides = view.joint.kind == "prismatic"
        largest[slides] = max(largest[slides], abs(torque))
    wholes = [largest[view.joint.kind == "prismatic"] or 1.0 for view, _ in held]
    return tuple(Load(view, torque, torque / whole) for (view, torque), whole in zip(held, wholes, strict=True))


def _head(tip: FloatArray, way: FloatArray, across: FloatArray) -> list[FloatArray]:
    """Return both sides of an arrow head at a tip; `way` has the length of a pixel, `across` any."""
    side = HEAD * np.linalg.norm(way) * across / np.linalg.norm(across)
    return [np.stack([tip, tip - HEAD * way + sign * 0.5 * side]) for sign in (-1.0, 1.0)]
