# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line without Blender: ``python -m core`` in a checkout, ``sdf-inertia`` where it is installed."""

from __future__ import annotations

import argparse
import json
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from .errors import Finding, InertiaError, has_error
from .materials import WATER, checked_density, checked_mass
from .mesh.measure import METHODS, check_mesh, measure_surface
from .mesh.surface import Surface
from .mesh_file import UnreadableFileError, load_surface
from .part import Body
from .progress import progress_bar
from .report import Json, body_json, finding_json

DONE, REFUSED, CANNOT_RUN, OUR_BUG, INTERRUPTED = 0, 1, 2, 3, 130
"""Exit statuses; the last is the shell's own for Ctrl-C."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status; a wrong usage raises `SystemExit` (2), as argparse does."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # whatever the terminal's encoding
    try:
        options = _parser().parse_args(arguments)
        status: int = options.run(options)
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except OSError as error:
        if not isinstance(error, BrokenPipeError):  # a reader such as `head` has seen enough
            print(f"cannot write: {error}", file=sys.stderr)
        # What is still in the buffer would fail once more at the interpreter's end, with a status of its own.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CANNOT_RUN
    except Exception:
        traceback.print_exc()
        print("This is a bug in SDF Inertia; please report it with the lines above.", file=sys.stderr)
        return OUR_BUG


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="sdf-inertia",
        description="Mass, centre of mass and inertia for SDFormat. All lengths are metres.",
        epilog="Exit status: 0 done; 1 an input was refused; 2 could not run; 3 a bug of ours.",
        allow_abbrev=False,
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    mass = commands.add_parser("mass", help="mass properties of a mesh file", allow_abbrev=False)
    mass.set_defaults(run=_mass, usage_error=mass.error)
    mass.add_argument("mesh", metavar="MESH", type=Path, help="STL, OBJ, PLY, OFF, glTF, COLLADA or 3MF")
    given = mass.add_mutually_exclusive_group()
    given.add_argument("--density", metavar="KG_M3", type=_number(checked_density), help=f"default {WATER:g}")
    given.add_argument("--mass", metavar="KG", type=_number(checked_mass), help="instead of a density")
    mass.add_argument("--method", choices=METHODS, help="default exact; voxel where --voxel-size is given")
    mass.add_argument("--voxel-size", metavar="M", type=_number(_length), help="default: longest side / 128")
    mass.add_argument("--thickness", metavar="M", type=_number(_length), help="of the material, with --method shell")
    mass.add_argument("--json", action="store_true", help="one JSON object on standard output, and nothing else")

    check = commands.add_parser("check", help="what is wrong with mesh files", allow_abbrev=False)
    check.set_defaults(run=_check)
    check.add_argument("files", metavar="FILE", nargs="+", type=Path)
    check.add_argument("--json", action="store_true", help="one JSON object on standard output, and nothing else")
    for command in (mass, check):
        command.add_argument(
            "--scale", metavar="S", type=_number(_length), default=1.0, help="metres per unit of the file; default 1"
        )
    return parser


def _number(checked: Callable[[float], float]) -> Callable[[str], float]:
    def number(text: str) -> float:
        try:
            return checked(float(text))
        except ValueError:
            raise argparse.ArgumentTypeError(f"'{text}' is no number") from None
        except InertiaError as error:
            raise argparse.ArgumentTypeError(error.message) from None

    return number


def _length(length: float) -> float:
    if 0.0 < length < float("inf"):
        return length
    raise InertiaError("bad_length", "", f"{length:g} is not above 0 and finite")


# --- mass ------------------------------------------------------------------------------------------------------------


def _mass(options: argparse.Namespace) -> int:
    method = options.method or ("exact" if options.voxel_size is None else "voxel")
    if options.voxel_size is not None and method != "voxel":
        options.usage_error(f"--voxel-size goes with --method voxel, not {method}")
    if (options.thickness is None) == (method == "shell"):
        options.usage_error("--thickness and --method shell go together")
    name = str(options.mesh)
    findings: list[Finding] = []
    status = DONE
    try:
        surface, noted = load_surface(options.mesh, options.scale)
        findings += noted
        body, density = _body(surface, method, options)
        findings += body.findings
    except InertiaError as error:
        status = CANNOT_RUN if isinstance(error, UnreadableFileError) else REFUSED
        findings.append(error.finding())
        body, density = Body(name, None, None, method, 0.0, ()), None
    body = replace(body, findings=tuple(finding.about(name) for finding in findings))
    if has_error(body.findings):
        status = max(status, REFUSED)
    for finding in body.findings:
        print(finding, file=sys.stderr)
    if options.json:
        _print_json(body_json(body))
    elif body.inertial is not None:
        print(_table(body, density), end="")
    return status


def _body(surface: Surface, method: str, options: argparse.Namespace) -> tuple[Body, float]:
    findings: tuple[Finding, ...] = ()
    density = options.density
    if density is None:
        density = WATER
        if options.mass is None:
            message = f"no density is given; SDFormat's default of {WATER:g} kg/m³ (water) is used"
            findings += (Finding("warning", "default_density", "", message, "give --density or --mass"),)
    with progress_bar(f"{options.mesh.name}: voxels") as progress:
        measured = measure_surface(surface, method, options.voxel_size, options.thickness, progress)
    inertial = measured.moments.inertial(density).without_noise()
    if options.mass is not None:
        inertial = inertial.scaled_to(options.mass)
        density = options.mass / measured.moments.volume
    findings += measured.findings + inertial.findings()
    return Body(
        str(options.mesh), inertial, measured.moments.volume, measured.method, measured.error, findings
    ), density


def _table(body: Body, density: float | None) -> str:
    """Show a body to people: nine digits; all of them are in the JSON."""
    inertial = body.inertial
    assert inertial is not None
    principal = inertial.principal()
    rows = [f"{moment + 0.0:<16.9g} along {_row(axis)}" for moment, axis in zip(*principal, strict=True)]
    lines = [
        ("file", body.name),
        ("method", body.method),
        ("error", f"{body.error:.1e} of volume and tensor, estimated" if body.error else "none but rounding"),
        ("density", f"{density:.9g} kg/m³"),
        ("volume", f"{body.volume:.9g} m³"),
        ("mass", f"{inertial.mass:.9g} kg"),
        ("centre of mass", f"{_row(inertial.com)}   m"),
        ("inertia", f"{_row(inertial.inertia[0])}   kg·m², about the centre of mass, in the mesh's axes;"),
        ("", f"{_row(inertial.inertia[1])}   off the diagonal with SDFormat's sign, ixy = -∫xy dm"),
        ("", _row(inertial.inertia[2])),
        *zip(("principal", "", ""), rows, strict=True),
    ]
    return "".join(f"{title:<16}{value}\n" for title, value in lines)


def _row(numbers: Any) -> str:
    return " ".join(f"{number + 0.0:<16.9g}" for number in numbers).rstrip()


# --- check -----------------------------------------------------------------------------------------------------------


def _check(options: argparse.Namespace) -> int:
    status = DONE
    files: list[Json] = []
    for path in options.files:
        findings, own_status = _findings(path, options.scale)
        status = max(status, own_status)
        files.append({"file": str(path), "findings": [finding_json(finding) for finding in findings]})
        if not options.json:
            for finding in findings:
                print(finding)
            print(f"{path}: {_verdict(findings, own_status)}", flush=True)
    if options.json:
        _print_json({"files": files})
    return status


def _findings(path: Path, scale: float) -> tuple[list[Finding], int]:
    try:
        if path.suffix.lower() == ".sdf":
            raise UnreadableFileError(
                "sdf_not_read", str(path), "this build does not read SDF files yet", "check the mesh files it names"
            )
        surface, findings = load_surface(path, scale)
        findings += check_mesh(surface.vertices, surface.triangles)
    except InertiaError as error:
        return [error.about(str(path)).finding()], CANNOT_RUN if isinstance(error, UnreadableFileError) else REFUSED
    return [finding.about(str(path)) for finding in findings], REFUSED if has_error(findings) else DONE


def _verdict(findings: list[Finding], status: int) -> str:
    if status == CANNOT_RUN:
        return "not read"
    if status == REFUSED:
        return "refused"
    warnings = sum(finding.severity == "warning" for finding in findings)
    return f"usable, {warnings} warning{'s' if warnings > 1 else ''}" if warnings else "good"


def _print_json(value: Json) -> None:
    print(json.dumps(value, indent=2, allow_nan=False))  # a body with NaN in it must not get this far
