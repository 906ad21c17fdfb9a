# SPDX-License-Identifier: GPL-3.0-or-later
"""``--print-completion``: prints a shell script by shtab that completes commands, options and files."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import NoReturn

from ..status import CANNOT_RUN

SHELLS = ("bash", "zsh")

FILES = ("output", "inputs", "listed", "report")
"""Options for files that are not a `Path`, since they may be ``-``."""


class PrintCompletion(argparse.Action):
    """Print the script for a shell and exit, or report in one sentence that shtab is missing."""

    def __call__(self, parser: argparse.ArgumentParser, _: object, shell: object, option: object = None) -> NoReturn:
        try:
            shtab = import_module("shtab")
        except ImportError:
            parser.exit(CANNOT_RUN, f"{option} needs shtab: pip install shtab\n")
        for action in _actions(parser):
            if action.type is Path or action.dest in FILES:
                action.complete = shtab.DIRECTORY if action.metavar == "DIR" else shtab.FILE  # type: ignore[attr-defined]
        print(shtab.complete(parser, shell))
        parser.exit()


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield the options and arguments of a parser and of its commands."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)
