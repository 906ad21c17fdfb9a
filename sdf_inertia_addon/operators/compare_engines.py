# SPDX-License-Identifier: GPL-3.0-or-later
"""Compare what engines simulate of the file that an export would write."""

from __future__ import annotations

import bpy

from ...core.errors import InertiaError, first_error
from ..change_counter import redraw
from ..export.compared_engines import chosen_engines, compare_engines, kept_comparison
from ..live.await_measurements import AwaitsMeasurements
from ..names import COMPARE_ENGINES
from ..panels.engines import result_of
from ..panels.texts import in_words
from ..scene.belonging import is_link
from ..scene.scene_read import read_model
from ..translations.words import rpt_, tip_
from .base import enabled_if, refused


class SDF_INERTIA_OT_compare_engines(AwaitsMeasurements, bpy.types.Operator):
    bl_idname = COMPARE_ENGINES
    bl_label = "Compare Engines"
    bl_description = (
        "Compare what the chosen engines simulate of the file that an export would write, by rules that are tested"
        " against them; no engine needs to be installed"
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        possible = chosen_engines(context.scene) and any(map(is_link, bpy.data.objects))
        return enabled_if(cls, possible, tip_("Tag a link, and choose an engine"))

    def execute(self, context: bpy.types.Context) -> set[str]:
        depsgraph = context.evaluated_depsgraph_get()
        if self.must_wait(context, lambda: read_model(depsgraph)):
            return {"RUNNING_MODAL"}
        try:
            exported = compare_engines(depsgraph)
        except InertiaError as error:
            return refused(self, in_words(error.finding()))
        except OSError as error:
            return refused(self, rpt_("Cannot write {path}: {why}", path=error.filename, why=error.strerror))
        redraw()
        last = kept_comparison(context.scene)
        if last is None:
            first = first_error(exported.findings)
            return refused(self, f"{rpt_('Nothing was compared.')} {'' if first is None else in_words(first)}".strip())
        self.report({"INFO" if last.comparison.agree else "WARNING"}, result_of(last.comparison).text)
        return {"FINISHED"}


CLASSES = (SDF_INERTIA_OT_compare_engines,)
