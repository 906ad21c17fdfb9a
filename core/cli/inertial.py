# SPDX-License-Identifier: Apache-2.0
"""``inertial``: the inertial that the text of a CAD system states."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..body.materials import checked_density, checked_mass
from ..errors import Finding, InertiaError
from ..files.input_file import read_bytes
from ..findings.remedy import OF_REPAIR
from ..formats.inertial_text import OF_BODY
from ..judge.geometry.plausibility import LIGHTEST
from ..judge.geometry.wrong_units import HEAVIEST
from ..printed.printed_inertial import PrintedInertial, inertial_of_text
from ..robot.part import Body
from ..robot.report import body_json
from ..status import DONE
from .finding_text import log_findings
from .options.file_options import number, positive
from .running import STANDARD_OUTPUT, print_json, status_of
from .terminal import add_amount

EXAMPLES = """\
examples:
  sdf-inertia inertial --from-text arm.txt --format urdf
  sdf-inertia inertial --from-text - --json  # what is typed or piped
  sdf-inertia inertial --from-text meshlab.txt --scale 0.001 --density 2700
"""

MAX_BYTES = 1024 * 1024
"""Maximum size of a text [bytes]; that of a CAD system has about a thousand."""


def add_parser(subparsers: Any) -> ArgumentParser:
    """Add the command to a command line."""
    parser: ArgumentParser = subparsers.add_parser(
        "inertial",
        help="one <inertial> from the text that CAD prints",
        description="Reads mass properties as SolidWorks, Fusion, Inventor, Onshape, FreeCAD and MeshLab print them.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    parser.add_argument("--from-text", metavar="FILE", required=True, help="the text; - for standard input")
    parser.add_argument("--format", choices=OF_BODY, default="sdf", help="default sdf")
    given = parser.add_mutually_exclusive_group()
    given.add_argument("--mass", metavar="KG", type=number(checked_mass), help="instead of the printed mass")
    given.add_argument("--density", metavar="KG_M3", type=number(checked_density), help="instead of a mass")
    parser.add_argument(
        "--scale",
        metavar="S",
        type=number(positive),
        help="metres per unit of a text without units, as MeshLab's; FreeCAD's is 0.001",
    )
    parser.add_argument(
        "--products",
        choices=("positive", "negative"),
        default="",
        help="what printed products are, if the text does not say, as Onshape's: +∫xy dm or -∫xy dm",
    )
    parser.add_argument(
        "--about",
        choices=("center", "origin"),
        default="",
        help="the point of a tensor, if the text does not say, as Onshape's",
    )
    add_amount(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output, and nothing else")
    return parser


def run(options: Namespace) -> int:
    """Write the inertial of a text; see `add_parser`."""
    source, status = options.from_text, DONE
    name = "standard input" if source == STANDARD_OUTPUT else source
    chosen = {key: getattr(options, key) for key in ("mass", "density", "scale", "products", "about")}
    try:
        read = inertial_of_text(_text(source), **chosen)
        findings = tuple(_worded(finding.about(name)) for finding in (*read.findings, *_doubts(read)))
        body = Body(name, read.inertial, read.volume, "manual", 0.0, findings, error_inertia=read.error_inertia)
    except InertiaError as error:
        status = status_of(error)
        body = Body(name, None, None, "manual", 0.0, (_worded(error.about(name).finding()),))
    log_findings(body.findings, options.quiet)
    if options.json:
        print_json(body_json(body))
    elif body.inertial is not None:
        sys.stdout.write(OF_BODY[options.format](body))
    return status


def _worded(finding: Finding) -> Finding:
    """Return a finding with the options of this command in its remedy; `repair` has no use for a text."""
    return finding.for_reader("mass" if OF_REPAIR.isdisjoint(finding.actions) else "plain")


def _doubts(read: PrintedInertial) -> Iterator[Finding]:
    """Yield that mass and volume do not fit, as with a wrong scale."""
    mass, volume = read.inertial.mass, read.volume
    if volume and not LIGHTEST <= mass / volume <= HEAVIEST:
        seen = {"mass": mass, "density": mass / volume, "volume": volume}
        yield Finding.of("warning", "implied_density", "", "mesh", **seen, least=LIGHTEST, most=HEAVIEST)


def _text(name: str) -> str:
    """Read a text in UTF-8, UTF-16 or the encoding of Western Windows."""
    data = sys.stdin.buffer.read(MAX_BYTES) if name == STANDARD_OUTPUT else read_bytes(Path(name), MAX_BYTES)
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
