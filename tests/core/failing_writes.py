# SPDX-License-Identifier: GPL-3.0-or-later
"""Processes whose changes of the file system end badly: at a given one of them they die, stop, or get an error.

A process that stands ready, with everything imported, runs each call in a copy of itself. `failing_writes.c`, which is
preloaded into it, counts its changes below a folder: between two of them the disk stays as it is, so that one run for
each change is every instant there is.
"""

import ctypes
import importlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from errno import EIO, ENOSPC, EROFS
from pathlib import Path
from typing import NoReturn

import pytest

from ..thorough import THOROUGH
from .exported import contents
from .permissions import unprivileged

CHECKOUT = Path(__file__).parents[2]
SOURCE = Path(__file__).with_suffix(".c")

COUNTER = 1 << 16
"""Bytes that the library counts in."""

TEMPORARY = ".sdf_inertia-*.tmp"
"""What our temporary files are called: all that a death may leave, and the next run removes."""


@dataclass(frozen=True)
class Fault:
    """What becomes of a change, and of which: the first is 1. See failing_writes.c."""

    at: int = 0
    how: str | int = "kill"
    stays: bool = False
    kinds: str = ""

    def environment(self) -> dict[str, str]:
        told = {"FAILING_AT": str(self.at), "FAILING_HOW": str(self.how), "FAILING_KINDS": self.kinds}
        return told | ({"FAILING_STAYS": "1"} if self.stays else {})


NONE = Fault()

NEEDS_ROOM = "owsrmc"
"""Every change but to remove and to cut off, which a full disk allows."""


def death(at: int) -> Fault:
    return Fault(at, "kill")


def full_disk(at: int) -> Fault:
    """From this change on there is no room."""
    return Fault(at, ENOSPC, stays=True, kinds=NEEDS_ROOM)


def error(at: int) -> Fault:
    """Return one error of the disk, which works before and after."""
    return Fault(at, EIO)


def read_only(at: int) -> Fault:
    """From this change on there are none, as where the kernel gives up a broken disk."""
    return Fault(at, EROFS, stays=True)


ERRORS = {full_disk: ENOSPC, error: EIO, read_only: EROFS}


def instants(changes: str, count: int) -> Sequence[int]:
    """Return every change of a run in a thorough run, else so many of them, spread evenly."""
    every = range(1, len(changes) + 1)
    return every if THOROUGH else [every[int((i + 0.5) * len(every) / count)] for i in range(count)]


@dataclass(frozen=True)
class End:
    """How a call ended: its exit status, negative for a signal, what it said, and a letter for each change."""

    status: int
    out: str
    err: str
    changes: str


@dataclass(frozen=True)
class Call:
    """A call of a function, given as ``module:name``, with words as its arguments.

    Its current folder is `below`, and there its changes are counted. Permissions bind it, also if root runs the tests.
    """

    function: str
    words: tuple[object, ...]
    below: Path
    fault: Fault = NONE

    def json(self) -> dict:
        words = [str(word) for word in self.words]
        fault = self.fault.environment()
        return {"call": self.function, "words": words, "below": str(self.below), "fault": fault}


class Ready:
    """A process that stands ready, in which these modules are imported; one that has a `prepare` is prepared."""

    def __init__(self, *modules: str) -> None:
        with unprivileged():
            pass  # or skip here, and not in the process
        self._folder = Path(tempfile.mkdtemp(prefix="ready-"))
        self._counter = self._folder / "counter"
        self._counter.write_bytes(bytes(COUNTER))
        self._preloaded = {"FAILING_COUNTER": str(self._counter), "LD_PRELOAD": str(_library(self._folder))}
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(self._folder), *modules],
            env=os.environ | self._preloaded,
            cwd=CHECKOUT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> "Ready":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()
        shutil.rmtree(self._folder)

    def environment(self, below: Path, fault: Fault) -> dict[str, str]:
        """Return the environment of another program whose changes are to end so."""
        self._counter.write_bytes(bytes(COUNTER))
        return os.environ | self._preloaded | fault.environment() | {"FAILING_BELOW": str(below)}

    def run(self, call: Call) -> End:
        """Run a call in a copy of the process; what it leaves running is ended."""
        (end,) = self._ask(call)
        return end

    def run_amid(self, one: Call, other: Call, at: int) -> tuple[End, End]:
        """Run one call up to a change, then the other, until that ends or has to wait for the first; end both."""
        one_end, other_end = self._ask(replace(one, fault=Fault(at, "stop")), other)
        return one_end, other_end

    def _ask(self, *calls: Call) -> list[End]:
        self._process.stdin.write(json.dumps([call.json() for call in calls]) + "\n")
        self._process.stdin.flush()
        told = json.loads(self._process.stdout.readline())
        counter = self._counter.read_bytes()
        count = int.from_bytes(counter[:4], sys.byteorder)
        return [End(**one, changes=counter[4 : 4 + count].decode()) for one in told]


class Job:
    """A call that writes into its folder, which holds `old` before it and `new` after it: contents of files by name.

    Its folder is laid out by the caller.
    """

    def __init__(self, call: Call, ready: Ready, former: Path) -> None:
        self.call, self.ready, self.folder, self._former = call, ready, call.below, former
        shutil.copytree(self.folder, former, symlinks=True, dirs_exist_ok=True)
        self.old = contents(self.folder)
        self.lay_out()
        end = self.run()
        assert end.status == 0, end
        self.changes, self.new = end.changes, contents(self.folder)
        assert self.new != self.old

    def lay_out(self) -> None:
        for path in self.folder.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        shutil.copytree(self._former, self.folder, symlinks=True, dirs_exist_ok=True)

    def run(self, fault: Fault = NONE) -> End:
        return self.ready.run(replace(self.call, fault=fault))

    def found(self) -> tuple[dict[str, bytes], int]:
        """Return the files of the folder, each the old or the new one, and how many temporary ones there are."""
        found = contents(self.folder)
        left = [str(path.relative_to(self.folder)) for path in self.folder.rglob(TEMPORARY)]
        for name in left:
            del found[name]
        for name, data in found.items():
            assert data in (self.old.get(name), self.new.get(name)), name
        return found, len(left)

    def assert_next_run_is_clean(self) -> None:
        assert self.run().status == 0
        assert contents(self.folder) == self.new


def _library(folder: Path) -> Path:
    """Return the library, compiled; skip where that cannot be done."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if sys.platform != "linux" or compiler is None:
        pytest.skip("there is no C compiler, or this is not Linux: no library can be preloaded")
    library = folder / "failing_writes.so"
    words = ["-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE), "-ldl"]
    done = subprocess.run([compiler, *words], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"the library to preload does not compile here: {done.stderr[:300]}")
    return library


def command(*words: str) -> int:
    """Run the command line as the program does."""
    sys.argv = ["sdf-inertia", *words]
    return importlib.import_module("core.__main__").run()


COMMAND = f"{__name__}:command"

COMMANDS = ("core.__main__", "core.cli.fill", "core.cli.repair", "core.cli.batch.command")
"""The modules of what it runs."""


# --- the process that stands ready -----------------------------------------------------------------------------------

PATIENCE = 0.2
"""Seconds after which a call that has not ended is taken to wait for another."""


def _serve(folder: Path, modules: list[str]) -> None:
    for name in modules:
        module = importlib.import_module(name)
        getattr(module, "prepare", int)()
    ctypes.CDLL(None).prctl(36, 1)  # PR_SET_CHILD_SUBREAPER: what a call leaves running becomes ours to end
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin:
        print(json.dumps(_answer(folder, json.loads(line))), file=answers, flush=True)
    os._exit(0)  # Blender's wheels of 4.2 and 4.5 may hang or crash at exit


def _answer(folder: Path, calls: list[dict]) -> list[dict]:
    with open(folder / "counter", "r+b") as counter:
        counter.write(bytes(COUNTER))
    states: dict[int, int | None] = {}
    for number, call in enumerate(calls):
        child = _begun(folder / str(number), call)
        states[child] = _state(child, PATIENCE if number else None)
    for child in states:
        if states[child] is None:
            os.kill(child, signal.SIGCONT)
    ends = []
    for number, child in enumerate(states):
        state = states[child]
        while state is None:
            state = _state(child, None)
        with suppress(ProcessLookupError, ChildProcessError):
            os.killpg(child, signal.SIGKILL)
            while True:
                os.waitpid(-child, 0)
        said = {name: (folder / f"{number}.{name}").read_text("utf-8", "replace") for name in ("out", "err")}
        ends.append({"status": os.waitstatus_to_exitcode(state), **said})
    return ends


def _state(child: int, patience: float | None) -> int | None:
    """Wait until a process ends, and return how; None where it stops, or goes on for longer."""
    end = None if patience is None else time.monotonic() + patience
    while True:
        found, state = os.waitpid(child, os.WUNTRACED | (os.WNOHANG if end else 0))
        if found:
            return None if os.WIFSTOPPED(state) else state
        if end and time.monotonic() > end:
            return None
        time.sleep(0.002)


def _begun(said: Path, job: dict) -> int:
    """Begin a call in a copy of this process, which says what it says into two files."""
    files = [os.open(f"{said}.{name}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC) for name in ("out", "err")]
    child = os.fork()
    if child == 0:
        _call(files, job)
    os.setpgid(child, child)
    for file in files:
        os.close(file)
    return child


def _call(files: list[int], job: dict) -> NoReturn:
    """Do it, and end this process as Python does."""
    status = 1
    try:
        for number, file in enumerate((os.open(os.devnull, os.O_RDONLY), *files)):
            os.dup2(file, number)
        os.chdir(job["below"])
        os.environ.update(job["fault"])
        os.environ["FAILING_BELOW"] = job["below"]
        module, _, name = job["call"].partition(":")
        with unprivileged():
            status = getattr(importlib.import_module(module), name)(*job["words"])
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status or 0)


if __name__ == "__main__":
    _serve(Path(sys.argv[1]), sys.argv[2:])
