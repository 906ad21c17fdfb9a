# SPDX-License-Identifier: GPL-3.0-or-later
"""Compute again what was cancelled."""

from __future__ import annotations

import bpy

from .. import change_counter
from ..live import jobs
from ..names import COMPUTE


class SDF_INERTIA_OT_compute(bpy.types.Operator):
    bl_idname = COMPUTE
    bl_label = "Compute Inertia"
    bl_description = "Compute the inertia of every link whose numbers are missing, such as after a cancel"

    def execute(self, _context: bpy.types.Context) -> set[str]:
        jobs.try_again()
        change_counter.announce_unseen()
        change_counter.redraw()
        return {"FINISHED"}


CLASSES = (SDF_INERTIA_OT_compute,)
