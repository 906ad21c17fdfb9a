# SPDX-License-Identifier: GPL-3.0-or-later
"""Drag the centre of mass of a link whose inertia is manual."""

from __future__ import annotations

from typing import ClassVar

import bpy
import numpy as np

from ...core.arrays import FloatArray
from ...core.units import point_text
from ..colors import Color
from ..overlay.draw import AXIS_COLORS
from ..preferences import units
from ..scene.properties import SDF_INERTIA_PG_object
from ..translations.words import iface_, n_
from . import strokes
from .drag import FINE, GRAIN, SEEN_FROM_ITS_END, STEP, decimals, moved, rounded
from .handle import Handle, HandleTarget

REACH, HEAD = 6.0, 5.0
"""From the ball to the arrow heads, and their size [interface px]."""

KEYS = {"X": 0, "Y": 1, "Z": 2}


class SDF_INERTIA_GT_manual_center(Handle, bpy.types.Gizmo):
    bl_idname = "SDF_INERTIA_GT_manual_center"

    changes: ClassVar[tuple[str, ...]] = ("manual_com",)
    message = n_("Move Centre of Mass")
    hints = (n_("X, Y, Z: along an axis of the link"), *Handle.hints)

    def applies(self, settings: SDF_INERTIA_PG_object) -> bool:
        return bool(settings.inertia == "MANUAL")

    def covers(self, distance: float, link: HandleTarget) -> bool:
        return distance <= link.radius + (REACH + HEAD) * link.camera.scale

    def draw_on(self, link: HandleTarget) -> None:
        scale = link.camera.scale
        radius = link.radius + REACH * scale
        heads = strokes.chevrons(link.pixel, radius, HEAD * scale)
        strokes.draw(heads, link.camera, strokes.WHITE if self.is_highlight or self.is_modal else strokes.QUIET)
        if self.is_modal and self.axis is not None:
            self._draw_axis(link, AXIS_COLORS[self.axis])

    def _draw_axis(self, link: HandleTarget, color: Color) -> None:
        """Draw the line on which the centre of mass stays, right through the picture."""
        camera = link.camera
        near = link.center + self.line(link) * camera.units_per_pixel(link.center)
        way = camera.project(near)[0] - link.pixel
        length = float(np.linalg.norm(way))
        if length > SEEN_FROM_ITS_END:  # of one pixel
            reach = way / length * (camera.width + camera.height)
            strokes.draw(np.stack([link.pixel - reach, link.pixel + reach]), camera, (*color, 0.9))

    def begin(self, link: HandleTarget) -> None:
        self.axis: int | None = None
        self.way = np.zeros(2)

    def line(self, link: HandleTarget) -> FloatArray:
        """Return the axis (3,) of the link's frame on which the centre of mass stays, in the world."""
        column: FloatArray = link.frame.R[:, self.axis or 0]
        return column

    def change(self, link: HandleTarget, way: FloatArray, event: bpy.types.Event, tweak: set[str]) -> str:
        if event.type in KEYS and event.value == "PRESS":
            self.axis = None if self.axis == KEYS[event.type] else KEYS[event.type]
        self.way = self.way + way * (FINE if "PRECISE" in tweak else 1.0)
        line = None if self.axis is None else self.line(link)
        there = moved(link.camera, link.center, self.way, line)
        before = np.array(self.before["manual_com"])
        fine = FINE if "PRECISE" in tweak else 1.0
        places = decimals(link.camera.units_per_pixel(link.center), (STEP if "SNAP" in tweak else GRAIN) * fine)
        com = rounded(before + link.frame.R.T @ (there - link.center), places)
        if self.axis is not None:
            along, com = com[self.axis], before.copy()  # not even rounding moves the others
            com[self.axis] = along
        link.settings.manual_com = com
        texts, unit = point_text(com * link.metres_per_unit, units())
        pairs = "   ".join(f"{axis} {text}" for axis, text in zip("XYZ", texts, strict=True))
        on = "" if self.axis is None else f"   {iface_('along {axis}', axis='XYZ'[self.axis])}"
        return f"{iface_('Centre of mass of {name}', name=link.name)}:   {pairs} {unit}{on}"
