# SPDX-License-Identifier: GPL-3.0-or-later
"""A ring around the centre of mass whose radius is dragged: the mass of a link that is manual or has a target mass.

As if the ring were the ball of that mass: twice the radius is eight times the mass.
"""

from __future__ import annotations

from math import exp, log
from typing import ClassVar

import bpy
import numpy as np

from ...core.arrays import FloatArray
from ...core.units import mass_text
from ..preferences import units
from ..scene.properties import SDF_INERTIA_PG_object
from ..translations.words import iface_, n_
from . import strokes
from .drag import DIGITS, FINE, MORE_DIGITS, growth, rounded_mass
from .handle import Handle, HandleTarget

RING, REACH, HEAD = 22.0, 5.0, 4.0
"""From the ball to the ring, how far beside it a click counts, and the size of its arrow heads [interface px]."""


class SDF_INERTIA_GT_mass(Handle, bpy.types.Gizmo):
    bl_idname = "SDF_INERTIA_GT_mass"

    changes: ClassVar[tuple[str, ...]] = ("mass", "manual_mass", "manual_inertia")
    message = n_("Set Mass")

    def applies(self, settings: SDF_INERTIA_PG_object) -> bool:
        if settings.inertia == "MANUAL":
            return bool(settings.manual_mass > 0.0)
        return bool(settings.use_mass and settings.mass > 0.0)

    def covers(self, distance: float, link: HandleTarget) -> bool:
        return abs(distance - self.radius(link)) <= REACH * link.camera.scale

    def radius(self, link: HandleTarget) -> float:
        """Return the ring's radius [px]: while it is dragged, that of the mouse's way from the centre."""
        return self.reach if self.is_modal else link.radius + RING * link.camera.scale

    def draw_on(self, link: HandleTarget) -> None:
        color = strokes.WHITE if self.is_highlight or self.is_modal else strokes.QUIET
        radius, gap = self.radius(link), 2.5 * link.camera.scale
        strokes.draw(strokes.circle(link.pixel, radius), link.camera, color)
        if self.is_highlight or self.is_modal:
            heads = strokes.chevrons(link.pixel, radius + gap, HEAD * link.camera.scale)
            strokes.draw(heads, link.camera, color)

    def begin(self, link: HandleTarget) -> None:
        self.start_distance = self.reach = float(np.linalg.norm(self.mouse - link.pixel))
        self.distance = self.start_distance
        self.grown = 0.0

    def change(self, link: HandleTarget, way: FloatArray, event: bpy.types.Event, tweak: set[str]) -> str:
        distance = float(np.linalg.norm(self.mouse + way - link.pixel))
        self.grown += growth(self.distance, distance) * (FINE if "PRECISE" in tweak else 1.0)
        self.distance = distance
        settings = link.settings
        manual = settings.inertia == "MANUAL"
        before = float(self.before["manual_mass" if manual else "mass"])
        digits = DIGITS + ("PRECISE" in tweak) if "SNAP" in tweak else MORE_DIGITS
        mass = rounded_mass(before * exp(self.grown), digits)
        self.reach = self.start_distance * exp(log(mass / before) / 3.0)
        if manual:
            # The body keeps its shape, as under a target mass: the tensor goes with the mass.
            settings.manual_mass = mass
            settings.manual_inertia = np.array(self.before["manual_inertia"]) * (mass / before)
        else:
            settings.mass = mass
        what = n_("Mass of {name}, and inertia with it") if manual else n_("Target mass of {name}")
        was = iface_("(was {mass})", mass=mass_text(before, units()))
        return f"{iface_(what, name=link.name)}:   {mass_text(mass, units())}   {was}"
