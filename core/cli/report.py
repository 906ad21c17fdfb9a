# SPDX-License-Identifier: GPL-3.0-or-later
"""``report``: the inertial of each link, and the share of each of its collisions."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import PART_REFUSED, Finding, finding_lines, has_error
from ..escapes import for_markdown
from ..files.whole_files import write_atomic
from ..formats.table import read_robot_file
from ..judge.judge import ENGINES, judge_links
from ..judge.total_mass import TotalMass, total_mass
from ..robot.model import Model
from ..robot.report import Json, csv_text, finding_json, markdown, model_json, total_of
from ..robot.resolve import LinkBody
from ..sdf.file_link import FileLink
from ..sdf.simulators.verdicts import link_verdicts
from ..status import CANNOT_RUN, DONE, REFUSED
from ..version import version
from .check_text import print_findings
from .file_options import add_engines, add_gazebo, add_roots, add_total_mass, gazebo
from .running import STANDARD_OUTPUT, catching_errors, log, log_findings, print_json
from .terminal import INERTIAL_COLUMNS, add_amount, console, inertial_cells, print_table, print_title

if TYPE_CHECKING:
    from rich.console import Console

EXAMPLES = """\
examples:
  sdf-inertia report robot.sdf  # tables in Markdown
  sdf-inertia report robots/*.urdf --format csv > links.csv
  sdf-inertia report robot.urdf --format html -o robot.html  # a page to look at and to send
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
    parser.add_argument(
        "--format", choices=("md", "csv", "json", "html"), help="default: a table in a terminal, else md"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="where the page goes, with --format html")
    add_options(parser)
    add_amount(parser)
    return parser


def add_options(parser: ArgumentParser) -> None:
    """Add the options for how a file is read."""
    add_engines(parser)
    add_gazebo(parser)
    add_roots(parser)
    add_total_mass(parser, "compare the sum of the masses with this mass of the robot")


def run(options: Namespace) -> int:
    """Report on files; see `add_parser`."""
    if options.format == "html":
        return _write_page(options)
    if options.output is not None:
        options.usage_error("--output goes with --format html")
    status = DONE
    reports = []
    terminal = console() if options.format is None else None
    for path in options.files:
        one, own = _read(path, options)
        reports.append(one)
        status = max(status, own)
        shown = _all_findings(_without_infos(one))
        if terminal is None:
            log_findings(shown, options.quiet)
        else:
            print_findings(terminal, shown, path, options.quiet)
            _print_table(terminal, one)
    if terminal is None:
        {"md": _markdown, "csv": _csv, "json": _json}[options.format or "md"](reports)
    return status


Report = tuple[Path, list[Finding], list[tuple[Model, list[LinkBody]]], TotalMass | None]


def task(options: Namespace, target: Path | None) -> tuple[int, Json]:
    """Report on one file of a batch; write its page and its picture to `target`, if given."""
    one, status = _read(options.input, options)
    value = _file_json(one) | {"findings": [finding_json(finding) for finding in _all_findings(one)]}
    if target is not None and one[2]:
        from ..view.page import page_html
        from ..view.thumbnail import thumbnail
        from .view import read_scene

        scene = read_scene(options.input, options)
        write_atomic(target.with_name(f"{target.name}.png"), thumbnail(scene))
        write_atomic(target, page_html(scene).encode())
        value["output"] = str(target)
    return status, value


def _write_page(options: Namespace) -> int:
    """Write the page of one file."""
    if len(options.files) > 1:
        options.usage_error("a page shows one file; for several, use `batch report --html DIR`")
    from ..view.page import page_html
    from .view import read_scene

    path = options.files[0]
    page, findings = "", []
    with catching_errors(path) as result:
        scene = read_scene(path, options)
        page, findings = page_html(scene), [one.finding.about(str(path)) for one in scene.findings]
    log_findings([*result.findings, *findings], options.quiet)
    if page and options.output in (None, STANDARD_OUTPUT):
        print(page, end="")
    elif page:
        try:
            write_atomic(Path(options.output), page.encode())
        except OSError as error:
            log(f"cannot write {options.output}: {error.strerror}")
            return CANNOT_RUN
    return result.status or (REFUSED if has_error(findings) else DONE)


def _read(path: Path, options: Namespace) -> tuple[Report, int]:
    """Read one file; return its report, and the exit status for it."""
    models: list[tuple[Model, list[LinkBody]]] = []
    total = None
    with catching_errors(path) as result:
        file = read_robot_file(path, options.roots, arguments=dict(options.xacro_args))
        result.findings += file.findings
        if options.engines:  # links as that engine has them, lumped
            sdf = file.for_gazebo()
            models = list(_by_model(sdf.links, link_verdicts(sdf)))
            result.findings += [*ENGINES["gazebo"](file), *gazebo(sdf)]
        else:
            verdicts = judge_links(file)
            bodies = [_judged(body, one.findings) for body, one in zip(file.bodies, verdicts, strict=True)]
            models = list(_by_model(file.links, bodies))
            result.findings += gazebo(file.for_gazebo()) if options.gazebo else []
        if options.total_mass is not None:
            total = total_mass(file, options.total_mass)
            result.findings += [one.about(str(path)) for one in total.findings]
    report = (path, result.findings, models, total)
    return report, max(result.status, REFUSED) if has_error(_all_findings(report)) else result.status


def _judged(body: LinkBody, findings: Sequence[Finding]) -> LinkBody:
    """Return a body with the findings of its link's verdict; its parts keep their own."""
    of_parts = {finding for part in body.parts for finding in part.findings}
    refused = [one for one in body.findings if one.code == PART_REFUSED]
    return replace(body, findings=(*refused, *(one for one in findings if one not in of_parts)))


def _by_model(links: Sequence[FileLink], bodies: Iterable[LinkBody]) -> Iterator[tuple[Model, list[LinkBody]]]:
    """Yield each model with its bodies, which have their own names in it."""
    models: dict[str, list[LinkBody]] = {}
    for link, body in zip(links, bodies, strict=True):
        models.setdefault(link.model, []).append(replace(body, name=link.local_name))
    return ((Model(name, ()), own) for name, own in models.items())


def _all_findings(report: Report) -> list[Finding]:
    """Return all findings once."""
    _, findings, models, _ = report
    of_links = (finding for _, bodies in models for body in bodies for finding in body.all_findings())
    return list(dict.fromkeys([*findings, *of_links]))


def _without_infos(report: Report) -> Report:
    """Return a report as text shows it: infos are in JSON and `check --strict`; Gazebo's numbers were asked for."""
    path, findings, models, total = report

    def kept(some: Iterable[Finding]) -> tuple[Finding, ...]:
        return tuple(one for one in some if one.severity != "info" or one.code.startswith("gazebo_"))

    def shown(body: LinkBody) -> LinkBody:
        parts = tuple(replace(part, findings=kept(part.findings)) for part in body.parts)
        return replace(body, findings=kept(body.findings), parts=parts)

    return path, list(kept(findings)), [(model, [shown(one) for one in bodies]) for model, bodies in models], total


def _print_table(target: Console, report: Report) -> None:
    """Print the links of a file with their mass, centre of mass and moments, in link axes."""
    path, _, models, total = report
    for model, bodies in models:
        print_title(target, str(path), model.name, "bold")
        rows = []
        for body in bodies:
            if body.inertial is None:
                rows.append([body.name, "refused" if body.refused else "none", "", ""])
                continue
            rows.append([body.name, *inertial_cells(body.inertial)])
        whole = total_of(bodies, partial=True)
        if whole is not None and len(bodies) > 1:
            rows.append(["total", *inertial_cells(whole)])
        print_table(target, ["link", *INERTIAL_COLUMNS], rows)
    if total is not None:
        target.print(f"{total.text}.")


def _markdown(reports: list[Report]) -> None:
    for path, findings, models, total in map(_without_infos, reports):
        if len(reports) > 1:
            print(f"# {for_markdown(str(path))}\n")
        for model, bodies in models:
            print(markdown(model, bodies, partial=True))
        if total is not None:
            print(f"**Total mass**: {total.text}.\n")
        if findings:
            items = "".join(f"- {for_markdown(line)}\n" for line in finding_lines(findings))
            print(f"## Findings of the file\n\n{items}")


def _csv(reports: list[Report]) -> None:
    print(csv_text((str(path), model, bodies) for path, _, models, _ in reports for model, bodies in models), end="")


def _json(reports: list[Report]) -> None:
    files = [_file_json(one) for one in reports]
    print_json(files[0] if len(files) == 1 else {"files": files})


def _file_json(report: Report) -> Json:
    path, findings, models, total = report
    return {
        "file": str(path),
        "version": version(),
        "findings": [finding_json(finding) for finding in findings],
        "models": [model_json(model, bodies, partial=True) for model, bodies in models],
    } | ({} if total is None else {"total_mass": asdict(total)})
