# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints as lines: the axis as an arrow, limits as an arc or a bar, and the position shown. Plain numpy, no GPU."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, hypot, pi

import numpy as np

from ...core.arrays import FloatArray
from ...core.body.pose import Pose
from ...core.robot.joints import AXES, is_beyond
from ...core.robot.model import Joint
from ..colors import ERROR, Color
from .camera import Camera

COLOR: Color = (0.35, 0.82, 0.95)
ACTIVE_COLOR: Color = (1.0, 1.0, 1.0)

ARROW, BEHIND, HEAD = 44.0, 12.0, 8.0
"""How far an axis reaches ahead and behind, and its arrow head [interface px]."""

RADIUS, TICK = 26.0, 6.0
"""Of arcs; half the length of what marks an end or the position [interface px]."""

CROSS, BALL = 6.0, 10.0
"""Half the arms of a fixed joint's cross; radius of a ball's rings [interface px]."""

STEP = pi / 24.0
"""The longest step of an arc [rad]."""


@dataclass(frozen=True, eq=False)
class JointView:
    """One joint as it is shown.

    Parameters
    ----------
    joint : Joint
    frame : Pose
        The joint's on its parent's side, in the world [m]: where the child's is at position 0.
    position : float
        The one shown [rad, m].
    active : bool
        Its child is the active link.
    """

    joint: Joint
    frame: Pose
    position: float = 0.0
    active: bool = False

    @property
    def beyond(self) -> bool:
        """Return True if the position is outside the limits."""
        return is_beyond(self.joint, self.position)

    @property
    def color(self) -> Color:
        return ERROR if self.beyond else ACTIVE_COLOR if self.active else COLOR

    def axis(self, second: bool = False) -> FloatArray:
        """Return an axis (3,) in the world, of length 1."""
        axis = self.joint.axis2 if second else self.joint.axis
        unit: FloatArray = self.frame.R @ (np.array(axis) / hypot(*axis))
        return unit

    def handle(self, camera: Camera, metres_per_unit: float) -> FloatArray:
        """Return where the position is dragged (3,), in Blender units: on the arc, or ahead on the axis."""
        origin = self.frame.p / metres_per_unit
        pixel = camera.units_per_pixel(origin) * camera.scale
        axis = self.axis()
        if self.joint.kind == "prismatic":
            tip: FloatArray = origin + (self.position / metres_per_unit + (ARROW + 2.0 * HEAD) * pixel) * axis
            return tip
        on_arc: FloatArray = origin + RADIUS * pixel * _turned(axis, self.position)
        return on_arc


Lines = tuple[FloatArray, FloatArray, FloatArray]


def lines_of(views: Sequence[JointView], camera: Camera, metres_per_unit: float) -> Lines:
    """Return starts (n, 3) and ends (n, 3) of lines in Blender units, and their colours (n, 3)."""
    starts, ends, colors = [], [], []
    for view in views:
        origin = view.frame.p / metres_per_unit
        if not np.all(np.isfinite(camera.project(origin))):
            continue
        pixel = camera.units_per_pixel(origin) * camera.scale
        strips = [origin + strip for strip in _strips(view, pixel, metres_per_unit)]
        for strip in strips:
            starts.append(strip[:-1])
            ends.append(strip[1:])
            colors.append(np.tile(view.color, (len(strip) - 1, 1)))
    if not starts:
        return np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 3))
    return np.concatenate(starts), np.concatenate(ends), np.concatenate(colors)


def _strips(view: JointView, pixel: float, metres_per_unit: float) -> list[FloatArray]:
    """Return the lines of a joint, each as points (k, 3) about its origin."""
    kind = view.joint.kind
    if kind == "fixed":
        return [np.outer([-1.0, 1.0], CROSS * pixel * axis) for axis in view.frame.R.T]
    if kind == "ball":
        return [BALL * pixel * arc(axis, 0.0, 2.0 * pi) for axis in view.frame.R.T]
    strips = [strip for second in (False, True)[: AXES[kind]] for strip in _arrow(view.axis(second), pixel)]
    axis, lower, upper = view.axis(), view.joint.lower, view.joint.upper
    if kind == "prismatic":
        bounds = [bound / metres_per_unit for bound in (lower, upper) if bound is not None]
        if bounds:
            strips.append(np.outer([min(0.0, *bounds), max(0.0, *bounds)], axis))
        across = TICK * pixel * basis(axis)[0]
        marks = [*bounds, *([view.position / metres_per_unit] if view.position else [])]
        return strips + [mark * axis + np.outer([-1.0, 1.0], across) for mark in marks]
    first, last = (-pi, pi) if lower is None or upper is None else (lower, min(upper, lower + 2.0 * pi))
    strips.append(RADIUS * pixel * arc(axis, first, last))
    marks = [bound for bound in (lower, upper) if bound is not None] + ([view.position] if view.position else [])
    for mark in marks:
        strips.append(np.outer([RADIUS - TICK, RADIUS + TICK], pixel * _turned(axis, mark)))
    if view.position:
        strips.append(np.outer([0.0, RADIUS], pixel * _turned(axis, view.position)))
    return strips


def _arrow(axis: FloatArray, pixel: float) -> list[FloatArray]:
    tip, back = ARROW * pixel * axis, (ARROW - HEAD) * pixel * axis
    heads = [np.stack([tip, back + 0.5 * HEAD * pixel * side * across]) for across in basis(axis) for side in (-1, 1)]
    return [np.outer([-BEHIND, ARROW], pixel * axis), *heads]


def basis(axis: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return two unit vectors at right angles to an axis and each other, always the same two."""
    first = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
    first /= np.linalg.norm(first)
    return first, np.cross(axis, first)


def _turned(axis: FloatArray, angle: float) -> FloatArray:
    first, second = basis(axis)
    turned: FloatArray = np.cos(angle) * first + np.sin(angle) * second
    return turned


def arc(axis: FloatArray, first: float, last: float) -> FloatArray:
    """Return points (k, 3) of an arc of radius 1 about an axis through the origin, between two angles [rad]."""
    first_axis, second_axis = basis(axis)
    angles = np.linspace(first, last, max(2, ceil((last - first) / STEP) + 1))[:, None]
    points: FloatArray = np.cos(angles) * first_axis + np.sin(angles) * second_axis
    return points
