# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that work in steps: the window stays alive, the status bar shows the progress, Esc cancels."""

from __future__ import annotations

from time import monotonic
from typing import Any

import bpy

from ..live.await_measurements import may_wait
from ..steps import Step, Steps, run_to_end
from ..translations.words import iface_, rpt_

INTERVAL = 0.02
"""Seconds between two turns."""

TURN = 0.05
"""Seconds that an operator works before the window has its turn."""

AT_ONCE = 0.3
"""Seconds that an operator works before it shows its progress: most are done by then."""

OF_THE_VIEW = ("TIMER", "MOUSEMOVE", "INBETWEEN_MOUSEMOVE", "MIDDLEMOUSE", "WHEEL", "TRACKPAD", "WINDOW")
"""How the names of events begin that may do what they do meanwhile; all others would change what is worked on."""


class ProgressBar:
    """A timer for an operator, its progress in the status bar and at the pointer; `end` must be called."""

    def __init__(self, context: bpy.types.Context, interval: float) -> None:
        self._manager = context.window_manager
        self._timer = self._manager.event_timer_add(interval, window=context.window)
        self._manager.progress_begin(0, 100)

    def show(self, context: bpy.types.Context, text: str, share: float) -> None:
        context.workspace.status_text_set(f"{text}   {iface_('Esc: cancel')}")
        self._manager.progress_update(100.0 * share)

    def end(self) -> None:
        self._manager.event_timer_remove(self._timer)
        self._manager.progress_end()
        for workspace in bpy.data.workspaces:
            workspace.status_text_set(None)


class Stepwise:
    """A mix-in for an operator with `steps` instead of `execute`.

    If a script calls it, or there is no window, the steps are run at once. To cancel closes them: they must leave all
    as it was.
    """

    at_once = AT_ONCE
    _steps: Steps[set[str]]
    _bar: ProgressBar | None = None

    def steps(self, context: bpy.types.Context, threaded: bool) -> Steps[set[str]]:
        """Return the steps of the work, with another thread if `threaded`; their result is that of `execute`."""
        raise NotImplementedError

    def execute(self: Any, context: bpy.types.Context) -> set[str]:
        threaded = may_wait(self)
        self._steps = self.steps(context, threaded)
        if not threaded:
            return run_to_end(self._steps)
        result: set[str] = self._work(context, self.at_once)
        if result == {"RUNNING_MODAL"}:
            self._bar = ProgressBar(context, INTERVAL)
            context.window_manager.modal_handler_add(self)
        return result

    def modal(self: Any, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        if event.type == "ESC" and event.value == "PRESS":
            self.cancel(context)
            self.report({"INFO"}, rpt_("{name}: cancelled, nothing has changed", name=iface_(self.bl_label)))
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"PASS_THROUGH"} if event.type.startswith(OF_THE_VIEW) else {"RUNNING_MODAL"}
        result = {"CANCELLED"}
        try:
            result = self._work(context, TURN)
        except ReferenceError:  # undone from another window
            self.report({"ERROR"}, rpt_("{name}: the scene has changed meanwhile", name=iface_(self.bl_label)))
        finally:
            if result != {"RUNNING_MODAL"}:
                self.cancel(context)
        return {"PASS_THROUGH"} if result == {"RUNNING_MODAL"} else result

    def cancel(self, _context: bpy.types.Context) -> None:
        """End the steps: Blender also calls this when it quits, opens another file or closes a file dialog."""
        if self._bar is not None:
            self._steps.close()
            self._bar.end()
            self._bar = None

    def _work(self, context: bpy.types.Context, seconds: float) -> set[str]:
        """Run steps for a while; return ``RUNNING_MODAL`` if there are more."""
        end = monotonic() + seconds
        step = Step("", 0.0)
        while monotonic() < end:
            try:
                step = next(self._steps)
            except StopIteration as stop:
                result: set[str] = stop.value
                return result
        if self._bar is not None:
            text = f"{step.title} {step.share:.0%}" if step.share else step.title
            self._bar.show(context, iface_("SDF Inertia: {step}.", step=text), step.share)
        return {"RUNNING_MODAL"}
