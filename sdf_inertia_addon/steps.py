# SPDX-License-Identifier: GPL-3.0-or-later
"""Long work in steps, between which a window stays alive; another thread does what does not use Blender's data."""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import Future, wait
from contextvars import copy_context
from functools import partial
from threading import Event, Thread, main_thread
from typing import Any, NamedTuple, TypeVar

from ..core.mesh.progress import interruptible

T = TypeVar("T")

POLL = 0.01
"""Seconds that the main thread waits for the end of the other one before it shows how far that is."""


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
        Uses no data of Blender. It ends early, at its next `unless_unwanted`, if it is cancelled.
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
            wait((worker.outcome,), POLL)
    finally:
        worker.unwanted.set()
    result: T = worker.outcome.result()
    return result


class _Worker(Thread):
    def __init__(self, work: Callable[[], Any]) -> None:
        super().__init__(name="SDF Inertia", daemon=False)  # as in live.jobs
        self.outcome: Future[Any] = Future()
        self.unwanted = Event()
        self._work: Callable[[], Any] = partial(copy_context().run, self._interruptible, work)

    def run(self) -> None:
        try:
            result = self._work()
        except BaseException as error:  # which `Future.result` raises
            self.outcome.set_exception(error)
        else:
            self.outcome.set_result(result)

    def _interruptible(self, work: Callable[[], Any]) -> Any:
        with interruptible(lambda _share: self.unwanted.is_set() or not main_thread().is_alive()):
            return work()
