# SPDX-License-Identifier: GPL-3.0-or-later
"""The overlay in Blender's 3D views: draw handlers, which only read."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any, NamedTuple

import bpy
import numpy as np

from . import live, preferences, view_settings
from .overlay.camera import Camera
from .overlay.colors import ColorBook
from .overlay.content import Focus, views_of_model
from .overlay.draw import Drawing
from .overlay.draw import forget as forget_gpu
from .overlay.labels import Labels, draw_note
from .overlay.layout import Bounds
from .overlay.look import Look
from .overlay.placement import Placement
from .overlay.shapes import BodyView

REST = 0.15
"""After so long without a change, labels may look for new places [s]."""

VIEWS_KEPT = 16
"""Viewports whose pictures are remembered."""


class Seen(NamedTuple):
    """What a viewport shows."""

    views: list[BodyView]
    camera: Camera
    metres_per_unit: float
    look: Look


class _Viewport:
    """What one viewport showed last."""

    def __init__(self) -> None:
        self.key: object = None
        self.drawing: Drawing | None = None
        self.labels: Labels | None = None
        self.labels_key: object = None
        self.placement = Placement()
        self.seen: Seen | None = None


_handles: list[Any] = []
_viewports: dict[int, _Viewport] = {}
_books: dict[str, ColorBook] = {}
_content: tuple[object, list[BodyView]] | None = None
_owners: tuple[int, Mapping[str, int]] | None = None
_failure: str | None = None
_last_change = 0.0


def attach() -> None:
    """Add the draw handlers; in the background there is nothing to draw into."""
    if bpy.app.background:
        return
    for callback, moment in ((_draw_bodies, "POST_VIEW"), (_draw_labels, "POST_PIXEL")):
        handle = bpy.types.SpaceView3D.draw_handler_add(_guarded, (callback,), "WINDOW", moment)
        _handles.append(handle)


def detach() -> None:
    """Remove the handlers, and let go of all that was drawn."""
    for handle in _handles:
        bpy.types.SpaceView3D.draw_handler_remove(handle, "WINDOW")
    _handles.clear()
    if bpy.app.timers.is_registered(_rest):
        bpy.app.timers.unregister(_rest)
    forget()


def forget() -> None:
    """Drop all that is remembered."""
    global _content, _owners, _failure
    _content, _owners, _failure = None, None, None
    _viewports.clear()
    _books.clear()
    forget_gpu()


def failure() -> str | None:
    """Return why the overlay switched itself off, or None."""
    return _failure


def seen(region: bpy.types.Region) -> Seen | None:
    """Return what a region was last drawn with: the same object until it is drawn again; None where nothing was."""
    viewport = _viewports.get(region.as_pointer())
    return None if viewport is None else viewport.seen


def _guarded(callback: Callable[[bpy.types.Context], None]) -> None:
    global _failure
    if _failure is not None:
        if not view_settings.of(bpy.context.scene).show:
            _failure = None  # who switches it on again wants to see it tried
        return
    # Blender would print whatever is raised here at every redraw, many times a second: this is the one place where
    # anything is caught. It is said once, and the overlay stays off until it is switched on again.
    try:
        callback(bpy.context)
    except Exception as error:  # noqa: BLE001
        place = traceback.extract_tb(error.__traceback__)[-1]
        _failure = f"{type(error).__name__}: {error} ({place.filename}:{place.lineno})"
        print(
            f"SDF Inertia: the overlay failed and is off until it is switched off and on again. {_failure}",
            file=sys.stderr,
        )


def _draw_bodies(context: bpy.types.Context) -> None:
    """POST_VIEW: find out what is to be seen, and draw the bodies."""
    viewport = _viewport_of(context)
    viewport.seen = None
    if not _wanted(context):
        return
    look = view_settings.look(context.scene, preferences.preferences())
    model = live.model(context.evaluated_depsgraph_get())
    views = _views(context, model, look)
    camera = _camera(context)
    unit = model.metres_per_unit
    viewport.seen = Seen(views, camera, unit, look)
    key = (id(views), camera.view.tobytes(), camera.projection.tobytes(), camera.width, camera.height, look)
    if key != viewport.key:
        viewport.drawing = Drawing(views, camera, unit, look)
        viewport.key = key
    assert viewport.drawing is not None
    viewport.drawing.draw()


def _draw_labels(context: bpy.types.Context) -> None:
    """POST_PIXEL: draw the labels of what `_draw_bodies` has just drawn."""
    viewport = _viewport_of(context)
    if viewport.seen is None:
        return
    views, camera, unit, look = viewport.seen
    bounds = _free(context, camera)
    key = (viewport.key, bounds)
    if key != viewport.labels_key or viewport.placement.rested or viewport.labels is None:
        viewport.labels = Labels(views, camera, unit, look, viewport.placement, bounds)
        viewport.labels_key = key
        if not viewport.placement.settled:
            _rest_later()
    viewport.labels.draw()
    if viewport.labels.left_out:
        draw_note(f"{viewport.labels.left_out} labels have no room", camera, bounds[:2])


def _viewport_of(context: bpy.types.Context) -> _Viewport:
    # In a quad view, each of the four is a region of its own.
    key = context.region.as_pointer()
    if key not in _viewports:
        while len(_viewports) >= VIEWS_KEPT:
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


def _camera(context: bpy.types.Context) -> Camera:
    region, region_3d = context.region, context.region_data
    view = np.array(region_3d.view_matrix, dtype=np.float64)
    projection = np.array(region_3d.window_matrix, dtype=np.float64)
    scale = context.preferences.system.ui_scale or 1.0
    return Camera(view, projection, region.width, region.height, scale)


def _free(context: bpy.types.Context, camera: Camera) -> Bounds:
    """Return what of the region is not covered by toolbar, sidebar and headers."""
    left, bottom, right, top = 0.0, 0.0, float(camera.width), float(camera.height)
    if not context.preferences.system.use_region_overlap:
        return left, bottom, right, top
    region = context.region
    for other in context.area.regions:
        if other.type not in {"TOOLS", "UI", "HEADER", "TOOL_HEADER", "ASSET_SHELF", "ASSET_SHELF_HEADER"}:
            continue
        if min(other.width, other.height) <= 1:
            continue
        if other.alignment in {"LEFT"}:
            left = max(left, float(other.x + other.width - region.x))
        elif other.alignment in {"RIGHT"}:
            right = min(right, float(other.x - region.x))
        elif other.alignment in {"TOP"}:
            top = min(top, float(other.y - region.y))
        elif other.alignment in {"BOTTOM"}:
            bottom = max(bottom, float(other.y + other.height - region.y))
    return left, bottom, max(right, left), max(top, bottom)


def _views(context: bpy.types.Context, model: live.LiveModel, look: Look) -> list[BodyView]:
    """Return what is drawn: the same list while nothing changes."""
    global _content
    focus = _focus(context, model, look)
    key = (model.signature, context.scene.name_full, look, focus)
    if _content is None or _content[0] != key:
        book = _books.setdefault(context.scene.name_full, ColorBook())
        colors = book.indices([link.body.name for link in model.links])
        _content = (key, views_of_model(model, look, focus, colors))
    return _content[1]


def _focus(context: bpy.types.Context, model: live.LiveModel, look: Look) -> Focus:
    owners = _owners_of(model)
    active = _owner(context.active_object, owners)
    selected: set[int] = set()
    if look.scope == "SELECTED":
        selected = {index for ob in context.selected_objects if (index := _owner(ob, owners)) is not None}
    shown = {index for ob in context.visible_objects if (index := _owner(ob, owners)) is not None}
    # A link that stands nowhere by itself, as instances do, is hidden by nothing.
    here = {ob.name_full for ob in context.view_layer.objects}
    shown |= {index for index, link in enumerate(model.links) if link.object not in here}
    return Focus(active, frozenset(selected), None if len(shown) == len(model.links) else frozenset(shown))


def _owners_of(model: live.LiveModel) -> Mapping[str, int]:
    """Return the number of the first link that each object is, or is a collision of."""
    global _owners
    if _owners is None or _owners[0] != model.signature:
        found: dict[str, int] = {}
        for index, link in enumerate(model.links):
            found.setdefault(link.object, index)
        for index, link in enumerate(model.links):
            for part in link.parts.values():
                found.setdefault(part, index)
        _owners = (model.signature, found)
    return _owners[1]


def _owner(ob: bpy.types.Object | None, owners: Mapping[str, int]) -> int | None:
    while ob is not None:
        index = owners.get(ob.name_full)
        if index is not None:
            return index
        ob = ob.parent
    return None


def _rest_later() -> None:
    global _last_change
    _last_change = monotonic()
    if not bpy.app.timers.is_registered(_rest):
        bpy.app.timers.register(_rest, first_interval=REST)


def _rest() -> float | None:
    """Let the labels find new places, once nothing has changed for a while."""
    left = _last_change + REST - monotonic()
    if left > 0.01:
        return left
    for viewport in _viewports.values():
        viewport.placement.rested = not viewport.placement.settled
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()
    return None
