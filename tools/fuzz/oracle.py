# SPDX-License-Identifier: GPL-3.0-or-later
"""Allowed results of an input: a result, findings, or our own error with its message; nothing else is printed."""

from __future__ import annotations

import argparse
import io
import re
import warnings
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module

from core.cli.main import COMMANDS
from core.errors import InertiaError

from .limits import begin_again


class FaultError(AssertionError):
    """The product did something that is always a fault."""


def named(error: InertiaError) -> str:
    """Return the outcome of a refused file, if it was refused with a code and a message."""
    if not (error.code and error.message):
        raise FaultError(f"refused without a reason: {error!r}")
    memory_suffices(error)
    return "refused at once"


def memory_suffices(error: BaseException | None) -> None:
    """Raise an exception if an error reports that memory ran out: then the limit was reached, and the input not
    read."""
    while error is not None:
        if isinstance(error, MemoryError):
            raise FaultError("it asks for more memory than an input may") from error
        error = error.__cause__ or error.__context__


_OWN_LINE = re.compile(r"(error|warning|info|cannot write|\S+\.\w+): |  (Fix|The same|Likewise): ")
"""The form of our lines on standard error."""

_NO_MEMORY = ("Unable to allocate", "MemoryError", "bad_alloc")


def command(words: Sequence[str]) -> Callable[[], int]:
    """Return a command line as a function: it runs as ``sdf-inertia`` does, but lets any exception through.

    The words are parsed once, since that takes longer than most inputs.
    """
    parser = argparse.ArgumentParser()
    import_module(COMMANDS[words[0]], "core.cli").add_parser(parser.add_subparsers())
    options = parser.parse_args(list(words))

    def run() -> int:
        begin_again()
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # as the command does
            status: int = options.run(options)
        shown = err.getvalue()
        odd = [line for line in shown.splitlines() if not _OWN_LINE.match(line)]
        if status not in (0, 1, 2) or odd:
            raise FaultError(f"{words[0]} ends in {status} and says:\n{shown[-4000:]}")
        if any(word in shown or word in out.getvalue() for word in _NO_MEMORY):
            raise FaultError(f"{words[0]} asks for more memory than an input may:\n{shown[-2000:]}")
        return status

    return run
