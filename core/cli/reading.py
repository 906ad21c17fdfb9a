# SPDX-License-Identifier: GPL-3.0-or-later
"""Common to all commands on SDF files: options for folders, output of findings, and exit statuses."""

from __future__ import annotations

import json
import os
import sys
import traceback
from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError
from collections.abc import Iterable
from pathlib import Path

from ..body.materials import checked_mass
from ..errors import Finding, InertiaError, finding_lines
from ..escapes import for_json, for_log
from ..judge.judge import ENGINES, Engine
from ..robot.report import Json
from ..sdf.read.sdf_file import SdfFile
from ..sdf.simulators.gazebo_link import gazebo_findings
from ..status import CANNOT_RUN, REFUSED
from .method_options import number


def add_roots(parser: ArgumentParser) -> None:
    """Add the option for the folders of meshes and included models."""
    parser.add_argument(
        "--path",
        metavar="DIR",
        dest="roots",
        type=_folder,
        action="append",
        default=[],
        help="where package://, model:// and relative URIs are looked up, besides the packages that the file is in,"
        " ROS_PACKAGE_PATH, AMENT_PREFIX_PATH, GZ_SIM_RESOURCE_PATH and SDF_PATH; may be repeated",
    )
    parser.add_argument(
        "--xacro-arg",
        metavar="NAME:=VALUE",
        dest="xacro_args",
        type=_xacro_arg,
        action="append",
        default=[],
        help="an argument of a xacro file; may be repeated",
    )


def _xacro_arg(text: str) -> tuple[str, str]:
    name, mark, value = text.partition(":=")
    if not (name.strip() and mark):
        raise ArgumentTypeError(f"'{text}' is not NAME:=VALUE")
    return name.strip(), value.strip()


def _folder(text: str) -> Path:
    if not os.path.isdir(text):
        raise ArgumentTypeError(f"there is no folder '{text}'")
    return Path(text)


def add_total_mass(parser: ArgumentParser, text: str) -> None:
    """Add the option for the mass of the whole robot."""
    parser.add_argument("--total-mass", metavar="KG", type=number(checked_mass), help=text)


def add_engines(parser: ArgumentParser) -> None:
    """Add the option for the engines whose rules apply."""
    parser.add_argument(
        "--for",
        metavar="ENGINE",
        dest="engines",
        type=_engines,
        default=(),
        help=f"also report what these engines refuse ({', '.join(ENGINES)}); SDF files are always judged for gazebo",
    )


def _engines(text: str) -> tuple[Engine, ...]:
    names = text.split(",")
    unknown = [name for name in names if name not in ENGINES]
    if unknown:
        raise ArgumentTypeError(f"unknown engine '{unknown[0]}'; known: {', '.join(ENGINES)}")
    return tuple(engine for engine in ENGINES if engine in names)


def add_gazebo(parser: ArgumentParser) -> None:
    """Add the former option for the result of Gazebo's mesh calculator, which the help no longer shows."""
    parser.add_argument("--gazebo", action="store_true", help=SUPPRESS)


def gazebo(file: SdfFile) -> list[Finding]:
    """Return the result of Gazebo's own mesh calculator for each auto link of meshes."""
    return [finding for link in file.links for finding in gazebo_findings(link, show=True)]


def status_of(error: InertiaError) -> int:
    """Return the exit status for a file without a result: it cannot be read, or it is refused."""
    return CANNOT_RUN if error.code == "file_read" else REFUSED


def say(findings: Iterable[Finding], quiet: bool = False) -> None:
    """Print findings on standard error, equal ones once; only errors if `quiet`."""
    for line in finding_lines(one for one in findings if not quiet or one.severity == "error"):
        note(line)


def note(text: str) -> None:
    """Print a line on standard error."""
    print(for_log(text), file=sys.stderr)


def print_bug() -> None:
    """Print the traceback of the current exception, an internal error, and ask the user to report it."""
    for line in traceback.format_exc().splitlines():
        note(line)
    note("This is an internal error of SDF Inertia; please report it with the lines above.")


def bug_in(path: Path, error: Exception) -> Finding:
    """Report an internal error with one of several files, so that the others still get their results.

    MemoryError is not an internal error, and is raised again.
    """
    if isinstance(error, MemoryError):
        raise error
    print_bug()
    return Finding.of("error", "our_bug", str(path), kind=type(error).__name__, reason=str(error))


def print_json(value: Json) -> None:
    """Print one object, and nothing else, on standard output."""
    print(json_text(value))


def json_text(value: Json) -> str:
    """Return one object as the text of a document."""
    return for_json(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False))
