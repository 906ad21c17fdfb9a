# SPDX-License-Identifier: GPL-3.0-or-later
"""What moves the joint of the active link: a motor, or another joint."""

from __future__ import annotations

import bpy

from ....core.robot.joints import AXES
from ...scene.joint_reader import KINDS
from ...scene.together import shown_settings
from ...translations.words import iface_, n_
from ..active import Active, settings_of
from ..section import Section
from ..sidebar import form, remark
from ..texts import Remark


def _shown(active: Active) -> bool:
    ob = active.link_object
    kind = None if ob is None else KINDS.get(settings_of(ob).joint_type)
    return kind is not None and AXES[kind] == 1


def _draw(context: bpy.types.Context, layout: bpy.types.UILayout, active: Active) -> None:
    ob = active.link_object
    assert ob is not None
    settings, shown = settings_of(ob), shown_settings(context, ob)
    slides = settings.joint_type == "PRISMATIC"
    column = form(layout.column())
    column.prop(shown, "joint_rotor_inertia", text=iface_("Rotor [kg·m²]"))
    column.prop(shown, "joint_gear_ratio")
    if settings.joint_rotor_inertia:
        reflected = settings.joint_rotor_inertia * settings.joint_gear_ratio**2
        text = iface_("The joint feels {inertia}", inertia=f"{reflected:.4g} {'kg' if slides else 'kg·m²'}")
        remark(context, column, Remark("INFO", text))
    column.prop(settings, "joint_mimic")
    if settings.joint_mimic is not None:
        column.prop(settings, "joint_mimic_multiplier")
        column.prop(settings, "joint_mimic_offset", text=iface_("Offset [m]" if slides else "Offset [rad]"))


SECTION = Section(n_("Drive"), _shown, _draw, closed=True, of_link=True)
