# SPDX-License-Identifier: Apache-2.0
"""The inertial of a part of a link: density, method and pose, by libsdformat's rules.

A part's own mass wins over its density, that over the link's, that over 1000 kg/m³; a part's parameters replace all of
the link's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import isnan, nan
from typing import Self

import numpy as np

from ..body.inertial import NORMAL, Inertial
from ..body.materials import WATER, checked_density, checked_mass
from ..body.shapes import Shape
from ..errors import Finding, InertiaError
from ..findings.remedy import Reader
from ..mesh.policy import oriented
from ..mesh.surface import Surface
from .calculators import chosen_method
from .mesh_method import MeshMethod
from .model import Link, Mesh, Part, Unusable


@dataclass(frozen=True, eq=False)
class Body:
    """The numbers of a link or of one of its parts; all None for a refused body.

    Parameters
    ----------
    name : str
        The link's or part's name.
    inertial : Inertial or None
        In the link's frame.
    volume : float or None
        [m³]; None also for a manual inertial without one.
    method : str
        A calculator's name, ``primitive``, ``manual``, or ``sum`` for a link of several parts.
    error : float
        Estimated relative error of the volume; 0 if exact.
    findings : tuple of Finding
        About this body itself.
    error_inertia : float
        That of the tensor; by default the same.
    """

    name: str
    inertial: Inertial | None
    volume: float | None
    method: str
    error: float
    findings: tuple[Finding, ...]
    error_inertia: float = field(default=nan, kw_only=True)

    def __post_init__(self) -> None:
        if isnan(self.error_inertia):
            object.__setattr__(self, "error_inertia", self.error)

    def for_reader(self, reader: Reader) -> Self:
        """Return the same body with its findings worded for one user interface."""
        return replace(self, findings=tuple(finding.for_reader(reader) for finding in self.findings))


@dataclass(frozen=True, eq=False)
class Origin:
    """What the mass of a part from CAD follows from, for a report; all its placements have the same.

    Parameters
    ----------
    count : int
        How many times the part is placed in the assembly.
    material : str
        With the name in the library that it was matched to, if that is another.
    source : str
        What gave mass or density: the bill of materials, the file, an option. Empty if nothing did.
    row : int or None
        The first line of the bill of materials about it.
    matched : str
        How this line was matched to the part.
    rows : tuple of int
        All lines about it: one for each sub-assembly that has it, if the bill is indented.
    product, number : str
        The part's name and number in CAD; a bill of materials names one of them.
    """

    count: int
    material: str
    source: str
    row: int | None = None
    matched: str = ""
    rows: tuple[int, ...] = ()
    product: str = ""
    number: str = ""


@dataclass(frozen=True, eq=False)
class PartBody(Body):
    """A part's share of its link.

    Parameters
    ----------
    surface : Surface or None
        Its mesh [m] if that was corrected.
    origin : Origin or None
        Only for a part from CAD.
    """

    geometry: str
    density: float | None
    surface: Surface | None = None
    origin: Origin | None = None


def params_of(part: Part, link: Link) -> Mapping[str, str]:
    """Return the ``auto_inertia_params`` that apply to a part, by qualified name."""
    return link.params if part.params is None else part.params


def resolve_part(part: Part, link: Link, quick: bool = False, rough: bool = False) -> PartBody:
    """Compute a part's inertial by the method chosen for it; `quick` and `rough` are as in `MeshMethod.measure`.

    Returns
    -------
    PartBody
        Refused, with its finding, if there is no correct answer; never raises for bad input.
    """
    subject = f"{link.name}/{part.name}"
    findings = [finding.about(subject) for finding in part.findings]
    kind = part.geometry.kind
    density, stated = _density(part, link, subject)
    findings += stated
    method, surface = "primitive", None
    try:
        if part.mass is not None:
            checked_mass(part.mass, subject)
        else:
            checked_density(density, subject)
        if isinstance(part.geometry, Mesh):
            way = MeshMethod(part.geometry, params_of(part, link))
            method = way.name
            measured = way.measure(quick, rough)
            method = measured.method
            findings += [finding.about(subject) for finding in measured.findings]
            moments, errors = measured.moments, (measured.error, measured.error_inertia)
            surface = measured.surface
        elif chosen_method(params_of(part, link)) == "printed" and isinstance(part.geometry, Shape):
            raise InertiaError.of("bad_wall", subject, "shape", kind=kind)  # the solid would be too heavy
        else:
            moments, errors = part.geometry.moments(), (0.0, 0.0)
        if part.mass is not None:
            density = part.mass / moments.volume
        # From the part's own frame into the link's; numbers so small that they lose digits have no answer.
        inertial = moments.inertial(density).transformed(part.pose).without_noise()
        if not inertial.is_finite():
            raise InertiaError.of("not_finite", subject, "part")
        trace = float(np.trace(inertial.inertia))
        if not min(inertial.mass, trace) > NORMAL:
            raise InertiaError.of("bad_mass", subject, "too_small", density=density, mass=inertial.mass, trace=trace)
    except InertiaError as problem:
        findings.append(problem.about(subject).finding())
        return PartBody(part.name, None, None, method, 0.0, tuple(findings), kind, density)
    if part.mass is not None:
        inertial = inertial.scaled_to(part.mass)
    values = inertial, moments.volume, method, errors[0], tuple(findings), kind, density, surface
    return PartBody(part.name, *values, error_inertia=errors[1])


def _density(part: Part, link: Link, subject: str) -> tuple[float, list[Finding]]:
    """Return the density [kg/m³] of a part without a mass of its own, and findings about it."""
    density = part.density if part.density is not None else link.density
    if density is not None:
        return density, []
    is_silent = part.mass is not None or link.mass is not None or isinstance(part.geometry, Unusable)
    return WATER, [] if is_silent else [Finding.of("warning", "default_density", subject, "part", density=WATER)]


@np.errstate(over="ignore", invalid="ignore")  # absurd sizes overflow
def is_rejected(part: Part, link: Link) -> bool:
    """Return True if the exact method rejects a part's mesh, without a search for overlaps or for what would help."""
    if not isinstance(part.geometry, Mesh) or chosen_method(params_of(part, link)) != "exact":
        return False
    try:
        oriented(part.geometry.surface)
    except InertiaError:
        return True
    return False
