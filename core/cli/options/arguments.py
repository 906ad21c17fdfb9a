# SPDX-License-Identifier: Apache-2.0
"""The parser of the command line: its help, its completion in a shell, and what a mistyped word may have meant."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import NoReturn

from ...escapes import for_terminal
from ...status import CANNOT_RUN

SHELLS = ("bash", "zsh")

FILES = ("output", "inputs", "listed", "report", "from_text")
"""Options for files that are not a `Path`, since they may be ``-``."""

PART = 4
"""Letters of a word from which on it may be a part of what was meant."""

NEAR = 0.72
"""How alike two words are, from 0 to 1, for one of them to be a slip of the other."""

_INVALID = re.compile(r"invalid choice: '(?P<word>.*)' \(choose from (?P<choices>.*)\)", re.DOTALL)

_UNRECOGNIZED = re.compile(r"unrecognized arguments: (?:.*? )??(?P<word>--[\w-]+)", re.DOTALL)


def did_you_mean(word: str, choices: Iterable[str]) -> str:
    """Return a question that names the choices nearest to a mistyped word, such as ``; did you mean check?``; empty if
    none is near."""
    from difflib import get_close_matches  # which a right word does not need

    known = list(choices)
    near = [choice for choice in known if len(word) >= PART and word in choice][:3] or get_close_matches(
        word, known, 3, NEAR
    )
    return f"; did you mean {' or '.join(near)}?" if near else ""


class CommandParser(argparse.ArgumentParser):
    """A parser whose messages may contain any word of the command line, such as the name of a file."""

    def error(self, message: str) -> NoReturn:
        """Print the usage and what is wrong with a word, with what it may have meant, and exit."""
        invalid, unrecognized = _INVALID.search(message), _UNRECOGNIZED.match(message)
        if invalid is not None:
            message += did_you_mean(invalid["word"], re.findall(r"[\w.-]+", invalid["choices"]))
        elif unrecognized is not None:
            options = {option for action in actions_of(self) for option in action.option_strings}
            message += did_you_mean(unrecognized["word"], options)
        super().error(for_terminal(message))


class Help(argparse.RawDescriptionHelpFormatter):
    """Keep text that has line breaks, such as examples, and wrap other text."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if "\n" in text:
            return super()._fill_text(text, width, indent)
        return argparse.HelpFormatter._fill_text(self, text, width, indent)


class PrintVersion(argparse.Action):
    """Print the version and exit; finding it takes longer than measuring a small mesh."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        """Print it."""
        from ...version import version

        print(parser.prog, version())
        parser.exit()


class PrintCMakeFolder(argparse.Action):
    """Print the folder with what CMake includes, and exit."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        """Print it."""
        print((Path(__file__).resolve().parents[2] / "cmake").as_posix())
        parser.exit()


class PrintCompletion(argparse.Action):
    """Print the script for a shell and exit, or report in one sentence that shtab is missing."""

    def __call__(self, parser: argparse.ArgumentParser, _: object, shell: object, option: object = None) -> NoReturn:
        """Print it."""
        try:
            shtab = import_module("shtab")
        except ImportError:
            parser.exit(CANNOT_RUN, f"{option} needs shtab: pip install shtab\n")
        for action in actions_of(parser):
            if action.type is Path or action.dest in FILES:
                action.complete = shtab.DIRECTORY if action.metavar == "DIR" else shtab.FILE  # type: ignore[attr-defined]
        print(shtab.complete(parser, shell))
        parser.exit()


def actions_of(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield the options and arguments of a parser and of its commands."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from actions_of(command)
