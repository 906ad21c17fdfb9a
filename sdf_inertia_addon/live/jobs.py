# SPDX-License-Identifier: GPL-3.0-or-later
"""Measurements that take long, made by another thread, one after the other; it sees arrays, and nothing of Blender.

The interface's thread says what it wants (`want`), a timer of Blender's collects what is done (`collect`), and both
thread and timer are gone while nothing is wanted. Only what is still wanted is measured: of a mesh that is being
edited that is its newest state.
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
"""Seconds between two polls of what the other thread has done."""


UNCHANGED_FOR = 0.3
"""Seconds for which a mesh must have been as it is before it is checked: not while the user edits it."""

PATIENCE = 1.0
"""Seconds that checks may take before the status bar tells of them."""


class Task(Protocol):
    """What is measured, or looked for: core's `pending.Task`, and its like.

    Tasks of an equal `key` would find the same; one that `checks` is begun when its mesh has been unchanged for a
    while. `run` touches nothing that another thread may touch; `finish`, in the interface's, takes what came of it.
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
    """What the other thread is at: the title of a task, its share done (0 to 1), the tasks after it, and whether it
    checks numbers that are shown already."""

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
"""By who wants it, then by the task's key."""
_queue: OrderedDict[object, Task] = OrderedDict()
_done: deque[tuple[Task, Any]] = deque()
_running: _Running | None = None
_thread: Thread | None = None
_threaded: bool | None = None
_cancellations = 0
_given_up: dict[object, Task] = {}
"""What the user has cancelled, and not asked for again."""
_since: dict[object, float] = {}
"""Since when what is wanted is wanted, by the task's key."""
_watched = False


def threaded() -> bool:
    """Return True if long measurements are left to another thread: wherever a user would have to wait for them."""
    return not bpy.app.background if _threaded is None else _threaded


def use_thread(threaded: bool | None) -> None:
    """Decide whether another thread is used; None leaves it to `threaded`."""
    global _threaded
    _threaded = threaded


def cancellations() -> int:
    """Return how often the user has cancelled."""
    return _cancellations


def want(owner: object, tasks: Iterable[Task], at_once: bool = False) -> None:
    """State all that `owner` wants measured; what nobody wants any more is dropped, also if it is under way.

    Meshes are checked once they have been unchanged for a while, or `at_once`.
    """
    own = {task.key: task for task in tasks}
    if own.keys() == _wanted.get(owner, {}).keys():
        return
    if at_once:
        _since.update(dict.fromkeys(own, -float("inf")))
    if own:
        _wanted[owner] = own
    else:
        _wanted.pop(owner, None)
    _distribute()
    if _wanted and not bpy.app.timers.is_registered(_tick):
        # Persistent: or it would be gone with the file, and what is under way never collected.
        bpy.app.timers.register(_tick, first_interval=INTERVAL, persistent=True)


def wanted(task: Task) -> bool:
    """Return True if a task is still to be measured."""
    return any(task.key in tasks for tasks in _wanted.values())


def wanted_by(owner: object) -> bool:
    """Return True if something that `owner` wants is still to be measured."""
    return owner in _wanted


def watch(watched: bool) -> None:
    """Note whether somebody shows the user what is being measured."""
    global _watched
    _watched = watched


def status() -> Status | None:
    """Return what is being measured; None if nothing is."""
    running = _running
    if not _wanted:
        return None
    count = len({key for tasks in _wanted.values() for key in tasks})
    if running is None:
        return Status("", 0.0, count, False)
    return Status(running.task.title, running.share, count - 1, running.task.checks)


def collect() -> None:
    """Take over what is done."""
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
        _distribute()  # what had just changed may have been unchanged for long enough by now


def cancel() -> None:
    """Give up all that is wanted, because the user says so."""
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
    """Return True if the user has cancelled just this measurement: of this state of the mesh, by this method."""
    return task.key in _given_up


def try_again() -> None:
    """Measure what was cancelled after all, once it is wanted."""
    _given_up.clear()


def forget() -> None:
    """Give up everything and wait for nothing."""
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
    """Bring the queue up to what is wanted."""
    global _thread
    tasks = {key: task for own in _wanted.values() for key, task in own.items()}
    now = monotonic()
    for key in _since.keys() - tasks.keys():
        del _since[key]
    for key in tasks:
        _since.setdefault(key, now)
    with _lock:
        there = {task.key for task, _ in _done}
        if _running is not None and _running.task.key not in tasks:
            _running.unwanted.set()
        if _running is not None and not _running.unwanted.is_set():
            there.add(_running.task.key)  # what was given up before is begun again, if it is wanted after all
        _queue.clear()
        _queue.update((key, task) for key, task in tasks.items() if key not in there and not task.checks)
        _queue.update((key, task) for key, task in tasks.items() if key not in there and _to_be_checked(task, now))
        if _queue and _thread is None:
            # Not a daemon: one that is at work while Blender frees its memory at exit hangs or crashes the wheels. So
            # Python waits for it there, no longer than a kernel takes to ask whether it is still wanted.
            _thread = Thread(target=_work, name="SDF Inertia", daemon=False)
            _thread.start()


def _to_be_checked(task: Task, now: float) -> bool:
    """Return True if the time has come to check what has a number."""
    return task.checks and now - _since[task.key] >= UNCHANGED_FOR


def _at_exit() -> bool:
    """Return True if Python is about to end, and waits for us."""
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
    """Return True if something is worth a word in the status bar: missing numbers, or checks that take a while."""
    now = monotonic()
    tasks = (task for own in _wanted.values() for task in own.values())
    return any(not task.checks or now - _since[task.key] >= UNCHANGED_FOR + PATIENCE for task in tasks)


def _show() -> None:
    """Let a window's status bar show what is being measured, unless one does already."""
    windows = [window for manager in bpy.data.window_managers for window in manager.windows]
    if _watched or bpy.app.background or not windows:
        return
    operators: Any = bpy.ops
    with bpy.context.temp_override(window=windows[0]):
        operators.sdf_inertia.show_progress("INVOKE_DEFAULT")
