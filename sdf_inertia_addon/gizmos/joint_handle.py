# SPDX-License-Identifier: GPL-3.0-or-later
"""Drag the position at which the active link's joint is shown; the links themselves stay where they are."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, degrees, radians
from typing import ClassVar

import bpy
import numpy as np

from ...core.arrays import FloatArray
from ...core.robot.joints import AXES
from ..overlay.joint_view import JointView
from ..scene.joint_reader import KINDS
from ..scene.properties import SDF_INERTIA_PG_object
from ..translations.words import iface_, n_
from . import strokes
from .centers import joint_views, object_of_link
from .drag import FINE, decimals, moved, rounded
from .handle import Handle, HandleTarget

RADIUS, REACH = 6.0, 5.0
"""Of the handle, and how far beside it a click counts [interface px]."""

DEGREES = 5.0
"""A step of an angle while Ctrl is held."""


@dataclass(frozen=True, eq=False)
class JointTarget(HandleTarget):
    """The active link's joint: `center` and `pixel` are those of the handle, `pivot` is the joint's place [px]."""

    view: JointView
    pivot: FloatArray


class SDF_INERTIA_GT_joint(Handle, bpy.types.Gizmo):
    bl_idname = "SDF_INERTIA_GT_joint"

    changes: ClassVar[tuple[str, ...]] = ("joint_position",)
    message = n_("Pose Joint")

    def find(self, context: bpy.types.Context) -> HandleTarget | None:
        shown = joint_views(context)
        view = next((view for view in shown.views if view.active), None) if shown is not None else None
        if shown is None or view is None or not AXES[view.joint.kind]:
            return None
        ob = object_of_link(context, view.joint.child)
        point = view.handle(shown.camera, shown.metres_per_unit)
        pixel, pivot = shown.camera.project(np.stack([point, view.frame.p / shown.metres_per_unit]))
        if ob is None or not ob.is_editable or not np.all(np.isfinite([pixel, pivot])):
            return None
        radius = RADIUS * shown.camera.scale
        return JointTarget(
            ob.name_full, view.frame, shown.camera, shown.metres_per_unit, point, pixel, radius, view, pivot
        )

    def applies(self, settings: SDF_INERTIA_PG_object) -> bool:
        return bool(AXES.get(KINDS.get(settings.joint_type, "fixed")))

    def covers(self, distance: float, link: HandleTarget) -> bool:
        return distance <= link.radius + REACH * link.camera.scale

    def draw_on(self, link: HandleTarget) -> None:
        lit = self.is_highlight or self.is_modal
        strokes.draw(strokes.circle(link.pixel, link.radius), link.camera, strokes.WHITE if lit else strokes.QUIET)

    def begin(self, link: HandleTarget) -> None:
        self.position = float(link.settings.joint_position)

    def change(self, link: HandleTarget, way: FloatArray, event: bpy.types.Event, tweak: set[str]) -> str:
        assert isinstance(link, JointTarget)
        fine = FINE if "PRECISE" in tweak else 1.0
        if link.view.joint.kind == "prismatic":
            axis = link.view.axis()
            there = moved(link.camera, link.center, fine * way, axis)
            self.position += float((there - link.center) @ axis)
            unit = link.camera.units_per_pixel(link.center)
            places = decimals(unit, 12.0 if "SNAP" in tweak else 1.0)
            link.settings.joint_position = float(rounded(self.position, places))
            length = f"{link.settings.joint_position * link.metres_per_unit:.4g} m"
            return iface_("{name} is shown at {position}", name=link.name, position=length)
        before, after = self.mouse - link.pivot, self.mouse + way - link.pivot
        turned = atan2(before[0] * after[1] - before[1] * after[0], float(before @ after))
        self.position += fine * turned * self._facing(link)
        step = radians(DEGREES if "SNAP" in tweak else 0.1)
        link.settings.joint_position = step * round(self.position / step)
        angle = f"{degrees(link.settings.joint_position):.1f}°"
        return iface_("{name} is shown at {position}", name=link.name, position=angle)

    def _facing(self, link: JointTarget) -> float:
        """Return 1 where the axis looks towards the eye: there the joint turns as the mouse does, else -1."""
        eye = link.camera.eye()
        sight = eye[:3] - eye[3] * link.frame.p / link.metres_per_unit
        return 1.0 if float(sight @ link.view.axis()) >= 0.0 else -1.0
