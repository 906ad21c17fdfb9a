# SPDX-License-Identifier: GPL-3.0-or-later
"""Diagnose any object's mesh in full, tagged or not, and list what was found."""

from __future__ import annotations

import bpy
import numpy as np

from ...core.errors import Finding, InertiaError
from ...core.mesh.measure import check_surface
from ..names import CHECK_MESH
from ..panels.sidebar import ICONS
from ..panels.texts import by_severity, in_words, wrapped
from ..scene.evaluated.evaluated_mesh import surface_of
from ..scene.scene_read import metres_per_unit
from ..translations.words import iface_, rpt_
from .base import OnTarget

WIDTH = 80
"""Characters in a line of the list."""


class SDF_INERTIA_OT_check_mesh(OnTarget):
    bl_idname = CHECK_MESH
    bl_label = "Check Mesh"
    bl_description = "Look for all that can be wrong with this object's mesh, and list it; it need not be tagged"
    bl_options = {"REGISTER"}

    def refusal(self, _ob: bpy.types.Object) -> str:
        return ""  # a library's object can be looked at

    def change(self, context: bpy.types.Context, ob: bpy.types.Object) -> set[str]:
        findings = by_severity(diagnosis(context, ob))
        for finding in findings:
            self.report({"INFO" if finding.severity == "info" else "WARNING"}, in_words(finding.about(ob.name)))
        if not findings:
            self.report({"INFO"}, rpt_("{name}: nothing is wrong with its mesh", name=ob.name))
        if not bpy.app.background:
            _show(context, ob.name, findings)
        return {"FINISHED"}


def diagnosis(context: bpy.types.Context, ob: bpy.types.Object) -> tuple[Finding, ...]:
    """Diagnose an object's evaluated mesh in full, with its scale in the scene, in metres."""
    evaluated = ob.evaluated_get(context.evaluated_depsgraph_get())
    to_world = np.array(evaluated.matrix_world, dtype=np.float64)[:3, :3] * metres_per_unit(context.scene)
    try:
        return check_surface(surface_of(evaluated).stretched(to_world))
    except InertiaError as error:
        return (error.finding(),)


def _show(context: bpy.types.Context, name: str, findings: list[Finding]) -> None:
    def draw(menu: bpy.types.UIPopupMenu, _context: bpy.types.Context) -> None:
        if not findings:
            menu.layout.label(text=iface_("Nothing is wrong with its mesh."), icon="CHECKMARK")
        for finding in findings:
            first, *rest = wrapped(in_words(finding), WIDTH)
            menu.layout.label(text=first, icon=ICONS[finding.severity], translate=False)
            for line in rest:
                menu.layout.label(text=line, icon="BLANK1", translate=False)

    context.window_manager.popup_menu(draw, title=name)


CLASSES = (SDF_INERTIA_OT_check_mesh,)
