# SPDX-License-Identifier: Apache-2.0
"""``statics``: the torques of gravity at a robot's joints, effective inertias, and whether it stands."""

from __future__ import annotations

import csv
import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from math import radians
from pathlib import Path
from typing import Any

from ..body.materials import checked_mass
from ..errors import InertiaError, has_error
from ..files.input_file import decoded, noting_reads, read_bytes
from ..files.whole_files import write_atomic
from ..formats.table import ROBOTS
from ..quantity import LENGTHS, QuantityError, quantity
from ..robot.model import Joint
from ..robot.report import finding_json
from ..statics.statics import COLUMNS, Statics
from ..status import CANNOT_RUN, REFUSED
from ..units import numbers_text
from .finding_text import print_findings
from .options.configuration import configured
from .options.file_options import add_roots, number, worded
from .options.inputs import robot_of
from .options.outputs import overwritten
from .running import catching_errors, log, print_json
from .terminal import Output, add_amount

EXAMPLES = """\
examples:
  sdf-inertia statics robot.urdf  # all joints at 0
  sdf-inertia statics robot.urdf --pose lift=30deg elbow=-0.5 --payload 0.5 --at tool
  sdf-inertia statics robot.urdf --worst elbow  # the pose that loads a joint most
  sdf-inertia statics walker.urdf --feet left_foot right_foot -o statics.html
"""

ANGLES = dict.fromkeys(("rad", "radian", "radians"), 1.0) | dict.fromkeys(("deg", "°", "degree", "degrees"), radians(1))
"""Units of angles by their words in lower case, in radians."""

LARGEST_POSE = 1 << 20
"""Bytes of a file with a pose."""


def add_parser(subparsers: Any) -> ArgumentParser:
    """Add the command to a command line."""
    parser: ArgumentParser = subparsers.add_parser(
        "statics",
        help="torques of gravity at the joints, the inertia that motors feel, and whether a robot stands",
        description="The root is held, as by hands: torques are those of all that each joint carries. Gravity is"
        " 9.81 m/s² along -z of the model.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run, usage_error=parser.error)
    parser.add_argument("file", metavar="ROBOT", type=Path, help=ROBOTS)
    parser.add_argument(
        "--pose",
        metavar="JOINT=VALUE",
        nargs="+",
        action="extend",
        default=[],
        help="positions such as elbow=30deg, elbow=0.5 (rad), lift=20mm; or a file of them in JSON or CSV; default 0",
    )
    parser.add_argument(
        "--payload", metavar="KG", type=number(checked_mass), action="append", default=[], help="a mass to carry, --at"
    )
    parser.add_argument("--at", metavar="LINK", action="append", default=[], help="the link or frame that carries it")
    parser.add_argument(
        "--feet", metavar="LINK", nargs="+", default=[], help="what the robot stands on; default its lowest links"
    )
    parser.add_argument("--floating", action="store_true", help="for the effective inertia, the root moves freely")
    parser.add_argument("--worst", metavar="JOINT", help="also show the pose that loads this joint most")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output, and nothing else")
    parser.add_argument("-o", "--output", metavar="FILE.html", help="write a page that shows them beside the robot")
    add_roots(parser)
    add_amount(parser)
    return parser


def run(options: Namespace) -> int:
    """Show the statics of a robot; see `add_parser`."""
    if len(options.payload) != len(options.at):
        options.usage_error("each --payload KG goes with its own --at LINK")
    statics: Statics | None = None
    page = ""
    with noting_reads() as read, catching_errors(options.file) as result:
        options, _ = configured(options.file, options)
        robot = robot_of(options.file, options)
        payload: dict[str, float] = {}
        for mass, link in zip(options.payload, options.at, strict=True):
            payload[link] = payload.get(link, 0.0) + mass
        pose = dict(_pose(options.pose, robot.joints))
        statics = robot.statics(pose, payload, options.feet, options.floating)
        if options.output is not None:
            page = robot.to_html(statics=statics)
        doubts = (doubt for verdict in robot.verdicts() for doubt in verdict.findings if doubt.severity == "warning")
        statics = replace(statics, findings=(*statics.findings, *doubts))
        if options.worst is not None:
            worst = statics.worst_pose(options.worst)
    findings = (*(() if statics is None else statics.findings), *result.findings)
    output = Output.to(sys.stderr if options.json else sys.stdout)
    print_findings(output, worded(findings, options.file, options), options.quiet)
    if options.json:
        value = {"findings": [finding_json(finding) for finding in findings]}
        print_json({"file": str(options.file)} | ({} if statics is None else statics.to_dict()) | value)
    elif statics is not None:
        _print_tables(output, statics)
        if options.worst is not None:
            words = " ".join(f"{name}={position:.6g}" for name, position in worst.items())
            output.line(f"largest at {options.worst}: --pose {words}")
    if page and (problem := overwritten(options, read)):
        log(problem)
        return CANNOT_RUN
    if page:
        try:
            write_atomic(Path(options.output), page.encode())
        except OSError as error:
            log(f"cannot write {options.output}: {error.strerror}")
            return CANNOT_RUN
    return result.status or (REFUSED if has_error(findings) else 0)


def _pose(words: Iterable[str], joints: Mapping[str, Joint]) -> Iterator[tuple[str, float]]:
    """Yield the joints and positions [rad or m] that words or files give."""
    for word in words:
        pairs = [word.rpartition("=")[::2]] if "=" in word else _read_pose(Path(word))
        for name, text in pairs:
            joint = joints.get(name)
            units = LENGTHS if joint is not None and joint.kind == "prismatic" else ANGLES
            try:
                value = quantity(text, units)
            except QuantityError as error:
                raise InertiaError.of("pose_refused", name, "word", name=name, reason=error) from None
            if value is not None:
                yield name, value.value


def _read_pose(path: Path) -> list[tuple[str, str]]:
    """Return the joints and positions of a file: a JSON object, or rows of a joint and a position."""
    text = decoded(read_bytes(path, LARGEST_POSE))
    try:
        if text.lstrip().startswith("{"):
            return [(name, str(value)) for name, value in json.loads(text).items()]
        rows = [row for row in csv.reader(text.splitlines()) if row]
        return [(name.strip(), value.strip()) for name, value in rows if value.strip() != "position"]
    except (ValueError, RecursionError, csv.Error) as error:
        raise InertiaError.of("pose_refused", str(path), "file", reason=error) from None


def _print_tables(output: Output, statics: Statics) -> None:
    mass = f"{statics.mass:.6g} kg"
    centre = f", centre of mass at {numbers_text(statics.com)} m" if statics.mass else ""
    output.title(statics.name, mass + centre, "bold")
    if statics.joints:
        output.table(COLUMNS, [row.cells for row in statics.joints])
    if statics.stance:
        output.wrapped(statics.stance)
