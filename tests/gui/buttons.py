# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds a button inside Blender by moving the pointer over a region and asking what it is over."""

from __future__ import annotations

import contextlib

import bpy
from inside import anywhere, corner, place

ROW = 16
"""Pixels between the rows in which buttons are looked for: a button is 20 high."""

COLUMNS = ((0.25, 0.72), (0.06, 0.09, 0.48, 0.8, 0.9))
"""Where in a row, of its width: where most buttons are, then where the rest may be."""


def find(does: str, area_type: str, region_type: str):
    """Where on the screen the pointer is over a button whose call or property contains `does`; else all there are.

    A generator: after each move of the pointer Blender needs a round of its event loop to notice.
    """
    window, _area, region = place(area_type, region_type)
    left, bottom = corner(window)
    seen: list[str] = []
    for x, y in _spots(region):
        window.cursor_warp(x, y)
        yield
        yield
        found = _below_pointer(area_type, region_type)
        if does in found:
            return left + x, bottom - y
        if found and found not in seen:
            seen.append(found)
    return seen


def _spots(region):
    """Places in a window to look for buttons of a region at."""
    if region.height <= 3 * ROW:  # a header
        return [(region.x + x, region.y + region.height // 2) for x in range(ROW, region.width, ROW)]
    rows = range(ROW, region.height - ROW // 2, ROW)  # a click on the area's edge would move that
    places = ((column, row) for columns in COLUMNS for row in rows for column in columns)
    return [(region.x + round(column * region.width), region.y + region.height - row) for column, row in places]


def _below_pointer(area_type: str, region_type: str) -> str:
    """What the button below the pointer does or shows: an operator's call, a property's path, or nothing."""
    manager = bpy.context.window_manager
    with anywhere(area_type, region_type):
        for ask in (bpy.ops.ui.copy_python_command_button, bpy.ops.ui.copy_data_path_button):
            if ask.poll():  # type: ignore[call-arg]
                manager.clipboard = ""
                with contextlib.suppress(RuntimeError):
                    ask()
                if manager.clipboard:
                    return str(manager.clipboard)
    return ""
