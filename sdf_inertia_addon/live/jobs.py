# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs long measurements in another thread, one after the other; that thread gets arrays, and no data of Blender.

The main thread requests measurements (`want`), and a timer of Blender collects the results (`collect`). While nothing
is wanted, there is neither thread nor timer. A request replaces the owner's earlier one, so of a mesh that is being
edited only the newest state is measured.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterable
from threading import Event, Lock, Thread, main_thread
from time import monotonic
from typing import Any, NamedTuple, Protocol

import bpy

from ...core.errors import InertiaError
from ...core.mesh.progress import Progress
from .. import change_counter

INTERVAL = 0.05
"""Seconds between two looks for results of the other thread."""

UNCHANGED_FOR = 0.3
"""Seconds without a change after which a mesh is checked, so that it is not checked while the user edits it."""

PATIENCE = 1.0
"""Seconds that checks may take before the status bar shows them."""


class Task(Protocol):
    """A computation for the other thread, such as core's `pending.Task`.

    Tasks with equal `key` have the same result. One that `checks` numbers already shown waits until its mesh has been
    unchanged for a while. `run` uses nothing that another thread may use; the main thread calls `finish` with its
    result, or with the exception that it raised.
    """

    @property
    def key(self) -> object: ...
    @property
    def title(self) -> str: ...
    @property
    def checks(self) -> bool: ...
    def run(self, progress: Progress, /) -> Any: ...
    def finish(self, outcome: Any, /) -> None: ...


class Status(NamedTuple):
    """What the other thread does: the title of its task, the share done (0 to 1), the number of tasks after it, and
    whether it checks numbers that are already shown."""

    title: str
    share: float
    waiting: int
    checking: bool


class _Running:
    def __init__(self, task: Task) -> None:
        self.task = task
        self.unwanted = Event()
        self.share = 0.0

    def progress(self, share: float) -> bool:
        self.share = share
        return self.unwanted.is_set() or _at_exit()


_lock = Lock()
_wanted: dict[object, dict[object, Task]] = {}
"""Tasks by owner, then by key."""
_queue: OrderedDict[object, Task] = OrderedDict()
_done: deque[tuple[Task, Any]] = deque()
_running: _Running | None = None
_thread: Thread | None = None
_threaded: bool | None = None
_cancellations = 0
_given_up: dict[object, Task] = {}
"""Tasks, by key, that the user cancelled and did not request again."""
_since: dict[object, float] = {}
"""When each wanted task was first wanted, by key."""
_watched = False


def threaded() -> bool:
    """Return True if another thread runs long measurements: whenever a user would have to wait for them."""
    return not bpy.app.background if _threaded is None else _threaded


def use_thread(threaded: bool | None) -> None:
    """Choose whether another thread is used; with None, only if Blender has a window."""
    global _threaded
    _threaded = threaded


def cancellations() -> int:
    """Return how often the user has cancelled."""
    return _cancellations


def want(owner: object, tasks: Iterable[Task], at_once: bool = False) -> None:
    """Request tasks in place of all earlier ones of `owner`; a task that no owner wants is cancelled, even if running.

    Checks start after a mesh has been unchanged for a while, or `at_once`.
    """
    wanted = {task.key: task for task in tasks}
    if wanted.keys() == _wanted.get(owner, {}).keys():
        return
    if at_once:
        _since.update(dict.fromkeys(wanted, -float("inf")))
    if wanted:
        _wanted[owner] = wanted
    else:
        _wanted.pop(owner, None)
    _distribute()
    if _wanted and not bpy.app.timers.is_registered(_tick):
        # Otherwise loading another file would remove the timer, and nobody would collect the running task's result.
        bpy.app.timers.register(_tick, first_interval=INTERVAL, persistent=True)


def wanted(task: Task) -> bool:
    """Return True if a task has no result yet."""
    return any(task.key in tasks for tasks in _wanted.values())


def wanted_by(owner: object) -> bool:
    """Return True if a task of `owner` has no result yet."""
    return owner in _wanted


def watch(watched: bool) -> None:
    """Record whether an operator shows the progress to the user."""
    global _watched
    _watched = watched


def status() -> Status | None:
    """Return what the other thread does; None if nothing is wanted."""
    running = _running
    if not _wanted:
        return None
    count = len({key for tasks in _wanted.values() for key in tasks})
    if running is None:
        return Status("", 0.0, count, False)
    return Status(running.task.title, running.share, count - 1, running.task.checks)


def collect() -> None:
    """Pass the results to their tasks, which are then no longer wanted."""
    finished = False
    while _done:
        task, outcome = _done.popleft()
        if isinstance(outcome, Exception) and not isinstance(outcome, InertiaError):
            change_counter.report_once(task.title, outcome)
            outcome = InertiaError.of("computation_failed", kind=type(outcome).__name__, reason=outcome)
        task.finish(outcome)
        for owner in list(_wanted):
            if _wanted[owner].pop(task.key, None) is not None:
                finished = True
            if not _wanted[owner]:
                del _wanted[owner]
    if finished:
        change_counter.announce_computed()
        change_counter.redraw()
    if any(task.checks for tasks in _wanted.values() for task in tasks.values()):
        _distribute()  # by now a mesh may have been unchanged for long enough


def cancel() -> None:
    """Cancel all tasks, at the user's request."""
    global _cancellations
    if not _wanted:
        return
    _cancellations += 1
    for tasks in _wanted.values():
        _given_up.update(tasks)
    _wanted.clear()
    _distribute()
    change_counter.announce_computed()
    change_counter.redraw()


def given_up(task: Task) -> bool:
    """Return True if the user has cancelled this very task: this method for this state of the mesh."""
    return task.key in _given_up


def try_again() -> None:
    """Allow tasks that the user cancelled to be requested again."""
    _given_up.clear()


def forget() -> None:
    """Drop all tasks and results, without waiting for the other thread."""
    _wanted.clear()
    _given_up.clear()
    _distribute()
    _done.clear()
    if bpy.app.timers.is_registered(_tick):
        bpy.app.timers.unregister(_tick)
    if _watched:  # Blender ends a modal operator that is unregistered without telling it
        watch(False)
        for workspace in bpy.data.workspaces:
            workspace.status_text_set(None)


def _distribute() -> None:
    """Fill the queue with what is wanted, and start the thread if needed."""
    global _thread
    tasks = {key: task for wanted in _wanted.values() for key, task in wanted.items()}
    now = monotonic()
    for key in _since.keys() - tasks.keys():
        del _since[key]
    for key in tasks:
        _since.setdefault(key, now)
    with _lock:
        excluded = {task.key for task, _ in _done}
        if _running is not None and _running.task.key not in tasks:
            _running.unwanted.set()
        if _running is not None and not _running.unwanted.is_set():
            excluded.add(_running.task.key)  # but a running task that was cancelled starts again if it is wanted
        _queue.clear()
        _queue.update((key, task) for key, task in tasks.items() if key not in excluded and not task.checks)
        _queue.update((key, task) for key, task in tasks.items() if key not in excluded and _to_be_checked(task, now))
        if _queue and _thread is None:
            # A daemon thread that still runs while Blender frees its memory at exit hangs or crashes the wheels. For
            # this one Python waits at exit, until the kernel next asks whether its result is still wanted.
            _thread = Thread(target=_work, name="SDF Inertia", daemon=False)
            _thread.start()


def _to_be_checked(task: Task, now: float) -> bool:
    """Return True if a task checks a mesh that has been unchanged for long enough."""
    return task.checks and now - _since[task.key] >= UNCHANGED_FOR


def _at_exit() -> bool:
    """Return True if Python is exiting and waits for this thread."""
    return not main_thread().is_alive()


def _work() -> None:
    global _running, _thread
    while True:
        with _lock:
            if not _queue or _at_exit():
                _thread = None
                return
            running = _Running(_queue.popitem(last=False)[1])
            _running = running
        outcome: Any
        try:
            outcome = running.task.run(running.progress)
        except Exception as error:
            outcome = error
        with _lock:
            _running = None
            if not running.unwanted.is_set():
                _done.append((running.task, outcome))


@change_counter.reported_once
def _tick() -> float | None:
    collect()
    if not _wanted:
        return None
    if _takes_long():
        _show()
    return INTERVAL


def _takes_long() -> bool:
    """Return True if the status bar should show the progress: for missing numbers, and for checks that take a while."""
    now = monotonic()
    tasks = (task for wanted in _wanted.values() for task in wanted.values())
    return any(not task.checks or now - _since[task.key] >= UNCHANGED_FOR + PATIENCE for task in tasks)


def _show() -> None:
    """Show the progress in the status bar of a window, unless one shows it already."""
    windows = [window for manager in bpy.data.window_managers for window in manager.windows]
    if _watched or bpy.app.background or not windows:
        return
    operators: Any = bpy.ops
    with bpy.context.temp_override(window=windows[0]):
        operators.sdf_inertia.show_progress("INVOKE_DEFAULT")
