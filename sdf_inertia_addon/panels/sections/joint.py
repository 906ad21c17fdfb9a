# SPDX-License-Identifier: GPL-3.0-or-later
"""How the active link is joined to its parent, and what moves the joint: a motor, or another joint."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

import bpy

from ....core.robot.joints import AXES, own_joints
from ....core.robot.model import DYNAMICS
from ...live import LiveLink
from ...live.model import joint_positions
from ...live.statics import statics_of
from ...mesh_tools.fitting import wheel_of
from ...names import (
    JOINTS_FROM_ARMATURE,
    JOINTS_FROM_CONSTRAINTS,
    JOINTS_FROM_HIERARCHY,
    MIRROR_LINK,
    RESET_POSE,
    SET_JOINT,
    SET_JOINT_LIMITS,
)
from ...overlay.texts import holds_text
from ...scene.belonging import is_link, parent_link
from ...scene.joint_reader import KINDS, LIMITED
from ...scene.properties import ALONG, SDF_INERTIA_PG_object
from ...scene.together import shown_settings
from ...translations.words import iface_, n_
from ...viewport import view_settings
from ..active import Active, settings_of
from ..section import Section
from ..sidebar import form, remark, setting
from ..texts import Button, Remark


def _shown(active: Active) -> bool:
    return active.link_object is not None


def _draw(context: bpy.types.Context, layout: bpy.types.UILayout, active: Active) -> None:
    ob = active.link_object
    assert ob is not None
    settings, shown = settings_of(ob), shown_settings(context, ob)
    column = form(layout.column())
    setting(column, shown, "joint_type", text=iface_("Type"))
    if settings.joint_type not in KINDS:  # none, or one of another version
        row = layout.row(align=True)
        row.operator(JOINTS_FROM_HIERARCHY, text=iface_("From Hierarchy"))
        row.operator(JOINTS_FROM_CONSTRAINTS, text=iface_("From Constraints"))
        if ob.select_get() and parent_link(ob) and _is_wheel(context, active):
            turn = Button(JOINTS_FROM_HIERARCHY, n_("Continuous"), {"wheels_only": True})
            remark(context, layout, Remark("INFO", iface_("It looks like a wheel."), buttons=(turn,)))
        if ob.parent_type == "BONE":
            layout.operator(JOINTS_FROM_ARMATURE, icon="BONE_DATA")
        _draw_many(context, layout)
        return
    remark(context, layout, parent_remark(ob, settings))
    column = form(layout.column())
    setting(column, shown, "joint_world")
    chosen = column.column()
    chosen.active = not settings.joint_world
    chosen.prop(settings, "joint_parent")
    column.prop(settings, "joint_frame")
    axes = AXES[KINDS[settings.joint_type]]
    if axes:
        _draw_motion(column, settings, shown, axes)
    column.prop(settings, "joint_name")
    if axes:
        _draw_position(layout, settings)
        _draw_holding(context, layout, active)
    _draw_many(context, layout)


_wheels: WeakKeyDictionary[LiveLink, bool] = WeakKeyDictionary()


def _is_wheel(context: bpy.types.Context, active: Active) -> bool:
    """Return True if the active link looks like a wheel; its mesh is read once for each state of the link."""
    link, ob = active.link, active.link_object
    if link is None or ob is None:
        return False
    if link not in _wheels:
        _wheels[link] = wheel_of(context.evaluated_depsgraph_get(), ob) is not None
    return _wheels[link]


def _draw_many(context: bpy.types.Context, layout: bpy.types.UILayout) -> None:
    """Lay out what acts on all selected links at once."""
    row = layout.row(align=True)
    count = sum(map(is_link, context.selected_objects))
    if count > 1:
        row.operator(SET_JOINT, text=iface_("Set {count} Joints", count=count))
    if count:
        row.operator(MIRROR_LINK, icon="MOD_MIRROR")


def _draw_position(layout: bpy.types.UILayout, settings: SDF_INERTIA_PG_object) -> None:
    """Lay out where the joint is shown."""
    row = layout.row(align=True)
    row.alert = is_outside(settings)
    kind: Any = "length" if settings.joint_type == "PRISMATIC" else "angle"
    text = iface_("Outside its Limits" if row.alert else "Show At")
    row.prop(settings, f"joint_position_{kind}", text=text, slider=True)
    row.operator(RESET_POSE, text="", icon="LOOP_BACK")


def _draw_holding(context: bpy.types.Context, layout: bpy.types.UILayout, active: Active) -> None:
    """Lay out what the joint's motor holds, where the viewport shows statics."""
    if active.link is None or not view_settings.of(context.scene).show_statics:
        return
    statics = statics_of(active.model, joint_positions(active.model))
    joint = own_joints(active.model.joints).get(active.link.body.name)
    if statics.problem:
        remark(context, layout, Remark("INFO", statics.problem))
    elif joint is not None and joint.name in statics.torques:
        torque = statics.torques[joint.name]
        weak = bool(joint.effort) and abs(torque) > (joint.effort or 0.0)
        remark(context, layout, Remark("ERROR" if weak else "INFO", holds_text(joint, torque), weak))


def is_outside(settings: SDF_INERTIA_PG_object) -> bool:
    """Return True if the position shown is outside the limits."""
    limited = settings.joint_use_limits and settings.joint_type in LIMITED
    return bool(limited and not settings.joint_lower <= settings.joint_position <= settings.joint_upper)


def _draw_motion(column: bpy.types.UILayout, settings: SDF_INERTIA_PG_object, shown: Any, axes: int) -> None:
    setting(column, shown, "joint_axis")
    along = column.split(factor=0.4)
    along.label()
    along = along.row(align=True)
    along.use_property_split = False
    for name, *_ in ALONG[:-1]:
        along.prop_enum(shown, "joint_along", name)
    if axes == 2:
        setting(column, shown, "joint_axis2")
    if settings.joint_type == "SCREW":
        setting(column, shown, "joint_pitch")
    if settings.joint_type in LIMITED:
        icon: Any = "CHECKBOX_HLT" if settings.joint_use_limits else "CHECKBOX_DEHLT"
        tick: Any = column.operator(SET_JOINT_LIMITS, text=iface_("Limits"), icon=icon, emboss=False)
        tick.use = not settings.joint_use_limits
        limits = column.column(align=True)
        limits.active = settings.joint_use_limits
        kind: Any = "length" if settings.joint_type == "PRISMATIC" else "angle"
        setting(limits, shown, f"joint_lower_{kind}")
        setting(limits, shown, f"joint_upper_{kind}")
    turns = settings.joint_type != "PRISMATIC"
    setting(column, shown, "joint_effort", text=iface_("Effort [N·m]" if turns else "Effort [N]"))
    setting(column, shown, "joint_velocity", text=iface_("Velocity [rad/s]" if turns else "Velocity [m/s]"))
    for name in DYNAMICS:
        setting(column, shown, f"joint_{name}")


def parent_remark(ob: bpy.types.Object, settings: SDF_INERTIA_PG_object) -> Remark:
    """Return what a link is joined to."""
    if settings.joint_world:
        return Remark("LINKED", iface_("{name} is held by the world", name=ob.name))
    parent = parent_link(ob)
    if parent is None:
        return Remark("CANCEL", iface_("Choose its parent: no link is above it"), True)
    return Remark("LINKED", iface_("{name} is joined to {parent}", name=ob.name, parent=parent.name))


def _drive_shown(active: Active) -> bool:
    ob = active.link_object
    kind = None if ob is None else KINDS.get(settings_of(ob).joint_type)
    return kind is not None and AXES[kind] == 1


def _draw_drive(context: bpy.types.Context, layout: bpy.types.UILayout, active: Active) -> None:
    ob = active.link_object
    assert ob is not None
    settings, shown = settings_of(ob), shown_settings(context, ob)
    slides = settings.joint_type == "PRISMATIC"
    column = form(layout.column())
    setting(column, shown, "joint_rotor_inertia", text=iface_("Rotor [kg·m²]"))
    setting(column, shown, "joint_gear_ratio")
    if settings.joint_rotor_inertia:
        reflected = settings.joint_rotor_inertia * settings.joint_gear_ratio**2
        text = iface_("The joint feels {inertia}", inertia=f"{reflected:.4g} {'kg' if slides else 'kg·m²'}")
        remark(context, column, Remark("INFO", text))
    column.prop(settings, "joint_mimic")
    if settings.joint_mimic is not None:
        column.prop(settings, "joint_mimic_multiplier")
        column.prop(settings, "joint_mimic_offset", text=iface_("Offset [m]" if slides else "Offset [rad]"))


SECTION = Section(n_("Joint"), _shown, _draw, of_link=True)

DRIVE_SECTION = Section(n_("Drive"), _drive_shown, _draw_drive, closed=True, of_link=True)
