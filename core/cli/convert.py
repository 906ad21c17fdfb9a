# SPDX-License-Identifier: Apache-2.0
"""``convert``: a robot or a STEP assembly as SDF, URDF, MJCF or USD."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..api.converted import Converted, Source, convert, imported
from ..errors import Finding, has_error
from ..files.input_file import noting_reads
from ..findings.message import filled
from ..formats.step.assembly import is_step
from ..formats.table import READ
from ..formats.writers import BY_SUFFIX
from ..robot.report import Json, body_json, finding_json
from ..status import CANNOT_RUN, DONE, REFUSED
from .finding_text import log_findings
from .options.cad_options import TOLERANCE, add_cad, check_usage, step_robot
from .options.configuration import configured
from .options.file_options import add_roots, number, positive, worded
from .options.inputs import robot_of
from .options.outputs import overwritten
from .running import catching_errors, log, print_json
from .terminal import add_amount

EXAMPLES = """\
examples:
  sdf-inertia convert robot.urdf.xacro -o robot.xml --xacro-arg gripper:=true  # for MuJoCo
  sdf-inertia convert robot.urdf -o usd/robot.usda  # for Isaac Sim, Isaac Lab and Newton
  sdf-inertia convert arm.step --bom bom.csv --links first -o arm/arm.sdf  # from CAD
"""


def add_parser(subparsers: Any) -> ArgumentParser:
    """Add the command to a command line."""
    parser: ArgumentParser = subparsers.add_parser(
        "convert",
        help="write a robot or a STEP assembly as SDF, URDF, MJCF or USD",
        description="The suffix of OUT gives its format. Links keep their mass, centre of mass and inertia; meshes are"
        " written beside OUT. Exit status 1, and nothing written, if a link has no inertial that is possible, or the"
        " format lacks a joint; what else it lacks is a warning.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run, usage_error=parser.error)
    parser.add_argument("file", metavar="IN", type=Path, help=READ)
    known = ", ".join(f"*{suffix}" for suffix in BY_SUFFIX)
    parser.add_argument("-o", "--output", metavar="OUT", type=Path, required=True, help=known)
    parser.add_argument("--model", metavar="NAME", help="the one to write, of a file with several models")
    parser.add_argument(
        "--uri", choices=("relative", "model", "file"), default="relative", help="how OUT names its meshes"
    )
    parser.add_argument("--mesh-format", choices=("obj", "stl"), default="obj", help="default obj; USD's are its own")
    parser.add_argument("--fixed-base", action="store_true", help="fix the root to the world, if no joint does")
    parser.add_argument(
        "--tolerance",
        metavar="M",
        type=number(positive),
        default=TOLERANCE,
        help=f"distance of meshes from the faces of a STEP file [m]; default {TOLERANCE:g}, which is 0.1 mm",
    )
    add_roots(parser)
    add_cad(parser)
    parser.add_argument("--json", action="store_true", help="what was done, as one JSON object on standard output")
    add_amount(parser)
    return parser


def run(options: Namespace) -> int:
    """Convert a file; see `add_parser`."""
    check_usage(options, [options.file])
    path: Path = options.file
    converted: Converted | None = None
    with noting_reads() as read, catching_errors(path) as result:
        source = _source(path, options)
        problem = overwritten(options, read)
        if problem is not None:
            log(problem)
            return CANNOT_RUN
        try:
            converted = convert(
                source, options.output, path, options.uri, options.mesh_format, read, options.fixed_base
            )
        except OSError as error:
            log(f"cannot write {options.output}: {error.strerror or error}")
            return CANNOT_RUN
    findings = worded([*result.findings, *(converted.findings if converted is not None else ())], path, options)
    log_findings(findings, options.quiet)
    if options.json:
        print_json(_json(path, converted, findings))
    elif converted is not None and not options.quiet:
        log(_done(converted))
    return result.status or (REFUSED if has_error(findings) else DONE)


def _source(path: Path, options: Namespace) -> Source:
    if is_step(path):
        robot = step_robot(path, options, options.tolerance).robot
        return robot.model, robot.bodies, robot.findings
    return imported(robot_of(path, configured(path, options)[0]).file, options.model)


def _done(converted: Converted) -> str:
    if converted.file is None:
        return "nothing is written: correct the errors first"
    mass = sum(body.inertial.mass for body in converted.bodies if body.inertial is not None)
    counts = (filled(f"{{count:{words}}}", {"count": count}) for words, count in converted.counts.items() if count)
    return f"{converted.file}: {', '.join(counts)}, {mass:.6g} kg"


def _json(path: Path, converted: Converted | None, findings: Sequence[Finding]) -> Json:
    written = None if converted is None or converted.file is None else str(converted.file)
    bodies = () if converted is None else converted.bodies
    return {
        "file": str(path),
        "output": written,
        "links": [{"name": body.name} | body_json(body) for body in bodies],
        "findings": [finding_json(finding) for finding in findings],
    }
