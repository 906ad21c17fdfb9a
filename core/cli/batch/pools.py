# SPDX-License-Identifier: Apache-2.0
"""Where tasks run: in processes of this machine, which may end one by one, or on a cluster."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import threading
import time
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Protocol

from ...errors import InertiaError
from .task import Result, Task
from .worker import Worker

AHEAD = 4
"""Tasks handed out for each process: enough that none waits, few enough that a million inputs need no memory."""

LONGEST_WAIT = 20.0
"""Maximum wait for a scheduler, for its first worker, and for another one after all are lost [s]."""

CHECKED_EVERY = 1.0
"""Time between two questions to the scheduler whether there are workers [s]."""


class Pool(Protocol):
    """Runs tasks."""

    size: int

    def submit(self, task: Task) -> Future[Result]:
        """Start a task; `result_of` returns its result."""
        ...

    def check(self) -> None:
        """Raise InertiaError ``no_scheduler`` if nobody is left to run the tasks."""
        ...

    def close(self) -> None:
        """Close the processes, after all tasks are done."""
        ...

    def stop(self) -> None:
        """End all tasks at once."""
        ...


class LocalPool:
    """Processes of this machine, with a thread that waits for each.

    Parameters
    ----------
    size : int
        How many.
    timeout : float
        Of each task [s].
    memory : int
        Limit of each process [bytes]; 0 for no limit.
    """

    def __init__(self, size: int, timeout: float, memory: int) -> None:
        self.size, self._timeout = size, timeout
        self._workers = [Worker(memory) for _ in range(size)]
        self._idle: SimpleQueue[Worker] = SimpleQueue()
        for worker in self._workers:
            self._idle.put(worker)
        self._threads = ThreadPoolExecutor(size)

    def submit(self, task: Task) -> Future[Result]:
        return self._threads.submit(self._do, task)

    def _do(self, task: Task) -> Result:
        worker = self._idle.get()
        try:
            return worker.do(task, self._timeout)
        finally:
            self._idle.put(worker)

    def check(self) -> None:
        pass

    def close(self) -> None:
        self._threads.shutdown()
        for worker in self._workers:
            worker.end()

    def stop(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in self._workers:
            worker.stop()
        for worker in self._workers:
            worker.kill()
        self.close()


class ClusterPool:
    """Workers of a Dask cluster, which reach the same files by the same paths.

    Each of its threads runs its tasks in a process next to it, so that the same limits of time and memory apply. A task
    whose machine is lost is given to another.

    Parameters
    ----------
    address : str
        Of the scheduler, such as ``tcp://host:8786``.
    timeout, memory
        As in `LocalPool`; without a limit here, only those of the cluster apply.
    """

    def __init__(self, address: str, timeout: float, memory: int) -> None:
        distributed = _library("distributed", "pip install 'sdf-inertia[cluster]'")
        self._bounds = timeout, memory
        for name in list(logging.root.manager.loggerDict):
            if name.startswith(("distributed", "tornado")):  # errors are reported here
                logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            asyncio.run(_reach(address))  # a client that fails would wait for its end
            self._client = distributed.Client(address, timeout=LONGEST_WAIT)
        except Exception as error:  # each kind of address has its own
            raise InertiaError.of("no_scheduler", address, "no_answer", reason=error) from None
        try:
            self._client.wait_for_workers(1, timeout=LONGEST_WAIT)
        except OSError:
            self._client.close()
            raise InertiaError.of("no_scheduler", address, "no_worker", seconds=LONGEST_WAIT) from None
        self._address, self._seen = address, time.monotonic()
        self._executor = self._client.get_executor(pure=False)
        self.size = max(1, sum(self._client.nthreads().values()))

    def submit(self, task: Task) -> Future[Result]:
        future: Future[Result] = self._executor.submit(run_there, task, *self._bounds)
        return future

    def check(self) -> None:
        now = time.monotonic()
        if now < self._seen + CHECKED_EVERY:
            return
        with suppress(Exception):  # any of Dask's, of tornado's or the system's
            if self._client.nthreads():
                self._seen = now
        if now > self._seen + LONGEST_WAIT:
            raise InertiaError.of("no_scheduler", self._address, "lost", seconds=LONGEST_WAIT)

    def close(self) -> None:
        self._client.run(end_idle_there, on_error="ignore")
        self._client.close()

    def stop(self) -> None:
        self._executor.shutdown(wait=False)
        self._client.close()


async def _reach(address: str) -> None:
    """Connect to a scheduler as Dask's settings say, with TLS or without; raises any exception."""
    connect = import_module("distributed.comm").connect
    security = import_module("distributed").Security()
    comm = await connect(address, timeout=LONGEST_WAIT, **security.get_connection_args("client"))
    await comm.close()


_own = threading.local()
_kept: list[Worker] = []


def run_there(task: Task, timeout: float, memory: int) -> Result:
    """Run a task on a machine of a cluster, in a process that is kept for the next task."""
    # Dask's workers are daemons, which may not have children; the children end with them anyway.
    multiprocessing.current_process()._config["daemon"] = False  # type: ignore[attr-defined]
    if getattr(_own, "memory", memory) != memory:  # it belongs to another batch
        _own.worker.end()
        _kept.remove(_own.worker)
        del _own.worker
    if not hasattr(_own, "worker"):
        _own.worker, _own.memory = Worker(memory), memory
        _kept.append(_own.worker)
    result: Result = _own.worker.do(task, timeout)
    return result


def end_idle_there() -> None:
    """End the processes that a machine of a cluster keeps for tasks, except those that run tasks of another batch."""
    for worker in list(_kept):
        worker.end_if_idle()


def result_of(future: Future[Result]) -> Result:
    """Return the result of a task, however it ended; raises InertiaError ``no_scheduler`` if nobody knows it."""
    try:
        return future.result()
    except CancelledError:  # nobody has cancelled it: Dask does that if its scheduler has ended
        raise InertiaError.of("no_scheduler", "", "ended") from None
    except Exception as error:
        if type(error).__name__ == "KilledWorker":  # Dask's exception, which is not imported here
            return Result("crash", 0.0, message=f"the machines that it was given to were lost: {error}")
        return Result("bug", 0.0, message=f"an internal error of SDF Inertia: {type(error).__name__}: {error}")


def _library(name: str, remedy: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise InertiaError.of("no_library", name, command=remedy) from None


def memory_each(size: int) -> int:
    """Return the share of this machine's memory for each of `count` processes [bytes]; 0 if unknown."""
    try:
        whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        limit = Path("/sys/fs/cgroup/memory.max")  # the limit of a container
        if limit.exists() and limit.read_text("ascii").strip().isdigit():
            whole = min(whole, int(limit.read_text("ascii")))
    except (AttributeError, OSError, ValueError):
        return 0
    return whole // size
