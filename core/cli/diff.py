# SPDX-License-Identifier: Apache-2.0
"""``diff``: two SDF, URDF or MJCF files, link by link."""

from __future__ import annotations

import argparse
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arrays import FloatArray
from ..body.compare import RTOL, LinkDifference, compare
from ..body.inertial import Inertial
from ..errors import Finding, InertiaError, has_error
from ..escapes import for_log
from ..judge.faults import find_faults
from ..robot.report import finding_json, tensor_json
from ..status import DONE, REFUSED
from .check_text import print_findings
from .configuration import configured
from .file_options import add_roots
from .inputs import robot_of
from .running import log_findings, print_json, status_of
from .terminal import INERTIAL_COLUMNS, add_amount, changed, console, print_table

if TYPE_CHECKING:
    from rich.console import Console

EXAMPLES = """\
examples:
  sdf-inertia diff old.sdf new.sdf  # exit status 1 if they differ
  sdf-inertia diff robot.urdf robot.sdf --rtol 1e-6
  sdf-inertia diff old.sdf new.sdf --json
"""


def add_parser(subparsers: Any) -> ArgumentParser:
    """Add the command to a command line."""
    parser: ArgumentParser = subparsers.add_parser(
        "diff",
        help="compare the inertials of two robots, link by link",
        description="Exit status 1 if anything differs by more than --rtol, or any finding is an error.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run, usage_error=parser.error)
    parser.add_argument("a", metavar="A.sdf", type=Path)
    parser.add_argument("b", metavar="B.sdf", type=Path)
    parser.add_argument("--rtol", type=_tolerance, default=RTOL, help=f"relative tolerance; default {RTOL:g}")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output, and nothing else")
    add_roots(parser)
    add_amount(parser)
    return parser


def run(options: Namespace) -> int:
    """Compare two files; see `add_parser`."""
    findings: list[Finding] = []
    sides: list[dict[tuple[str, str], Inertial | None]] = []
    for path in (options.a, options.b):
        try:
            file = robot_of(path, configured(path, options)[0]).file
        except InertiaError as error:
            log_findings([error.finding()])
            return status_of(error)
        verdicts = find_faults(file, by_geometry=False)
        findings += [*file.findings, *(finding for verdict in verdicts for finding in verdict.findings)]
        pairs = zip(file.links, file.bodies, strict=True)
        sides.append({(link.model, link.local_name): None if body.refused else body.inertial for link, body in pairs})
    differences = compare(*_named(sides))
    different = [link for link in differences if link.differs(options.rtol)]
    findings = [finding for finding in findings if finding.severity == "error"]
    terminal = None if options.json else console()
    if terminal is None:
        log_findings(findings)
    else:
        print_findings(terminal, findings, options.b)
    if options.json:
        links = [_json(link) for link in differences]
        print_json({"links": links, "findings": [finding_json(finding) for finding in findings]})
    elif not options.quiet:
        if terminal is None:
            for link in different:
                print(for_log(_line(link)))
        elif different:
            _print_table(terminal, different)
        print(f"{len(different)} of {len(differences)} links differ by more than {options.rtol:g}")
    return REFUSED if different or has_error(findings) else DONE


def _named(sides: Sequence[Mapping[tuple[str, str], Inertial | None]]) -> list[dict[str, Inertial | None]]:
    """Return the inertials by the names of the links: without the model's if each file has one, of another name."""
    models = [{model for model, _ in side} for side in sides]
    alone = all(len(names) == 1 for names in models) and models[0] != models[1]
    return [
        {name if alone else f"{model}::{name}": inertial for (model, name), inertial in side.items()} for side in sides
    ]


def _tolerance(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of at least 0")
    return value


_QUANTITIES: dict[str, Callable[[Inertial], Any]] = {
    "mass": lambda body: body.mass,
    "com": lambda body: body.com.tolist(),
    "inertia": lambda body: tensor_json(body.inertia),
}


def _json(link: LinkDifference) -> dict[str, Any]:
    values: dict[str, Any] = {"name": link.name, "only_in": link.only_in}
    for name, value in _QUANTITIES.items():
        relative = None if link.difference is None else _finite(getattr(link.difference, name))
        values[name] = [None if body is None else value(body) for body in (link.a, link.b)] + [relative]
    return values


def _finite(number: float) -> float | None:
    return number if number < float("inf") else None


def _line(link: LinkDifference) -> str:
    if link.only_in is not None:
        return f"{link.name}: only in {link.only_in.upper()}"
    if link.difference is None or link.a is None or link.b is None:
        return f"{link.name}: the inertial in {'A' if link.a is None else 'B'} is invalid or missing"
    a, b, apart = link.a, link.b, link.difference
    # In link axes: principal moments would hide two axes that are exchanged.
    moments = " -> ".join(_row(np.diag(body.inertia)) for body in (a, b))
    return (
        f"{link.name}: mass {a.mass:.9g} -> {b.mass:.9g} kg ({apart.mass:.3g});"
        f" centre of mass ({_row(a.com)}) -> ({_row(b.com)}) m ({apart.com:.3g} of the radius of gyration);"
        f" Ixx, Iyy, Izz {moments} kg·m² (tensor {apart.inertia:.3g} of its trace)"
    )


def _print_table(target: Console, links: Iterable[LinkDifference]) -> None:
    """Print the numbers of each link in A above those in B, with the digits that differ marked."""
    rows: list[Sequence[Any]] = []
    for link in links:
        a, b = ([""] * 3 if body is None else _numbers(body) for body in (link.a, link.b))
        absent = "not in this file" if link.only_in else "invalid or missing"
        rows.append([link.name, "A", *(a if link.a is not None else [absent, "", ""])])
        new = [changed(x, y) for x, y in zip(a, b, strict=True)]
        rows.append(["", "B", *(new if link.b is not None else [absent, "", ""])])
    print_table(target, ["link", "", *INERTIAL_COLUMNS], rows, 2)


def _numbers(body: Inertial) -> list[str]:
    return [f"{body.mass:.9g}", _row(body.com), _row(np.diag(body.inertia))]


def _row(numbers: FloatArray) -> str:
    """Return numbers with six digits: `numbers_text` has too few for small differences."""
    return ", ".join(f"{number + 0.0:.6g}" for number in numbers)
