# SPDX-License-Identifier: GPL-3.0-or-later
"""An operator that waits, in a window, until all that it needs has been measured in full."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy

from ...core.judge.geometry.pending import Task, missing
from ...core.robot.model import Model
from ..translations.words import rpt_
from . import jobs
from .resolver import BUDGET

INTERVAL = 0.1
"""Seconds between two polls."""


def may_wait(operator: Any) -> bool:
    """Return True if an operator may end `execute` with ``RUNNING_MODAL``: if a user has called it in a window.

    Blender crashes if it does so when the redo panel or Repeat Last runs it again.
    """
    options = operator.options
    return bool(options.is_invoke and not (options.is_repeat or options.is_repeat_last) and jobs.threaded())


class AwaitsMeasurements:
    """A mix-in for such an operator: its `execute` begins with `must_wait`, and is run again once there are results.

    The status bar shows the progress (`operators.computing`); Esc ends the operator before it has changed anything.
    """

    _timer: bpy.types.Timer | None = None
    _model: Model | None = None
    _owner: object = None
    _asked: frozenset[object] = frozenset()
    _cancellations = 0

    def must_wait(self: Any, context: bpy.types.Context, read: Callable[[], Model]) -> bool:
        """Return True if to end `execute` with ``RUNNING_MODAL``, since what takes long is being measured elsewhere.

        If a script calls, or there is no window, nothing waits: the next reader of the numbers measures them at once.
        """
        if not may_wait(self):
            return False
        model = read()
        tasks = [task for link in model.links for task in missing(link) if task.seconds is not None]
        keys = frozenset(task.key for task in tasks)
        if keys <= self._asked or not _takes_long(tasks):  # what has been waited for is not waited for twice
            return False
        self._model = model  # its surfaces, and so what is found out about them, stay
        self._asked |= keys
        self._owner = self._owner or object()
        self._cancellations = jobs.cancellations()
        jobs.want(self._owner, tasks, at_once=True)
        if self._timer is None:
            self._timer = context.window_manager.event_timer_add(INTERVAL, window=context.window)
            context.window_manager.modal_handler_add(self)
        return True

    def modal(self: Any, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        given_up = jobs.cancellations() != self._cancellations
        if given_up or (event.type == "ESC" and event.value == "PRESS"):
            self.cancel(context)
            self.report({"INFO"}, rpt_("Cancelled: nothing was written"))
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"PASS_THROUGH"}
        jobs.collect()
        if jobs.wanted_by(self._owner):
            return {"PASS_THROUGH"}
        result: set[str] = self.execute(context)
        if result != {"RUNNING_MODAL"}:  # else something has changed meanwhile
            self.cancel(context)
        return result

    def cancel(self: Any, context: bpy.types.Context) -> None:
        """Stop waiting: Blender also calls this when it quits or opens another file."""
        jobs.want(self._owner, ())
        self._model = None
        if self._timer is not None:
            context.window_manager.event_timer_remove(self._timer)
            self._timer = None


def _takes_long(tasks: list[Task]) -> bool:
    return any(task.checks for task in tasks) or sum(task.seconds or 0.0 for task in tasks) > BUDGET
