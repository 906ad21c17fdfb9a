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
from weakref import WeakKeyDictionary

import numpy as np

from ..body.inertial import NORMAL, Inertial
from ..body.materials import WATER, checked_density, checked_mass
from ..body.moments import Moments
from ..errors import Finding, InertiaError
from ..findings.message import scaled as scaled_message
from ..findings.remedy import Reader
from ..mesh.diagnosis.remarks import NOT_CHECKED, UNIT_SUSPICION, unit
from ..mesh.measurement import Measurement
from ..mesh.methods import METHODS
from ..mesh.policy import READ_IN_FULL, oriented, rough_moments
from ..mesh.progress import Progress
from ..mesh.surface import Surface
from .calculators import calculate, chosen_calculator, chosen_method
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
    """Compute a part's inertial by the method chosen for it; `quick` and `rough` are as in `measure`.

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
            params = params_of(part, link)
            method = chosen_method(params)
            measured = measure(part.geometry, params, quick, rough)
            method = measured.method
            findings += [finding.about(subject) for finding in measured.findings]
            moments, errors = measured.moments, (measured.error, measured.error_inertia)
            surface = measured.surface
        else:
            moments, errors = part.geometry.moments(), (0.0, 0.0)
        if part.mass is not None:
            density = part.mass / moments.volume
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


Outcome = Measurement | InertiaError
"""The result of measuring a mesh: the answer, or why there is none."""

_measured: WeakKeyDictionary[Surface, dict[object, Outcome]] = WeakKeyDictionary()

REMEMBERED = 32
"""Results kept for one surface: its exact integral, and those of the last methods and maps."""


def measure(mesh: Mesh, params: Mapping[str, str], quick: bool = False, rough: bool = False) -> Measurement:
    """Measure a mesh in its part's frame, and cache the result as long as its surface exists.

    The exact moments are integrated once on the surface as it is and then mapped; every other calculator gets the mesh
    as it will be written, in metres. So does the exact one if it cannot integrate exactly, as for a union: a small
    error of a mesh may be a large one after a stretch.

    With `quick`, as in `measure_mesh`, a result that is not fully checked is enough; a cached, fully checked one
    is used, too. With `rough` an exact measurement of a large mesh may be one of `rough_moments`, without findings,
    which is not used for any other purpose.
    """
    outcome = known_outcome(mesh, params, quick or rough)
    if outcome is None and rough and chosen_method(params) == "exact" and quick_differs(mesh, params):
        outcome = _rough_outcome(mesh.surface)
    elif outcome is None:
        outcome = outcome_of(mesh, params, quick=quick or rough)
        remember(mesh, params, outcome, quick or rough)
    if isinstance(outcome, InertiaError):
        # A copy: otherwise the first error's traceback would grow each time.
        raise _scaled(outcome, 1.0 if _is_of_baked(mesh, params, outcome) else mesh.volume_scale)
    if _is_of_baked(mesh, params, outcome):
        return outcome
    moments: Moments = outcome.moments.transformed(mesh.stretch)
    surface_read = None if outcome.surface is None else outcome.surface.stretched(mesh.stretch)
    # A wrong unit shows only in metres; the stretched box bounds the mesh.
    low, high = mesh.surface.bounds()
    longest = float((np.abs(mesh.stretch) @ (high - low)).max())
    findings = tuple(
        replace(finding, message=scaled_message(finding.message, mesh.volume_scale))
        for finding in outcome.findings
        if finding.code != UNIT_SUSPICION
    )
    return replace(outcome, moments=moments, surface=surface_read, findings=findings + unit(longest))


def _rough_outcome(surface: Surface) -> Outcome:
    """Return the moments of `rough_moments`, cached as long as the surface exists."""
    known = _measured.setdefault(surface, {})
    if ROUGH not in known:
        try:
            known[ROUGH] = Measurement(rough_moments(surface), "exact")
        except InertiaError as error:
            known[ROUGH] = InertiaError(*error.args)
    return known[ROUGH]


def _scaled(error: InertiaError, factor: float) -> InertiaError:
    message = scaled_message(error.message, factor)
    return InertiaError(error.code, error.subject, message, error.remedy, error.sdf_codes)


def outcome_of(mesh: Mesh, params: Mapping[str, str], progress: Progress | None = None, quick: bool = False) -> Outcome:
    """Measure a mesh as `measure` does, without the cache, so that another thread may do it.

    Parameters
    ----------
    params : mapping of str to str
        By qualified name.
    progress : callable, optional
        As in `measure_surface`: if it returns True, the result is the error ``cancelled``.
    quick : bool
        As in `measure_mesh`.
    """
    if chosen_method(params) != "exact":
        return _measured_by(mesh.baked, params, progress, quick)
    outcome = _measured_by(mesh.surface, params, progress, quick)
    if not _is_of_baked(mesh, params, outcome):
        return outcome
    outcome = _measured_by(mesh.baked, params, progress, quick)
    # An error is cached for the surface, for every map.
    return _scaled(outcome, 1.0 / mesh.volume_scale) if isinstance(outcome, InertiaError) else outcome


def known_outcome(mesh: Mesh, params: Mapping[str, str], quick: bool = False) -> Outcome | None:
    """Return the cached result for the mesh, if any, and fully checked unless `quick`."""
    known = _measured.get(mesh.surface, {})
    outcome = known.get(_key(mesh, params, baked=False))
    if outcome is None or _is_of_baked(mesh, params, outcome):
        outcome = known.get(_key(mesh, params, baked=True))
    if outcome is None and quick:
        outcome = known.get((QUICK, _key(mesh, params, baked=chosen_method(params) != "exact")))
    if isinstance(outcome, Measurement) and not quick and any(one.code == NOT_CHECKED for one in outcome.findings):
        return None
    return outcome


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


def quick_differs(mesh: Mesh, params: Mapping[str, str]) -> bool:
    """Return True if a quick measurement skips some checks."""
    method = METHODS.get(chosen_method(params))
    return method is not None and method.diagnosed and len(mesh.surface.triangles) > READ_IN_FULL


QUICK = "quick"
"""Begins the key of a quick error: its remedies have not been tried, unlike those of a full one."""


ROUGH = "rough"
"""The key of a result that is only good enough for a comparison by percents."""


def remember(mesh: Mesh, params: Mapping[str, str], outcome: Outcome, quick: bool = False) -> None:
    """Cache a result for `measure`; a user's calculator that failed is called again."""
    if isinstance(outcome, InertiaError) and (outcome.code == "cancelled" or chosen_method(params) not in METHODS):
        return
    known = _measured.setdefault(mesh.surface, {})
    while len(known) >= REMEMBERED:
        del known[next(iter(known))]
    key = _key(mesh, params, _is_of_baked(mesh, params, outcome))
    known[(QUICK, key) if quick and isinstance(outcome, InertiaError) else key] = outcome


def _measured_by(surface: Surface, params: Mapping[str, str], progress: Progress | None, quick: bool) -> Outcome:
    try:
        return calculate(surface, params, progress, quick)
    except InertiaError as error:
        # Cached errors have no traceback: its frames would keep the surface and its diagnosis alive.
        return InertiaError(*error.args)


def _is_of_baked(mesh: Mesh, params: Mapping[str, str], outcome: Outcome) -> bool:
    """Return True if a result holds only for the mesh in metres, not for its surface under a map."""
    if chosen_method(params) != "exact":
        return True
    if isinstance(outcome, InertiaError) or not max(outcome.error, outcome.error_inertia) > 0.0:
        return False
    square = mesh.stretch.T @ mesh.stretch
    return not np.abs(square - np.eye(3) * square[0, 0]).max() <= SAME_SHAPE * square[0, 0]


SAME_SHAPE = 1e-5
"""A map whose axes differ less than this in length and angle, relatively, keeps any error's share."""


def _key(mesh: Mesh, params: Mapping[str, str], baked: bool) -> object:
    how = (mesh.stretch.tobytes(), tuple(sorted(params.items()))) if baked else ()
    # The calculator itself is part of the key: another may be registered under the same name.
    return chosen_calculator(params), how
