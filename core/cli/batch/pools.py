# SPDX-License-Identifier: GPL-3.0-or-later
"""Where tasks run: in processes of this machine, each of which may end alone, or in those of a cluster."""

from __future__ import annotations

import multiprocessing
import os
import threading
from concurrent.futures import CancelledError, Future
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from ...errors import InertiaError
from .task import MODULES, Result, Task, module_of, run_task, signal_name, start_worker

RENEWED_AFTER = 1000
"""Tasks that a process does before another takes its place, in case a library loses memory."""

LOST = "its process ended before it had begun"
"""Said of tasks that were waiting as the pool broke down, which is none of their doing."""

THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""Each process computes with one thread: there are as many processes as cores."""


class Pool(Protocol):
    """What runs tasks."""

    size: int

    def submit(self, task: Task) -> Future[Result]:
        """Run a task; `result_of` says what came of it."""
        ...

    def close(self) -> None:
        """Let go of the processes, all tasks of which are done."""
        ...

    def stop(self) -> None:
        """End all tasks at once."""
        ...


class LocalPool:
    """Processes of this machine, by pebble.

    Parameters
    ----------
    size : int
        How many.
    timeout : float
        Of each task [s].
    memory : int
        Bound of each process [bytes]; 0 for none.
    """

    def __init__(self, size: int, timeout: float, memory: int) -> None:
        pebble = _library("pebble", "pip install pebble")
        self.size, self._timeout = size, timeout
        for name in THREADS:
            os.environ.setdefault(name, "1")
        method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
        context = multiprocessing.get_context(method)
        if method == "forkserver":
            context.set_forkserver_preload([run_task.__module__, *map(module_of, MODULES)])
        self._made = partial(
            pebble.ProcessPool,
            size,
            max_tasks=RENEWED_AFTER,
            initializer=start_worker,
            initargs=(memory,),
            context=context,
        )
        self._pool = self._made()

    def submit(self, task: Task) -> Future[Result]:
        try:
            future: Future[Result] = self._pool.schedule(run_task, args=(task,), timeout=self._timeout)
        except RuntimeError:  # a process that died while none had a task breaks pebble's pool down
            self.stop()
            self._pool = self._made()
            future = self._pool.schedule(run_task, args=(task,), timeout=self._timeout)
        return future

    def close(self) -> None:
        self._pool.close()
        self._pool.join()

    def stop(self) -> None:
        self._pool.stop()
        self._pool.join()


class ClusterPool:
    """Workers of a Dask cluster, which see the same files by the same names.

    Each worker runs its tasks in a process beside it, so that time and memory are bounded there as they are here. A
    task whose worker is lost is given to another.

    Parameters
    ----------
    address : str
        Of the scheduler, such as ``tcp://host:8786``.
    timeout, memory
        As of `LocalPool`.
    """

    def __init__(self, address: str, timeout: float, memory: int) -> None:
        distributed = _library("distributed", "pip install sdf-inertia[cluster]")
        self._bounds = timeout, memory
        try:
            self._client = distributed.Client(address, timeout=20)
        except (OSError, ValueError) as error:
            raise InertiaError(
                "no_scheduler", address, f"no scheduler answers: {error}", "start dask scheduler"
            ) from None
        self._executor = self._client.get_executor(pure=False)
        self.size = max(1, sum(self._client.nthreads().values()))

    def submit(self, task: Task) -> Future[Result]:
        future: Future[Result] = self._executor.submit(run_guarded, task, *self._bounds)
        return future

    def close(self) -> None:
        self._client.close()

    def stop(self) -> None:
        self._executor.shutdown(wait=False)
        self._client.close()


_own = threading.local()


def run_guarded(task: Task, timeout: float, memory: int) -> Result:
    """Do a task in a process beside this one, which is kept for the next."""
    # Dask's workers are daemons, which may have no children; these end with them all the same.
    multiprocessing.current_process()._config["daemon"] = False  # type: ignore[attr-defined]
    if not hasattr(_own, "pool"):
        _own.pool = LocalPool(1, timeout, memory)
    return result_of(_own.pool.submit(task))


def result_of(future: Future[Result]) -> Result:
    """Return what came of a task, whatever ended it."""
    try:
        return future.result()
    except CancelledError:
        raise
    except TimeoutError:
        return Result("time", 0.0, message="it took longer than --timeout allows")
    except MemoryError:
        return Result("memory", 0.0, message="it needs more memory than --memory allows")
    except Exception as error:
        if type(error).__name__ == "BrokenProcessPool":
            return Result("crash", 0.0, message=LOST)
        if type(error).__name__ in ("ProcessExpired", "KilledWorker", "BlenderEndedError"):
            return Result("crash", 0.0, message=_end_of(error))
        return Result("bug", 0.0, message=f"a bug in SDF Inertia: {type(error).__name__}: {error}")


def _end_of(error: Exception) -> str:
    code = getattr(error, "exitcode", None)
    if isinstance(code, int) and code < 0:
        return f"its process was ended by {signal_name(-code)}"
    return f"its process ended: {error}"


def _library(name: str, remedy: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise InertiaError("no_library", name, "it is not installed", remedy) from None


def memory_each(size: int) -> int:
    """Return what each of so many processes may have of this machine's memory [bytes]; 0 where that is not known."""
    try:
        whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        limit = Path("/sys/fs/cgroup/memory.max")  # of a container
        if limit.exists() and limit.read_text("ascii").strip().isdigit():
            whole = min(whole, int(limit.read_text("ascii")))
    except (AttributeError, OSError, ValueError):
        return 0
    return whole // size
