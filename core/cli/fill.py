# SPDX-License-Identifier: GPL-3.0-or-later
"""``fill``: auto inertials into numbers, or with ``--auto`` the reverse."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..errors import Finding, InertiaError
from ..files.input_file import noting_reads
from ..files.whole_files import write_whole
from ..formats.table import read_robot_file
from ..robot.report import Json, body_json, finding_json
from ..sdf.read.sdf_file import SdfFile
from ..sdf.write.fill import RewrittenFile, fill
from ..sdf.write.make_auto import make_auto
from ..status import CANNOT_RUN, DONE, REFUSED
from .reading import add_gazebo, add_roots, gazebo, note, print_json, say, status_of
from .terminal import add_amount

EXAMPLES = """\
examples:
  sdf-inertia fill robot.sdf -o filled.sdf  # every other byte stays
  sdf-inertia fill world.sdf --in-place --path models  # for model://
  sdf-inertia fill --auto filled.sdf > auto.sdf  # the reverse
"""

STANDARD_OUTPUT = "-"


def add_parser(subparsers: Any) -> ArgumentParser:
    """Add the command to a command line."""
    parser: ArgumentParser = subparsers.add_parser(
        "fill",
        help="write the numbers of auto inertials into an SDF file",
        description="Every other byte of the file stays. Without -o and --in-place, or with -o -, the result goes to"
        " standard output; to a device or a FIFO it is sent, and no file takes its place."
        " Exit status 1, and nothing written, where a link has no answer or a simulator would refuse the new file.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run, usage_error=parser.error)
    parser.add_argument("file", metavar="IN.sdf", type=Path)
    target = parser.add_mutually_exclusive_group()
    target.add_argument("-o", "--output", metavar="OUT.sdf")
    target.add_argument("--in-place", action="store_true", help="write IN.sdf itself")
    add_options(parser)
    parser.add_argument("--json", action="store_true", help="what was done, as one JSON object on standard output")
    add_amount(parser)
    return parser


def add_options(parser: ArgumentParser) -> None:
    """Add the options that control how a file is filled."""
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--auto", action="store_true", help="the reverse: explicit inertials into auto and a density")
    kind.add_argument("--keep-auto", action="store_true", help="keep auto next to the numbers")
    parser.add_argument(
        "--skip-invalid", action="store_true", help="write the other links; those that are refused stay as they are"
    )
    parser.add_argument("--strict", action="store_true", help="refuse a file with an include that could not be read")
    add_gazebo(parser)
    add_roots(parser)


def run(options: Namespace) -> int:
    """Fill a file; see `add_parser`."""
    target: Path | None = options.file if options.in_place else None
    if options.output not in (None, STANDARD_OUTPUT):
        target = Path(options.output)
    elif options.output and options.json:
        options.usage_error("-o - and --json both write to standard output: name a file for one of them")
    try:
        with noting_reads() as read:
            changed, written = _filled(options.file, options)
    except InertiaError as error:
        return _refusal(options, error)
    say(changed.findings, options.quiet)
    lost: tuple[Finding, ...] = ()
    try:
        if not written:
            pass
        elif target is not None:
            say(lost := write_whole(target, changed.data, read))
        elif not options.json:
            sys.stdout.buffer.write(changed.data)
            sys.stdout.buffer.flush()
    except InertiaError as error:
        return _refusal(options, error)
    except OSError as error:
        note(f"cannot write {target or 'to standard output'}: {error.strerror or error}")
        return CANNOT_RUN
    if options.json:
        print_json(_json(options.file, target if written else None, changed, (*changed.findings, *lost)))
    done = sum(link.done for link in changed.links)
    left = "" if written else "; nothing is written, --skip-invalid writes the links that are not refused"
    if not options.quiet:
        note(f"{options.file}: {done} of {len(changed.links)} {_what(options.auto)}{left}")
    return REFUSED if changed.refused else DONE


def task(options: Namespace, target: Path | None) -> tuple[int, Json]:
    """Fill one file of a batch."""
    assert target is not None
    try:
        with noting_reads() as read:
            changed, written = _filled(options.input, options)
        lost = write_whole(target, changed.data, read) if written else ()
    except InertiaError as error:
        return status_of(error), _json(options.input, None, None, [error.finding()])
    status = REFUSED if changed.refused else DONE
    return status, _json(options.input, target if written else None, changed, (*changed.findings, *lost))


def _refusal(options: Namespace, error: InertiaError) -> int:
    say([error.finding()])
    if options.json:
        print_json(_json(options.file, None, None, [error.finding()]))
    return status_of(error)


def _filled(path: Path, options: Namespace) -> tuple[RewrittenFile, bool]:
    """Return a file's new bytes, and True if they are to be written."""
    robot = read_robot_file(path, options.roots, arguments=dict(options.xacro_args))
    if robot.format_name != "SDF":
        raise InertiaError.of("unread_format", str(path), "no_auto", format=robot.format_name)
    file = robot.for_gazebo()
    changed = make_auto(file) if options.auto else fill(file, options.keep_auto)
    findings = [
        replace(finding, severity="error") if options.strict and finding.code == "include_not_read" else finding
        for finding in changed.findings
    ]
    changed = replace(changed, findings=(*findings, *_gazebo(file, options)))
    if options.skip_invalid or not changed.refused:
        return changed, True
    return replace(changed, links=tuple(replace(link, done=False) for link in changed.links)), False


def _gazebo(file: SdfFile, options: Namespace) -> list[Finding]:
    found = gazebo(file) if options.gazebo else []
    if options.auto or options.keep_auto:
        return found
    # Gazebo reads these as numbers when it refuses to compute.
    return [replace(finding, severity="warning") if finding.severity == "error" else finding for finding in found]


def _what(auto: bool) -> str:
    return "explicit inertials made auto" if auto else "auto inertials filled"


def _json(path: Path, target: Path | None, changed: RewrittenFile | None, findings: Iterable[Finding]) -> Json:
    done = () if changed is None else changed.links
    links = [{"name": link.name, "done": link.done} | body_json(link.body) for link in done]
    return {
        "file": str(path),
        "output": None if target is None else str(target),
        "links": links,
        "findings": [finding_json(finding) for finding in findings],
    }
