# SPDX-License-Identifier: Apache-2.0
"""A process in which a library reads a stranger's file: it opens no file by itself, and its time and memory end."""

from __future__ import annotations

import atexit
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import InertiaError
from .loop import Pipe

MIB = 1024 * 1024

SECONDS, SECONDS_PER_MIB = 3.0, 1.0
"""CPU time for a request, and more of it for each MiB of the files that it needs [s]."""

MEMORY, MEMORY_PER_BYTE = 768 * MIB, 200
"""Memory for a request, and more of it for each byte of the files that it needs [bytes]. Linux only."""

PATIENCE = 4.0
"""A process is killed after this many times its CPU time: it may wait, and Windows does not limit CPU time."""

ANSWER = 1024 * MIB
"""Maximum size of an answer [bytes]."""

THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""A child computes little by numpy: with one thread it starts faster."""

LOOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "loop.py")

Answer = Callable[..., tuple[Any, tuple[bytes, ...]]]
"""Returns a value for JSON, and bytes, or raises InertiaError."""


class UnfulfilledError(Exception):
    """A library's own reason why it cannot do what is requested.

    Parameters
    ----------
    reason
        What the program says.
    refusals : list of InertiaError
        What the parent's answers raised, by the numbers that the program knows.
    """

    def __init__(self, reason: Any, refusals: list[InertiaError]) -> None:
        super().__init__(reason)
        self.reason, self.refusals = reason, refusals


@dataclass(eq=False)
class Child:
    """A process that runs a program; it starts when it is first needed, and again after it has failed.

    Parameters
    ----------
    program : Path
        See `loop`.
    library : str
        What the program uses, for messages.
    """

    program: Path
    library: str
    _running: tuple[int, subprocess.Popen[bytes], Pipe] | None = field(default=None, init=False)
    _busy: threading.Lock = field(default_factory=threading.Lock, init=False)

    def request(
        self, name: str, values: Mapping[str, Any], blobs: Sequence[bytes] = (), answers: Mapping[str, Answer] = {}
    ) -> Any:
        """Return what a function of the program returns; one thread waits for the other.

        Parameters
        ----------
        name : str
            The function.
        values : mapping of str to what JSON can hold
            Its arguments.
        blobs : sequence of bytes
            The files that it needs.
        answers : mapping of str to function
            What answers the program's questions.

        Raises
        ------
        UnfulfilledError
            With the program's reason.
        InertiaError
            ``library_failed`` if it takes too much time or memory, or ends; or what an answer raises.
        ImportError
            If the library is absent.
        """
        size = sum(map(len, blobs))
        seconds, memory = SECONDS + SECONDS_PER_MIB * size / MIB, MEMORY + MEMORY_PER_BYTE * size
        refusals: list[InertiaError] = []
        with self._busy:
            try:
                process, pipe = self._start()
            except (EOFError, OSError) as error:
                self.close()
                reason = str(error) or "it ends at once"
                raise InertiaError.of("library_failed", "", "start", name=self.library, reason=reason) from None
            try:
                with _killed_after(PATIENCE * seconds, process) as killed:
                    pipe.send([name, values, (seconds, memory)], blobs)
                    kind, value = _reply(pipe, answers, refusals)
            except (EOFError, OSError):
                self.close()
                status = process.wait()
                if killed.is_set() or -status == getattr(signal, "SIGXCPU", None):
                    raise InertiaError.of("library_failed", "", "time", name=self.library, seconds=seconds) from None
                raise InertiaError.of("library_failed", "", "ended", name=self.library, status=status) from None
            except BaseException:
                self.close()  # it still waits for an answer
                raise
        if kind == "failed":
            raise UnfulfilledError(value, refusals)
        if kind == "refused":
            raise refusals[value]
        if kind != "done":
            raise InertiaError.of("library_failed", "", kind, name=self.library, reason=value, memory=memory // MIB)
        return value

    def close(self) -> None:
        """End the process; the next request starts another."""
        running, self._running = self._running, None
        if running is not None and running[0] == os.getpid():
            _, process, _ = running
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with suppress(OSError):
                        stream.close()

    def _start(self) -> tuple[subprocess.Popen[bytes], Pipe]:
        """Return the process, another one if it has ended or belongs to the process that this one was forked from."""
        if self._running is not None:
            owner, process, pipe = self._running
            if owner == os.getpid() and process.poll() is None:
                return process, pipe
            self.close()
        atexit.unregister(self.close)
        atexit.register(self.close)
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", LOOP, self.program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=os.path.dirname(LOOP),
            env=os.environ | {name: "1" for name in THREADS},
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        assert process.stdin is not None and process.stdout is not None
        pipe = Pipe(process.stdout, process.stdin, ANSWER)
        self._running = os.getpid(), process, pipe
        pipe.send([os.path.abspath(path) for path in sys.path])
        (kind, value), _ = pipe.receive()
        if kind == "absent":
            self.close()
            raise ImportError(value)
        return process, pipe


def _reply(pipe: Pipe, answers: Mapping[str, Answer], refusals: list[InertiaError]) -> tuple[str, Any]:
    """Return how a program replies to a request, after its questions are answered."""
    while True:
        (kind, *values), _ = pipe.receive()
        if kind != "asks":
            return kind, values[0]
        question, arguments = values
        try:
            value, blobs = answers[question](*arguments)
        except InertiaError as error:
            refusals.append(error)
            pipe.send(["refuses", len(refusals) - 1])
        else:
            pipe.send(["answers", value], blobs)


@contextmanager
def _killed_after(seconds: float, process: subprocess.Popen[bytes]) -> Iterator[threading.Event]:
    """Enter a context in which a process is killed after some time; the event tells whether it was."""
    killed = threading.Event()

    def kill() -> None:
        killed.set()
        process.kill()

    clock = threading.Timer(seconds, kill)
    clock.daemon = True
    clock.start()
    try:
        yield killed
    finally:
        clock.cancel()
