# SPDX-License-Identifier: GPL-3.0-or-later
"""What may come of an input: an answer, findings, or our own error with its words; nothing else, and no noise."""

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
    """The product did what it never may."""


def named(error: InertiaError) -> str:
    """Return that a file was refused, if it was by a code and in words."""
    if not (error.code and error.message):
        raise FaultError(f"refused without a reason: {error!r}")
    memory_suffices(error)
    return "refused at once"


def memory_suffices(error: BaseException | None) -> None:
    """Raise where an error stands for memory that ran out: then only the bound was reached, and the input not read."""
    while error is not None:
        if isinstance(error, MemoryError):
            raise FaultError("it asks for more memory than an input may") from error
        error = error.__cause__ or error.__context__


_OWN_LINE = re.compile(r"(error|warning|info|cannot write|\S+\.\w+): ")
"""How a line of ours on standard error begins."""

_NO_MEMORY = ("Unable to allocate", "MemoryError", "bad_alloc")


def command(words: Sequence[str]) -> Callable[[], int]:
    """Return a command line as a function: it runs as ``sdf-inertia`` does, but lets any exception through.

    The words are parsed once, which takes longer than most inputs do.
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
        said = err.getvalue()
        odd = [line for line in said.splitlines() if not _OWN_LINE.match(line)]
        if status not in (0, 1, 2) or odd:
            raise FaultError(f"{words[0]} ends in {status} and says:\n{said[-4000:]}")
        if any(word in said or word in out.getvalue() for word in _NO_MEMORY):
            raise FaultError(f"{words[0]} asks for more memory than an input may:\n{said[-2000:]}")
        return status

    return run
