# SPDX-License-Identifier: GPL-3.0-or-later
"""What every panel of the tab shares: where it stands, and how lines of text are laid out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import blf
import bpy

from ...core.errors import Severity
from ...core.units import SI
from ..names import PANEL_CATEGORY, PROPERTIES, SELECT_OBJECT
from ..preferences import units
from ..scene.together import count_values
from ..translations.words import iface_, language
from .texts import Button, Facts, Remark, wrapped

ICONS: dict[Severity | None, Any] = {"info": "INFO", "warning": "ERROR", "error": "CANCEL", None: "BLANK1"}

CHECKING: Any = "SORTTIME"
"""The icon of what is being computed or checked."""

MARGINS = 68.0
"""Pixels beside a text in a box, at a resolution scale of 1: the sidebar's, the box's and the scroll bar's."""

BUTTON, BESIDE = 20.0, 0.5
"""Pixels of a button's height; what a label needs besides its text, in such heights."""

BESIDE_BUTTON = 0.62
"""The share of the width that a text has beside its button."""

SEPARATOR, GAP = 6.0, 0.15
"""Pixels of a separator; what is between two parts of a layout, in heights of a button."""

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
) -> float:
    """Lay out a text of several lines; an icon stands before the first, and the others are indented alike.

    They fit into the sidebar, or into a width [interface px]. Return the height, in heights of a button.
    """
    column = layout.column(align=True)
    column.scale_y = 0.85
    lines = lines_of(context, text, icon != "NONE", width)
    for number, line in enumerate(lines):
        sign: Any = icon if number == 0 or icon == "NONE" else "BLANK1"
        column.label(text=line, icon=sign, translate=False)
    return column.scale_y * len(lines)


def remark(context: bpy.types.Context, layout: bpy.types.UILayout, shown: Remark) -> float:
    """Lay out a remark, one button beside a short text, others below; return its height, in heights of a button."""
    text = shown.short if shown.buttons and shown.short else shown.text
    whole = context.region.width / (context.preferences.system.ui_scale or 1.0)
    width = BESIDE_BUTTON * (whole - MARGINS) + MARGINS
    beside = len(shown.buttons) == 1 and len(lines_of(context, text, True, width)) < 3
    row = layout.split(factor=BESIDE_BUTTON) if beside else layout
    column = row.column(align=True)
    column.alert = shown.alert
    height = paragraph(context, column, text, shown.icon, width if beside else 0.0)
    below = draw_buttons(row, shown.buttons)
    return max(height, below) if beside else height + below


def draw_buttons(layout: bpy.types.UILayout, buttons: Sequence[Button]) -> float:
    """Lay out the buttons that a sentence names, two in a row; return their height, in heights of a button."""
    if not buttons:
        return 0.0
    flow = layout.grid_flow(columns=min(len(buttons), 2), row_major=True, even_columns=True, align=True)
    for button in buttons:
        draw_button(flow, button)
    return (len(buttons) + 1) // 2 + GAP


def draw_button(layout: bpy.types.UILayout, button: Button) -> None:
    """Lay out a button that a sentence names."""
    text: Any = {"text": iface_(button.label)} if button.label else {}
    operator = layout.operator(button.operator, **text)
    for name, value in button.values.items():
        setattr(operator, name, value)


_tallest: dict[str, tuple[tuple[Any, ...], float]] = {}
"""Of parts of the panels: the active object, language, width and scene, and the greatest height since these are so."""


def keep_height(context: bpy.types.Context, layout: bpy.types.UILayout, part: str, height: float) -> None:
    """Leave room for what has vanished from a part of a panel, so that nothing moves away below the pointer.

    It is there until another object is active. Heights are in heights of a button.
    """
    ob = context.view_layer.objects.active
    state = 0 if ob is None else ob.session_uid, language(), context.region.width, context.scene.session_uid
    last, before = _tallest.get(part, ((), 0.0))
    tallest = max(height, before if last == state else 0.0)
    _tallest[part] = state, tallest
    if tallest > height:
        layout.separator(factor=(tallest - height) * BUTTON / SEPARATOR)


def keeps_height(part: str, ob: bpy.types.Object | None) -> bool:
    """Return True if a part of a panel held something since an object became active."""
    state, height = _tallest.get(part, ((), 0.0))
    return ob is not None and ob.session_uid in state[:1] and height > 0.0


def list_of_objects(context: bpy.types.Context, layout: bpy.types.UILayout, ui_list: str, row: str, count: int) -> None:
    """Lay out a list of the objects of the file, which shows `count` of them at most."""
    data, lines = getattr(context.scene, PROPERTIES), min(max(count, FEWEST), MOST)
    layout.template_list(ui_list, "", context.blend_data, "objects", data, row, rows=lines, maxrows=lines)


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


def setting(layout: bpy.types.UILayout, shown: Any, name: str, **options: Any) -> None:
    """Lay out a setting of the selected objects, and how many values they have in it if they differ."""
    count = count_values(shown, name)
    row = layout.row(align=True)
    row.prop(shown, name, **options)
    if count > 1:
        row.label(text=iface_("{count} values", count=count))


def mass_setting(layout: bpy.types.UILayout, shown: Any, name: str = "mass", **options: Any) -> None:
    """Lay out a mass in the unit in which masses are shown."""
    setting(layout, shown, name if units() == SI else f"{name}_in_grams", **options)


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
