# SPDX-License-Identifier: GPL-3.0-or-later
"""``repair``: new inertials for links whose own is impossible, a template's, missing or mistaken."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arrays import FloatArray
from ..body.density_map import DensityMap
from ..body.inertial import Inertial
from ..body.materials import checked_density
from ..errors import Finding, InertiaError
from ..escapes import for_markdown
from ..files.input_file import noting_reads
from ..files.whole_files import write_in_order, write_whole
from ..judge.measured import COMS, RepairOptions
from ..judge.repair import RepairedFile, RepairedLink, repair
from ..judge.verdict import MISTAKES, REPAIRABLE, REPAIRED
from ..robot.calculators import params_for
from ..robot.report import Json, body_json, finding_json, inertial_json
from ..sdf.file_link import SOURCES
from ..status import CANNOT_RUN, DONE, REFUSED
from ..units import numbers_text
from .check_text import print_findings
from .method_options import add_method, chosen_method, number
from .reading import add_roots, add_total_mass, note, print_json, say, status_of
from .terminal import INERTIAL_COLUMNS, add_amount, changed, console, print_table

if TYPE_CHECKING:
    from rich.console import Console

EXAMPLES = """\
examples:
  sdf-inertia repair robot.urdf --dry-run  # only the table
  sdf-inertia repair robot.sdf -o repaired.sdf --what impossible,missing
  sdf-inertia repair robot.sdf --in-place --mass density --density 2700
"""

STANDARD_OUTPUT = "-"


def add_parser(subparsers: Any) -> ArgumentParser:
    """Add the command to a command line."""
    parser: ArgumentParser = subparsers.add_parser(
        "repair",
        help="repair impossible, copied, missing and mistaken inertials of SDF and URDF files",
        description="From each link's own collisions or visuals, at its published mass and centre of mass. Only bytes"
        " of <inertial> change. Exit status 1 if something impossible stays. Without -o, --in-place and --dry-run the"
        " result goes to standard output, and the table to standard error.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run, usage_error=parser.error)
    parser.add_argument("file", metavar="FILE", type=Path, help="SDF, URDF or xacro")
    target = parser.add_mutually_exclusive_group()
    target.add_argument("-o", "--output", metavar="OUT")
    target.add_argument("--in-place", action="store_true", help="write FILE itself; the original stays as FILE.bak")
    target.add_argument("--dry-run", action="store_true", help="only the table, and the exit status of the real run")
    add_options(parser)
    parser.add_argument("--no-backup", action="store_true", help="with --in-place: keep no FILE.bak")
    parser.add_argument("--json", action="store_true", help="the table as one JSON object on standard output")
    add_amount(parser, "print why each link is repaired, which the table in a pipe always holds")
    return parser


def add_options(parser: ArgumentParser, source: str = "--from") -> None:
    """Add what says which links are repaired, and how; `source` is how the choice of the geometry is called."""
    parser.add_argument(
        "--what",
        metavar="FAULT",
        type=_faults,
        default=REPAIRED,
        help=f"{', '.join(sorted(REPAIRED))} (the default), doubtful, a mistake by its name"
        f" ({', '.join(sorted(MISTAKES.values()))}), or all (sound ones too), with commas",
    )
    parser.add_argument(
        "--mass",
        choices=("keep", "density"),
        default="keep",
        help="keep the published mass (default), or take it from the densities",
    )
    parser.add_argument(
        "--com",
        choices=COMS,
        default="keep",
        help="keep the published centre of mass if it is in the geometry (default), or take the geometry's",
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
    parser.add_argument("--links", metavar="NAME", nargs="+", help="these alone, by name or as model::name; after FILE")
    add_method(parser)
    add_roots(parser)
    add_total_mass(
        parser,
        "scale all masses that follow from densities by one factor, so that the robot has this mass; others stay",
    )


def _faults(text: str) -> frozenset[str]:
    faults = frozenset(text.split(","))
    unknown = faults - {*REPAIRABLE, "all"}
    if unknown:
        raise ArgumentTypeError(f"unknown fault '{min(unknown)}'; choose from {', '.join((*REPAIRABLE, 'all'))}")
    return faults


def repair_options(options: Namespace) -> RepairOptions:
    """Return what a command's options ask for; raises InertiaError for a map of densities that cannot be read."""
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
        included=getattr(options, "in_place", False) or getattr(options, "dry_run", False),
        total_mass=options.total_mass,
    )


def check_usage(options: Namespace) -> None:
    """End the program where options do not go together."""
    if options.mass == "density" and options.density is None and options.densities is None:
        options.usage_error("--mass density goes with --density or --densities")
    _params(options)


def _params(options: Namespace) -> dict[str, str]:
    """Return how to compute; nothing where that is left to the file."""
    if options.method is None and options.voxel_size is None and options.thickness is None:
        return {}
    method, lengths = chosen_method(options)
    params = params_for(method, lengths) if lengths else {}
    return params or {"sdf_inertia:method": method}


def run(options: Namespace) -> int:
    """Repair a file; see `add_parser`."""
    target: Path | None = options.file if options.in_place else None
    if options.output not in (None, STANDARD_OUTPUT):
        target = Path(options.output)
    if options.json and target is None and not options.dry_run:
        options.usage_error("--json writes to standard output: give -o FILE, --in-place or --dry-run")
    to_stdout = target is None and not options.dry_run
    try:
        with noting_reads() as read:
            repaired = _repaired(options.file, options)
    except InertiaError as error:
        return _refusal(options, error)
    terminal = None if to_stdout or options.json or options.quiet else console()
    if terminal is None:
        say(repaired.findings, options.quiet)
    lost: tuple[Finding, ...] = ()
    try:
        if options.in_place:
            files = {options.file: repaired.data, **repaired.included}
            say(lost := write_in_order(files, read, backup=not options.no_backup))
        elif target is not None:
            say(lost := write_whole(target, repaired.data, read))
        elif to_stdout:
            sys.stdout.buffer.write(repaired.data)
            sys.stdout.buffer.flush()
    except InertiaError as error:
        return _refusal(options, error)
    except OSError as error:
        note(f"cannot write {target or 'to standard output'}: {error.strerror or error}")
        return CANNOT_RUN
    for path in repaired.included if options.in_place else ():
        note(f"{path}: changed too: {options.file} includes it")
    if options.json:
        print_json(json_of(options.file, target, repaired, (*repaired.findings, *lost)))
    elif repaired.links and not options.quiet:
        if terminal is not None:
            print_changes(terminal, repaired.links)
        else:
            print(table(repaired.links), end="", file=sys.stderr if to_stdout else sys.stdout)
    if terminal is not None:
        if options.verbose:
            why = [finding for one in repaired.links for finding in one.why]
            print_findings(terminal, why, options.file, verbose=True)
        print_findings(terminal, repaired.findings, options.file)
    if options.quiet:
        return REFUSED if repaired.refused else DONE
    if repaired.factor not in (None, 1.0):
        scaled = sum(one.by_density for one in repaired.links)
        masses = f"{scaled} mass{'es' * (scaled > 1)}"
        note(f"{options.file}: {masses} from densities scaled by {repaired.factor:.6g}")
    done = sum(one.new is not None for one in repaired.links)
    left = [one for one in repaired.verdicts if one.fault == "doubtful" and not options.what & {*one.mistakes}]
    doubtful = 0 if options.what & {"doubtful", "all"} else len(left)
    if doubtful:
        count = f"{doubtful} doubtful inertial{'s' if doubtful > 1 else ''}"
        note(f"{options.file}: {count} left as published: see check, or --what doubtful")
    if repaired.links or not repaired.refused:
        note(f"{options.file}: {_summary(done, len(repaired.links))}")
    return REFUSED if repaired.refused else DONE


def task(options: Namespace, target: Path | None) -> tuple[int, Json]:
    """Repair one file of a batch."""
    assert target is not None
    try:
        with noting_reads() as read:
            repaired = _repaired(options.input, options)
        lost = write_whole(target, repaired.data, read)
    except InertiaError as error:
        return status_of(error), json_of(options.input, None, None, [error.finding()])
    return REFUSED if repaired.refused else DONE, json_of(options.input, target, repaired, (*repaired.findings, *lost))


def _refusal(options: Namespace, error: InertiaError) -> int:
    say([error.finding()])
    if options.json:
        print_json(json_of(options.file, None, None, [error.finding()]))
    return CANNOT_RUN if error.code == "bad_density_map" else status_of(error)


def _repaired(path: Path, options: Namespace) -> RepairedFile:
    repaired = repair(path, repair_options(options), options.roots, dict(options.xacro_args))
    return replace(repaired, findings=tuple(finding.for_reader("repair") for finding in repaired.findings))


def _summary(done: int, count: int) -> str:
    if not count:
        return "nothing to repair"
    kept = count - done
    return f"{done} of {count} inertials repaired" + (f"; {kept} kept as published" if kept else "")


def json_of(path: Path, target: Path | None, repaired: RepairedFile | None, findings: Iterable[Finding]) -> Json:
    """Return what was done as JSON."""
    return {
        "file": str(path),
        "output": None if target is None else str(target),
        "links": [_link_json(one) for one in repaired.links] if repaired is not None else [],
        "findings": [finding_json(finding) for finding in findings],
    } | ({} if repaired is None or repaired.factor is None else {"total_mass": _total_json(repaired)})


def _total_json(repaired: RepairedFile) -> Json:
    """Return the factor that reaches the total mass, and the links that it scales."""
    return {"factor": repaired.factor, "scaled": [one.link.name for one in repaired.links if one.by_density]}


def _link_json(one: RepairedLink) -> Json:
    published = one.link.inertial
    return {
        "name": one.link.name,
        "fault": one.fault,
        "mistakes": list(one.mistakes),
        "why": [finding_json(finding) for finding in one.why],
        "done": one.new is not None,
        "from": one.source or None,
        "kept": list(one.kept),
        "old": None if published is None or not published.is_finite() else inertial_json(published),
        "new": None if one.new is None else _new_json(one),
    }


def _new_json(one: RepairedLink) -> Json:
    assert one.new is not None
    if one.body is None:
        return inertial_json(one.new)
    return body_json(replace(one.body, inertial=one.new))


def table(links: Iterable[RepairedLink]) -> str:
    """Return the table of old, new and why, as Markdown."""
    rows = [
        "| link | fault | mass [kg] | centre of mass [m] | Ixx, Iyy, Izz [kg·m²] | from | why |",
        "|---|---|---|---|---|---|---|",
    ]
    for one in links:
        link, new = one.link, one.new
        old = link.inertial
        cells = [
            link.name,
            ": ".join(filter(None, (one.fault, ", ".join(one.mistakes)))),
            _change("" if link.mass is None else f"{link.mass:.6g}", "kept" if new is None else f"{new.mass:.6g}"),
            _change(_three(link.com), "" if new is None else _three(new.com)),
            _change(_moments(old), _moments(new)),
            one.source,
            "; ".join(f"{finding.message} [{finding.code}]" for finding in one.why),
        ]
        rows.append("| " + " | ".join(map(for_markdown, cells)) + " |")
    return "\n".join(rows) + "\n"


def print_changes(target: Console, links: Iterable[RepairedLink]) -> None:
    """Print the old numbers of each link above the new ones, with the digits that differ marked."""
    rows: list[Sequence[str]] = []
    for one in links:
        old, new = one.link.inertial, one.new
        published = ["" if one.link.mass is None else f"{one.link.mass:.6g}", _three(one.link.com), _moments(old)]
        fault = ": ".join(filter(None, (one.fault, ", ".join(one.mistakes))))
        rows.append([one.link.local_name, fault, *(cell or "none" for cell in published)])
        if new is None:
            rows.append(["", "kept as published", "", "", ""])
        else:
            computed = [f"{new.mass:.6g}", _three(new.com), _moments(new)]
            marked = [changed(a, b) for a, b in zip(published, computed, strict=True)]
            rows.append(["", f"→ from {one.source}" if one.source else "→", *marked])
    print_table(target, ["link", "fault", *INERTIAL_COLUMNS], rows, 2)


def _change(old: str, new: str) -> str:
    if not new:
        return old or "none"
    return old if old == new else f"{old or 'none'} → {new}"


def _moments(body: Inertial | None) -> str:
    """Return the diagonal in link axes: principal moments would hide two axes that are exchanged."""
    return "" if body is None or not body.is_finite() else _three(np.diag(body.inertia))


def _three(numbers: FloatArray | None) -> str:
    return "" if numbers is None else numbers_text(numbers)
