# SPDX-License-Identifier: GPL-3.0-or-later
"""The Blender side of SDF Inertia: everything that imports bpy."""

import bpy

from . import command, hull_provider, live, menus, operators, panels, properties

CLASSES = (*properties.CLASSES, *operators.CLASSES, *panels.CLASSES)


def register() -> None:
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    properties.attach()
    menus.attach()
    command.attach()
    hull_provider.attach()


def unregister() -> None:
    hull_provider.detach()
    command.detach()
    menus.detach()
    properties.detach()
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
    live.forget()
