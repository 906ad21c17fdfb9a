# SPDX-License-Identifier: Apache-2.0
"""The options of ``batch``: its own, and those of each command that it runs."""

from __future__ import annotations

import os
from argparse import ArgumentParser, ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from .. import check, fill, mass, repair, report
from ..options.file_options import add_list, number, positive
from . import blender

VERBS: Mapping[str, tuple[Callable[[ArgumentParser], None], str]] = {
    "mass": (mass.add_options, "mass properties of mesh and STEP files"),
    "check": (check.add_options, "what is wrong with robots, assemblies from CAD and meshes"),
    "repair": (partial(repair.add_options, source="--geometry"), "repair the inertials of robots"),
    "fill": (fill.add_options, "write out what simulators compute"),
    "report": (report.add_options, "tables of robots and assemblies from CAD"),
    "export": (blender.add_options, "export .blend files"),
}

EXAMPLES = {
    "mass": "  sdf-inertia batch mass meshes/ --densities map.csv --report masses.jsonl",
    "check": "  sdf-inertia batch check robots/ --report findings.jsonl --summary all.md",
    "repair": "  sdf-inertia batch repair robots/ --output repaired --report repairs.jsonl",
    "fill": "  find robots -name '*.sdf' | sdf-inertia batch fill --from - --output filled",
    "report": "  sdf-inertia batch report robots/ --report tables.jsonl --resume",
    "export": "  sdf-inertia batch export scenes/ --output models --blender ~/blender/blender",
}

WRITES = ("repair", "fill", "export")
"""Commands whose output is files."""

LONGEST = 1e6
"""Maximum timeout, eleven days [s]: a pipe can wait for at most twice that."""

OWN = (
    *("command", "verb", "inputs", "listed", "output", "jobs", "timeout", "memory", "retries", "shard", "resume"),
    *("report", "summary", "scheduler", "run", "usage_error", "announced"),
)
"""Options of the batch itself, not of the command that it runs."""


def add_verbs(subparsers: Any, run: Callable[[Namespace], int]) -> ArgumentParser:
    """Add the command, run by `run`, to a command line."""
    parser: ArgumentParser = subparsers.add_parser(
        "batch",
        help="one of the other commands, or an export of .blend files, over many files at once",
        description="One JSON line for each input, written as it is done. Exit status 1 if one is invalid, could"
        " not be read, or ran out of time or memory; 130 after Ctrl-C, with everything finished so far kept.",
        allow_abbrev=False,
    )
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for verb, (add_options, text) in VERBS.items():
        command = verbs.add_parser(
            verb,
            help=text,
            description=text,
            epilog=f"example:\n{EXAMPLES[verb]}",
            formatter_class=RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        command.set_defaults(run=run, usage_error=command.error, output=None)
        _add_common(command)
        if verb in WRITES:
            command.add_argument(
                "--output", metavar="DIR", type=Path, help="where results go, laid out as the inputs are"
            )
        add_options(command)
        if verb == "report":
            command.add_argument("--html", dest="output", metavar="DIR", type=Path, help="a page of each, and an index")
        if verb == "mass":
            command.add_argument("--densities", metavar="MAP", type=Path, help=_DENSITIES)
    return parser


_DENSITIES = (
    "CSV or JSON: densities and masses by file, name, glob or category; a file or link without a row is an error"
)


def _add_common(parser: ArgumentParser) -> None:
    parser.add_argument("inputs", metavar="INPUT", nargs="*", help="files, or folders with all files of the kind")
    add_list(parser, "input")
    parser.add_argument("--jobs", metavar="N", type=_count, default=_cores(), help="processes; default: the cores")
    parser.add_argument(
        "--timeout", metavar="S", type=number(_seconds), default=600.0, help="seconds for each input; default 600"
    )
    parser.add_argument(
        "--memory",
        metavar="GB",
        type=number(positive),
        help="for each process, on Linux; default: the machine's, shared",
    )
    parser.add_argument(
        "--retries",
        metavar="N",
        type=_retries,
        default=0,
        help="attempts more after a crash, or out of time or memory",
    )
    parser.add_argument("--shard", metavar="I/N", type=_shard, help="only the I-th of N parts, split by name")
    parser.add_argument(
        "--resume", action="store_true", help="leave out what is done already, by the state beside the report"
    )
    parser.add_argument("--report", metavar="FILE.jsonl", type=_report, help="default, and -: standard output")
    parser.add_argument(
        "--summary", metavar="FILE", type=Path, help="as .md or .json; default: Markdown on standard error"
    )
    parser.add_argument("--scheduler", metavar="tcp://HOST:PORT", help="of a Dask cluster that sees the same files")


def _seconds(value: float) -> float:
    return min(positive(value), LONGEST)


def _count(text: str) -> int:
    if not (text.isdecimal() and int(text) >= 1):
        raise ArgumentTypeError(f"'{text}' is not a whole number from 1")
    return int(text)


def _retries(text: str) -> int:
    if not text.isdecimal():
        raise ArgumentTypeError(f"'{text}' is not a whole number from 0")
    return int(text)


def _shard(text: str) -> tuple[int, int]:
    number, _, count = text.partition("/")
    if not (number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count)):
        raise ArgumentTypeError(f"'{text}' is not I/N with I from 1 to N, such as 2/3")
    return int(number), int(count)


def _report(text: str) -> Path | None:
    return None if text == "-" else Path(text)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_usage(options: Namespace) -> None:
    """Exit with a usage error if options conflict."""
    if not options.inputs and options.listed is None:
        options.usage_error("name inputs, or a list of them by --from")
    if options.verb in WRITES and options.output is None:
        options.usage_error(f"{options.verb} writes files: give --output DIR")
    if options.resume and options.report is None:
        options.usage_error("--resume goes with --report, beside which the state is kept")
    if options.verb == "mass":
        mass.check_usage(options)
    if options.verb == "repair":
        repair.check_usage(options)
