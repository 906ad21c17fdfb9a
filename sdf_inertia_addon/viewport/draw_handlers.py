# SPDX-License-Identifier: GPL-3.0-or-later
"""The overlay in Blender's 3D views: draw handlers, which only read."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from dataclasses import replace
from time import monotonic
from typing import Any

import bpy
from bpy.app.handlers import persistent

from .. import live
from ..change_counter import redraw
from ..colors import ColorBook
from ..live import jobs
from ..live.model import joint_positions
from ..overlay.camera import Camera
from ..overlay.content import Content, content_of
from ..overlay.draw import Drawing
from ..overlay.draw import forget as forget_gpu
from ..overlay.faulty_marks import FaultyMarks
from ..overlay.labels.draw_labels import Labels, draw_note
from ..overlay.labels.label_boxes import forget as forget_label_boxes
from ..overlay.labels.placement import Placement
from ..overlay.style import OverlayStyle
from ..overlay.voxels import VoxelBoxes, VoxelView, note_of
from ..translations.words import language
from . import view_settings
from .in_view import faults_of, links_in_view, read_voxels
from .region import camera_of, free_of, note_place, on_light, taken_of

STILL = 0.15
"""After so long without a change, labels may search for new places [s]."""

VIEWPORTS = 16
"""Viewports whose pictures are remembered."""


class _Viewport:
    """What one viewport showed last, and its like on the GPU."""

    def __init__(self) -> None:
        self.camera: Camera | None = None  # None: nothing is shown
        self.shown_by: object = None
        self.content = Content((), 1.0, OverlayStyle())
        self.voxels: dict[str, VoxelBoxes] = {}
        self.faulty: list[FaultyMarks] = []
        self.note = ""
        self.hovered = ""
        self.drawn_by: object = None
        self.drawing: Drawing | None = None
        self.labels: tuple[object, Labels] | None = None
        self.placement = Placement()


_handles: list[Any] = []
_viewports: dict[int, _Viewport] = {}
_colors: dict[int, ColorBook] = {}
_failure: str | None = None
_last_change = 0.0


def attach() -> None:
    """Add the draw handlers; in the background there is nothing to draw into."""
    if bpy.app.background:
        return
    for callback, moment in ((_draw_bodies, "POST_VIEW"), (_draw_labels, "POST_PIXEL")):
        handle = bpy.types.SpaceView3D.draw_handler_add(_guarded, (callback,), "WINDOW", moment)
        _handles.append(handle)
    bpy.app.handlers.save_pre.append(persistent(keep_colors))


def detach() -> None:
    """Remove the handlers, and drop all that was drawn."""
    for handle in _handles:
        bpy.types.SpaceView3D.draw_handler_remove(handle, "WINDOW")
    _handles.clear()
    if keep_colors in bpy.app.handlers.save_pre:
        bpy.app.handlers.save_pre.remove(keep_colors)
    if bpy.app.timers.is_registered(_place_again):
        bpy.app.timers.unregister(_place_again)
    forget()


def forget() -> None:
    """Drop all that is remembered."""
    global _failure
    _failure = None
    _viewports.clear()
    _colors.clear()
    forget_label_boxes()
    forget_gpu()


def failure() -> str | None:
    """Return why the overlay switched itself off, or None."""
    return _failure


def last_drawn(region: bpy.types.Region) -> tuple[Content, Camera] | None:
    """Return what a region was last drawn with: the same two until it is drawn again; None where nothing was."""
    viewport = _viewports.get(region.as_pointer())
    if viewport is None or viewport.camera is None:
        return None
    return viewport.content, viewport.camera


def hover(region: bpy.types.Region, link: str) -> None:
    """Set the link whose centre of mass is under the mouse in a region; an empty name if there is none."""
    viewport = _viewports.get(region.as_pointer())
    if viewport is not None:
        viewport.hovered = link


def _guarded(callback: Callable[[bpy.types.Context], None]) -> None:
    global _failure
    if _failure is not None:
        if not view_settings.of(bpy.context.scene).show:
            _failure = None  # who switches it on again wants to see it tried
        return
    # Blender would print whatever is raised here at every redraw, many times a second: this is the one place where
    # anything is caught. It is reported once, and the overlay stays off until it is switched off and on.
    try:
        callback(bpy.context)
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        _failure = f"{type(error).__name__}: {error} ({place.filename}:{place.lineno})"
        print(
            f"SDF Inertia: the overlay failed; it is off until it is switched off and on. {_failure}", file=sys.stderr
        )


def _draw_bodies(context: bpy.types.Context) -> None:
    """POST_VIEW: find out what is to be seen, and draw the bodies."""
    viewport = _viewport_of(context)
    viewport.camera = None
    if not _wanted(context):
        return
    _update(context, viewport)
    camera = viewport.camera = camera_of(context)
    key = (viewport.content, camera.key())
    if key != viewport.drawn_by or viewport.drawing is None:
        viewport.drawing = Drawing(viewport.content, camera)
        viewport.drawn_by = key
    viewport.drawing.draw(list(viewport.voxels.values()), _faulty(context, viewport))


def _draw_labels(context: bpy.types.Context) -> None:
    """POST_PIXEL: draw the labels of what `_draw_bodies` has just drawn."""
    viewport = _viewport_of(context)
    camera = viewport.camera
    if camera is None:
        return
    bounds, note = free_of(context), note_place(context)
    key = (viewport.drawn_by, bounds, note)
    if viewport.labels is None or key != viewport.labels[0] or viewport.placement.still:
        viewport.labels = (key, Labels(viewport.content, camera, viewport.placement, bounds, taken_of(context)))
        if not viewport.placement.final:
            _place_again_later()
    _key, labels = viewport.labels
    labels.draw()
    left_out = labels.note if viewport.placement.final else ""
    draw_note("    ".join(filter(None, (left_out, viewport.note))), camera, note[:2])


def _viewport_of(context: bpy.types.Context) -> _Viewport:
    key = context.region.as_pointer()  # in a quad view, each of the four is a region of its own
    if key not in _viewports:
        while len(_viewports) >= VIEWPORTS:
            del _viewports[next(iter(_viewports))]
        _viewports[key] = _Viewport()
    return _viewports[key]


def _wanted(context: bpy.types.Context) -> bool:
    space = context.space_data
    return bool(
        isinstance(space, bpy.types.SpaceView3D)
        and space.overlay.show_overlays
        and context.region_data is not None
        and view_settings.of(context.scene).show
    )


def _update(context: bpy.types.Context, viewport: _Viewport) -> None:
    """Find out what a viewport shows: the same content while nothing changes."""
    model = live.model(context.evaluated_depsgraph_get())
    style = replace(view_settings.style_of(context.scene), on_light=on_light(context))
    visible = links_in_view(context, model, style, viewport.hovered)
    positions = joint_positions(model)
    key = (context.scene.session_uid, model.signature, style, visible, tuple(positions.items()), language())
    if key == viewport.shown_by:
        return
    colors = _colors_of(context.scene).indices([link.body.name for link in model.links])
    viewport.content = content_of(model, style, visible, colors, positions)
    viewport.shown_by = key
    views: list[VoxelView] = []
    viewport.note = ""
    if style.show_voxels and visible.active is not None:
        color = style.palette[colors[visible.active] % len(style.palette)]
        views, viewport.note = read_voxels(model.links[visible.active].body, color)
        viewport.note = viewport.note or note_of(views)
    viewport.note = viewport.note or viewport.content.statics.problem
    before = viewport.voxels
    viewport.voxels = {view.name: VoxelBoxes(view, model.metres_per_unit, before.get(view.name)) for view in views}


def _faulty(context: bpy.types.Context, viewport: _Viewport) -> list[FaultyMarks]:
    """Return the marks of the active part's faults, as far as they are found; what is not is wanted from now on."""
    ob = context.active_object if viewport.content.style.show_faulty else None
    parts, tasks = faults_of(ob, live.model(context.evaluated_depsgraph_get()))
    jobs.want(("faulty", context.region.as_pointer()), tasks)
    before = {marks.part.places: marks for marks in viewport.faulty}
    viewport.faulty = [
        before[part.places].moved_to(part) if part.places in before else FaultyMarks(part) for part in parts
    ]
    return viewport.faulty


def _colors_of(scene: bpy.types.Scene) -> ColorBook:
    """Return which links have which colour: the same in all viewports of a scene."""
    while len(_colors) >= VIEWPORTS and scene.session_uid not in _colors:
        del _colors[next(iter(_colors))]
    if scene.session_uid not in _colors:
        _colors[scene.session_uid] = ColorBook(view_settings.of(scene).colors)
    return _colors[scene.session_uid]


def keep_colors(*_arguments: object) -> None:
    """Write into each scene which links have which colours: before the file is saved."""
    for scene in bpy.data.scenes:
        if scene.session_uid in _colors and scene.library is None:
            view_settings.of(scene).colors = _colors[scene.session_uid].text


def _place_again_later() -> None:
    global _last_change
    _last_change = monotonic()
    if not bpy.app.timers.is_registered(_place_again):
        bpy.app.timers.register(_place_again, first_interval=STILL)


def _place_again() -> float | None:
    """Allow the labels to find new places, once nothing has changed for a while."""
    seconds = _last_change + STILL - monotonic()
    if seconds > 0.01:
        return seconds
    for viewport in _viewports.values():
        viewport.placement.still = not viewport.placement.final
    redraw()
    return None
