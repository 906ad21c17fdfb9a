# SPDX-License-Identifier: Apache-2.0
"""``mass``: the mass properties of a mesh file."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..body.inertial import Inertial
from ..body.materials import WATER, checked_density, checked_mass
from ..body.moments import Moments
from ..errors import Finding, InertiaError, has_error
from ..escapes import for_terminal
from ..files.limits import FORMATS
from ..files.mesh_file import load_surface
from ..findings.remedy import Remedy
from ..mesh.diagnosis.remarks import USABLE
from ..mesh.measure import measure_surface
from ..mesh.methods import METHODS
from ..mesh.policy import close_holes
from ..mesh.surface import Surface
from ..mesh.winding.solid import IN_DOUBT, no_inside
from ..robot.link_tables import without_refused_numbers
from ..robot.part import Body
from ..robot.report import Json, body_json
from ..status import DONE, REFUSED, of_several
from ..units import share_text
from .finding_text import log_findings
from .options.file_options import add_method, add_scale, chosen_method, number
from .running import print_json, status_of
from .terminal import INERTIAL_COLUMNS, Output, add_amount, inertial_cells, progress_bar

EXAMPLES = """\
examples:
  sdf-inertia mass wheel.stl --scale 0.001 --density 2700  # mm, aluminium
  sdf-inertia mass bracket.obj --mass 1.25 --json  # what was weighed
  sdf-inertia mass scan.ply --close-holes  # an open mesh, with a bound
"""


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Add the command to a command line."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "mass", help="mass properties of a mesh or STEP file", allow_abbrev=False
    )
    parser.set_defaults(run=run, usage_error=parser.error)
    parser.add_argument(
        "mesh", metavar="MESH", type=Path, nargs="+", help="STL, OBJ, PLY, OFF, glTF, COLLADA, 3MF or STEP"
    )
    add_options(parser)
    add_amount(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output, and nothing else")
    return parser


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for density, mass and method."""
    given = parser.add_mutually_exclusive_group()
    given.add_argument("--density", metavar="KG_M3", type=number(checked_density), help=f"default {WATER:g}")
    given.add_argument("--mass", metavar="KG", type=number(checked_mass), help="instead of a density")
    add_method(parser)
    parser.add_argument(
        "--close-holes",
        action="store_true",
        help="close every hole of an open mesh by a fan of faces; its error is what the holes leave in doubt",
    )
    add_scale(parser)


def run(options: argparse.Namespace) -> int:
    """Measure mesh files; see `add_parser`."""
    check_usage(options)
    measured = [_measured(path, options) for path in options.mesh]
    bodies = [body for body, _, _ in measured]
    log_findings([finding for body in bodies for finding in body.findings], options.quiet)
    if options.json:
        print_json(body_json(bodies[0]) if len(bodies) == 1 else {"files": list(map(body_json, bodies))})
    elif len(bodies) > 1:
        _print_several(bodies)
    elif bodies[0].inertial is not None:
        print(_table(bodies[0], measured[0][1]), end="")
    return of_several(status for *_, status in measured)


def task(options: argparse.Namespace, target: Path | None) -> tuple[int, Json]:
    """Measure one file of a batch."""
    body, _, status = _measured(options.input, options)
    return status, body_json(body)


def check_usage(options: argparse.Namespace) -> None:
    """End the program where options do not go together."""
    method, _ = chosen_method(options)
    if options.close_holes and method != "exact":
        options.usage_error(f"--close-holes goes with --method exact, not {method}")


def _measured(path: Path, options: argparse.Namespace) -> tuple[Body, float | None, int]:
    name = str(path)
    findings: list[Finding] = []
    status = DONE
    method, lengths = chosen_method(options)
    try:
        if path.suffix.lower() not in FORMATS and _is_cad(path):
            body, density = _cad_body(path, method, options)
        else:
            surface, noted = load_surface(path, options.scale)
            findings += noted
            body, density = _body(name, surface, method, lengths, options)
        findings += body.findings
    except InertiaError as error:
        status = status_of(error)
        findings.append(error.finding())
        body, density = Body(name, None, None, method, 0.0, ()), None
    body = replace(body, findings=tuple(finding.about(name).for_reader("mass") for finding in findings))
    if has_error(body.findings):
        status = max(status, REFUSED)
        body = without_refused_numbers(body, True)
    return body, density, status


def _is_cad(path: Path) -> bool:
    """Return True for STEP; raises ``unknown_format`` for other files of robots."""
    from ..formats.step.assembly import is_step  # formats of robots take many modules, and meshes need none of them
    from ..formats.table import SUFFIXES, not_read_here

    suffix = path.suffix.lower()
    if not is_step(path) and suffix in SUFFIXES:
        raise not_read_here(path, "robot")
    return is_step(path)


def _cad_body(path: Path, method: str, options: argparse.Namespace) -> tuple[Body, float | None]:
    """Measure all parts of a STEP file together: with the densities in it, or with the one that is given."""
    from ..formats.step.bodies import METHOD
    from ..formats.step.cad_robot import read_cad_robot

    if method != "exact" or options.close_holes or options.scale is not None:
        raise InertiaError.of("bad_step", str(path), "method")
    robot = read_cad_robot(path)
    (link,) = robot.bodies
    if options.density is None and options.mass is None and any(part.density is not None for part in link.parts):
        findings = robot.assembly.findings + link.findings
        findings += tuple(finding for part in link.parts for finding in part.findings)
        unknown = sum(finding.code == "no_density" for finding in findings)
        if unknown:
            raise InertiaError.of("no_density", str(path), "some", count=unknown, total=len(link.parts))
        body = Body(str(path), link.inertial, link.volume, METHOD, 0.0, findings, error_inertia=link.error_inertia)
        mean = link.inertial.mass / link.volume if link.inertial is not None and link.volume else None
        return body, mean
    assembly = robot.assembly
    density, of_density = _density(options)
    findings = of_density + tuple(
        finding for finding in assembly.all_findings() if finding.code not in ("no_density", "step_density")
    )
    moments = assembly.moments()
    inertial = inertial_of(moments, density, options.mass)
    if options.mass is not None:
        density = options.mass / moments.volume
    findings += inertial.findings() + _implied(options.mass, density, moments.volume)
    values = inertial, moments.volume, METHOD, 0.0, findings
    return Body(str(path), *values, error_inertia=assembly.error), density


def _density(options: argparse.Namespace) -> tuple[float, tuple[Finding, ...]]:
    """Return the density that is given, or water's with a finding if a mass is not given either."""
    if options.density is not None:
        return options.density, ()
    default = Finding.of("warning", "default_density", "", "command", density=WATER)
    return WATER, () if options.mass is not None else (default,)


def _implied(mass: float | None, density: float, volume: float) -> tuple[Finding, ...]:
    """Return the finding for a mass that makes a density which no solid has."""
    if mass is None:
        return ()
    from ..judge.geometry.plausibility import LIGHTEST
    from ..judge.geometry.wrong_units import HEAVIEST

    if LIGHTEST <= density <= HEAVIEST:
        return ()
    seen = {"mass": mass, "density": density, "volume": volume, "least": LIGHTEST, "most": HEAVIEST}
    return (Finding.of("warning", "implied_density", "", "mesh", **seen),)


def _body(
    name: str, surface: Surface, method: str, lengths: dict[str, float], options: argparse.Namespace
) -> tuple[Body, float]:
    density, findings = _density(options)
    doubt, doubt_inertia = 0.0, 0.0
    with progress_bar(f"{Path(name).name}: {method}") as progress:
        if options.close_holes:
            surface, (doubt, doubt_inertia), closed = close_holes(surface)
            findings += closed
        measured = measure_surface(surface, method, lengths, progress)
    inertial = inertial_of(measured.moments, density, options.mass)
    if options.mass is not None:
        density = options.mass / measured.moments.volume
    errors = doubt + measured.error, doubt_inertia + measured.error_inertia
    if errors[0] > 1.0:
        refused = no_inside(IN_DOUBT)
        others = (text for text in refused.fix.alternatives if not options.close_holes or text != "{close_holes}")
        raise InertiaError(refused.code, "", refused.sentence, Remedy(*others))
    findings += measured.findings + inertial.findings()
    volume = measured.moments.volume
    findings += _implied(options.mass, density, volume)
    values = inertial, volume, measured.method, errors[0], findings
    return Body(name, *values, error_inertia=errors[1]), density


def inertial_of(moments: Moments, density: float, mass: float | None) -> Inertial:
    """Return the body of a density [kg/m³], or of a mass [kg] if that is given."""
    with np.errstate(over="ignore", invalid="ignore"):  # an absurd mass overflows, and ends in the finding not_finite
        inertial = moments.inertial(density).without_noise()
        return inertial if mass is None else inertial.scaled_to(mass)


def _table(body: Body, density: float | None) -> str:
    """Show a body to people: nine digits; all of them are in the JSON."""
    inertial = body.inertial
    assert inertial is not None
    principal = inertial.principal()
    rows = [f"{moment + 0.0:<16.9g} along {_row(axis)}" for moment, axis in zip(*principal, strict=True)]
    lines = [
        ("file", body.name),
        ("method", body.method),
        ("error", _error(body)),
        ("density", f"{density:.9g} kg/m³"),
        ("volume", f"{body.volume:.9g} m³"),
        ("mass", f"{inertial.mass:.9g} kg"),
        ("centre of mass", f"{_row(inertial.com)}   m"),
        ("inertia", f"{_row(inertial.inertia[0])}   kg·m², about the centre of mass, in the mesh's axes;"),
        ("", f"{_row(inertial.inertia[1])}   off the diagonal with SDFormat's sign, ixy = -∫xy dm"),
        ("", _row(inertial.inertia[2])),
        *zip(("principal", "", ""), rows, strict=True),
    ]
    text = "".join(f"{title:<16}{for_terminal(value)}\n" for title, value in lines)
    return text + _verdict(body)


def _error(body: Body) -> str:
    """Return how far the number can be trusted."""
    method = METHODS.get(body.method)
    of = f", for the {method.instead} (not the mesh)" if method is not None and method.instead else ""
    if not max(body.error, body.error_inertia):
        return f"only rounding{of}"
    if body.error == body.error_inertia:
        return f"{share_text(body.error)} of volume and tensor, estimated{of}"
    return f"{share_text(body.error)} of the volume, {share_text(body.error_inertia)} of the tensor, estimated{of}"


def _verdict(body: Body) -> str:
    """Return a sentence on whether an estimated number may be used."""
    worst = max(body.error, body.error_inertia)
    if not worst or (body.method in METHODS and METHODS[body.method].instead):  # the error is not that of the mesh
        return ""
    volume, tensor = share_text(body.error), share_text(body.error_inertia)
    if worst <= USABLE:
        return f"You may use this number: the volume is right to ±{volume}, the tensor to ±{tensor}.\n"
    return f"Do not use this number without checking it: the volume may be off by {volume}, the tensor by {tensor}.\n"


def _print_several(bodies: Sequence[Body]) -> None:
    """Print a line for each file, in the mesh's axes, the tensor about the centre of mass."""
    columns = ["file", "volume [m³]", *INERTIAL_COLUMNS, "error"]
    rows = []
    for body in bodies:
        if body.inertial is None or body.volume is None:
            rows.append([body.name, "refused", *[""] * 4])
            continue
        rows.append(
            [
                body.name,
                f"{body.volume:.6g}",
                *inertial_cells(body.inertial),
                f"{max(body.error, body.error_inertia):.1e}",
            ]
        )
    Output.to(sys.stdout).table(columns, rows)


def _row(numbers: Any) -> str:
    return " ".join(f"{number + 0.0:<16.9g}" for number in numbers).rstrip()
