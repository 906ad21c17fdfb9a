# SPDX-License-Identifier: Apache-2.0
"""A process in which a library reads a stranger's file: it opens no file by itself, and its time and memory end."""

from __future__ import annotations

import atexit
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import InertiaError
from .loop import Pipe

MIB = 1024 * 1024


class Limits(NamedTuple):
    """What a request may use, and more of it for what its files have.

    Parameters
    ----------
    seconds, seconds_per_mib : float
        CPU time, and that for each MiB of the files [s].
    memory, memory_per_byte : int
        Memory, and that for each byte of the files [bytes]. Linux only.
    """

    seconds: float = 3.0
    seconds_per_mib: float = 1.0
    memory: int = 768 * MIB
    memory_per_byte: int = 200


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
    limits : Limits
    folders : function of list of str
        Returns folders of packages that it searches after those of this process.
    """

    program: Path
    library: str
    limits: Limits = Limits()
    folders: Callable[[], list[str]] = list
    _running: tuple[subprocess.Popen[bytes], Pipe] | None = field(default=None, init=False)
    _busy: threading.Lock = field(default_factory=threading.Lock, init=False)

    def __post_init__(self) -> None:
        atexit.register(self.close)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forget)

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
        talk = _Talk(answers, self.limits, sum(map(len, blobs)))
        with self._busy:
            try:
                kind, value = self._replied(talk, [name, values], blobs)
            except BaseException:
                self.close()  # it may still compute, or wait for an answer
                raise
            if talk.is_over:
                self.close()
        if kind == "failed":
            raise UnfulfilledError(value, talk.refusals)
        if kind == "refused":
            raise talk.refusals[value]
        if kind != "done":
            raise InertiaError.of(
                "library_failed", "", kind, name=self.library, reason=value, memory=talk.memory // MIB
            )
        return value

    def _replied(self, talk: _Talk, message: list[Any], blobs: Sequence[bytes]) -> tuple[str, Any]:
        """Return how the program replies; tried again if something else than a limit kills the process."""
        for is_last in (False, True):
            try:
                process, pipe = self._running = self._running_or_started()
            except (EOFError, OSError) as error:
                reason = str(error) or "it ends at once"
                raise InertiaError.of("library_failed", "", "start", name=self.library, reason=reason) from None
            try:
                return talk.reply(process, pipe, message, blobs)
            except (EOFError, OSError):
                self.close()
                status = process.wait()
                if talk.is_over or -status == getattr(signal, "SIGXCPU", None):
                    form, seconds = ("wait", PATIENCE * talk.seconds) if talk.is_over else ("time", talk.seconds)
                    raise InertiaError.of("library_failed", "", form, name=self.library, seconds=seconds) from None
                if is_last or -status != getattr(signal, "SIGKILL", None):
                    raise InertiaError.of("library_failed", "", "ended", name=self.library, status=status) from None
        raise AssertionError

    def close(self) -> None:
        """End the process; the next request starts another."""
        running, self._running = self._running, None
        if running is not None:
            _end(running[0])

    def _forget(self) -> None:
        """Leave the process to the process that this one was forked from."""
        _forgotten.append(self._running)  # nothing of it is closed: what is buffered would be sent
        self._running, self._busy = None, threading.Lock()

    def _running_or_started(self) -> tuple[subprocess.Popen[bytes], Pipe]:
        if self._running is not None:
            if self._running[0].poll() is None:
                return self._running
            self.close()
        process = subprocess.Popen(
            [sys.executable or getattr(sys, "_base_executable", "") or "python", "-I", "-S", LOOP, self.program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=os.path.dirname(LOOP),
            env=os.environ | dict.fromkeys(THREADS, "1"),
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        try:
            assert process.stdin is not None and process.stdout is not None
            pipe = Pipe(process.stdout, process.stdin, ANSWER)
            folders = [path for path in (*sys.path, *self.folders()) if path]  # "" is the current folder
            pipe.send([os.path.abspath(path) for path in folders])
            (kind, value), _ = pipe.receive()
        except BaseException:
            _end(process)
            raise
        if kind == "absent":
            _end(process)
            raise ImportError(value)
        return process, pipe


_forgotten: list[object] = []


@dataclass
class _Talk:
    """A request with its questions: what it may use grows with the files that it gets, each counted once.

    Parameters
    ----------
    answers : mapping of str to function
    limits : Limits
    size : int
        Of the files so far [bytes].
    """

    answers: Mapping[str, Answer]
    limits: Limits
    size: int
    refusals: list[InertiaError] = field(default_factory=list)
    is_over: bool = False
    """True if its time was over, so that the process is killed."""
    waited: float = 0.0
    """How long the process has had for its replies [s]."""
    _given: set[tuple[Any, ...]] = field(default_factory=set)

    @property
    def seconds(self) -> float:
        return self.limits.seconds + self.limits.seconds_per_mib * self.size / MIB

    @property
    def memory(self) -> int:
        return self.limits.memory + self.limits.memory_per_byte * self.size

    def reply(
        self, process: subprocess.Popen[bytes], pipe: Pipe, message: list[Any], blobs: Sequence[bytes]
    ) -> tuple[str, Any]:
        """Return how a program replies to a request, after its questions are answered."""
        parts: tuple[list[Any], Sequence[bytes]] = [*message, (self.seconds, self.memory)], blobs
        while True:
            clock = threading.Timer(PATIENCE * self.seconds - self.waited, self._kill, (process,))
            clock.daemon = True
            begun = time.monotonic()
            clock.start()
            try:
                pipe.send(*parts)
                (kind, *values), _ = pipe.receive()
            finally:
                clock.cancel()
                self.waited += time.monotonic() - begun
            if kind != "asks":
                return kind, values[0]
            parts = self._answer(*values)

    def _answer(self, question: str, arguments: list[Any]) -> tuple[list[Any], Sequence[bytes]]:
        try:
            value, blobs = self.answers[question](*arguments)
        except InertiaError as error:
            self.refusals.append(error)
            return ["refuses", len(self.refusals) - 1, (self.seconds, self.memory)], ()
        if (question, *arguments) not in self._given:
            self._given.add((question, *arguments))
            self.size += sum(map(len, blobs))
        return ["answers", value, (self.seconds, self.memory)], blobs

    def _kill(self, process: subprocess.Popen[bytes]) -> None:
        self.is_over = True
        process.kill()


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with suppress(OSError):
                stream.close()
