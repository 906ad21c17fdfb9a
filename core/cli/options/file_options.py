# SPDX-License-Identifier: Apache-2.0
"""Options that several commands share: how a mesh is measured, how a file is read and judged, numbers."""

from __future__ import annotations

import os
import re
import shlex
import sys
from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError, Namespace
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ...body.materials import checked_mass
from ...errors import Finding, InertiaError
from ...mesh.methods import METHODS, PARAMETERS, Parameter
from ...mesh.printed_part import checked_infill
from ..finding_text import short
from .arguments import did_you_mean
from .configuration import add_configuration

if TYPE_CHECKING:  # robots' files take many modules, and meshes need none of them
    from ...formats.sdf.read import SdfFile

_UTF_16 = (BOM_UTF16_LE, BOM_UTF16_BE)


def add_list(parser: ArgumentParser, what: str) -> None:
    """Add the option for a list of files."""
    parser.add_argument(
        "--from",
        dest="listed",
        metavar="LIST",
        help=f"a file with one {what} in each line, or NUL-separated; - for standard input",
    )


def listed_names(listed: str | None) -> list[str]:
    """Return the names in a list of files; none without a list.

    Raises
    ------
    InertiaError
        ``file_read`` if the list cannot be read.
    """
    if listed is None:
        return []
    try:
        data = sys.stdin.buffer.read() if listed == "-" else Path(listed).read_bytes()
        # On Linux a name is any bytes. Windows' shells write UTF-16, or a byte order mark before UTF-8.
        text = data.decode("utf-16") if data[:2] in _UTF_16 else os.fsdecode(data.removeprefix(BOM_UTF8))
    except (OSError, ValueError) as error:
        raise InertiaError.of("file_read", listed, "list", reason=error) from None
    lines = text.split("\0") if "\0" in text else re.split("\r?\n", text)  # `find -print0`, or lines
    return [line for line in lines if line.strip()]


def add_scale(parser: ArgumentParser) -> None:
    """Add the option for the unit of a mesh file."""
    parser.add_argument(
        "--scale",
        metavar="S",
        type=number(positive),
        help="metres per unit of a mesh file; default 1, or what a COLLADA file states",
    )


def add_method(parser: ArgumentParser) -> None:
    """Add the options that choose a method."""
    parser.add_argument(
        "--method", type=_method, choices=METHODS, help="default exact, or voxel if --voxel-size is given"
    )
    for parameter in PARAMETERS:
        needed = "" if parameter.default else f", with --method {_takers(parameter)}"
        text = f"{parameter.description}{needed}"
        metavar = "M" if parameter.unit else "SHARE"
        parser.add_argument(_option(parameter), metavar=metavar, type=_amount(parameter), help=text)


def chosen_method(options: Namespace) -> tuple[str, dict[str, float]]:
    """Return the method, and the lengths given for it; conflicting options are a usage error."""
    method = options.method or ("exact" if options.voxel_size is None else "voxel")
    for parameter in PARAMETERS:
        given, taken = getattr(options, parameter.name) is not None, parameter in METHODS[method].parameters
        if parameter.default is None and given != taken:
            options.usage_error(f"{_option(parameter)} and --method {_takers(parameter)} go together")
        if given and not taken:
            options.usage_error(f"{_option(parameter)} goes with --method {_takers(parameter)}, not {method}")
    given_lengths = {parameter.name: getattr(options, parameter.name) for parameter in METHODS[method].parameters}
    return method, {name: value for name, value in given_lengths.items() if value is not None}


def number(checked: Callable[[float], float]) -> Callable[[str], float]:
    """Return a function that parses an option as a number and checks it with `checked`."""

    def read(text: str) -> float:
        try:
            return checked(float(text))
        except ValueError:
            raise ArgumentTypeError(f"'{text}' is not a number") from None
        except InertiaError as error:
            raise ArgumentTypeError(error.message) from None

    return read


def _amount(parameter: Parameter) -> Callable[[str], float]:
    """Return a function that parses a length, such as 0.0012 or 1.2mm, or a share, such as 0.2 or 20%."""

    def checked(text: str) -> float:
        from ...quantity import LENGTHS, SHARES, QuantityError, quantity  # no command needs it to start

        with suppress(QuantityError):
            amount = quantity(text, LENGTHS if parameter.unit else SHARES)
            text = text if amount is None else repr(amount.value)
        return plain(text)

    plain = number(positive if parameter.unit else checked_infill)
    return checked


def positive(value: float) -> float:
    """Return a number above 0, such as a length; raises InertiaError otherwise."""
    if 0.0 < value < float("inf"):
        return value
    raise InertiaError.of("bad_length", value=value)


def _method(text: str) -> str:
    """Return a method by its name, or by the name in findings: Voxels, Hull."""
    word = text.lower()
    return {method.label.lower(): name for name, method in METHODS.items()}.get(word, word)


def _option(parameter: Parameter) -> str:
    return f"--{parameter.name.replace('_', '-')}"


def _takers(parameter: Parameter) -> str:
    return " or ".join(method.name for method in METHODS.values() if parameter in method.parameters)


def add_roots(parser: ArgumentParser) -> None:
    """Add the options for how a robot's file is read: folders of meshes and included models, arguments of xacro."""
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
    add_configuration(parser)


def roots_text(options: Namespace) -> str:
    """Return the options of `add_roots` as they are to be typed again; empty without any."""
    folders = [word for root in options.roots for word in ("--path", str(root))]
    arguments = [word for pair in options.xacro_args for word in ("--xacro-arg", ":=".join(pair))]
    config = ["--no-config"] if options.no_config else [] if options.config is None else ["--config", options.config]
    return shlex.join([*folders, *arguments, *map(str, config)])


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


FOR_REPORT = (
    "also report what these engines refuse or change, and compare the bodies that they simulate; an SDF is always"
    " checked for gazebo"
)
"""What ``--for`` does in commands that report."""


def add_engines(parser: ArgumentParser, text: str = FOR_REPORT) -> None:
    """Add the option for the engines whose rules apply."""
    from ...engines.known import ENGINES

    parser.add_argument(
        "--for",
        metavar="ENGINE",
        dest="engines",
        type=_engines,
        default=(),
        help=f"{text} ({', '.join(ENGINES)})",
    )


def _engines(text: str) -> tuple[str, ...]:
    from ...engines.known import ENGINES

    names = text.split(",")
    unknown = [name for name in names if name not in ENGINES]
    if unknown:
        hint = did_you_mean(unknown[0], ENGINES)
        raise ArgumentTypeError(f"unknown engine '{unknown[0]}'; known: {', '.join(ENGINES)}{hint}")
    return tuple(engine for engine in ENGINES if engine in names)


def add_gazebo(parser: ArgumentParser) -> None:
    """Add the former option for the result of Gazebo's mesh calculator, which the help no longer shows."""
    parser.add_argument("--gazebo", action="store_true", help=SUPPRESS)


def gazebo(file: SdfFile) -> list[Finding]:
    """Return the result of Gazebo's own mesh calculator for each auto link of meshes."""
    from ...formats.simulators.gazebo import gazebo_findings

    return [finding for link in file.links for finding in gazebo_findings(link, show=True)]


def worded(findings: Iterable[Finding], path: Path, options: Namespace) -> tuple[Finding, ...]:
    """Return the findings about a file with their subject, and with remedies that name commands on it."""
    from ...formats.table import SUFFIXES

    name, more = short(path), roots_text(options)
    mesh = "MESH" if path.suffix.lower() in SUFFIXES else name  # one of a robot's may be meant
    return tuple(finding.about(str(path)).for_reader("check", name, mesh, more) for finding in findings)
