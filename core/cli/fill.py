# SPDX-License-Identifier: Apache-2.0
"""``fill``: auto inertials into numbers, or with ``--auto`` the reverse."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..engines.agreed import agreed
from ..errors import Finding, has_error
from ..formats.robot_file import RobotFile
from ..robot.report import Json, body_json
from .finding_text import log_findings
from .options.configuration import configured
from .options.file_options import add_engines, add_gazebo, add_roots, gazebo, worded
from .options.inputs import robot_of
from .running import STANDARD_OUTPUT, Change, change_task, for_output, log, run_change
from .terminal import Output, add_amount

EXAMPLES = """\
examples:
  sdf-inertia fill robot.sdf -o filled.sdf  # every other byte stays
  sdf-inertia fill world.sdf --in-place --path models  # for model://
  sdf-inertia fill --auto filled.sdf > auto.sdf  # the reverse
"""


def add_parser(subparsers: Any) -> ArgumentParser:
    """Add the command to a command line."""
    parser: ArgumentParser = subparsers.add_parser(
        "fill",
        help="write the numbers that a simulator computes into an SDF or MJCF file",
        description="Every other byte of the file stays. Without -o and --in-place, or with -o -, the result goes to"
        " standard output; to a device or a FIFO it is sent, and no file takes its place."
        " Exit status 1, and nothing written, if a link has no answer or a simulator would refuse the new file.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run, usage_error=parser.error)
    parser.add_argument("file", metavar="IN", type=Path)
    target = parser.add_mutually_exclusive_group()
    target.add_argument("-o", "--output", metavar="OUT")
    target.add_argument("--in-place", action="store_true", help="write IN itself, and the files that an MJCF includes")
    add_options(parser)
    parser.add_argument("--json", action="store_true", help="what was done, as one JSON object on standard output")
    add_amount(parser)
    return parser


def add_options(parser: ArgumentParser) -> None:
    """Add the options that control how a file is filled."""
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--auto", action="store_true", help="the reverse: explicit inertials into auto and a density")
    kind.add_argument("--keep-auto", action="store_true", help="keep auto next to the numbers")
    add_engines(
        parser,
        "in a URDF, give 0 kg to links without inertial for which these engines make one up, if a fixed joint"
        " holds them to a link with mass",
    )
    parser.add_argument(
        "--skip-invalid", action="store_true", help="write the other links; invalid ones stay unchanged"
    )
    parser.add_argument("--strict", action="store_true", help="treat an include that could not be read as an error")
    add_gazebo(parser)
    add_roots(parser)


def run(options: Namespace) -> int:
    """Fill a file; see `add_parser`."""
    if options.output == STANDARD_OUTPUT and options.json:
        options.usage_error("-o - and --json both write to standard output: name a file for one of them")
    return run_change(options, _filled)


def task(options: Namespace, target: Path | None) -> tuple[int, Json]:
    """Fill one file of a batch."""
    return change_task(options, target, _filled)


def _filled(path: Path, options: Namespace) -> Change:
    robot = robot_of(path, configured(path, options)[0]).file
    if options.engines:
        if options.auto or options.keep_auto:
            options.usage_error("--for goes with neither --auto nor --keep-auto")
        return _agreed(robot, options)
    changed = (
        robot.made_auto() if options.auto else robot.filled(options.keep_auto, getattr(options, "in_place", False))
    )
    findings = [
        replace(finding, severity="error") if options.strict and finding.code == "include_not_read" else finding
        for finding in changed.findings
    ]
    changed = replace(changed, findings=(*findings, *_gazebo(robot, options)))
    written = options.skip_invalid or not changed.refused
    done = [written and link.done for link in changed.links]
    links = [
        {"name": link.name, "done": is_done} | body_json(link.body)
        for link, is_done in zip(changed.links, done, strict=True)
    ]

    def show(_: Output) -> None:
        log_findings(worded(changed.findings, path, options), options.quiet)
        if options.quiet:
            return
        what = "explicit inertials made auto" if options.auto else "computed inertials written"
        hint = "" if written else "; nothing is written, --skip-invalid writes the valid links"
        log(f"{path}: {sum(done)} of {len(done)} {what}{hint}")

    included = changed.included if written else {}
    target, data = for_output(options, robot, changed.path, changed.data)
    return Change(data if written else None, changed.findings, changed.refused, links, show, included, path=target)


def _agreed(robot: RobotFile, options: Namespace) -> Change:
    """Return the change that makes engines agree where no number is needed; nothing if one refuses the new file."""
    new = agreed(robot, options.engines)
    refused = has_error(new.findings)
    links = [{"name": name, "done": not refused} for name in new.links]

    def show(_: Output) -> None:
        log_findings(worded(new.findings, options.file, options), options.quiet)
        count = len(links)
        rest = "; nothing is written: an engine refuses the new file" if refused else ""
        if not options.quiet:
            log(f"{options.file}: {count} link{'s' * (count != 1)} without inertial given 0 kg{rest}")

    return Change(None if refused else new.data, new.findings, refused, links, show)


def _gazebo(robot: RobotFile, options: Namespace) -> list[Finding]:
    findings = gazebo(robot.for_gazebo()) if options.gazebo else []
    if options.auto or options.keep_auto:
        return findings
    # Gazebo reads these as numbers when it refuses to compute.
    return [replace(finding, severity="warning") if finding.severity == "error" else finding for finding in findings]
