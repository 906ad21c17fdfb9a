# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's window: where things are on the screen, its views, what is drawn, and what waits.

Nothing in this folder may do what a test claims that a click does.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

import bpy
from bpy_extras.view3d_utils import location_3d_to_region_2d
from mathutils import Euler, Vector


def be_quiet() -> tuple[int, ...]:
    """Set what would get into the way of clicks: splash, moving views, questions on quitting."""
    view = bpy.context.preferences.view
    view.show_splash = False
    view.smooth_view = 0
    view.use_save_prompt = False
    view.show_tooltips = False
    bpy.context.preferences.use_preferences_save = False
    bpy.context.preferences.system.use_region_overlap = False  # the 3D view below would be drawn with each button
    return bpy.app.version


@contextlib.contextmanager
def anywhere(area_type: str = "VIEW_3D", region_type: str = "WINDOW"):
    """A timer stands in no window: give an operator one, and an area and region in it."""
    window, area, region = place(area_type, region_type)
    with bpy.context.temp_override(window=window, area=area, region=region):
        yield


def place(area_type: str, region_type: str):
    """The largest area of a type, in any window, and a region of it."""
    found = [(w, a) for w in bpy.context.window_manager.windows for a in w.screen.areas if a.type == area_type]
    window, area = max(found, key=lambda pair: pair[1].width * pair[1].height)
    return window, area, next(region for region in area.regions if region.type == region_type)


def shown(area_type: str) -> bool:
    return any(a.type == area_type for w in bpy.context.window_manager.windows for a in w.screen.areas)


def box(area_type: str = "VIEW_3D", region_type: str = "WINDOW") -> tuple[float, float, float, float]:
    """Left, top, right, bottom of a region on the screen."""
    window, _area, region = place(area_type, region_type)
    left, bottom = corner(window)
    left, bottom = left + region.x, bottom - region.y
    return left, bottom - region.height, left + region.width, bottom


def corner(window) -> tuple[int, int]:
    """The lower left corner of a window on the screen; Blender counts from the bottom of the main one."""
    main = bpy.context.window_manager.windows[0]
    return window.x - main.x, main.height - (window.y - main.y)


def on_screen(point: tuple[float, float, float]) -> tuple[float, float]:
    """Where a point of the world is on the screen."""
    window, area, region = place("VIEW_3D", "WINDOW")
    x, y = location_3d_to_region_2d(region, area.spaces.active.region_3d, Vector(point))
    left, bottom = corner(window)
    return left + region.x + x, bottom - region.y - y


def scrolled(area_type: str, region_type: str) -> float:
    """How far a region is scrolled [px]."""
    _window, _area, region = place(area_type, region_type)
    return region.view2d.region_to_view(0.0, 0.0)[1]


def redraw() -> None:
    """Draw now, not some time."""
    with anywhere():
        bpy.ops.wm.redraw_timer(type="DRAW_WIN_SWAP", iterations=1)


def smooth(on: bool = True) -> None:
    """Draw the 3D view again and again until its edges are smooth, as Blender comes; without, eight times as fast."""
    bpy.context.preferences.system.viewport_aa = "8" if on else "OFF"


def look(distance: float = 12.0, navigation: bool = False) -> None:
    """Look along +y without perspective, with x to the right and z up; open the sidebar."""
    _window, area, _region = place("VIEW_3D", "WINDOW")
    space = area.spaces.active
    space.show_region_ui = True
    space.show_gizmo_navigate = navigation  # its balls would be clicked at
    space.region_3d.view_perspective = "ORTHO"
    space.region_3d.view_rotation = (0.5**0.5, 0.5**0.5, 0.0, 0.0)
    space.region_3d.view_location = (0.0, 0.0, 0.0)
    space.region_3d.view_distance = distance


def look_at(point: tuple[float, float, float]) -> None:
    """Put a point of the world into the middle of the 3D view."""
    _window, area, _region = place("VIEW_3D", "WINDOW")
    area.spaces.active.region_3d.view_location = point


def tutorial_view(distance: float, height: float = 0.1, ahead: float = 0.0) -> None:
    """Look from the front, the right and above, as one models."""
    _window, area, _region = place("VIEW_3D", "WINDOW")
    view = area.spaces.active.region_3d
    view.view_perspective = "PERSP"
    view.view_rotation = Euler((1.15, 0.0, 0.6)).to_quaternion()
    view.view_location = (ahead, 0.0, height)
    view.view_distance = distance


def portrait() -> None:
    """Look at all there is from the front, a little from above and from the right, with perspective."""
    _window, area, region = place("VIEW_3D", "WINDOW")
    view = area.spaces.active.region_3d
    view.view_perspective = "PERSP"
    view.view_rotation = Euler((1.25, 0.0, 0.45)).to_quaternion()
    with anywhere():
        bpy.ops.view3d.view_all()
    region.tag_redraw()


def open_tab() -> bool:
    """Choose our tab of the sidebar; a tick after the sidebar was opened."""
    _window, _area, region = place("VIEW_3D", "UI")
    if region.width <= 1:
        return False
    region.active_panel_category = "SDF"
    region.tag_redraw()
    return region.active_panel_category == "SDF"


def search() -> None:
    """Open the search for menus, as F3 does: Blender 5.2 hears no function key of a virtual screen's."""
    with anywhere():
        bpy.ops.wm.search_menu("INVOKE_DEFAULT")


def waiting_operators() -> list[str]:
    """Operators that are under way in the main window."""
    return [operator.bl_idname for operator in bpy.context.window_manager.windows[0].modal_operators]


def large_and_light(on: bool = True) -> None:
    """Draw all of the interface twice as large, in Blender's light theme; or as it comes."""
    bpy.context.preferences.view.ui_scale = 2.0 if on else 1.0
    folder = next(path for path in bpy.utils.preset_paths("interface_theme") if "scripts" in path)
    with anywhere():
        if on:
            theme = next(Path(folder).glob("Blender_Light.xml"))
            bpy.ops.script.execute_preset(filepath=str(theme), menu_idname="USERPREF_MT_interface_theme_presets")
        else:
            bpy.ops.preferences.reset_default_theme()


def speak(language: str) -> None:
    """Choose the language of the interface, as a user does in the preferences."""
    view = bpy.context.preferences.view
    view.language = language
    view.use_translate_interface = view.use_translate_tooltips = view.use_translate_reports = True


def file_dialog() -> str:
    """The operator that the file dialog is for; nothing if there is none yet."""
    _window, area, _region = place("FILE_BROWSER", "WINDOW")
    operator = area.spaces.active.active_operator
    return "" if operator is None else operator.bl_idname


def set_overlays(on: bool) -> None:
    place("VIEW_3D", "WINDOW")[1].spaces.active.overlay.show_overlays = on
