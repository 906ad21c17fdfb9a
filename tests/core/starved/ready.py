# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls whose changes of the file system end badly: at a given change they die, stop, or get an error.

A process that stands ready (process.py), with everything imported, runs each call in a copy of itself.
`failing_writes.c`, which is preloaded into it, counts its changes below a folder: between two of them the disk stays as
it is, so that one run for each change is every instant there is.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from errno import EIO, ENOSPC, EROFS
from pathlib import Path

import pytest

from tools.house import CHECKOUT

from ...thorough import THOROUGH
from ..permissions import unprivileged
from . import process

COUNTER = 1 << 16
"""Bytes that the library counts in."""

# --- faults ----------------------------------------------------------------------------------------------------------

Fault = dict[str, str]
"""What becomes of a change, and of which, as variables of the environment: see failing_writes.c."""

Failing = Callable[[int], Fault]

NEEDS_ROOM = "owsrmc"
"""Every change but to remove and to cut off, which a full disk allows."""


def fault(at: int, how: str | int, **others: object) -> Fault:
    return {f"FAILING_{name}": str(value) for name, value in {"AT": at, "HOW": how, **others}.items()}


def death(at: int) -> Fault:
    return fault(at, "kill")


def full_disk(at: int) -> Fault:
    """From this change on there is no room."""
    return fault(at, ENOSPC, STAYS=True, KINDS=NEEDS_ROOM)


def error(at: int) -> Fault:
    """Return one error of the disk, which works before and after."""
    return fault(at, EIO)


def read_only(at: int) -> Fault:
    """From this change on there are none, as where the kernel gives up a broken disk."""
    return fault(at, EROFS, STAYS=True)


ERRORS: dict[Failing, int] = {full_disk: ENOSPC, error: EIO, read_only: EROFS}


def instants(changes: str, count: int) -> Sequence[int]:
    """Return every change of a run in a thorough run, else so many of them, spread evenly; the first is 1."""
    every = range(1, len(changes) + 1)
    return every if THOROUGH else [every[int((i + 0.5) * len(every) / count)] for i in range(count)]


# --- calls -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Call:
    """A call of a function of a module, with words as its arguments; what it returns is the exit status.

    Its current folder is `below`, and there its changes are counted. Permissions bind it, also if root runs the tests.
    """

    function: Callable[..., int]
    words: tuple[object, ...]
    below: Path


@dataclass(frozen=True)
class End:
    """How a call ended: its exit status, negative for a signal, what it printed, and a letter for each change."""

    status: int
    out: str
    err: str
    changes: str


class Ready:
    """A process that stands ready, with its counter and the library in a folder."""

    def __init__(self, folder: Path, modules: Sequence[str]) -> None:
        self._counter = folder / "counter"
        self._reset()
        temporary = {"TMPDIR": str(folder)}  # Blender leaves a folder there where it is killed
        preloaded = {"FAILING_COUNTER": str(self._counter), "LD_PRELOAD": str(_library(folder))}
        self._environment = os.environ | temporary | preloaded
        words = [sys.executable, "-m", process.__name__, *modules]
        self.process = subprocess.Popen(
            words, env=self._environment, cwd=CHECKOUT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, call: Call, failing: Fault | None = None) -> End:
        """Run a call in a copy of the process; what it leaves running is ended."""
        (end,) = self._ask((call, failing or {}))
        return end

    def run_amid(self, first: Call, second: Call, at: int) -> list[End]:
        """Run a call up to a change, then a second, until that ends or has to wait for the first; end both."""
        return self._ask((first, fault(at, "stop")), (second, {}))

    def run_program(self, words: Sequence[str | Path], below: Path, failing: Fault) -> End:
        """Run another program in a folder."""
        self._reset()
        environment = self._environment | failing | {"FAILING_BELOW": str(below)}
        done = subprocess.run(words, env=environment, cwd=below, capture_output=True, text=True)
        return End(done.returncode, done.stdout, done.stderr, self._changes())

    def _ask(self, *calls: tuple[Call, Fault]) -> list[End]:
        self._reset()
        message = [
            (call.function.__module__, call.function.__name__, [*map(str, call.words)], str(call.below), failing)
            for call, failing in calls
        ]
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        ends = json.loads(self.process.stdout.readline())
        return [End(status, out, err, self._changes()) for status, out, err in ends]

    def _reset(self) -> None:
        self._counter.write_bytes(bytes(COUNTER))

    def _changes(self) -> str:
        counter = self._counter.read_bytes()
        return counter[4 : 4 + int.from_bytes(counter[:4], sys.byteorder)].decode()


@contextmanager
def standing_ready(*modules: str) -> Iterator[Ready]:
    """Start a process in which these modules are imported; one that has a `prepare` is prepared."""
    with unprivileged():
        pass  # or skip here, and not in the process
    with tempfile.TemporaryDirectory(prefix="ready-") as folder:
        ready = Ready(Path(folder), modules)
        with ready.process:
            yield ready


def _library(folder: Path) -> Path:
    """Return the library, compiled; skip where that cannot be done."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if sys.platform != "linux" or compiler is None:
        pytest.skip("there is no C compiler, or this is not Linux: no library can be preloaded")
    library, source = folder / "failing_writes.so", Path(__file__).with_name("failing_writes.c")
    words = ["-shared", "-fPIC", "-O1", "-o", str(library), str(source), "-ldl"]
    done = subprocess.run([compiler, *words], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"the library to preload does not compile here: {done.stderr[:300]}")
    return library
