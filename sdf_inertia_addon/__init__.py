# SPDX-License-Identifier: GPL-3.0-or-later
"""The Blender side of SDF Inertia: everything that imports bpy."""

import bpy

from . import command, hull_provider, live, menus, operators, panels, preferences, properties, view_settings

CLASSES = (
    *properties.CLASSES,
    *view_settings.CLASSES,
    *preferences.CLASSES,
    *operators.CLASSES,
    *panels.CLASSES,
    *menus.CLASSES,
)


def register() -> None:
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    properties.attach()
    view_settings.attach()
    menus.attach()
    command.attach()
    hull_provider.attach()


def unregister() -> None:
    hull_provider.detach()
    command.detach()
    menus.detach()
    view_settings.detach()
    properties.detach()
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
    live.forget()
