# SPDX-License-Identifier: Apache-2.0
"""``check``: what is wrong or doubtful about robots, assemblies from CAD and meshes."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from ..errors import InertiaError, has_error
from ..files.input_file import noting_reads
from ..files.mesh_file import load_surface
from ..files.whole_files import write_atomic
from ..formats.step.assembly import is_step
from ..formats.table import READ, SUFFIXES
from ..judge.comparison import summary_of
from ..judge.total_mass import total_mass
from ..mesh.measure import check_surface
from ..robot.report import Json
from ..status import CANNOT_RUN, DONE, REFUSED, of_several
from .check_formats import FORMATS, as_junit, file_json, summary, write_badge
from .checked import Baseline, CheckedFile, without_ignored
from .finding_text import log_findings, print_checked, print_next
from .options.cad_options import NOT_FOR_STEP, add_cad, check_usage, step_robot
from .options.changed_files import ChangedFiles
from .options.configuration import Configuration, configured
from .options.file_options import (
    add_engines,
    add_gazebo,
    add_list,
    add_roots,
    add_scale,
    add_total_mass,
    gazebo,
    worded,
)
from .options.inputs import inputs_of, refuse_folder, robot_of
from .options.outputs import overwritten
from .running import STANDARD_OUTPUT, catching_errors, log
from .terminal import Output, add_amount, print_engines

FORMATS_WITH_SUMMARY = ("text", "json")
"""Formats with the line that counts the links. It is only for one file, since counting reads more meshes."""

FILES = f"{READ}, a mesh, or a folder: all robots below it"

EXAMPLES = """\
examples:
  sdf-inertia check robot.sdf wheel.stl  # exit 1 if any file has an error
  sdf-inertia check src --changed-since origin/main  # all robots below src that changed
  sdf-inertia check arm.step --bom bom.csv  # its solids, and what its parts weigh
"""


def add_parser(subparsers: Any) -> ArgumentParser:
    """Add the command to a command line."""
    parser: ArgumentParser = subparsers.add_parser(
        "check",
        help=f"what is wrong or doubtful about a file: {READ}, or a mesh",
        description="Prints a paragraph for each cause, with the links that have it; the other formats list each"
        " finding. docs/findings.md explains each [code]. Exit status 1 if any finding is an error.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run, usage_error=parser.error)
    parser.add_argument("files", metavar="FILE", type=Path, nargs="*", help=FILES)
    add_list(parser, "more FILE")
    add_options(parser)
    add_amount(
        parser,
        "print each finding by itself, with its explanation",
        "print only errors and the count of links, and nothing for a file without errors",
    )
    parser.add_argument(
        "--format",
        choices=("text", *FORMATS),
        help="text (default); one JSON object; GitHub's annotations; SARIF 2.1.0; JUnit's XML",
    )
    parser.add_argument("--json", action="store_true", help="the same as --format json")
    parser.add_argument(
        "--baseline",
        metavar="FILE",
        type=Path,
        help="ignore the findings listed in FILE, the output of an earlier --format json",
    )
    parser.add_argument(
        "--changed-since",
        metavar="REF",
        help="only files that changed since a revision of Git, or with which a changed file is read",
    )
    parser.add_argument(
        "--badge",
        metavar="FILE",
        help="write the JSON of a badge for a README, about all files together; - writes only it to standard output",
    )
    parser.add_argument(
        "--junit", metavar="FILE", type=Path, help="also write JUnit's XML, for colcon, GitLab, Jenkins or Azure"
    )
    parser.add_argument(
        "--summary",
        metavar="FILE",
        type=Path,
        help="write the counts of all files and a table of the worst findings, as Markdown",
    )
    return parser


def add_options(parser: ArgumentParser) -> None:
    """Add the options for how files are read and judged."""
    parser.add_argument(
        "--strict",
        action="store_true",
        help="apply stricter limits, and also report infos: findings that are often harmless",
    )
    add_engines(parser)
    add_gazebo(parser)
    add_roots(parser)
    add_scale(parser)
    add_total_mass(parser, f"warn if the links of the robot do not add up to this mass; {NOT_FOR_STEP}")
    add_cad(parser)


def run(options: Namespace) -> int:
    """Check files; see `add_parser`."""
    if options.json and options.format not in (None, "json"):
        options.usage_error("use either --json or --format")
    if options.badge == STANDARD_OUTPUT and (options.json or options.format):
        options.usage_error("--badge - writes to standard output: give a FILE, or no --format")
    form = options.format or ("json" if options.json else "text")
    try:
        names, notes = inputs_of("check", map(str, options.files), options.listed, options=options)
        baseline = Baseline(options.baseline) if options.baseline else None
    except InertiaError as error:
        log_findings([error.finding()])
        return CANNOT_RUN
    paths = [*map(Path, names)]
    if not (paths or options.listed) and form in ("text", "github"):  # a list and other formats may be empty
        options.usage_error("give at least one FILE")
    check_usage(options, paths)
    log_findings(notes, options.quiet)
    count = (form in FORMATS_WITH_SUMMARY and len(paths) == 1) or options.badge is not None
    files: list[CheckedFile] = []
    changed = None if options.changed_since is None else ChangedFiles(options.changed_since)
    unchanged = 0
    shown = form == "text" and options.badge != STANDARD_OUTPUT
    output = Output.to(sys.stdout)
    written = options.summary or options.badge or options.junit
    with noting_reads() if written else nullcontext(dict[str, str | None]()) as read:
        for path in paths:
            with nullcontext(dict[str, str | None]()) if changed is None else noting_reads() as read_with_it:
                file = _checked(path, options, count)
            try:
                if changed is not None and not changed.has_any(path, read_with_it):
                    unchanged += 1
                    continue
            except InertiaError as error:
                log_findings([error.about(str(path)).finding()])
                return CANNOT_RUN
            files.append(file if baseline is None else baseline.without_known(file))
            if not shown or (options.quiet and not files[-1].status):
                continue
            print_checked(output, files[-1], options.quiet, options.verbose)
            if files[-1].engines is not None and len(files[-1].engines.views) > 1 and not options.quiet:
                print_engines(output, files[-1].engines)
    if unchanged and not options.quiet:
        log(f"{unchanged} file{'s' * (unchanged != 1)} not checked: unchanged since {options.changed_since}")
    if shown and not options.quiet:
        print_next(output, files)
    if form in FORMATS:
        print(FORMATS[form](files))
    problem = overwritten(options, read) or _not_written(options, files)
    if problem is not None:
        log(problem)
        return CANNOT_RUN
    gone = baseline.gone(files) if baseline else 0
    if gone:
        fixed = "1 finding is fixed" if gone == 1 else f"{gone} findings are fixed"
        log(f"{options.baseline}: {fixed}: write this baseline again with --format json")
    return of_several(file.status for file in files)


def _not_written(options: Namespace, files: Sequence[CheckedFile]) -> str | None:
    """Write the summary, the badge and JUnit's XML; return why one of them is not written."""
    target = options.summary
    try:
        if target is not None:
            write_atomic(target, summary(files).encode())
        target = options.badge
        if target is not None:
            write_badge(target, files)
        target = options.junit
        if target is not None:
            write_atomic(target, as_junit(files).encode())
    except (InertiaError, OSError) as error:
        return f"cannot write {target}: {error}"
    return None


def _checked(path: Path, options: Namespace, count: bool) -> CheckedFile:
    """Check a file; with `count`, compare all links of a robot with their geometry."""
    counts = total = engines = None
    given, configuration = options, Configuration()
    with catching_errors(path) as result:
        refuse_folder(path)
        options, configuration = configured(path, options)
        if is_step(path):
            findings = step_robot(path, options).check()
            result.findings += [finding for finding in findings if options.strict or finding.severity != "info"]
        elif path.suffix.lower() in SUFFIXES:
            robot = robot_of(path, options)
            result.findings += robot.check(options.engines, options.strict)
            result.findings += gazebo(robot.file.for_gazebo()) if options.gazebo else []
            engines = robot.compare_engines(options.engines) if options.engines else None
            counts = summary_of(robot.verdicts(options.strict)) if count else None
            if options.total_mass is not None:
                total = total_mass(robot.file, options.total_mass, robot.verdicts())
                result.findings += total.findings
        else:
            surface, noted = load_surface(path, options.scale)
            result.findings += [*noted, *check_surface(surface)]
    findings = worded(result.findings, path, given)
    status = result.status or (REFUSED if has_error(findings) else DONE)
    file = CheckedFile(
        path, findings, status, summary=counts, total=total, engines=engines, configuration=configuration.path
    )
    return without_ignored(file, options.strict, configuration.ignore)


def task(options: Namespace, target: Path | None) -> tuple[int, Json]:
    """Check one file of a batch."""
    file = _checked(options.input, options, count=False)
    return file.status, file_json(file)
