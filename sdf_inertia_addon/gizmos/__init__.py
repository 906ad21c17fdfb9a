# SPDX-License-Identifier: GPL-3.0-or-later
"""Gizmos to click and drag in the 3D view: centres of mass, joints, and the handles of the active link.

Each gizmo is created once, and computes its own position.
"""

from __future__ import annotations

from typing import Any

import bpy

from .center_handle import SDF_INERTIA_GT_manual_center
from .centers import may_be_clicked
from .joint_handle import SDF_INERTIA_GT_joint
from .mass_handle import SDF_INERTIA_GT_mass
from .pick import SDF_INERTIA_GT_center

HANDLES = (SDF_INERTIA_GT_manual_center, SDF_INERTIA_GT_mass, SDF_INERTIA_GT_joint)


class SDF_INERTIA_GGT_centers(bpy.types.GizmoGroup):
    bl_idname = "SDF_INERTIA_GGT_centers"
    bl_label = "Centres of Mass"
    bl_space_type = "VIEW_3D"
    bl_region_type = "WINDOW"
    bl_options = {"PERSISTENT"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return may_be_clicked(context)

    def setup(self, _context: bpy.types.Context) -> None:
        for handle in HANDLES:
            self.gizmos.new(handle.bl_idname).use_draw_modal = True
        self.gizmos.new(SDF_INERTIA_GT_center.bl_idname)  # the last: of what lies below the mouse, the first is taken


CLASSES: tuple[Any, ...] = (SDF_INERTIA_GT_center, *HANDLES, SDF_INERTIA_GGT_centers)
