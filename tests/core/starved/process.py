# SPDX-License-Identifier: GPL-3.0-or-later
"""The process that stands ready, and runs each call in a copy of itself.

Each line that it reads is a list of calls, each line that it prints a list of how these ended, as ready.py has them.
"""

import ctypes
import json
import os
import signal
import sys
import time
import traceback
from contextlib import suppress
from importlib import import_module
from typing import Any, NoReturn

from ..permissions import unprivileged

PATIENCE = 0.2
"""Seconds after which a call that has not ended is taken to wait for another."""

PR_SET_CHILD_SUBREAPER = 36


def _serve(modules: list[str]) -> None:
    for name in modules:
        getattr(import_module(name), "prepare", int)()
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)  # what a call leaves running becomes ours to end
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin:
        print(json.dumps(_answer(json.loads(line))), file=answers, flush=True)
    os._exit(0)  # Blender's wheels of 4.2 and 4.5 may hang or crash at exit


def _answer(calls: list[list]) -> list[list]:
    files: dict[int, list[int]] = {}
    states: dict[int, int | None] = {}
    for call in calls:
        child, printed = _start(*call)
        files[child], states[child] = printed, _state(child, PATIENCE if states else None)
    for child, state in states.items():
        if state is None:
            os.kill(child, signal.SIGCONT)
    ends = []
    for child, state in states.items():
        while state is None:
            state = _state(child, None)
        with suppress(ProcessLookupError, ChildProcessError):
            os.killpg(child, signal.SIGKILL)
            while True:
                os.waitpid(-child, 0)
        ends.append([os.waitstatus_to_exitcode(state), *map(_text, files[child])])
    return ends


def _state(child: int, patience: float | None) -> int | None:
    """Wait until a process ends, and return how; None where it stops, or goes on for longer."""
    end = None if patience is None else time.monotonic() + patience
    while True:
        pid, state = os.waitpid(child, os.WUNTRACED | (os.WNOHANG if end else 0))
        if pid:
            return None if os.WIFSTOPPED(state) else state
        if end and time.monotonic() > end:
            return None
        time.sleep(0.002)


def _start(*call: Any) -> tuple[int, list[int]]:
    """Start a call in a copy of this process; return that, and the files in memory that it prints into."""
    files = [os.memfd_create(name) for name in ("out", "err")]
    child = os.fork()
    if child == 0:
        _call(files, *call)
    os.setpgid(child, child)
    return child, files


def _text(file: int) -> str:
    with open(file, encoding="utf-8", errors="replace") as text:
        text.seek(0)
        return text.read()


def _call(
    files: list[int], module: str, function: str, words: list[str], below: str, fault: dict[str, str]
) -> NoReturn:
    """Run it, and end this process as Python does."""
    status = 1
    try:
        for number, file in enumerate((os.open(os.devnull, os.O_RDONLY), *files)):
            os.dup2(file, number)
        os.chdir(below)
        os.environ.update(fault, FAILING_BELOW=below)
        with unprivileged():
            status = getattr(import_module(module), function)(*words)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status or 0)


if __name__ == "__main__":
    _serve(sys.argv[1:])
