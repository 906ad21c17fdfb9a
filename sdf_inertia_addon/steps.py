# SPDX-License-Identifier: GPL-3.0-or-later
"""Long work in steps, between which a window stays alive; another thread does what does not use Blender's data."""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import Future
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from queue import Empty, SimpleQueue
from threading import Event, Thread, current_thread, main_thread
from typing import Any, NamedTuple, TypeVar

from ..core.mesh.progress import interruptible, unless_unwanted

T = TypeVar("T")

POLL = 0.01
"""Seconds that the main thread waits for a request of the other one, or for its end."""

PATIENCE = 0.1
"""Seconds between two checks of the other thread whether its request is still wanted."""


class Step(NamedTuple):
    """What is being done, in the user's language, and the share of all that is done, 0 to 1."""

    title: str
    share: float


Steps = Generator[Step, None, T]
"""Work that yields before each step, and returns its result; to close it cancels it."""


def run_to_end(steps: Steps[T]) -> T:
    """Run all steps, and return the result."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result


def in_other_thread(work: Callable[[], T], step: Callable[[], Step], threaded: bool) -> Steps[T]:
    """Run work in another thread if `threaded`, else at once; raise what it raises.

    Parameters
    ----------
    work : callable
        Uses data of Blender only in `on_main_thread`. It ends early, at its next `unless_unwanted`, if it is cancelled.
    step : callable
        Returns how far the work is.
    threaded : bool
    """
    if not threaded:
        return work()
    worker = _Worker(work)
    worker.start()
    try:
        while not worker.outcome.done():
            yield step()
            worker.answer()
    finally:
        worker.unwanted.set()
    result: T = worker.outcome.result()
    return result


def on_main_thread(function: Callable[[], T]) -> T:
    """Run a function on the main thread, and return its result; only threads of `in_other_thread` have to wait."""
    worker = current_thread()
    if not isinstance(worker, _Worker):
        return function()
    request: Future[T] = Future()
    worker.requests.put((request, partial(copy_context().run, function)))  # what it reads is noted as if it ran here
    while True:
        try:
            return request.result(PATIENCE)
        except TimeoutError:
            unless_unwanted()


class _Worker(Thread):
    def __init__(self, work: Callable[[], Any]) -> None:
        super().__init__(name="SDF Inertia", daemon=False)  # as in live.jobs
        self.outcome: Future[Any] = Future()
        self.requests: SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = SimpleQueue()
        self.unwanted = Event()
        self._work = partial(copy_context().run, self._interruptible, work)

    def run(self) -> None:
        _settle(self.outcome, self._work)

    def answer(self) -> None:
        """Run the next request, if there is one."""
        with suppress(Empty):
            _settle(*self.requests.get(timeout=POLL))

    def _interruptible(self, work: Callable[[], Any]) -> Any:
        with interruptible(lambda _share: self.unwanted.is_set() or not main_thread().is_alive()):
            return work()


def _settle(outcome: Future[Any], function: Callable[[], Any]) -> None:
    try:
        result = function()
    except BaseException as error:  # which `Future.result` raises
        outcome.set_exception(error)
    else:
        outcome.set_result(result)
