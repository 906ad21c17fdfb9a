# SPDX-License-Identifier: GPL-3.0-or-later
"""The Blender side of SDF Inertia: everything that imports bpy."""

import bpy

from . import (
    begun,
    changes,
    command,
    gizmos,
    hull_provider,
    live,
    materials_list,
    menus,
    operators,
    panels,
    preferences,
    properties,
    view_settings,
    viewport,
)

CLASSES = (
    *begun.CLASSES,
    *properties.CLASSES,
    *view_settings.CLASSES,
    *materials_list.CLASSES,
    *preferences.CLASSES,
    *operators.CLASSES,
    *panels.CLASSES,
    *menus.CLASSES,
    *gizmos.CLASSES,
)

ATTACHED = (
    begun,
    properties,
    view_settings,
    menus,
    command,
    hull_provider,
    changes,
    viewport,
)
"""What hooks something of its own into Blender, besides classes."""


def register() -> None:
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    for part in ATTACHED:
        part.attach()


def unregister() -> None:
    for part in reversed(ATTACHED):
        part.detach()
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
    live.forget()
