# SPDX-License-Identifier: GPL-3.0-or-later
"""What every panel of the tab shares: where it stands, and how lines of text are laid out."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import blf
import bpy

from ...core.errors import Severity
from ..names import PANEL_CATEGORY, PROPERTIES, SELECT_OBJECT
from .texts import Facts, Remark, wrapped

ICONS: dict[Severity | None, Any] = {"info": "INFO", "warning": "ERROR", "error": "CANCEL", None: "BLANK1"}

CHECKING: Any = "SORTTIME"
"""The icon of what is being computed or checked."""

MARGINS = 68.0
"""Pixels beside a text in a box, at a resolution scale of 1: the sidebar's, the box's and the scroll bar's."""

BUTTON, BESIDE = 20.0, 0.5
"""Pixels of a button's height; what a label needs besides its text, in such heights."""

ICON = 22.0
"""Pixels of an icon before a text."""


FEWEST, MOST = 3, 8
"""Lines of a list before it is dragged larger."""


class Sidebar:
    """A panel in the SDF tab of the 3D view's sidebar."""

    bl_category = PANEL_CATEGORY
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"


def form(layout: bpy.types.UILayout) -> bpy.types.UILayout:
    """Return a layout with its properties set out as in Blender's own panels: names left, values right."""
    layout.use_property_split = True
    layout.use_property_decorate = False
    return layout


def set_apart(layout: bpy.types.UILayout) -> bpy.types.UILayout:
    """Return a column below a line.

    Not a box: Blender's light theme writes dark grey on grey there, a contrast of 4.4 to 1, or 3.2 for red.
    """
    layout.separator(type="LINE")
    return layout.column(align=True)


def summary(layout: bpy.types.UILayout, text: str) -> None:
    """Lay out in the redo panel what an operator did, a line for each of the text's."""
    if text:
        box = layout.box().column(align=True)
        for number, line in enumerate(text.split("\n")):
            box.label(text=line, icon="BLANK1" if number else "INFO", translate=False)


def lines_of(context: bpy.types.Context, text: str, icon: bool = False, width: float = 0.0) -> list[str]:
    """Return a text in lines that fit into the sidebar, or into a width [interface px]."""
    ui_scale = context.preferences.system.ui_scale or 1.0  # 0 until there is a window
    available = ui_scale * width or context.region.width
    points = context.preferences.ui_styles[0].widget.points * ui_scale
    return wrapped(text, available - ui_scale * (MARGINS + (ICON if icon else 0.0)), lambda line: _pixels(line, points))


def width_of(context: bpy.types.Context, text: str) -> float:
    """Return how wide a label of that text is, in heights of a button."""
    ui_scale = context.preferences.system.ui_scale or 1.0
    return _pixels(text, context.preferences.ui_styles[0].widget.points * ui_scale) / (BUTTON * ui_scale) + BESIDE


@lru_cache(maxsize=4096)
def _pixels(text: str, points: float) -> float:
    blf.size(0, points)
    return float(blf.dimensions(0, text)[0])


def paragraph(
    context: bpy.types.Context, layout: bpy.types.UILayout, text: str, icon: str = "NONE", width: float = 0.0
) -> None:
    """Lay out a text of several lines; an icon stands before the first, and the others are indented alike.

    They fit into the sidebar, or into a width [interface px].
    """
    column = layout.column(align=True)
    column.scale_y = 0.85
    for number, line in enumerate(lines_of(context, text, icon != "NONE", width)):
        sign: Any = icon if number == 0 or icon == "NONE" else "BLANK1"
        column.label(text=line, icon=sign, translate=False)


def remark(context: bpy.types.Context, layout: bpy.types.UILayout, shown: Remark) -> None:
    """Lay out a remark."""
    column = layout.column(align=True)
    column.alert = shown.alert
    paragraph(context, column, shown.text, shown.icon)


def list_of_objects(context: bpy.types.Context, layout: bpy.types.UILayout, ui_list: str, row: str, count: int) -> None:
    """Lay out a list of the objects of the file, which shows `count` of them at most."""
    lines = min(max(count, FEWEST), MOST)
    settings = getattr(context.scene, PROPERTIES)
    layout.template_list(ui_list, "", context.blend_data, "objects", settings, row, rows=lines, maxrows=lines)


def cell(line: bpy.types.UILayout, text: str, width: float) -> bpy.types.UILayout:
    """Lay out a text flush right in a column as wide as so many buttons are high; a name gets all the rest."""
    column = line.row(align=True)
    column.ui_units_x = width
    column.alignment = "RIGHT"
    column.label(text=text, translate=False)
    return column


def draw_name(context: bpy.types.Context, layout: bpy.types.UILayout, ob: bpy.types.Object, icon: Any) -> None:
    """Lay out the name of an object in a list.

    A double click renames what alone is selected. Ctrl and a click would do so as well, so the others are labels.
    """
    is_active = ob == context.view_layer.objects.active
    if is_active and len(context.selected_objects) < 2:
        layout.prop(ob, "name", text="", emboss=False, icon=icon)
    elif ob.select_get() and not is_active:
        select: Any = layout.operator(SELECT_OBJECT, text=ob.name, icon=icon, depress=True, translate=False)
        select.target = ob.name_full
    else:
        layout.label(text=ob.name, icon=icon, translate=False)


def facts(layout: bpy.types.UILayout, known: Facts) -> None:
    """Lay out names and values in two columns, as properties stand."""
    column = layout.column(align=True)
    for name, value in known:
        split = column.split(factor=0.4)
        names = split.row()
        names.alignment = "RIGHT"
        names.label(text=name, translate=False)
        split.label(text=value, translate=False)


def numbers(layout: bpy.types.UILayout, texts: Iterable[str]) -> None:
    """Lay out numbers three in a row, each flush right."""
    grid = layout.grid_flow(columns=3, row_major=True, even_columns=True)
    for text in texts:
        cell = grid.row()
        cell.alignment = "RIGHT"
        cell.label(text=text, translate=False)
