# SPDX-License-Identifier: GPL-3.0-or-later
"""Beside a target mass: the density that it implies, and what weighs so."""

from __future__ import annotations

import bpy

from ...core.robot.implied_density import ImpliedDensity, implied_density
from ...core.robot.resolve import LinkBody
from ..scene import known_materials
from ..scene.properties import SDF_INERTIA_PG_object
from ..scene.settings import stated_density


def implied_by_mass(body: LinkBody, settings: SDF_INERTIA_PG_object) -> ImpliedDensity | None:
    """Return what a link's target mass implies; None where it has none, or no volume.

    Parameters
    ----------
    body : LinkBody
        The link, scaled to its mass.
    settings : SDF_INERTIA_PG_object
        Of the object that is the link; its material, if it names one, is what the mass is compared with.
    """
    if not settings.use_mass or body.mode == "manual":
        return None
    density = known_materials.density_of(settings.material) if settings.material else stated_density(settings)
    return implied_density(body, settings.material, density)


def draw_implied_density(layout: bpy.types.UILayout, body: LinkBody, settings: SDF_INERTIA_PG_object) -> None:
    """Draw it in two lines: the number, and what it compares to."""
    implied = implied_by_mass(body, settings)
    if implied is None:
        return
    number, _, words = implied.text.partition(": ")
    column = layout.column(align=True)
    column.label(text=f"Implies {number}", icon="INFO" if implied.material or implied.ratio else "ERROR")
    column.label(text=words[:1].upper() + words[1:], icon="BLANK1")
