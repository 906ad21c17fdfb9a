# SPDX-License-Identifier: GPL-3.0-or-later
"""The user's preferences: how large the overlay is drawn, in which units numbers are shown, materials of their own."""

from __future__ import annotations

from typing import Any

import bpy

from ..core.body.materials import WATER
from ..core.units import UNITS, Units
from .change_counter import announce_unseen
from .colors import COLORS, PALETTES, Color
from .translations.words import (
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    StringProperty,
)

PACKAGE = (__package__ or "").rpartition(".")[0]
"""The add-on as Blender knows it: what holds this folder."""

UNIT_CHOICES = (
    ("SI", "kg, m, kg·m²", "As in SDFormat", 0),
    ("GRAM", "g, mm, g·mm²", "For small parts", 1),
    ("SCENE", "As the Scene", "g, mm, g·mm² where the scene's lengths are in millimetres, else kg, m, kg·m²", 2),
)

SMALL = frozenset({"MILLIMETERS", "MICROMETERS", "THOU"})
"""Units of length in which a scene of small parts is made."""


COLORINGS = (
    ("DISTINCT", "Distinct", "Twelve colours", 0),
    ("SAFE", "Colour-Blind Safe", "Seven colours that can be told apart with any kind of colour vision", 1),
    ("SINGLE", "Single", "One colour for all links", 2),
)


class SDF_INERTIA_PG_material(bpy.types.PropertyGroup):
    """A material of the user's own; its name is the property group's."""

    density: FloatProperty(
        name="Density [kg/m³]",
        description="Density in kg/m³ of the solid material",
        default=WATER,
        soft_min=1.0,
        soft_max=25000.0,
        precision=1,
        update=announce_unseen,
    )
    source: StringProperty(name="Source", description="Where the density is from, such as a data sheet")


class Preferences:
    """What the user prefers; panels/preferences_page.py makes Blender's class of it, and draws it."""

    units: EnumProperty(name="Numbers", description="Units of the numbers shown", items=UNIT_CHOICES, default="SCENE")
    ball_size: FloatProperty(name="Centre of Mass", default=1.0, min=0.25, max=4.0)
    line_width: FloatProperty(name="Lines", default=1.0, min=0.25, max=4.0)
    label_size: FloatProperty(name="Labels", default=1.0, min=0.5, max=3.0)
    coloring: EnumProperty(name="Links", description="Colours of the links", items=COLORINGS, default="DISTINCT")
    color: FloatVectorProperty(
        name="Colour", description="Of all links", subtype="COLOR_GAMMA", size=3, min=0.0, max=1.0, default=COLORS[1]
    )
    materials: CollectionProperty(type=SDF_INERTIA_PG_material)
    active_material: IntProperty(name="Material", description="The material chosen in the list")


def preferences() -> Preferences | None:
    """Return the user's preferences; None where the add-on runs from a checkout and Blender keeps none for it."""
    entry: Any = bpy.context.preferences.addons.get(PACKAGE)
    owner: Preferences | None = None if entry is None else entry.preferences
    return owner


def sizes() -> tuple[float, float, float]:
    """Return what the overlay's balls, lines and labels are multiplied by."""
    chosen = preferences()
    return (1.0, 1.0, 1.0) if chosen is None else (chosen.ball_size, chosen.line_width, chosen.label_size)


def palette() -> tuple[Color, ...]:
    """Return the colours that links take in turn, sRGB."""
    chosen = preferences()
    if chosen is None:
        return COLORS
    if chosen.coloring == "SINGLE":
        red, green, blue = chosen.color
        return ((red, green, blue),)
    return PALETTES[chosen.coloring]


def unit_name(scene: bpy.types.Scene) -> str:
    """Return the identifier of the units that numbers about a scene are shown in."""
    chosen = preferences()
    if chosen is not None and chosen.units != "SCENE":
        return str(chosen.units)
    settings = scene.unit_settings
    return "GRAM" if settings.system != "NONE" and settings.length_unit in SMALL else "SI"


def units() -> Units:
    """Return the units that numbers are shown in."""
    return UNITS[unit_name(bpy.context.scene)]


CLASSES = (SDF_INERTIA_PG_material,)
