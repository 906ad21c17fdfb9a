# SPDX-License-Identifier: Apache-2.0
"""An assembly in a STEP file: its parts, each with the moments of its solids, and where they are placed."""

from __future__ import annotations

import sys
from base64 import b64decode
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...arrays import FloatArray, readonly
from ...body.materials import likely_density
from ...body.moments import Moments
from ...child.child import MIB, Answer, Child, Limits, UnfulfilledError
from ...errors import Finding, InertiaError, first_error
from ...files.input_file import read_bytes
from ...mesh.surface import Surface

SUFFIXES = (".step", ".stp", ".p21")

MAX_BYTES = 64 * MIB
"""Maximum size of a file [bytes]."""

MAX_PLACEMENTS, MAX_DEPTH = 100_000, 64
"""Maximum number of placed parts, and depth of assemblies in assemblies."""

MM = 1e-3
"""Length of OpenCASCADE's unit [m]."""

ROUNDING, INEXACT = 1e-9, 1e-6
"""Relative errors of a tensor: below the first it is as good as exact, above the second worth a warning."""

_child = Child(
    Path(__file__).with_name("step_program.py"),
    "OpenCASCADE",
    Limits(seconds=5.0, seconds_per_mib=4.0, memory=1024 * MIB, memory_per_byte=60),
)


@dataclass(frozen=True, eq=False)
class CadPart:
    """A part of an assembly, in its own frame.

    Parameters
    ----------
    name, number : str
        Of the product; the number is empty if the file does not keep it.
    moments : Moments or None
        Of its solids together; None if there is no right answer.
    sheet : Moments or None
        Of its surfaces for a thickness of 1 m, if it has no solid and they were asked for.
    error : float
        Estimated relative error of the tensor.
    material : str
        Empty if the file states none.
    density : float or None
        That of the material [kg/m³] in the unit that its size makes likely.
    color : tuple of float or None
        Linear red, green and blue.
    surface : Surface or None
        Its mesh [m], if it was asked for.
    findings : tuple of Finding
        About the part; one of severity error if it has no moments.
    """

    name: str
    number: str
    moments: Moments | None
    sheet: Moments | None
    error: float
    material: str
    density: float | None
    color: tuple[float, float, float] | None
    surface: Surface | None
    findings: tuple[Finding, ...]


class Step(NamedTuple):
    """One step of a path through an assembly: as shown, unique among its siblings; the instance's and the product's
    names."""

    shown: str
    instance: str
    product: str


@dataclass(frozen=True, eq=False)
class Placement:
    """A part at its place: a point p of the part is at ``A @ p + t`` in the assembly's frame [m].

    Parameters
    ----------
    path : tuple of Step
        From the root to the part.
    shown : str
        The path below the root, or from it if there are several, as a list of links and a report give it.
    part : CadPart
    A : ndarray, shape (3, 3)
        A rotation, perhaps mirrored or scaled.
    t : ndarray, shape (3,)
        [m].
    branch : tuple of ndarray
        The same map (3, 3) and shift (3,) [m] of the first step below the root.
    color : tuple of float or None
        Of this instance, if it has one.
    """

    path: tuple[Step, ...]
    shown: str
    part: CadPart
    A: FloatArray
    t: FloatArray
    branch: tuple[FloatArray, FloatArray]
    color: tuple[float, float, float] | None = None


@dataclass(frozen=True, eq=False)
class Assembly:
    """A STEP file.

    Parameters
    ----------
    path : Path
    parts : tuple of CadPart
    placements : tuple of Placement
        In the order of the file.
    numbers : mapping of str to str
        Part numbers of assemblies by their names.
    findings : tuple of Finding
        About the file as a whole.
    """

    path: Path
    parts: tuple[CadPart, ...]
    placements: tuple[Placement, ...]
    numbers: Mapping[str, str]
    findings: tuple[Finding, ...]

    @property
    def name(self) -> str:
        """The name of its root, or of its file if there are several roots."""
        roots = {placement.path[0].shown for placement in self.placements}
        return roots.pop() if len(roots) == 1 and "" not in roots else self.path.stem

    def moments(self) -> Moments:
        """Return those of all its parts together, in its frame.

        Raises
        ------
        InertiaError
            ``no_solid`` or another code, for a part without moments.
        """
        total = Moments.zero
        for placement in self.placements:
            part = placement.part
            if part.moments is None:
                error = first_error(part.findings)
                assert error is not None
                raise InertiaError(error.code, part.name, error.sentence, error.fix)
            total += part.moments.transformed(placement.A, placement.t)
        return total

    @property
    def error(self) -> float:
        """The largest error of the tensors of its parts, relative."""
        return max(part.error for part in self.parts)

    def all_findings(self) -> tuple[Finding, ...]:
        """Return the findings about the file and its parts."""
        return (*self.findings, *(finding for part in self.parts for finding in part.findings))


def is_step(path: Path) -> bool:
    """Return True for a STEP file, by its suffix."""
    return path.suffix.lower() in SUFFIXES


def read_assembly(path: Path, sheets: bool = False, tolerance: float | None = None) -> Assembly:
    """Read a STEP file.

    Parameters
    ----------
    path : Path
    sheets : bool
        Read the surfaces of parts without a solid.
    tolerance : float, optional
        Make meshes this close to the faces [m].

    Raises
    ------
    InertiaError
        ``cad_missing``, ``bad_step``, ``library_failed`` or ``library_in_part``, ``file_read`` or ``file_too_large``.
    """
    begun: list[tuple[str, str]] = []
    values = {
        "most": MAX_PLACEMENTS,
        "deepest": MAX_DEPTH,
        "sheets": sheets,
        "tolerance": None if tolerance is None else tolerance / MM,
    }

    def begins(form: str) -> Answer:
        def note(name: str) -> tuple[None, tuple[bytes, ...]]:
            begun.append((form, name))
            return None, ()

        return note

    data = read_bytes(path, MAX_BYTES)
    _check_library(path)
    try:
        read = _child.request("read", values, (data,), {"measures": begins(""), "meshes": begins("mesh")})
    except ImportError:
        raise _missing(path, "too old") from None
    except UnfulfilledError as error:
        (form,) = error.reason
        raise InertiaError.of(
            "bad_step", str(path), form, limit=MAX_DEPTH if form == "deep" else MAX_PLACEMENTS
        ) from None
    except InertiaError as error:
        if not begun:
            raise error.about(str(path)) from None
        form, part = begun[-1]
        raise InertiaError.of("library_in_part", str(path), form, reason=error.sentence, part=part) from None
    parts = tuple(_part(part, read["is_split"]) for part in read["parts"])
    findings = []
    solids = sum(len(part["solids"]) for part in read["parts"])
    if solids < read["solids"]:
        findings.append(Finding.of("warning", "lost_solids", str(path), count=solids, total=read["solids"]))
    lost = Counter[str](read["lost"])
    for name, count in lost.items():
        findings.append(Finding.of("warning", "lost_component", str(path), name=name, count=count))
    roots = {placement["path"][0][0] for placement in read["placements"]}
    below = 1 if len(roots) == 1 else 0
    placements = tuple(_placement(path, placement, parts, below) for placement in read["placements"])
    if not placements:
        raise InertiaError.of("bad_step", str(path), "empty")
    return Assembly(path, parts, placements, dict(read["assemblies"]), tuple(findings))


def _check_library(path: Path) -> None:
    if find_spec("OCP") is None:
        raise _missing(path, "not installed")
    names = metadata.packages_distributions().get("OCP", [])
    if any(int(metadata.version(name).partition(".")[0]) < 8 for name in names):
        raise _missing(path, "too old")


def _missing(path: Path, reason: str) -> InertiaError:
    return InertiaError.of("cad_missing", str(path), reason=reason, python=sys.executable or "python")


def _part(read: Mapping[str, Any], is_split: bool) -> CadPart:
    name, solids = read["name"], read["solids"]
    moments, error, findings = _moments_of(name, solids, read["sheets"], is_split)
    sheet = None
    if area := read.get("area"):
        sheet = _moments(area, MM**2)
    if moments is not None and not read["valid"]:
        findings.append(Finding.of("info", "doubtful_solid", name, volume=moments.volume * 1e6))
    material, given = read["material"] or ("", 0.0)
    density = likely_density(given)
    if density is not None:
        findings.append(Finding.of("info", "step_density", name, given=given, material=material, density=density))
    surface = None if not read.get("mesh") else _surface(*read["mesh"])
    color = None if read["color"] is None else tuple(read["color"])
    return CadPart(name, read["number"], moments, sheet, error, material, density, color, surface, tuple(findings))


def _moments_of(
    name: str, solids: Sequence[Mapping[str, Any]], sheets: int, is_split: bool
) -> tuple[Moments | None, float, list[Finding]]:
    """Return the moments of solids together, the relative error of their tensor, and findings about them."""
    if not solids:
        form = "surfaces" if sheets else "elsewhere" if is_split else "nothing"
        return None, 0.0, [Finding.of("error", "no_solid", name, form, count=sheets)]
    open_count = sum(not (solid["closed"] and solid["fine"] and solid["fine"][0]) for solid in solids)
    if open_count:
        return None, 0.0, [Finding.of("error", "open_solid", name, count=open_count, total=len(solids))]
    if sheets:
        return None, 0.0, [Finding.of("error", "surfaces_beside", name, count=sheets, total=len(solids))]
    total, error, inverted, findings = Moments.zero, 0.0, 0, []
    for solid in solids:
        fine, coarse = (_moments(numbers, MM**3) for numbers in (solid["fine"], solid["coarse"]))
        change = np.abs(fine.covariance - coarse.covariance).max() / abs(np.trace(fine.covariance))
        error = max(error, float(change) if change > ROUNDING else 0.0)
        inverted += fine.volume < 0.0
        total += -fine if fine.volume < 0.0 else fine
    if inverted:
        findings.append(Finding.of("warning", "inverted_solid", name, count=inverted, total=len(solids)))
    if error > INEXACT:
        findings.append(Finding.of("warning", "inexact_solid", name, error=error))
    return total, error, findings


def _moments(numbers: Sequence[Any], unit: float) -> Moments:
    """Return moments [m³, m, m⁵] from a volume, a centroid [mm] and the tensor of unit density about it.

    `unit` is that of the volume: mm³, or mm² for surfaces with a thickness of 1 m.
    """
    volume, centroid, tensor = numbers[0] * unit, np.array(numbers[1]) * MM, np.array(numbers[2]) * (unit * MM**2)
    return Moments(volume, centroid, np.eye(3) * (np.trace(tensor) / 2.0) - tensor)


def _surface(points: str, corners: str) -> Surface | None:
    """Return the mesh [m] of vertices [mm] and triangles in base64; faces share the vertices on their common edges."""
    vertices = np.frombuffer(b64decode(points)).reshape(-1, 3)
    triangles = np.frombuffer(b64decode(corners), dtype=np.int32).reshape(-1, 3)
    if not len(triangles):
        return None
    vertices, index = np.unique(vertices, axis=0, return_inverse=True)
    triangles = index.reshape(-1)[triangles]
    a, b, c = triangles.T
    return Surface(vertices * MM, triangles[(a != b) & (b != c) & (c != a)])


def _placement(path: Path, read: Mapping[str, Any], parts: Sequence[CadPart], below: int) -> Placement:
    part = parts[read["part"]]
    maps = [np.array(numbers) for numbers in (read["map"], read["branch"])]
    if not all(np.isfinite(numbers).all() and np.linalg.det(numbers[:, :3]) for numbers in maps):
        raise InertiaError.of("bad_step", str(path), "numbers", part=part.name)
    (A, t), branch = ((readonly(numbers[:, :3], (3, 3)), readonly(numbers[:, 3] * MM, (3,))) for numbers in maps)
    color = None if read["color"] is None else tuple(read["color"])
    steps = tuple(Step(*step) for step in read["path"])
    shown = "/".join(step.shown for step in steps[below:] or steps)
    return Placement(steps, shown, part, A, t, branch, color)
