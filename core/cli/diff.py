# SPDX-License-Identifier: Apache-2.0
"""``diff``: two SDF, URDF or MJCF files, link by link."""

from __future__ import annotations

import argparse
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ..body.compare import RTOL, LinkDifference, compare
from ..body.inertial import COMPONENTS, Inertial
from ..errors import Finding, InertiaError, has_error
from ..formats.file_link import FileLink
from ..judge.faults import find_faults
from ..robot.report import finding_json, tensor_json
from ..status import DONE, REFUSED
from ..units import rounded
from .finding_text import log_findings, print_findings
from .options.configuration import configured
from .options.file_options import add_roots, worded
from .options.inputs import robot_of
from .running import print_json, status_of
from .terminal import Output, add_amount, changed

if TYPE_CHECKING:
    from rich.text import Text

T = TypeVar("T")

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
    parser.add_argument("a", metavar="A", type=Path, help="one robot, in any format")
    parser.add_argument("b", metavar="B", type=Path, help="the other one, in the same format or another")
    parser.add_argument("--rtol", type=_tolerance, default=RTOL, help=f"relative tolerance; default {RTOL:g}")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output, and nothing else")
    add_roots(parser)
    add_amount(parser)
    return parser


def run(options: Namespace) -> int:
    """Compare two files; see `add_parser`."""
    findings: list[Finding] = []
    shown: list[Finding] = []
    sides: list[dict[tuple[str, str], Inertial | None]] = []
    known: list[dict[tuple[str, str], Numbers]] = []
    for path in (options.a, options.b):
        try:
            file = robot_of(path, configured(path, options)[0]).file
        except InertiaError as error:
            log_findings([error.finding()])
            return status_of(error)
        of_links = (each for verdict in find_faults(file, by_geometry=False) for each in verdict.findings)
        errors = [finding for finding in (*file.findings, *of_links) if finding.severity == "error"]
        findings += errors
        shown += worded(errors, path, options)
        names = [(link.model, link.local_name) for link in file.links]
        inertials = [None if body.refused else body.inertial for body in file.bodies]
        sides.append(dict(zip(names, inertials, strict=True)))
        known.append(dict(zip(names, map(_numbers, file.links, inertials), strict=True)))
    differences = compare(*_named(sides))
    numbers = _named(known)
    rows = {link.name: [*_rows(link, numbers, options.rtol)] for link in differences}
    count = sum(link.differs(options.rtol) or bool(rows[link.name]) for link in differences)
    output = Output.to(sys.stderr if options.json else sys.stdout)
    print_findings(output, shown)
    if options.json:
        links = [_json(link) for link in differences]
        print_json({"links": links, "findings": [finding_json(finding) for finding in findings]})
    elif not options.quiet:
        if count:
            models = {model for side in sides for model, _ in side}
            _print_table(output, rows, options, f"{models.pop()}::" if len(models) == 1 else "")
        output.line(f"{count} of {len(differences)} links differ{'s' * (count == 1)} by more than {options.rtol:g}")
    return REFUSED if count or has_error(findings) else DONE


def _named(sides: Sequence[Mapping[tuple[str, str], T]]) -> list[dict[str, T]]:
    """Return the values by the names of the links: without the model's if each file has one, of another name."""
    models = [{model for model, _ in side} for side in sides]
    alone = all(len(names) == 1 for names in models) and models[0] != models[1]
    return [{name if alone else f"{model}::{name}": value for (model, name), value in side.items()} for side in sides]


def _tolerance(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of at least 0")
    return value


TITLES = {
    "mass": ("mass [kg]",),
    "com": ("centre x [m]", "centre y [m]", "centre z [m]"),
    "inertia": tuple(f"{name} [kg·m²]" for name in ("Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz")),
}
"""The numbers of a link by kind. In link axes: principal moments would hide two axes that are exchanged."""

Numbers = Mapping[str, Sequence[float | None]]

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


def _numbers(link: FileLink, inertial: Inertial | None) -> Numbers:
    """Return the numbers of a link that are known, by kind; of an invalid inertial those in its file."""
    inertial = link.inertial if inertial is None else inertial
    if inertial is None:
        return {
            "mass": [link.mass],
            "com": [None] * 3 if link.com is None else link.com.tolist(),
            "inertia": [None] * 6,
        }
    tensor = [float(inertial.inertia[COMPONENTS[title[:3].lower()]]) for title in TITLES["inertia"]]
    return {"mass": [inertial.mass], "com": inertial.com.tolist(), "inertia": tensor}


def _rows(link: LinkDifference, known: Sequence[Mapping[str, Numbers]], rtol: float) -> Iterator[list[str]]:
    """Yield each number of a link that differs: its title, its text in both files, and its change."""
    if link.only_in is not None:
        yield ["", *(("", "not in this file") if link.only_in == "a" else ("not in this file", "")), ""]
        return
    a, b = (side[link.name] for side in known)
    absent = [all(number is None for numbers in side.values() for number in numbers) for side in (a, b)]
    if any(absent):
        if not all(absent):
            yield ["inertial", *("none" if each else "given" for each in absent), ""]
        return
    for kind, titles in TITLES.items():
        if link.difference is not None and getattr(link.difference, kind) <= rtol:
            continue
        least = rtol * max((abs(number) for number in (*a[kind], *b[kind]) if number is not None), default=0.0)
        for title, old, new in zip(titles, a[kind], b[kind], strict=True):
            if old is None or new is None:
                if old is not new:
                    yield [title, *("unknown" if number is None else f"{number:.6g}" for number in (old, new)), ""]
            elif not abs(new - old) <= least and repr(old) != repr(new):  # which two NaN are not
                yield [title, *_texts(old, new), _change(old, new)]


def _texts(old: float, new: float) -> list[str]:
    """Return two numbers with six digits, or with as many as show that they differ."""
    pairs = ([f"{number + 0.0:.{digits}g}" for number in (old, new)] for digits in (6, 9, 12, 17))
    return next((pair for pair in pairs if pair[0] != pair[1]), [f"{old!r}", f"{new!r}"])


def _change(old: float, new: float) -> str:
    """Return by what factor a number changed; in percent for less than 2, as a difference if its sign changed."""
    if not (old and new) or (old < 0.0) != (new < 0.0):
        return "opposite sign" if old == -new else f"{new - old:+.3g}"
    factor = new / old
    if 0.5 < factor < 2.0:
        return f"{100.0 * (factor - 1.0):+.3g} %"
    return f"{rounded(factor, 3):.9g} times" if factor > 1.0 else f"1/{rounded(old / new, 3):.9g}"


def _print_table(output: Output, rows: Mapping[str, Sequence[Sequence[str]]], options: Namespace, model: str) -> None:
    """Print the numbers that differ, in a terminal with their new digits marked; without the only model's name."""
    cells: list[Sequence[str | Text]] = []
    for name, of_link in rows.items():
        for number, (title, old, new, change) in enumerate(of_link):
            link = "" if number else name.removeprefix(model)
            cells.append([link, title, old, new if output.console is None else changed(old, new), change])
    files = [path.name if options.a.name != options.b.name else str(path) for path in (options.a, options.b)]
    output.table(["link", "number", *files, "change"], cells, 2)
