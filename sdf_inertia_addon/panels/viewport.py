# SPDX-License-Identifier: GPL-3.0-or-later
"""What the viewport shows, as in the Overlays popover."""

from __future__ import annotations

import bpy

from .. import view_settings
from .overlay import draw_settings, draw_toggle
from .parts import Sidebar


class SDF_INERTIA_PT_viewport(Sidebar, bpy.types.Panel):
    bl_label = "Viewport"
    bl_order = 3
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        settings = view_settings.of(context.scene)
        draw_toggle(self.layout, settings)
        draw_settings(self.layout, settings)


CLASSES = (SDF_INERTIA_PT_viewport,)
