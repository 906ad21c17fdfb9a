# SPDX-License-Identifier: Apache-2.0
"""The loop of a child process: it answers one request after the other, each within its limits.

It runs as a script, ``python loop.py PROGRAM``, and imports only the standard library, so that it starts at once. A
program is a module whose functions take a `Parent`, a list of bytes and values of JSON, and return what JSON can hold.
"""

from __future__ import annotations

import ctypes
import errno
import json
import math
import os
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from importlib import util
from typing import IO, Any, NoReturn


class AnswerError(Exception):
    """The parent refuses what a program asks for; `number` is that of its reason."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class FailedError(Exception):
    """A program cannot do what is requested; `reason` is what JSON can hold."""

    def __init__(self, reason: Any) -> None:
        super().__init__(reason)
        self.reason = reason


class Pipe:
    """Sends and receives messages over two streams.

    Parameters
    ----------
    reader, writer : binary streams
    limit : int
        Maximum size of a message that is received [bytes].
    """

    def __init__(self, reader: IO[bytes], writer: IO[bytes], limit: int = sys.maxsize) -> None:
        self._reader, self._writer, self._limit = reader, writer, limit

    def send(self, value: Any, blobs: Sequence[bytes] = ()) -> None:
        """Send what JSON can hold, and bytes."""
        text = json.dumps([value, [len(blob) for blob in blobs]]).encode()
        self._writer.write(len(text).to_bytes(8, "big"))
        for data in (text, *blobs):
            self._writer.write(data)
        self._writer.flush()

    def receive(self) -> tuple[Any, list[bytes]]:
        """Return the next message; raises EOFError if there is none, or none that can be read within the limit."""
        text = self._exactly(int.from_bytes(self._exactly(8), "big"))
        try:
            value, sizes = json.loads(text)
        except ValueError:
            raise EOFError from None
        return value, [self._exactly(size) for size in sizes]

    def _exactly(self, size: int) -> bytes:
        data = self._reader.read(size) if size <= self._limit else b""
        if len(data) < size:
            raise EOFError
        return data


class Parent:
    """The parent, as a program sees it."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe

    def fail(self, reason: Any) -> NoReturn:
        """End a request: the program cannot do it, for a reason that the parent understands."""
        raise FailedError(reason)

    def ask(self, question: str, *values: Any) -> tuple[Any, list[bytes]]:
        """Return the parent's answer to a question, and bytes; raises AnswerError if it refuses."""
        self._pipe.send(["asks", question, values])
        (kind, value, limits), blobs = self._pipe.receive()
        if kind == "refuses":
            raise AnswerError(value)
        set_limits(*limits)
        return value, blobs


def serve(pipe: Pipe, program: Any) -> None:
    """Answer requests until the parent closes the pipe."""
    global _begun
    parent = Parent(pipe)
    while True:
        (name, values, limits), blobs = pipe.receive()
        _begun = time.process_time()
        set_limits(*limits)
        try:
            reply = ["done", getattr(program, name)(parent, blobs, **values)]
        except FailedError as error:
            reply = ["failed", error.reason]
        except AnswerError as error:
            reply = ["refused", error.number]
        except MemoryError:
            reply = ["memory", ""]
        except RecursionError:
            reply = ["depth", ""]
        except EOFError:
            raise
        except Exception as error:
            closed = isinstance(error, OSError) and error.errno == errno.EMFILE
            reply = ["closed" if closed else "error", str(error) or type(error).__name__]
        pipe.send(reply)


def set_limits(seconds: float, memory: int) -> None:
    """Limit what this process may use for a request: CPU time [s], and on Linux memory [bytes]."""
    try:
        import resource
    except ImportError:  # Windows: the parent counts the time
        return
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (_below(math.ceil(_begun + seconds), hard), hard))
    if sys.platform == "linux":
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (_below(_below(_base + memory, _inherited), hard), hard))


def _below(limit: int, highest: int) -> int:
    return limit if highest < 0 else min(limit, highest)  # RLIM_INFINITY is -1


_begun = 0.0
"""CPU time of this process when the request began [s]."""

_base = 0
"""Address space of this process before it has read any file [bytes]."""

WITHOUT_PROC = 1 << 30
"""The same where /proc is not mounted, as in a chroot: more than any of the libraries takes [bytes]."""

_inherited = -1
"""Limit of the address space that this process was started with, such as that of a batch's ``--memory`` [bytes]."""


def close_disk(files: int) -> None:
    """Close the disk: this process opens no more files, and leaves no core file.

    A program that reads copies in a folder of its own may raise the limit for so many files meanwhile.
    """
    global _base, _inherited
    try:
        import resource
    except ImportError:
        return
    if sys.platform == "linux":
        try:
            with open("/proc/self/statm", "rb") as file:
                _base = int(file.read().split()[0]) * resource.getpagesize()
        except FileNotFoundError:
            _base = WITHOUT_PROC
        _inherited = resource.getrlimit(resource.RLIMIT_AS)[0]
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    lowest = os.dup(0)
    os.close(lowest)
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowest, lowest + files))


def main() -> None:
    """Load the program that the first argument names, and serve it over standard input and output."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":  # ends with the thread that has started it, even while it computes
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    with open(os.devnull, "r+b", 0) as nothing:
        pipe = Pipe(os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb"))
        for standard in (0, 1, 2):  # what a library prints goes nowhere
            os.dup2(nothing.fileno(), standard)
    sys.path[:], _ = pipe.receive()
    spec = util.spec_from_file_location("program", sys.argv[1])
    assert spec is not None and spec.loader is not None
    program = util.module_from_spec(spec)
    try:
        spec.loader.exec_module(program)
    except Exception as error:  # of a library that is absent, or broken
        pipe.send(["absent", str(error) or type(error).__name__])
        return
    close_disk(getattr(program, "FILES", 0))
    pipe.send(["ready", ""])
    with suppress(EOFError, BrokenPipeError):
        serve(pipe, program)


if __name__ == "__main__":
    main()
