# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line without Blender: ``python -m core`` in a checkout, ``sdf-inertia`` where it is installed."""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Sequence

from .commands import check, diff, fill, mass, report
from .status import CANNOT_RUN, INTERRUPTED, OUR_BUG


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status; a wrong usage raises `SystemExit` (2), as argparse does."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # whatever the terminal's encoding
    try:
        options = _parser().parse_args(arguments)
        status: int = options.run(options)
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except OSError as error:
        if not isinstance(error, BrokenPipeError):  # a reader such as `head` has seen enough
            print(f"cannot write: {error}", file=sys.stderr)
        # What is still in the buffer would fail once more at the interpreter's end, with a status of its own.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CANNOT_RUN
    except Exception:
        traceback.print_exc()
        print("This is a bug in SDF Inertia; please report it with the lines above.", file=sys.stderr)
        return OUR_BUG


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="sdf-inertia",
        description="Mass, centre of mass and inertia for SDFormat. All lengths are metres.",
        epilog="Exit status: 0 done; 1 an input was refused; 2 could not run; 3 a bug of ours.",
        allow_abbrev=False,
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command in (mass, check, fill, report, diff):
        command.add_parser(commands)
    return parser
