# SPDX-License-Identifier: Apache-2.0
"""Options for STEP files: what parts weigh, and which of them make a link."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from argparse import _ActionsContainer as Options
from pathlib import Path

from ...api.step import StepRobot, read_step
from ...body.materials import checked_density, checked_mass
from ...body.weighed_masses import read_weighed, weighed_masses
from ...formats.step.assembly import is_step
from .file_options import number, positive

NAMES = ("bom", "links", "density", "densities", "bom_mass", "weighed", "thickness")
"""Options that go with STEP files only."""

ROBOTS, SPELLED = ("engines", "total_mass", "gazebo", "model"), {"engines": "for"}
"""Options that go with files of robots only, and how one is typed."""

NOT_FOR_STEP = "not for STEP: `convert` it first, or give the mass of a link by --weighed"
"""What the help of an option for robots adds."""

TOLERANCE = 1e-4
"""Distance of a mesh from the faces of its part [m]."""


def add_cad(parser: ArgumentParser) -> None:
    """Add the options for STEP files."""
    group = parser.add_argument_group("for STEP files (extra [cad])")
    group.add_argument(
        "--bom",
        metavar="CSV",
        type=Path,
        help="the bill of materials: name or number, mass, material, quantity of parts; if only sub-assemblies are"
        " weighed, leave it out and give --links first --density 1000 --weighed base=0.5",
    )
    group.add_argument(
        "--bom-mass",
        choices=("part", "row"),
        help="whether its masses are those of one part (default) or of the row's quantity",
    )
    group.add_argument(
        "--links",
        metavar="first|CSV",
        help="a link for each first part or sub-assembly, or a CSV with the columns link,match: patterns (*, ?) for the"
        " paths of parts, which --format csv shows; the first link carries the others; default: one link",
    )
    group.add_argument(
        "--density", metavar="KG_M3", type=number(checked_density), help="of parts of which nothing else is known"
    )
    group.add_argument(
        "--densities",
        metavar="MAP",
        type=Path,
        help="CSV with the columns match and density, material or mass (or JSON): for each name of a part or material,"
        " what it weighs [kg/m³, kg]",
    )
    group.add_argument(
        "--thickness", metavar="M", type=number(positive), help="of parts of surfaces that have a mass in the --bom"
    )
    add_weighed(group)


def add_weighed(parser: Options) -> None:
    """Add the option for measured masses of links."""
    parser.add_argument(
        "--weighed",
        metavar="LINK=KG|CSV",
        type=_weighed,
        action="append",
        default=[],
        help="the measured mass of a link, whose tensor is scaled with it; or a CSV with the columns link,mass; may be"
        " repeated",
    )


def _weighed(text: str) -> tuple[str, float] | Path:
    """Return the name of a link and its mass [kg], or the path of a table."""
    name, mark, mass = text.rpartition("=")
    if not mark or text.lower().endswith(".csv"):
        return Path(text)
    return name, number(checked_mass)(mass)


def weighed_of(options: Namespace) -> dict[str, float]:
    """Return the masses [kg] that options give for links; raises InertiaError for a table that cannot be read."""
    each = (read_weighed(given) if isinstance(given, Path) else [given] for given in options.weighed)
    return weighed_masses(pair for pairs in each for pair in pairs)


def check_usage(options: Namespace, files: list[Path]) -> None:
    """End the program if an option for STEP files is given without one, or one for robots' files with one."""
    has_step = any(map(is_step, files))
    for name in ROBOTS if has_step else NAMES:
        if getattr(options, name, None):
            option = f"--{SPELLED.get(name, name).replace('_', '-')}"
            what = "files of robots: `convert` makes one of a STEP file" if has_step else "STEP files"
            options.usage_error(f"{option} goes with {what}")


def step_robot(path: Path, options: Namespace, tolerance: float | None = None) -> StepRobot:
    """Read a STEP file as the options say; raises what `read_step` raises."""
    return read_step(
        path,
        options.bom,
        options.links,
        options.density,
        options.densities,
        options.bom_mass or "part",
        weighed_of(options),
        options.thickness,
        tolerance,
    )
