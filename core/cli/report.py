# SPDX-License-Identifier: Apache-2.0
"""``report``: the inertial of each link, and the share of each of its collisions."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..api.report import Report
from ..api.robot import Robot
from ..body.intervals import INTERVAL_COLUMNS
from ..errors import Finding, InertiaError, has_error
from ..escapes import for_markdown
from ..files.input_file import noting_reads
from ..files.whole_files import write_atomic
from ..formats.step.assembly import is_step
from ..formats.table import READ, SUFFIXES
from ..robot.link_tables import alike_parts, lines_text
from ..robot.report import (
    JOINT_COLUMNS,
    Json,
    counted_text,
    csv_text,
    finding_json,
    rotor_rows,
    stated_mass,
    total_of,
)
from ..robot.resolve import LinkBody
from ..status import CANNOT_RUN, DONE, REFUSED, of_several
from ..units import numbers_text
from .finding_text import log_findings, print_findings, short
from .options.cad_options import NOT_FOR_STEP, add_cad, check_usage, step_robot
from .options.configuration import configured
from .options.file_options import add_engines, add_gazebo, add_roots, add_total_mass, gazebo, worded
from .options.inputs import inputs_of, refuse_folder, robot_of
from .options.outputs import overwritten
from .running import STANDARD_OUTPUT, catching_errors, log, print_json
from .terminal import INERTIAL_COLUMNS, Output, add_amount, inertial_cells, print_engines

if TYPE_CHECKING:
    from ..view.robot_scene import RobotScene

EXAMPLES = """\
examples:
  sdf-inertia report robot.sdf  # a table of its links
  sdf-inertia report robot.urdf --format html -o robot.html  # a page to look at and to send
  sdf-inertia report arm.step --bom bom.csv --links first --inertials arm.yaml  # from CAD
"""


def add_parser(subparsers: Any) -> ArgumentParser:
    """Add the command to a command line."""
    parser: ArgumentParser = subparsers.add_parser(
        "report",
        help="mass, centre of mass and inertia per link and per part of robots and assemblies from CAD",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run, usage_error=parser.error)
    parser.add_argument("files", metavar="FILE", type=Path, nargs="+", help=f"{READ}, or a folder: all robots below it")
    parser.add_argument(
        "--format",
        choices=("text", "md", "csv", "json", "html"),
        default="text",
        help="text (default): findings, and a table of the links; md: each part too; html: a page",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="where the page goes, with --format html")
    parser.add_argument(
        "--inertials", metavar="YAML", type=Path, help="also write the inertial of each link of one file as YAML"
    )
    parser.add_argument(
        "--intervals", action="store_true", help="also print how far each link's numbers may be off, and why"
    )
    add_options(parser)
    add_amount(parser)
    return parser


def add_options(parser: ArgumentParser) -> None:
    """Add the options for how a file is read."""
    add_engines(parser)
    add_gazebo(parser)
    add_roots(parser)
    add_total_mass(parser, f"compare the sum of the masses with this mass of the robot; {NOT_FOR_STEP}")
    add_cad(parser)


def run(options: Namespace) -> int:
    """Report on files; see `add_parser`."""
    names, notes = inputs_of("report", map(str, options.files), None, options=options)
    options.several = len(names) > 1 or any(map(Path.is_dir, options.files))
    options.files = [*map(Path, names)]
    log_findings(notes, options.quiet)
    check_usage(options, options.files)
    if options.inertials is not None and len(options.files) > 1:
        options.usage_error("--inertials goes with one file")
    if options.format == "html":
        return _write_page(options)
    if options.output is not None:
        options.usage_error("--output goes with --format html")
    status = DONE
    reports = []
    output = Output.to(sys.stdout)
    for path in options.files:
        report, status_of_file, _ = _report(path, options)
        reports.append(report)
        status = of_several([status, status_of_file])
        shown = report.without_infos()
        findings = worded(shown.all_findings, path, options)
        if options.format == "text":
            print_findings(output, findings, options.quiet)
            if findings and report.models:
                output.line("")
            _print_tables(output, shown)
        elif options.format != "md" or not report.models:  # it lists them below the tables
            log_findings(findings, options.quiet)
    if options.format == "json":
        files = [report.to_dict() for report in reports]
        print_json({"files": files} if options.several else files[0])
    elif options.format != "text":
        {"md": _markdown, "csv": _csv}[options.format](reports)
    if options.inertials is None or not reports[0].models:
        return status
    if has_error(reports[0].all_findings):
        log(f"{options.inertials} is not written, because of the errors above")
        return status
    try:
        write_atomic(options.inertials, reports[0].to_yaml().encode())
    except (InertiaError, OSError) as error:
        log(f"cannot write {options.inertials}: {error}")
        return CANNOT_RUN
    if not options.quiet:
        log(f"{options.inertials}: the inertials of {short(reports[0].path)}")
    return status


def task(options: Namespace, target: Path | None) -> tuple[int, Json]:
    """Report on one file of a batch; write its page and its picture to `target`, if given."""
    report, status, robot = _report(options.input, options)
    value = report.to_dict() | {"findings": [finding_json(finding) for finding in report.all_findings]}
    if target is not None and robot is not None and report.models:
        from ..view.page import page_html
        from ..view.thumbnail import thumbnail

        scene = _scene(robot, options)
        write_atomic(target.with_name(f"{target.name}.png"), thumbnail(scene))
        write_atomic(target, page_html(scene).encode())
        value["output"] = str(target)
    return status, value


def _write_page(options: Namespace) -> int:
    """Write the page of one file."""
    if len(options.files) > 1:
        options.usage_error("a page shows one file; for several, use `batch report --html DIR`")
    if options.output is None and sys.stdout.isatty():
        options.usage_error("a page is for a browser: name its file by -o FILE.html")
    from ..view.page import page_html
    from .scenes import measured_scene

    path = options.files[0]
    if is_step(path):
        options.usage_error("a page shows a robot: write one with `sdf-inertia convert`, or choose another --format")
    page, findings = "", list[Finding]()
    with noting_reads() as read, catching_errors(path) as result:
        if path.suffix.lower() in SUFFIXES:
            report, result.status, robot = _report(path, options)
            findings += report.without_infos().all_findings
            page = "" if robot is None else page_html(_scene(robot, options))
        else:
            scene = measured_scene(path, options)
            page, findings = page_html(scene), [shown.finding.about(str(path)) for shown in scene.findings]
    log_findings(worded([*findings, *result.findings], path, options), options.quiet)
    problem = overwritten(options, read)
    if problem is not None:
        log(problem)
        return CANNOT_RUN
    if page and options.output in (None, STANDARD_OUTPUT):
        sys.stdout.buffer.write(page.encode())  # the page says UTF-8, whatever the terminal takes
    elif page:
        try:
            write_atomic(Path(options.output), page.encode())
        except OSError as error:
            log(f"cannot write {options.output}: {error.strerror}")
            return CANNOT_RUN
        if not options.quiet:
            log(f"{options.output}: the page of {short(path)}; open it in a browser")
    return result.status or (REFUSED if has_error(findings) else DONE)


def _scene(robot: Robot, options: Namespace) -> RobotScene:
    options, _ = configured(robot.path, options)
    return robot.scene(options.engines, options.total_mass)


def _report(path: Path, options: Namespace) -> tuple[Report, int, Robot | None]:
    """Read one file; return its report, the exit status for it, and the robot if it could be read."""
    report, robot = Report(path, ()), None
    with catching_errors(path) as result:
        refuse_folder(path)
        options, _ = configured(path, options)
        if is_step(path):
            report = step_robot(path, options).report()
        else:
            robot = robot_of(path, options)
            report = Report(path, robot.file.findings)  # all there is, if the rest cannot be computed
            with_intervals = getattr(options, "intervals", False)  # a batch has no such option
            report = robot.report(options.engines, options.total_mass, with_intervals)
        if robot is not None and (options.gazebo or "gazebo" in options.engines):
            of_gazebo = tuple(gazebo(robot.file.for_gazebo()))
            report = replace(report, findings=(*report.findings, *of_gazebo))
    report = replace(report, findings=(*report.findings, *result.findings))
    status = max(result.status, REFUSED) if has_error(report.all_findings) else result.status
    return report, status, robot


def _print_tables(output: Output, report: Report) -> None:
    """Print the links of a file with their mass, centre of mass and moments, in link axes."""
    for model, bodies in report.models:
        output.title(short(report.path), model.name, "bold")
        rows = []
        for body in bodies:
            if body.inertial is None:
                mass, why = stated_mass(body), "invalid" if body.refused else "none"
                rows.append([body.name, f"{mass:.6g}", "", why] if mass else [body.name, why, "", ""])
                continue
            rows.append([body.name, *inertial_cells(body.inertial)])
        whole = total_of(bodies, partial=True)
        if whole is not None and len(bodies) > 1:
            cells = [f"{whole.mass:.6g}", "", ""] if whole.inertial is None else inertial_cells(whole.inertial)
            rows.append([f"total of {counted_text(bodies)}", *cells])
        for body in bodies:
            _print_parts(output, body)
        output.table(["link", *INERTIAL_COLUMNS], rows)
        if rows := report.interval_rows(model.name, bodies):
            output.table(INTERVAL_COLUMNS, rows, numeric=len(INTERVAL_COLUMNS))
        if rotors := rotor_rows(model):
            output.table(JOINT_COLUMNS, rotors)
    if report.engines is not None:
        print_engines(output, report.engines)
    if report.total is not None and not report.total.findings:
        output.wrapped(f"{report.total.text}.")


def _print_parts(output: Output, body: LinkBody) -> None:
    """Print the parts of a link from CAD, each once; its moments are the sum of those in the last column."""
    rows = []
    for alike in alike_parts(body):
        origin, (part, *_), count = *alike, len(alike.parts)
        mass = "refused" if part.inertial is None else f"{part.inertial.mass * count:.6g}"
        moved = alike.inertia_at_link_com(body)
        moments = "" if moved is None else numbers_text(moved.diagonal())
        rows.append([origin.product, origin.material or origin.source, str(count), lines_text(origin), mass, moments])
    columns = ["part", "material", "in it", "BOM line", INERTIAL_COLUMNS[0], "Ixx, Iyy, Izz about its centre"]
    if rows:
        output.title("link", body.name, "bold")
        output.table(columns, rows, numeric=2)


def _markdown(reports: list[Report]) -> None:
    for report in reports:
        if len(reports) > 1:
            print(f"# {for_markdown(str(report.path))}\n")
        print(report.to_markdown(), end="\n" if report.models or report.findings else "")


def _csv(reports: list[Report]) -> None:
    print(csv_text((str(report.path), model, bodies) for report in reports for model, bodies in report.models), end="")
