# SPDX-License-Identifier: Apache-2.0
"""A process that runs one task after the other; if it ends, another replaces it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from typing import Any

from .blender import BlenderEndedError
from .task import MODULES, Result, Task, module_of, run_task, signal_name, start_worker

RENEWED_AFTER = 1000
"""Tasks that a process runs before another replaces it, in case a library leaks memory."""

GRACE = 3.0
"""Time that a process gets to remove its temporary files before it is killed [s]."""

THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""Each process computes with one thread: there are as many processes as cores."""

_processes = threading.Lock()
"""Held while a process is started or its exit status is read.

A process that is started at the same time would inherit the other's end of a pipe, and keep it open. Also, each start
polls the exit status of all child processes: the fork server sends a status once, so that one of two threads that read
it at the same time would get 255.
"""


class Worker:
    """A process with a pipe of its own.

    The pools of pebble, loky and the standard library have one pipe and its lock for all: a process that is killed
    while it takes a task leaves the others waiting forever, or breaks the pool for all of them.

    Parameters
    ----------
    memory : int
        Its limit [bytes]; 0 for no limit.
    """

    def __init__(self, memory: int) -> None:
        self._memory = memory
        self._process: Any = None
        self._pipe: Connection | None = None
        self._done = 0
        self._stopped = False
        self._changing, self._busy = threading.Lock(), threading.Lock()

    def do(self, task: Task, timeout: float) -> Result:
        """Run a task, or return what ended it; `timeout` is in seconds. Raises CancelledError once it is stopped."""
        with self._busy:
            return self._do(task, timeout)

    def _do(self, task: Task, timeout: float) -> Result:
        given = self._gave(task)
        if not given:
            self.end()
            self._start()
        process, pipe = self._process, self._pipe
        assert pipe is not None
        start = time.perf_counter()
        try:
            if not given:
                pipe.recv()  # its start does not count as the task's time
                start = time.perf_counter()
                pipe.send(task)
            if not pipe.poll(timeout):
                self.end()
                return Result("time", time.perf_counter() - start, message="it took longer than --timeout allows")
            result: Result = pipe.recv()
        except (EOFError, OSError):
            code = _exit_status(process)
            self.end()
            return Result("crash", time.perf_counter() - start, message=_exit_text(code))
        self._done += 1
        if result.outcome == "memory" or self._done >= RENEWED_AFTER:
            self.end()
        return result

    def _gave(self, task: Task) -> bool:
        """Send the process a task; return False if there is no process, or it has ended since the last task."""
        if self._pipe is None:
            return False
        try:
            self._pipe.send(task)
        except OSError:
            return False
        return True

    def stop(self) -> None:
        """Ask the process from another thread to end for good; the thread that waits for it closes its pipe."""
        with self._changing:
            self._stopped = True
            if self._process is not None:
                self._process.terminate()

    def kill(self) -> None:
        """Kill a process that was asked to end and is still busy."""
        with self._changing:
            process = self._process
        if process is not None:
            wait([process.sentinel], GRACE)
            process.kill()

    def end_if_idle(self) -> None:
        """End the process unless it is running a task; the next task starts another."""
        if self._busy.acquire(blocking=False):
            try:
                self.end()
            finally:
                self._busy.release()

    def end(self) -> None:
        """End the process and close its pipe."""
        with self._changing:
            process, self._process = self._process, None
            pipe, self._pipe = self._pipe, None
        if process is not None:
            process.kill()
            _exit_status(process)
        if pipe is not None:
            pipe.close()

    def _start(self) -> None:
        for name in THREADS:
            os.environ.setdefault(name, "1")
        forks = "forkserver" in multiprocessing.get_all_start_methods()
        context: Any = multiprocessing.get_context("forkserver" if forks else "spawn")
        if forks:
            context.set_forkserver_preload([__name__, *map(module_of, MODULES)])
        with self._changing, _processes:
            if self._stopped:
                raise CancelledError
            pipe, other = context.Pipe()
            process = context.Process(target=_work, args=(other, self._memory), daemon=True)
            with _without_ctrl_c():
                process.start()
            self._process, self._pipe = process, pipe
            other.close()
        self._done = 0


@contextmanager
def _without_ctrl_c() -> Iterator[None]:
    """Start processes that never get Ctrl-C, which a terminal sends to all, not even before `start_worker`."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # its start unblocks Ctrl-C again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(pipe: Connection, memory: int) -> None:
    """Run the tasks that arrive, until the parent closes the pipe."""
    start_worker(memory)
    with suppress(EOFError, OSError):
        pipe.send(None)  # ready
        while True:
            pipe.send(_result(pipe.recv()))


def _result(task: Task) -> Result:
    start = time.perf_counter()
    try:
        return run_task(task)
    except MemoryError:
        outcome, message = "memory", "it needs more memory than --memory allows"
    except BlenderEndedError as error:
        outcome, message = "crash", str(error)
    except Exception as error:
        outcome, message = "bug", f"an internal error of SDF Inertia: {type(error).__name__}: {error}"
    return Result(outcome, time.perf_counter() - start, message=message)


def _exit_status(process: Any) -> int:
    """Wait until a process has ended; return its exit status, or the negative number of the signal that ended it."""
    wait([process.sentinel])  # without the lock, which other threads need meanwhile
    with _processes:
        process.join()
    return int(process.exitcode)


def _exit_text(code: int) -> str:
    return f"its process was ended by {signal_name(-code)}" if code < 0 else f"its process ended with {code}"
