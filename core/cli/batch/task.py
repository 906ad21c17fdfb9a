# SPDX-License-Identifier: GPL-3.0-or-later
"""One input of a batch: what is to be done, and what came of it. The same function runs here and on a cluster."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
import warnings
from argparse import Namespace
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from ...errors import Finding
from ...files.input_file import digest, noting_reads
from ...files.temporary import is_temporary, remove_unfinished
from ...robot.report import Json
from ...status import CANNOT_RUN

MODULES = {
    "mass": "..mass",
    "check": "..check",
    "fill": "..fill",
    "report": "..report",
    "repair": "..repair",
    "export": ".blender",
}
"""Where each verb has its function `task`: of its options and the target, to a status and a JSON object, which names
the target as its ``output`` where that was written."""


def module_of(verb: str) -> str:
    """Return the full name of a verb's module."""
    return import_module(MODULES[verb], __package__).__name__


OUTCOMES = ("done", "refused", "unreadable", "bug")
"""By exit status; besides there are ``time``, ``memory`` and ``crash``."""

ENDED = ("time", "memory", "crash")
"""Outcomes that say nothing about the input alone: another attempt may end otherwise."""


@dataclass(frozen=True)
class Task:
    """One input.

    Parameters
    ----------
    module : str
        Full name of the one whose function `task` does it.
    input : str
        As it was named.
    digest : str
        SHA-256 of its content; of its name where it cannot be read.
    options : mapping of str to object
        Those of the verb.
    folder : str
        What relative paths are relative to.
    target : str
        Where its output goes, a folder if it ends with a slash; empty if there is none.
    refusal : Finding or None
        Why it is not even begun.
    """

    module: str
    input: str
    digest: str
    options: Mapping[str, Any]
    folder: str
    target: str = ""
    refusal: Finding | None = None


@dataclass(frozen=True)
class Result:
    """What came of a task.

    Parameters
    ----------
    outcome : str
        Of `OUTCOMES` or `ENDED`.
    value : dict
        What the verb says, as JSON.
    message : str
        Why there is none.
    read : mapping of str to str or None
        SHA-256 of all files that were read, by path, None for those that were missing: a result holds as long as that
        does.
    written : mapping of str to str
        SHA-256 of all files that are its output.
    """

    outcome: str
    seconds: float
    value: Json = field(default_factory=dict)
    message: str = ""
    read: Mapping[str, str | None] = field(default_factory=dict)
    written: Mapping[str, str] = field(default_factory=dict)


def run_task(task: Task) -> Result:
    """Do a task in this process; raises MemoryError where memory does not suffice."""
    verb: Callable[[Namespace, Path | None], tuple[int, Json]] = import_module(task.module).task
    if task.folder != os.getcwd():
        os.chdir(task.folder)
    start = time.perf_counter()
    target = Path(task.target) if task.target else None
    made = target.parent if target is not None and not task.target.endswith("/") else None
    message = ""
    with noting_reads() as read, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what there is to say is a finding
        try:
            if made is not None:
                made.mkdir(parents=True, exist_ok=True)
            status, value = verb(Namespace(**task.options, input=Path(task.input)), target)
        except OSError as error:
            status, value, message = CANNOT_RUN, {}, f"cannot write {error.filename}: {error.strerror}"
    seconds = time.perf_counter() - start
    # What is there else is an earlier run's.
    written = digests(target) if target is not None and value.get("output") else {}
    return Result(OUTCOMES[status], seconds, value, message, read, written)


def digests(target: Path) -> dict[str, str]:
    """Return the SHA-256 of a file, or of all files in a folder, by path."""
    files = [target] if target.is_file() else sorted(path for path in target.rglob("*") if not is_temporary(path))
    return {str(path): found for path in files if (found := digest(path)) is not None}


def start_worker(memory: int) -> None:
    """Prepare a process for tasks: a bound on its memory [bytes], and Ctrl-C left to the process that asks for them."""
    with suppress(ValueError):  # not in a main thread
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, _end)
    die_with_parent()
    if memory and sys.platform == "linux":  # macOS knows the bound by name alone, and Windows not at all
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        bound = min(memory, sys.maxsize if hard == resource.RLIM_INFINITY else hard)
        resource.setrlimit(resource.RLIMIT_AS, (bound, hard))
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115


def _end(*_: object) -> None:
    """End the process, and clear away what is half written."""
    remove_unfinished()
    sys.exit(1)


def die_with_parent() -> None:
    """Be ended by the kernel as soon as the process that started this one is, whatever ends it."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def signal_name(number: int) -> str:
    """Return what a signal is called; not all have a name."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
