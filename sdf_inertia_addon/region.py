# SPDX-License-Identifier: GPL-3.0-or-later
"""What a 3D view's region sees, and how much of it is free."""

from __future__ import annotations

import bpy
import numpy as np

from .overlay.camera import Camera
from .overlay.layout import Bounds

COVERING = frozenset({"TOOLS", "UI", "HEADER", "TOOL_HEADER", "ASSET_SHELF", "ASSET_SHELF_HEADER"})
"""Regions that lie on top of the view itself."""


def camera_of(context: bpy.types.Context) -> Camera:
    """Return the camera that a region is drawn by."""
    region, region_3d = context.region, context.region_data
    view = np.array(region_3d.view_matrix, dtype=np.float64)
    projection = np.array(region_3d.window_matrix, dtype=np.float64)
    scale = context.preferences.system.ui_scale or 1.0
    return Camera(view, projection, region.width, region.height, scale)


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
