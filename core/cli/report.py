# SPDX-License-Identifier: GPL-3.0-or-later
"""``report``: what each link weighs, and what each of its collisions contributes."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import deque
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..errors import Finding, InertiaError, has_error
from ..finding_lines import finding_lines
from ..robot.model import Model
from ..robot.report import Json, finding_json, model_json
from ..robot.resolve import LinkBody
from ..robot.table import csv_text, markdown
from ..sdf.judge.verdicts import link_verdicts
from ..status import DONE, OUR_BUG, REFUSED
from ..version import version
from .reading import add_gazebo, add_roots, bug_in, gazebo, print_json, read, say, status_of

EXAMPLES = """\
examples:
  sdf-inertia report robot.sdf  # tables in Markdown
  sdf-inertia report robots/*.urdf --format csv > links.csv
  sdf-inertia report world.sdf --format json --path models
"""


def add_parser(subparsers: Any) -> ArgumentParser:
    """Add the command to a command line."""
    parser: ArgumentParser = subparsers.add_parser(
        "report",
        help="mass, centre of mass and inertia per link and per collision of SDF and URDF files",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run, usage_error=parser.error)
    parser.add_argument("files", metavar="IN.sdf", type=Path, nargs="+")
    parser.add_argument("--format", choices=("md", "csv", "json"), default="md", help="default md")
    add_options(parser)
    return parser


def add_options(parser: ArgumentParser) -> None:
    """Add what says how a file is read."""
    add_gazebo(parser)
    add_roots(parser)


def run(options: Namespace) -> int:
    """Report on files; see `add_parser`."""
    status = DONE
    reports = []
    for path in options.files:
        one, own = _read(path, options)
        reports.append(one)
        status = max(status, own)
        say(_told(one))
    {"md": _markdown, "csv": _csv, "json": _json}[options.format](reports)
    return status


Report = tuple[Path, list[Finding], list[tuple[Model, list[LinkBody]]]]


def task(options: Namespace, target: Path | None) -> tuple[int, Json]:
    """Report on one file of a batch."""
    one, status = _read(options.input, options)
    return status, _file_json(one) | {"findings": [finding_json(finding) for finding in _told(one)]}


def _read(path: Path, options: Namespace) -> tuple[Report, int]:
    """Read one file; return what there is to tell of it, and the status that it deserves."""
    findings: list[Finding] = []
    models: list[tuple[Model, list[LinkBody]]] = []
    status = DONE
    try:
        file = read(path, options)
        known = deque(link_verdicts(file))
        for one in file.models:
            # Within its model a link goes by its own name.
            bodies = [replace(known.popleft(), name=link.name.removeprefix(f"{one.name}::")) for link in one.links]
            models.append((Model(one.name, ()), bodies))
        findings += [*file.findings, *gazebo(file, options)]
    except InertiaError as error:
        findings.append(error.about(str(path)).finding())
        status = status_of(error)
    except Exception as error:
        findings.append(bug_in(path, error))
        status = OUR_BUG
    told = (path, findings, models)
    return told, max(status, REFUSED) if has_error(_told(told)) else status


def _told(report: Report) -> list[Finding]:
    """Return all findings once."""
    _, findings, models = report
    of_links = (finding for _, bodies in models for body in bodies for finding in body.all_findings())
    return list(dict.fromkeys([*findings, *of_links]))


def _markdown(reports: list[Report]) -> None:
    for path, findings, models in reports:
        if len(reports) > 1:
            print(f"# {path}\n")
        for model, bodies in models:
            print(markdown(model, bodies, partial=True))
        if findings:
            print("## Findings of the file\n\n" + "".join(f"- {line}\n" for line in finding_lines(findings)))


def _csv(reports: list[Report]) -> None:
    print(csv_text((str(path), model, bodies) for path, _, models in reports for model, bodies in models), end="")


def _json(reports: list[Report]) -> None:
    files = [_file_json(one) for one in reports]
    print_json(files[0] if len(files) == 1 else {"files": files})


def _file_json(report: Report) -> Json:
    path, findings, models = report
    return {
        "file": str(path),
        "version": version(),
        "findings": [finding_json(finding) for finding in findings],
        "models": [model_json(model, bodies, partial=True) for model, bodies in models],
    }
