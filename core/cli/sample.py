# SPDX-License-Identifier: Apache-2.0
"""``sample``: a robot drawn many times within ranges, each a robot that can exist."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from ..api.samples import TABLES, Samples
from ..body.intervals import INTERVAL_COLUMNS, interval_rows
from ..files.input_file import noting_reads
from ..files.whole_files import write_atomic
from ..formats.table import ROBOTS
from ..robot.report import Json
from ..samples.ranges import QUANTITIES
from ..status import CANNOT_RUN
from .finding_text import log_findings
from .options.configuration import configured
from .options.file_options import add_roots, worded
from .options.inputs import refuse_folder, robot_of
from .options.outputs import overwritten
from .running import catching_errors, log, print_json
from .terminal import Output, add_amount

EXAMPLES = """\
examples:
  sdf-inertia sample robot.urdf  # the ranges that its numbers have, and their sources
  sdf-inertia sample robot.urdf -n 100 --vary-mass 10% --vary-com 5mm -o samples
  sdf-inertia sample robot.xml -n 4096 --vary-mass 10% --vary-moments 20% -o robot.npz
  sdf-inertia sample robot.urdf -n 100 --links 'wheel*=mass:5%' --links base -o robot.csv
"""

HELP = {
    "mass": ("10%", "of each link"),
    "com": ("5mm|2%", "centre of mass along each axis; %% is of the link's longest side"),
    "moments": ("20%", "each principal moment of the spread, so that no draw is impossible"),
    "axes": ("3deg", "largest turn of the principal axes"),
}
"""Example and help of the option for each quantity."""


def add_parser(subparsers: Any) -> ArgumentParser:
    """Add the command to a command line."""
    parser: ArgumentParser = subparsers.add_parser(
        "sample",
        help="draw a robot many times within ranges of its inertials; every draw can exist",
        description="Only bytes of <inertial> differ from FILE. Without a range, each link has that of its numbers'"
        " last digits, or of the geometry that they follow from. Without -o only the ranges are printed.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run, usage_error=parser.error)
    parser.add_argument("file", metavar="FILE", type=Path, help=ROBOTS)
    parser.add_argument("-n", "--count", metavar="N", type=_whole(1), default=1, help="number of samples; default 1")
    parser.add_argument("--seed", metavar="N", type=_whole(0), default=0, help="default 0; same seed, same bytes")
    for name in QUANTITIES:
        example, text = HELP[name]
        parser.add_argument(f"--vary-{name}", metavar=example, default="", help=text)
    parser.add_argument(
        "--links",
        metavar="GLOB[=RANGES]",
        action="append",
        default=[],
        help="vary only these, with ranges of their own if given: 'wheel*=mass:10%%,com:5mm'; may be repeated",
    )
    parser.add_argument(
        "--ranges", metavar="CSV", type=Path, help="with the columns link,mass,com,moments,axes,material,source"
    )
    parser.add_argument(
        "--inside", action="store_true", help="draw again what is not possible inside a link's geometry"
    )
    parser.add_argument("--keep-total", action="store_true", help="scale the masses, so that their sum stays")
    parser.add_argument(
        "--twins",
        choices=("equal", "free"),
        default="equal",
        help="a left and a right link with the same inertial are drawn alike, mirrored (default), or each by itself",
    )
    parser.add_argument(
        "-o", "--output", metavar="OUT", help=f"a folder for N robots, or one table: {', '.join(TABLES)}"
    )
    add_roots(parser)
    parser.add_argument("--json", action="store_true", help="ranges and outputs as one JSON object on standard output")
    add_amount(parser)
    return parser


def _whole(least: int) -> Any:
    def read(text: str) -> int:
        if not (text.isdecimal() and len(text) <= 18 and int(text) >= least):
            raise ArgumentTypeError(f"'{text}' is not a whole number of at least {least}")
        return int(text)

    return read


def run(options: Namespace) -> int:
    """Draw samples of a robot; see `add_parser`."""
    path: Path = options.file
    written: Sequence[Path] = ()
    samples: Samples | None = None
    with noting_reads() as read, catching_errors(path) as result:
        refuse_folder(path)
        samples = _samples(path, options)
        problem = overwritten(options, read)
        if problem is not None:
            log(problem)
            return CANNOT_RUN
        try:
            written = _written(samples, options)
        except OSError as error:
            log(f"cannot write {error.filename or options.output}: {error.strerror or error}")
            return CANNOT_RUN
    findings = worded([*result.findings, *(samples.findings if samples is not None else ())], path, options)
    log_findings(findings, options.quiet)
    if samples is not None and not result.status:
        if options.json:
            print_json(_json(path, samples, written))
        elif not options.quiet:
            _show(samples, written, options)
    return result.status


def _samples(path: Path, options: Namespace) -> Samples:
    vary = {f"vary_{name}": getattr(options, f"vary_{name}") for name in QUANTITIES}
    return robot_of(path, configured(path, options)[0]).sample(
        options.count,
        options.seed,
        links=options.links,
        ranges=options.ranges,
        inside=options.inside,
        keep_total=options.keep_total,
        twins=options.twins,
        **vary,
    )


def _written(samples: Samples, options: Namespace) -> Sequence[Path]:
    if options.output is None:
        return ()
    target = Path(options.output)
    if target.suffix.lower() not in TABLES:
        return samples.write(target)
    write_atomic(target, samples.table(target.suffix.lower()))
    return [target]


def _show(samples: Samples, written: Sequence[Path], options: Namespace) -> None:
    links = zip(samples.names, samples.drawn.links, strict=True)
    ranges = (interval_rows(name, link.inertial, link.intervals, "stays as it is") for name, link in links)
    Output.to(sys.stdout).table(INTERVAL_COLUMNS, [*chain.from_iterable(ranges)], numeric=len(INTERVAL_COLUMNS))
    for name, again in samples.drawn.redrawn.items():
        what = f"{name.rpartition('::')[2]}: not possible inside its geometry" if name else "total mass"
        log(f"{what}: {again} draws drawn again, {100.0 * again / (again + len(samples)):.3g} %")
    if not written:
        log("no -o: nothing is written")
    elif len(samples) > 1 or written[0].suffix.lower() not in TABLES:
        log(f"{len(samples)} samples with the seed {samples.seed} in {options.output}")


def _json(path: Path, samples: Samples, written: Sequence[Path]) -> Json:
    value = samples.to_json()
    keys = ("name", "ranges", "nominal")
    links = [{key: link[key] for key in keys} for link in value["links"]]
    head = {key: value[key] for key in ("seed", "digest", "count")}
    return (
        {"file": str(path)}
        | head
        | {"links": links, "redrawn": dict(samples.drawn.redrawn), "written": [*map(str, written)]}
    )
