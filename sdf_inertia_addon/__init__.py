# SPDX-License-Identifier: GPL-3.0-or-later
"""The Blender side of SDF Inertia: everything that imports bpy."""

import bpy

from . import change_counter, gizmos, live, operators, panels, preferences
from .export import command
from .importing import judged
from .mesh_tools import trials
from .panels import menus, preferences_page
from .scene import begun, properties, together
from .translations import catalogue
from .translations.words import with_our_words
from .viewport import draw_handlers, view_settings

CLASSES = (
    *begun.CLASSES,
    *properties.CLASSES,
    *together.CLASSES,
    *view_settings.CLASSES,
    *preferences.CLASSES,
    *preferences_page.CLASSES,
    *operators.CLASSES,
    *panels.CLASSES,
    *menus.CLASSES,
    *gizmos.CLASSES,
)

ATTACHED = (
    catalogue,
    begun,
    properties,
    together,
    view_settings,
    menus,
    command,
    change_counter,
    draw_handlers,
)
"""What hooks something of its own into Blender, besides classes."""


def register() -> None:
    for cls in CLASSES:
        bpy.utils.register_class(with_our_words(cls))
    for part in ATTACHED:
        part.attach()


def unregister() -> None:
    for part in reversed(ATTACHED):
        part.detach()
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
    trials.forget()
    judged.forget()
    live.forget()
