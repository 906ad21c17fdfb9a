# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts the changes that Blender reports, by handlers and `update=` callbacks; what draws compares the counts.

Nothing is computed here, and what changed is not stored: names and objects do not outlive the callback.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import Any, NamedTuple

import bpy
import numpy as np
from bpy.app.handlers import persistent


class Count(NamedTuple):
    """How often what has changed so far."""

    anything: int = 0
    beyond_transforms: int = 0
    """All but transforms of objects."""
    unseen: int = 0
    """What no sample of the scene's objects shows, such as another file, or the density of a material."""
    computed: int = 0
    """Measurements that another thread has come back with, or that were cancelled."""


_count = Count()
_lock = Lock()  # a render changes frames on a thread of its own
_reported: set[tuple[str, str]] = set()


def count() -> Count:
    """Return how often what has changed; equal to an earlier answer if nothing has since."""
    return _count


def announce(_owner: object = None, _context: object = None) -> None:
    """Record that a setting has changed: an ``update=`` callback, or called by one."""
    _note(beyond_transforms=True)


def announce_unseen(_owner: object = None, _context: object = None) -> None:
    """Record a change that the objects themselves do not show, such as of the user's own materials."""
    _note(beyond_transforms=True, unseen=True)


def announce_computed() -> None:
    """Record that numbers which were computed elsewhere have come, or will not come."""
    _note(computed=True)


def redraw() -> None:
    """Ask every 3D view, and its sidebar, to draw itself again."""
    for manager in bpy.data.window_managers:
        for window in manager.windows:
            for area in window.screen.areas:
                if area.type == "VIEW_3D":
                    for region in area.regions:
                        if region.type in {"WINDOW", "UI"}:
                            region.tag_redraw()


def reported_once(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a callback that Blender calls again and again print an error of its own once, not at every redraw."""

    @wraps(function)
    def safe(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except Exception as error:
            report_once(function.__qualname__, error)
            return None

    return safe


def report_once(where: str, error: Exception) -> None:
    """Print the traceback of an internal error, unless it was printed before."""
    if (where, repr(error)) not in _reported:
        _reported.add((where, repr(error)))
        traceback.print_exception(error)


def _note(beyond_transforms: bool = False, unseen: bool = False, computed: bool = False) -> None:
    global _count
    with _lock:
        before = _count
        _count = Count(
            before.anything + 1,
            before.beyond_transforms + beyond_transforms,
            before.unseen + unseen,
            before.computed + computed,
        )


@reported_once
def _on_depsgraph(_scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    if depsgraph.mode == "VIEWPORT":
        _note(beyond_transforms=not _only_transforms(depsgraph.updates))


def _only_transforms(updates: Any) -> bool:
    """Return True if objects have moved, and nothing else is known to have happened."""
    moved = np.empty(len(updates), dtype=bool)
    updates.foreach_get("is_updated_transform", moved)
    if not moved.all():
        return False
    reshaped = np.empty(len(updates), dtype=bool)
    updates.foreach_get("is_updated_geometry", reshaped)
    return not reshaped.any()


@reported_once
def _on_frame(*_arguments: object) -> None:
    _note(beyond_transforms=True)  # also while rendering, on another thread: so nothing but a number


@reported_once
def _on_history(*_arguments: object) -> None:
    _note(beyond_transforms=True)
    redraw()


@reported_once
def _on_save(*_arguments: object) -> None:
    _note()  # the model has the name of the file


@reported_once
def _on_load(*_arguments: object) -> None:
    _note(beyond_transforms=True, unseen=True)


HANDLERS = (
    ("depsgraph_update_post", _on_depsgraph),
    ("frame_change_post", _on_frame),
    ("undo_post", _on_history),
    ("redo_post", _on_history),
    ("load_post", _on_load),
    ("save_post", _on_save),
)


def attach() -> None:
    for name, handler in HANDLERS:
        persistent(handler)
        getattr(bpy.app.handlers, name).append(handler)


def detach() -> None:
    for name, handler in reversed(HANDLERS):
        getattr(bpy.app.handlers, name).remove(handler)
    _reported.clear()
