# SPDX-License-Identifier: GPL-3.0-or-later
"""What the active link and its active part are made of, and what they weigh."""

from __future__ import annotations

from typing import Any

import bpy

from ....core.judge.geometry.implied_density import ImpliedDensity, implied_density
from ....core.robot.resolve import LinkBody
from ...names import RIGID_BODY_MASS, SET_MASS
from ...preferences import units
from ...scene import known_materials
from ...scene.link_reader import NOT_COMPUTED
from ...scene.properties import SDF_INERTIA_PG_object
from ...scene.settings import stated_density
from ...scene.together import button_target, shown_settings
from ...translations.words import iface_, n_
from ..active import Active, settings_of
from ..section import Section
from ..sidebar import form, mass_setting, paragraph, setting
from ..texts import inherited_density


def has_settings(active: Active) -> bool:
    """Return True if there is a link or a part to set anything on."""
    return active.link is not None or active.part_object is not None


def _draw(context: bpy.types.Context, layout: bpy.types.UILayout, active: Active) -> None:
    if active.part_object is not None:
        _draw_part(context, layout, active, active.part_object)
    else:
        _draw_link(context, layout, active)


def _has_both(active: Active) -> bool:
    return active.link_object is not None and active.part_object is not None


def _draw_link(context: bpy.types.Context, layout: bpy.types.UILayout, active: Active) -> None:
    link = active.link_object
    if link is None:
        return
    settings = settings_of(link)
    if settings.inertia == "MANUAL":
        paragraph(context, layout, iface_("The link's inertia is entered by hand: densities do not count."), "INFO")
    column = layout.column()
    column.active = settings.inertia not in NOT_COMPUTED
    _draw_density(column, shown_settings(context, link))
    _draw_mass(context, column, link, iface_("Target [{unit}]", unit=units().mass))
    implied = None if active.link is None else implied_by_mass(active.link.body, settings_of(link))
    if implied is not None:
        paragraph(context, column, iface_("Implies {density}", density=implied.text), "INFO")


def _draw_part(context: bpy.types.Context, layout: bpy.types.UILayout, active: Active, part: bpy.types.Object) -> None:
    settings, shown = settings_of(part), shown_settings(context, part)
    column = layout.column()
    if settings.is_collision and not settings.is_mass:
        split = column.split(factor=0.4)
        split.label()
        setting(split, shown, "has_mass")
        column = layout.column()
        column.active = settings.has_mass
    if not settings.use_mass:
        _draw_density(column, shown)
    _draw_mass(context, column, part, iface_("Mass [{unit}]", unit=units().mass))
    inherits = not (settings.use_density or settings.use_mass) and (settings.has_mass or settings.is_mass)
    if inherits and active.link is not None:
        paragraph(context, layout, inherited_density(active.part, active.link.body), "INFO")


def _draw_density(layout: bpy.types.UILayout, settings: Any) -> None:
    column = form(layout.column())
    setting(column, settings, "material")
    row = column.row(heading=iface_("kg/m³"))
    row.prop(settings, "use_density", text="")
    value = row.row()
    value.active = settings.use_density
    setting(value, settings, "density", text="")
    if settings.method == "PRINTED" and settings.infill == 100.0:
        return  # the infill of the print is beside its wall; another one is refused
    filled = column.row()
    filled.active = settings.use_density
    setting(filled, settings, "infill")


def _draw_mass(context: bpy.types.Context, layout: bpy.types.UILayout, ob: bpy.types.Object, text: str) -> None:
    """Lay out the target of a link, or the mass of a part."""
    settings = settings_of(ob)
    split = layout.split(factor=0.4)
    heading = split.row()
    heading.alignment = "RIGHT"
    # Not the property's own check box: that would not start from the present mass.
    icon: Any = "CHECKBOX_HLT" if settings.use_mass else "CHECKBOX_DEHLT"
    tick: Any = heading.operator(SET_MASS, text=text, icon=icon, emboss=False)
    tick.target, tick.use, tick.own = button_target(context, ob), not settings.use_mass, True
    value = split.row()
    value.active = settings.use_mass
    mass_setting(value, shown_settings(context, ob), text="")
    weighs = rigid_body_mass(ob)
    if weighs and not settings.use_mass and ob.select_get():
        layout.operator(RIGID_BODY_MASS, text=iface_("Use {mass} kg of the Rigid Body", mass=f"{weighs:.6g}"))


def rigid_body_mass(ob: bpy.types.Object) -> float:
    """Return the mass [kg] of an object in Blender's physics; 0 if it has none, or does not move there."""
    body = ob.rigid_body
    return 0.0 if body is None or body.type != "ACTIVE" else float(body.mass)


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
    return implied_density(body, settings.material, density, iface_)


def draw_implied_density(layout: bpy.types.UILayout, body: LinkBody, settings: SDF_INERTIA_PG_object) -> None:
    """Draw it in two lines: the number, and what it compares to."""
    implied = implied_by_mass(body, settings)
    if implied is None:
        return
    number, _, words = implied.text.partition(": ")
    column = layout.column(align=True)
    icon: Any = "INFO" if implied.possible else "ERROR"
    column.label(text=iface_("Implies {density}", density=number), icon=icon)
    column.label(text=words[:1].upper() + words[1:], icon="BLANK1", translate=False)


SECTION = Section(n_("Density"), has_settings, _draw)
LINK_SECTION = Section(n_("Density of the Link"), _has_both, _draw_link, closed=True)
"""While one of its parts is active."""
