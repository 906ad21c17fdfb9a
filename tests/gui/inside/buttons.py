# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds a button inside Blender by moving the pointer over a region and asking what it is over."""

from __future__ import annotations

import contextlib

import bpy
from screen import anywhere, corner, place, redraw

Spot = tuple[float, float]
"""A share of a region's width, and pixels from its top."""

EDGE = 6
"""Pixels above and below, where a button is searched for too: a click at its very edge may miss it."""


def find(does: str, area_type: str, region_type: str, spots: list[Spot]):
    """Return where on the screen the pointer is over a button whose call or property contains `does`, and the spot;
    else all buttons that there are at these spots.

    A generator: after each move of the pointer Blender needs a round of its event loop to notice.
    """
    window, _area, region = place(area_type, region_type)
    left, bottom = corner(window)
    seen: list[str] = []
    for share, height in spots:
        x, y = region.x + round(share * region.width), region.y + region.height - round(height)
        window.cursor_warp(x, y)
        yield
        yield
        button = _below_pointer(area_type, region_type)
        if does in button:  # is it there still, once all is drawn that has changed, and where is it not an edge?
            redraw()
            heights = []
            for beside in (-EDGE, EDGE, 0):
                window.cursor_warp(x, y + beside)
                yield
                yield
                if does in _below_pointer(area_type, region_type):
                    heights.append(y + beside)
            if heights:
                return left + x, bottom - round(sum(heights) / len(heights)), (share, height)
        if button and button not in seen:
            seen.append(button)
    return seen


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
