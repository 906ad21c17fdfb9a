# SPDX-License-Identifier: GPL-3.0-or-later
"""What a 3D view's region sees, and how much of it is free."""

from __future__ import annotations

import blf
import bpy
import numpy as np

from ..overlay.camera import Camera
from ..overlay.labels.layout import Bounds

LIGHT = 0.5
"""Luminance of a ground, in sRGB numbers, above which it is light."""

BUTTONS = (45.0, 170.0)
"""Width and height of the buttons below the navigation axes [interface px]."""

NOTE = (190.0, 28.0)
"""Width and height of a line at the lower left [interface px]."""

COVERING = frozenset({"TOOLS", "UI", "HEADER", "TOOL_HEADER", "ASSET_SHELF", "ASSET_SHELF_HEADER"})
"""Regions that lie on top of the view itself."""


def camera_of(context: bpy.types.Context) -> Camera:
    """Return the camera that a region is drawn by."""
    region, region_3d = context.region, context.region_data
    view = np.array(region_3d.view_matrix, dtype=np.float64)
    projection = np.array(region_3d.window_matrix, dtype=np.float64)
    scale = context.preferences.system.ui_scale or 1.0
    return Camera(view, projection, region.width, region.height, scale)


def on_light(context: bpy.types.Context) -> bool:
    """Return True if the ground that a 3D view is drawn on is rather light than dark."""
    space = context.space_data
    assert isinstance(space, bpy.types.SpaceView3D)
    shading = space.shading
    theme = context.preferences.themes[0].view_3d.space.gradients
    color = theme.high_gradient
    if shading.type in {"SOLID", "WIREFRAME"} and shading.background_type == "VIEWPORT":
        color = shading.background_color
    elif shading.type in {"SOLID", "WIREFRAME"} and shading.background_type == "WORLD":
        color = color if context.scene.world is None else context.scene.world.color
    red, green, blue = color
    return bool(0.21 * red + 0.72 * green + 0.07 * blue > LIGHT)


def note_place(context: bpy.types.Context) -> Bounds:
    """Return the place of a note of ours: at the lower left, above the panel of the last operator."""
    x, y, _right, _top = free_of(context)
    scale = context.preferences.system.ui_scale or 1.0
    for panel in context.area.regions:
        if panel.type == "HUD" and panel.height > 1:
            y = max(y, float(panel.y - context.region.y + panel.height))
    return x, y, x + NOTE[0] * scale, y + NOTE[1] * scale


def taken_of(context: bpy.types.Context) -> list[Bounds]:
    """Return where no label may be: the view's texts at the upper left, navigation at the upper right, our own note."""
    space, (left, bottom, right, top) = context.space_data, free_of(context)
    assert isinstance(space, bpy.types.SpaceView3D)
    view, scale = context.preferences.view, context.preferences.system.ui_scale or 1.0
    taken = [(left, bottom, *note_place(context)[2:])]
    if space.overlay.show_text or space.overlay.show_stats:
        lines = 2 * space.overlay.show_text + 8 * space.overlay.show_stats
        wide = max(230.0 * scale, _named_width(context) + 30.0 * scale)
        taken.append((left, top - (20.0 + 20.0 * lines) * scale, left + wide, top))
    if space.show_gizmo and space.show_gizmo_navigate:
        axes = 20.0 + (view.gizmo_size_navigate_v3d if view.mini_axis_type == "GIZMO" else view.mini_axis_size)
        taken.append((right - axes * scale, top - axes * scale, right, top))
        if view.show_navigate_ui:
            taken.append((right - BUTTONS[0] * scale, top - (axes + BUTTONS[1]) * scale, right, top))
    return taken


def _named_width(context: bpy.types.Context) -> float:
    """Return the width [px] of the line that names frame, collection and active object."""
    names = [context.collection, context.active_object]
    style = context.preferences.ui_styles[0].widget
    blf.size(0, style.points * (context.preferences.system.ui_scale or 1.0))
    return float(blf.dimensions(0, f"(0000) {' | '.join(each.name for each in names if each is not None)}")[0])


def free_of(context: bpy.types.Context) -> Bounds:
    """Return what of the region is not covered by toolbar, sidebar and headers."""
    region = context.region
    left, bottom, right, top = 0, 0, region.width, region.height
    for other in context.area.regions:
        if other.type not in COVERING or min(other.width, other.height) <= 1:
            continue
        x, y = other.x - region.x, other.y - region.y
        if other.alignment == "LEFT":
            left = max(left, x + other.width)
        elif other.alignment == "RIGHT":
            right = min(right, x)
        elif other.alignment == "TOP":
            top = min(top, y)
        elif other.alignment == "BOTTOM":
            bottom = max(bottom, y + other.height)
    return float(left), float(bottom), float(max(right, left)), float(max(top, bottom))
