# SPDX-License-Identifier: Apache-2.0
"""``inertial``: one ``<inertial>`` from the text with mass properties that a CAD system prints."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from ..body.materials import checked_density, checked_mass
from ..errors import InertiaError
from ..files.input_file import read_bytes
from ..files.text import decoded
from ..printed.printed_inertial import inertial_of_text
from ..robot.part import Body
from ..robot.report import body_json
from ..sdf.write.inertial_text import OF_ROBOTS
from ..status import DONE
from .file_options import number, positive
from .running import STANDARD_OUTPUT, log_findings, print_json, status_of
from .terminal import add_amount

MAX_BYTES = 1024 * 1024
"""Maximum size of a text [bytes]."""

EXAMPLES = """\
examples:
  sdf-inertia inertial --from-text solidworks.txt  # as SDF
  xclip -o | sdf-inertia inertial --from-text - --format urdf  # what was copied
  sdf-inertia inertial --from-text meshlab.txt --scale 0.001 --mass 0.25
"""


def add_parser(subparsers: Any) -> ArgumentParser:
    """Add the command to a command line."""
    parser: ArgumentParser = subparsers.add_parser(
        "inertial",
        help="one <inertial> from the text with mass properties that CAD prints",
        description="Reads what SolidWorks, Fusion, Inventor, Onshape, FreeCAD and MeshLab print: takes the block about"
        " the centre of mass, or moves the one about the origin there, and gives the products SDF's sign. A text that"
        " lacks a number or a unit, or contradicts itself, is refused with what is missing.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run, usage_error=parser.error)
    parser.add_argument("--from-text", metavar="FILE", required=True, help="the text; - for standard input")
    parser.add_argument("--format", choices=tuple(OF_ROBOTS), default="sdf", help="of the element; default sdf")
    given = parser.add_mutually_exclusive_group()
    given.add_argument("--mass", metavar="KG", type=number(checked_mass), help="the measured mass: scales the tensor")
    given.add_argument(
        "--density",
        metavar="KG_M3",
        type=number(checked_density),
        help="of a text about a volume, as MeshLab prints it",
    )
    parser.add_argument(
        "--scale", metavar="S", type=number(positive), help="metres per unit of a text without a unit of length"
    )
    parser.add_argument(
        "--products",
        choices=("tensor", "integral"),
        help="what the products are if the text does not say so: the tensor's, -∫xy dm, or the integrals, +∫xy dm",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output, and nothing else")
    add_amount(parser)
    return parser


def run(options: Namespace) -> int:
    """Print the inertial of a text; see `add_parser`."""
    name = "standard input" if options.from_text == STANDARD_OUTPUT else options.from_text
    try:
        if options.from_text == STANDARD_OUTPUT:
            data = sys.stdin.buffer.read(MAX_BYTES)
        else:
            data = read_bytes(Path(options.from_text), MAX_BYTES)
        read = inertial_of_text(decoded(data), options.mass, options.density, options.scale, options.products)
    except InertiaError as error:
        finding = error.finding() if error.subject else error.about(name).finding()
        log_findings([finding])
        if options.json:
            print_json(body_json(Body(name, None, None, "printed", 0.0, (finding,))))
        return status_of(error)
    body = Body(name, read.inertial, None, "printed", 0.0, tuple(one.about(name) for one in read.findings))
    log_findings(body.findings, options.quiet)
    if options.json:
        print_json(body_json(body))
    else:
        print(OF_ROBOTS[options.format](body), end="")
    return DONE
