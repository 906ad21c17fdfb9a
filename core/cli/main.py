# SPDX-License-Identifier: Apache-2.0
"""The command line without Blender: ``python -m core`` in a checkout, ``sdf-inertia`` where it is installed."""

from __future__ import annotations

import io
import os
import sys
import warnings
from collections.abc import Iterable, Sequence
from contextlib import suppress
from importlib import import_module
from types import ModuleType

from ..files.temporary import remove_unfinished
from ..status import CANNOT_RUN, INTERRUPTED
from .options.arguments import SHELLS, CommandParser, Help, PrintCMakeFolder, PrintCompletion, PrintVersion
from .options.outputs import overwritten

COMMANDS = {
    "mass": ".mass",
    "check": ".check",
    "repair": ".repair",
    "fill": ".fill",
    "report": ".report",
    "view": ".view",
    "convert": ".convert",
    "sample": ".sample",
    "statics": ".statics",
    "inertial": ".inertial",
    "diff": ".diff",
    "explain": ".explain",
    "batch": ".batch.command",
}
"""The module of each command, with `add_parser` and `EXAMPLES`."""


def import_commands(arguments: Sequence[str]) -> list[ModuleType]:
    """Import the command that the first word names, or all of them if it names none, since the help lists all."""
    if list(arguments[:1]) in (["--version"], ["--cmake-dir"]):
        return []
    named = [name for name in COMMANDS if name in arguments[:1]] or COMMANDS
    return [import_module(COMMANDS[name], __package__) for name in named]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status; a wrong usage raises `SystemExit` (2), as argparse does."""
    if sys.stdout is None or sys.stderr is None:  # closed, as by `>&-`: the next file opened would get its descriptor
        if sys.stderr is not None:
            print("cannot write: standard output is closed", file=sys.stderr)
        return CANNOT_RUN
    try:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace", newline="\n")  # for any encoding of the terminal
        # A file or a pipe holds the same bytes on every system; JSON is UTF-8 anyway.
        if isinstance(sys.stdout, io.TextIOWrapper) and not (sys.stdout.isatty() or "PYTHONIOENCODING" in os.environ):
            sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
        words = sys.argv[1:] if arguments is None else arguments
        parser = _parser(import_commands(words))
        options = parser.parse_args(words)
        problem = overwritten(options)
        if problem is not None:
            parser.error(problem)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # findings report what matters; numpy and mesh readers also warn
            status: int = options.run(options)
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        remove_unfinished()
        with suppress(OSError):
            print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except OSError as error:
        if not isinstance(error, BrokenPipeError):  # a reader such as `head` has seen enough
            with suppress(OSError):  # it may be standard error itself
                print(f"cannot write: {error}", file=sys.stderr)
        return CANNOT_RUN
    except Exception as error:
        from .running import unforeseen  # imported here, since not every command needs numpy

        return unforeseen(error)
    finally:
        _give_up_what_cannot_be_written()


def _give_up_what_cannot_be_written() -> None:
    """Discard buffered output: at exit it would fail once more, with an exit status of its own."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _parser(modules: Iterable[ModuleType]) -> CommandParser:
    parser = CommandParser(
        prog="sdf-inertia",
        description="Mass, centre of mass and inertia of robots (SDF, URDF, xacro, MJCF and USD), assemblies from CAD"
        " (STEP) and meshes. All lengths are metres.",
        epilog="Exit status: 0 done; 1 an input is invalid; 2 could not run; 3 an internal error.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=PrintVersion, nargs=0, help="show the version and exit")
    parser.add_argument(
        "--cmake-dir",
        action=PrintCMakeFolder,
        nargs=0,
        help="show the folder in which find_package(sdf_inertia) of CMake finds sdf_inertia_check, and exit",
    )
    parser.add_argument(
        "--print-completion",
        action=PrintCompletion,
        choices=SHELLS,
        help="show a script that completes commands, options and files in this shell, and exit",
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command in modules:
        parser_of_command = command.add_parser(commands)
        parser_of_command.epilog = command.EXAMPLES
        parser_of_command.formatter_class = Help
    return parser
