# SPDX-License-Identifier: GPL-3.0-or-later
"""How the meshes of the active link and of its active part are computed and written."""

from __future__ import annotations

from typing import Any

import bpy

from ....core.mesh.methods import METHODS
from ...names import CHECK_MESH
from ...scene.belonging import is_solid
from ...scene.link_reader import NOT_COMPUTED
from ...scene.properties import PROPERTY_OF
from ...scene.together import shown_settings
from ...translations.words import n_
from ..active import Active, settings_of
from ..section import Section
from ..sidebar import form, setting
from .density import has_settings


def _draw(context: bpy.types.Context, layout: bpy.types.UILayout, active: Active) -> None:
    form(layout)
    link, part = active.link_object, active.part_object
    if part is not None:
        _draw_method(context, layout, part, True)
        layout.separator()
    if link is not None:
        column = layout.column()
        column.active = settings_of(link).inertia not in NOT_COMPUTED
        _draw_method(context, column, link, part is not None)


def _draw_method(context: bpy.types.Context, layout: bpy.types.UILayout, ob: bpy.types.Object, heading: bool) -> None:
    settings, shown = settings_of(ob), shown_settings(context, ob)
    if heading:
        layout.label(text=ob.name, icon="RIGID_BODY" if settings.is_link else "MOD_PHYSICS", translate=False)
    column = layout.column()
    column.active = settings.geometry == "MESH" or settings.is_link
    setting(column, shown, "method")
    method = METHODS.get(settings.method.lower())  # none where it is inherited, or one of another version
    if method is not None:
        for parameter in method.parameters:
            setting(column, shown, PROPERTY_OF.get(parameter.name, parameter.name))
    if settings.is_collision and settings.geometry == "MESH":
        setting(column, shown, "write_as")
        if settings.write_as == "SIMPLIFIED":
            setting(column, shown, "simplify_tolerance")
    if is_solid(ob) and settings.geometry == "MESH":
        check: Any = column.operator(CHECK_MESH, icon="VIEWZOOM")
        check.target = ob.name_full


SECTION = Section(n_("Method"), has_settings, _draw, closed=True)
