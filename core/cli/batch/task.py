# SPDX-License-Identifier: Apache-2.0
"""One input of a batch: the task and its result. The same function runs here and on a cluster."""

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

MODULES = {
    "mass": "..mass",
    "check": "..check",
    "fill": "..fill",
    "report": "..report",
    "repair": "..repair",
    "export": ".blender",
}
"""The module of each command with its function `task`, which takes the options and the target and returns a status and
a JSON object, with the target as ``output`` if it was written."""


def module_of(verb: str) -> str:
    """Return the full name of a command's module."""
    return import_module(MODULES[verb], __package__).__name__


OUTCOMES = ("done", "refused", "unreadable", "bug")
"""Outcomes by exit status."""

UNWRITABLE = "unwritable"
"""Outcome of an input whose output could not be written."""

UNCHANGED = "unchanged"
"""Outcome of a task whose result an earlier batch has; it never stands in a report."""

ENDED = ("time", "memory", "crash")
"""Outcomes that do not depend on the input alone: another attempt may end differently."""


@dataclass(frozen=True)
class Task:
    """One input.

    Parameters
    ----------
    module : str
        Full name of the module whose function `task` runs it.
    input : str
        Its path as the user gave it.
    options : mapping of str to object
        Those of the command.
    folder : str
        The folder for relative paths.
    target : str
        Path of its output, a folder if it ends with a slash; empty without output.
    refusal : Finding or None
        Why it is not started.
    earlier : mapping of str to str or None, or None
        What an earlier batch read and wrote for it, as in `Result`: while all of that is unchanged, nothing is done.
    """

    module: str
    input: str
    options: Mapping[str, Any]
    folder: str
    target: str = ""
    refusal: Finding | None = None
    earlier: Mapping[str, str | None] | None = None


@dataclass(frozen=True)
class Result:
    """The result of a task.

    Parameters
    ----------
    outcome : str
        Of `OUTCOMES`, `ENDED`, `UNWRITABLE` or `UNCHANGED`.
    value : dict
        The command's result, as JSON.
    message : str
        Why there is no result.
    read : mapping of str to str or None
        SHA-256 of all files that were read, by path, None for missing ones: a result is valid as long as these are
        unchanged.
    written : mapping of str to str
        SHA-256 of all files that are its output.
    digest : str or None
        SHA-256 of the input as it was read; None if it was not read.
    """

    outcome: str
    seconds: float
    value: Json = field(default_factory=dict)
    message: str = ""
    read: Mapping[str, str | None] = field(default_factory=dict)
    written: Mapping[str, str] = field(default_factory=dict)
    digest: str | None = None


def run_task(task: Task) -> Result:
    """Run a task in this process; raises MemoryError if memory does not suffice."""
    verb: Callable[[Namespace, Path | None], tuple[int, Json]] = import_module(task.module).task
    if task.folder != os.getcwd():
        os.chdir(task.folder)
    if task.earlier is not None and all(digest(Path(path)) == before for path, before in task.earlier.items()):
        return Result(UNCHANGED, 0.0)
    start = time.perf_counter()
    target = Path(task.target) if task.target else None
    made = target.parent if target is not None and not task.target.endswith("/") else None
    message = ""
    with noting_reads() as read, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # findings report what matters
        try:
            if made is not None:
                made.mkdir(parents=True, exist_ok=True)
            status, value = verb(Namespace(**task.options, input=Path(task.input)), target)
            outcome = OUTCOMES[status]
        except OSError as error:
            outcome, value, message = UNWRITABLE, {}, f"cannot write {error.filename}: {error.strerror}"
    seconds = time.perf_counter() - start
    # Other files are from an earlier run.
    written = digests(target) if target is not None and value.get("output") else {}
    return Result(outcome, seconds, value, message, read, written, read.get(str(Path(task.input))))


def digests(target: Path) -> dict[str, str]:
    """Return the SHA-256 of a file, or of all files in a folder, by path."""
    files = [target] if target.is_file() else sorted(path for path in target.rglob("*") if not is_temporary(path))
    return {str(path): sha256_of_file for path in files if (sha256_of_file := digest(path)) is not None}


def start_worker(memory: int) -> None:
    """Prepare a process for tasks: limit its memory [bytes], and leave Ctrl-C to the process that hands them out."""
    with suppress(ValueError):  # not in the main thread
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, _end)
    die_with_parent()
    if memory and sys.platform == "linux":  # macOS accepts the limit but ignores it, and Windows has none
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        bound = min(memory, sys.maxsize if hard == resource.RLIM_INFINITY else hard)
        resource.setrlimit(resource.RLIMIT_AS, (bound, hard))
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115


def _end(*_: object) -> None:
    """End the process, and remove files that are only partly written."""
    remove_unfinished()
    sys.exit(1)


def die_with_parent() -> None:
    """Ask the kernel to end this process as soon as its parent ends, for any reason."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def signal_name(number: int) -> str:
    """Return the name of a signal; not all have one."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
