# SPDX-License-Identifier: Apache-2.0
"""``repair``: new inertials for links whose inertial is impossible, missing, a placeholder or a known mistake."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..arrays import FloatArray
from ..body.density_map import DensityMap
from ..body.inertial import Inertial
from ..body.materials import checked_density
from ..errors import Finding, InertiaError
from ..files.input_file import reading_unwritten
from ..findings.remedy import OF_REPAIR, Reader, Remedy, file_word, remedy_for
from ..formats.file_link import SOURCES
from ..formats.table import ROBOTS
from ..judge.judge import judge
from ..judge.measured import COMS, RepairOptions
from ..judge.repair import RepairedFile, RepairedLink, repair_file
from ..judge.verdict import REPAIRABLE, REPAIRED
from ..mesh.methods import PARAMETERS
from ..robot.calculators import params_for
from ..robot.report import Json, body_json, finding_json, inertial_json
from ..status import CANNOT_RUN, of_several
from ..units import numbers_text
from .finding_text import log_findings, print_findings, short
from .options.arguments import did_you_mean
from .options.cad_options import add_weighed, weighed_of
from .options.configuration import configured
from .options.file_options import add_method, add_roots, add_total_mass, chosen_method, number, roots_text
from .options.inputs import inputs_of, refuse_folder, robot_of
from .running import (
    STANDARD_OUTPUT,
    Change,
    catching_errors,
    change_task,
    changed_json,
    for_output,
    log,
    print_json,
    run_change,
)
from .terminal import INERTIAL_COLUMNS, Output, add_amount, changed

if TYPE_CHECKING:
    from rich.text import Text

EXAMPLES = """\
examples:
  sdf-inertia repair robot.urdf --dry-run  # only the table
  sdf-inertia repair src --in-place  # all robots below src
  sdf-inertia repair robot.urdf --in-place --weighed arm=1.2 --weighed hand=0.3
"""


def add_parser(subparsers: Any) -> ArgumentParser:
    """Add the command to a command line."""
    parser: ArgumentParser = subparsers.add_parser(
        "repair",
        help="repair inertials of robots: impossible, missing, placeholders, known mistakes",
        description="Computes new inertials from each link's own collisions or visuals, with the mass and the centre of"
        " mass in the file. Only bytes of <inertial> change. Exit status 1 if something impossible stays. Without -o,"
        " --in-place and --dry-run the result goes to standard output, and the table to standard error.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run, usage_error=parser.error)
    parser.add_argument("file", metavar="FILE", type=Path, help=f"{ROBOTS}, or a folder of robots")
    target = parser.add_mutually_exclusive_group()
    target.add_argument("-o", "--output", metavar="OUT")
    target.add_argument("--in-place", action="store_true", help="write FILE itself; FILE.bak keeps the first original")
    parser.add_argument("--dry-run", action="store_true", help="only the table, and the exit status of the real run")
    add_options(parser)
    parser.add_argument("--no-backup", action="store_true", help="with --in-place: keep no FILE.bak")
    parser.add_argument("--json", action="store_true", help="the table as one JSON object on standard output")
    add_amount(parser, "also print why each link is repaired")
    return parser


def add_options(parser: ArgumentParser, source: str = "--from") -> None:
    """Add the options for what is repaired, and how; `source` is the name of the option for the geometry."""
    parser.add_argument(
        "--what",
        metavar="FAULT",
        type=_faults,
        default=REPAIRED,
        help=f"{', '.join(sorted(REPAIRED))} (the default), doubtful, a mistake by its name"
        f" ({', '.join(REPAIRABLE[len(REPAIRED) + 1 :])}), or all (sound ones too); several with commas",
    )
    parser.add_argument(
        "--mass",
        choices=("keep", "density"),
        default="keep",
        help="keep the mass in the file (default), or compute it from the densities",
    )
    parser.add_argument(
        "--com",
        choices=COMS,
        default="keep",
        help="keep the centre of mass in the file if it lies in the geometry (default), or take the geometry's",
    )
    parser.add_argument(
        "--density", metavar="KG_M3", type=number(checked_density), help="of all parts; gives the mass if none is kept"
    )
    parser.add_argument(
        "--densities",
        metavar="MAP",
        type=Path,
        help="CSV or JSON: densities and masses by the names of links, parts, mesh files and materials",
    )
    parser.add_argument(
        source,
        dest="source",
        choices=("auto", *SOURCES),
        default="auto",
        help="the geometry; auto takes the collision, unless it only bounds the visual, or its mesh has more faults",
    )
    parser.add_argument(
        "--links", metavar="NAME", nargs="+", help="repair only these, by name or as model::name; after FILE"
    )
    add_weighed(parser)
    add_method(parser)
    add_roots(parser)
    add_total_mass(
        parser,
        "scale all masses that follow from densities by one factor, so that the robot has this mass; others stay",
    )


def _faults(text: str) -> frozenset[str]:
    faults = frozenset(text.split(","))
    unknown = faults - {*REPAIRABLE, "all", "mass"}  # mass is the former name of tensor-scale
    if unknown:
        word, known = min(unknown), (*REPAIRABLE, "all")
        raise ArgumentTypeError(f"unknown fault '{word}'; choose from {', '.join(known)}{did_you_mean(word, known)}")
    return faults


def repair_options(options: Namespace) -> RepairOptions:
    """Return what a command's options ask for; raises InertiaError for a map or table that cannot be read."""
    check_usage(options)
    return RepairOptions(
        options.what,
        options.mass == "keep",
        options.com,
        options.density,
        None if options.densities is None else DensityMap.read(options.densities),
        options.source,
        None if options.links is None else frozenset(options.links),
        _params(options),
        included=getattr(options, "in_place", False),
        total_mass=options.total_mass,
        weighed=weighed_of(options),
    )


def check_usage(options: Namespace) -> None:
    """End the program where options do not go together."""
    if options.mass == "density" and options.density is None and options.densities is None:
        options.usage_error("--mass density goes with --density or --densities")
    _params(options)


def _params(options: Namespace) -> dict[str, str]:
    """Return how to compute; nothing where that is left to the file."""
    if options.method is None and all(getattr(options, parameter.name) is None for parameter in PARAMETERS):
        return {}
    method, lengths = chosen_method(options)
    params = params_for(method, lengths) if lengths else {}
    return params or {"sdf_inertia:method": method}


def run(options: Namespace) -> int:
    """Repair a file; see `add_parser`."""
    named = options.output not in (None, STANDARD_OUTPUT)
    if options.json and not (named or options.in_place or options.dry_run):
        options.usage_error("--json writes to standard output: give -o FILE, --in-place or --dry-run")
    if not options.file.is_dir():
        return run_change(options, _repaired)
    if not (options.in_place or options.dry_run):
        options.usage_error("a folder needs --in-place or --dry-run")
    return _run_folder(options)


def _run_folder(options: Namespace) -> int:
    """Repair all robots below a folder, each as a file of its own."""
    try:
        names, _ = inputs_of("repair", [str(options.file)], None, options=options)
    except InertiaError as error:
        log_findings([error.finding()])
        return CANNOT_RUN
    if len(names) > 1 and (options.links or options.weighed or options.total_mass is not None):
        options.usage_error("--links, --weighed and --total-mass go with one robot")
    # A dry run of a folder says what --in-place does, also in files that are included.
    values = vars(options) | {"is_one_of_several": len(names) > 1, "in_place": True}
    unwritten: dict[Path, bytes] = {}  # what a dry run would have written before

    def repaired(path: Path, options: Namespace) -> Change:
        with reading_unwritten(unwritten if options.dry_run else {}):
            change = _repaired(path, options)
        unwritten.update({} if change.data is None else {path: change.data, **change.included})
        return change

    files: list[Json] = []
    statuses = []
    for path in map(Path, names):
        with catching_errors(path) as result:
            result.status, value = changed_json(Namespace(**values | {"file": path}), repaired)
            files += [] if value is None else [value]
        log_findings(result.findings)
        statuses.append(result.status)
    if options.json:
        print_json({"files": files})
    changed = sum(any(link["done"] for link in value["links"]) for value in files)
    if len(names) > 1 and not options.quiet:
        log(f"{options.file}: {changed} of {len(names)} robots {'to be ' * options.dry_run}repaired")
    return of_several(statuses)


def task(options: Namespace, target: Path | None) -> tuple[int, Json]:
    """Repair one file of a batch."""
    return change_task(options, target, _repaired)


def _repaired(path: Path, options: Namespace) -> Change:
    refuse_folder(path)
    options, _ = configured(path, options)
    robot = robot_of(path, options)
    repaired = repair_file(robot.file, repair_options(options))
    files = {"robot": short(path), "more": roots_text(options)}
    more: Json = {}
    if repaired.factor is not None:
        scaled = [link.link.name for link in repaired.links if link.plan.by_density]
        more = {"total_mass": {"factor": repaired.factor, "scaled": scaled}}
    new_path = repaired.file.document.path  # of USD the layer over it
    target, data = for_output(options, repaired.file, None if new_path == path else new_path, repaired.data)
    return Change(
        data,
        tuple(finding.for_reader("repair", **files) for finding in repaired.findings),
        repaired.refused,
        [_link_json(link) for link in repaired.links],
        partial(_show, path, options, repaired),
        repaired.included,
        more,
        target,
    )


def _show(path: Path, options: Namespace, repaired: RepairedFile, output: Output) -> None:
    if repaired.links and not (options.quiet or options.json):
        _print_changes(output, repaired.links)
    findings = [_worded(finding, path, options) for finding in repaired.findings]
    for link in repaired.links if options.verbose else ():
        why = (finding if link.new is None else replace(finding, fix=Remedy()) for finding in link.why)
        shown = (_worded(finding, path, options) for finding in why)
        print_findings(output, [finding for finding in shown if finding not in findings], verbose=True)
    log_findings(findings, options.quiet)
    if options.quiet:
        return
    if repaired.factor not in (None, 1.0):
        scaled = sum(link.plan.by_density for link in repaired.links)
        log(f"{path}: {scaled} mass{'es' * (scaled > 1)} from densities scaled by {repaired.factor:.6g}")
    if not (repaired.links or repaired.refused or findings) and getattr(options, "is_one_of_several", False):
        return
    for text in (_closing(options, repaired), *_others(path, options, repaired)):
        log(f"{path}: {text}")


def _worded(finding: Finding, path: Path, options: Namespace) -> Finding:
    """Return a finding with the options of this command in its remedy, or with the whole command for another try."""
    reader: Reader = "repair" if OF_REPAIR.isdisjoint(finding.actions) else "check"
    return finding.for_reader(reader, short(path), more=roots_text(options))


def _closing(options: Namespace, repaired: RepairedFile) -> str:
    """Return how many of the listed inertials were repaired, or the kinds that it chose from."""
    errors = "; the errors above stay" if repaired.refused else ""
    if repaired.links:
        done, count = sum(link.new is not None for link in repaired.links), len(repaired.links)
        unchanged = f"; {count - done} left unchanged" if done < count else ""
        return f"{done} of {count} listed inertials {'to be ' * options.dry_run}repaired{unchanged}{errors}"
    kinds = ", ".join(word for word in REPAIRABLE if word in options.what) or ", ".join(options.what)
    where = f" in {', '.join(options.links)}" if options.links else ""
    return f"nothing to repair: no inertial{where} is of the kinds {kinds}{errors}"


def _others(path: Path, options: Namespace, repaired: RepairedFile) -> Iterator[str]:
    """Yield how many faulty inertials are not listed, with the command that repairs them if there is one."""
    listed = {link.link.name for link in repaired.links}
    if not any(verdict.fault and verdict.link.name not in listed for verdict in repaired.after):
        return
    others = [
        verdict
        for verdict in judge(repaired.file, verdicts=repaired.after)
        if verdict.fault and verdict.link.name not in listed
    ]
    plans = [verdict.plan for verdict in others]
    ways = Counter(None if plan is None or plan.new is None else " ".join(plan.options) for plan in plans)
    for words, count in ways.items():
        repair = Remedy("{compute}" if not words else f"{{compute:{words}}}")
        command = remedy_for("check", repair, robot=short(path), more=roots_text(options))
        more = f"{count} other inertial{' is' if count == 1 else 's are'} faulty or doubtful, and not chosen"
        yield f"{more}: {f'see `sdf-inertia check {file_word(short(path))}`' if words is None else command}"


def _link_json(repaired: RepairedLink) -> Json:
    published = repaired.link.inertial
    new = None
    if repaired.new is not None:
        body = repaired.plan.body
        new = inertial_json(repaired.new) if body is None else body_json(replace(body, inertial=repaired.new))
    return {
        "name": repaired.link.name,
        "fault": repaired.fault,
        "mistakes": list(repaired.mistakes),
        "why": [finding_json(finding) for finding in repaired.why],
        "done": repaired.new is not None,
        "from": repaired.plan.source or None,
        "kept": list(repaired.kept),
        "old": None if published is None or not published.is_finite() else inertial_json(published),
        "new": new,
    }


def _numbers(mass: float | None, com: FloatArray | None, inertial: Inertial | None) -> list[str]:
    """Return the cells of a table: the diagonal is in link axes, principal moments would hide exchanged axes."""
    known = inertial is not None and inertial.is_finite()
    return [
        "" if mass is None else f"{mass:.6g}",
        "" if com is None else numbers_text(com),
        numbers_text(inertial.inertia.diagonal()) if inertial is not None and known else "",
    ]


def _cells(repaired: RepairedLink) -> tuple[str, list[str], list[str]]:
    """Return a link's fault, its numbers in the file, and the new ones, empty if it keeps its own."""
    fault = ": ".join(filter(None, (repaired.fault, ", ".join(repaired.mistakes))))
    new = ["", "", ""] if repaired.new is None else _numbers(repaired.new.mass, repaired.new.com, repaired.new)
    return fault, _numbers(repaired.link.mass, repaired.link.com, repaired.link.inertial), new


def _print_changes(output: Output, links: Sequence[RepairedLink]) -> None:
    """Print the old numbers of each link above the new ones, in a terminal with the digits that differ marked."""
    rows: list[Sequence[str | Text]] = []
    several = len({repaired.link.model for repaired in links}) > 1
    for repaired in links:
        fault, old, new = _cells(repaired)
        name = repaired.link.name if several else repaired.link.local_name
        rows.append([name, fault, *(cell or "none" for cell in old)])
        if repaired.new is None:
            rows.append(["", "left unchanged", "", "", ""])
        else:
            arrow = f"→ from {repaired.plan.source}" if repaired.plan.source else "→"
            rows.append(["", arrow, *(new if output.console is None else map(changed, old, new))])
    output.table(["link", "fault", *INERTIAL_COLUMNS], rows, 2)
