# SPDX-License-Identifier: GPL-3.0-or-later
"""Progress and cancelling of long computations: the status bar, Esc, and Compute Inertia, which starts again."""

from __future__ import annotations

from typing import Any

import bpy

from .. import change_counter
from ..live import jobs
from ..names import COMPUTE, SHOW_PROGRESS
from ..translations.words import iface_, n_
from .stepwise import ProgressBar

INTERVAL = 0.1
"""Seconds between two polls."""


class SDF_INERTIA_OT_show_progress(bpy.types.Operator):
    bl_idname = SHOW_PROGRESS
    bl_label = "Show Progress of Inertia"
    bl_description = "Show in the status bar what is being computed; Esc cancels it"
    bl_options = {"INTERNAL"}

    _bar: ProgressBar

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        if jobs.status() is None:
            return {"CANCELLED"}
        self._bar = ProgressBar(context, INTERVAL)
        context.window_manager.modal_handler_add(self)
        jobs.watch(True)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        jobs.collect()
        status = jobs.status()
        if status is None:
            self._end()
            return {"FINISHED"}
        if event.type == "ESC" and event.value == "PRESS" and _alone(context):
            self.cancel(context)
            return {"CANCELLED"}
        what = f"{status.title} {status.share:.0%}" if status.share else status.title
        if status.waiting:
            what = iface_("{name}, {count} more", name=what, count=status.waiting)
        text = n_("SDF Inertia: checking {name}.") if status.checking else n_("SDF Inertia: computing {name}.")
        self._bar.show(context, iface_(text, name=what), status.share)
        return {"PASS_THROUGH"}

    def cancel(self, _context: bpy.types.Context) -> None:
        """Stop computing as well: Blender also calls this when it quits or opens another file."""
        jobs.cancel()
        self._end()

    def _end(self) -> None:
        jobs.watch(False)
        self._bar.end()


def _alone(context: bpy.types.Context) -> bool:
    """Return True if no other operator, such as a move in progress, waits for its own Esc."""
    running: Any = getattr(context.window, "modal_operators", ())
    return all(operator.bl_idname == SDF_INERTIA_OT_show_progress.__name__ for operator in running)


class SDF_INERTIA_OT_compute(bpy.types.Operator):
    bl_idname = COMPUTE
    bl_label = "Compute Inertia"
    bl_description = "Compute the inertia of every link whose numbers are missing, such as after a cancel"

    def execute(self, _context: bpy.types.Context) -> set[str]:
        jobs.try_again()
        change_counter.announce_unseen()
        change_counter.redraw()
        return {"FINISHED"}


CLASSES = (SDF_INERTIA_OT_compute, SDF_INERTIA_OT_show_progress)
