# SPDX-License-Identifier: GPL-3.0-or-later
"""From a part of a link to its inertial: density, method and pose, by libsdformat's rules.

A part's own mass wins over its density, that over the link's, that over 1000 kg/m³; a part's parameters replace the
link's whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self
from weakref import WeakKeyDictionary

import numpy as np

from ..arrays import FloatArray
from ..body.inertial import NORMAL, Inertial
from ..body.materials import WATER, checked_density, checked_mass
from ..body.moments import Moments
from ..errors import Finding, InertiaError
from ..findings.message import scaled as scaled_message
from ..findings.remedy import Reader
from ..mesh.diagnosis.remarks import NOT_CHECKED, UNIT_SUSPICION, unit
from ..mesh.measurement import Measurement
from ..mesh.methods import METHODS
from ..mesh.policy import READ_IN_FULL
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
        [m³]; None also where a manual inertial has none.
    method : str
        How it was found: a calculator's name, ``primitive``, ``manual``, or for a link of several, ``sum``.
    error : float
        Estimated relative error of volume and tensor; 0 where exact.
    findings : tuple of Finding
        About this body itself.
    """

    name: str
    inertial: Inertial | None
    volume: float | None
    method: str
    error: float
    findings: tuple[Finding, ...]

    def for_reader(self, reader: Reader) -> Self:
        """Return the same body with its findings in the words of a reader."""
        return replace(self, findings=tuple(finding.for_reader(reader) for finding in self.findings))


@dataclass(frozen=True, eq=False)
class PartBody(Body):
    """A part's share of its link; `surface` is its mesh [m] where that was corrected, else None."""

    geometry: str
    density: float | None
    surface: Surface | None = None


def params_of(part: Part, link: Link) -> Mapping[str, str]:
    """Return the ``auto_inertia_params`` that count for a part, by qualified name."""
    return link.params if part.params is None else part.params


def resolve_part(part: Part, link: Link, quick: bool = False) -> PartBody:
    """Compute a part's inertial by the method that was chosen for it; `quick` is as in `measure`.

    Returns
    -------
    PartBody
        Refused, with its finding, where there is no right answer; never raises for bad input.
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
            measured = measure(part.geometry, params, quick)
            method = measured.method
            findings += [finding.about(subject) for finding in measured.findings]
            moments, error = measured.moments, measured.error
            surface = measured.surface
        else:
            moments, error = part.geometry.moments(), 0.0
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
    return PartBody(part.name, inertial, moments.volume, method, error, tuple(findings), kind, density, surface)


def _density(part: Part, link: Link, subject: str) -> tuple[float, list[Finding]]:
    """Return the density [kg/m³] that counts unless the part has a mass of its own, and what is to be said of it."""
    density = part.density if part.density is not None else link.density
    if density is not None:
        return density, []
    if part.mass is not None or link.mass is not None or isinstance(part.geometry, Unusable):
        return WATER, []
    return WATER, [Finding.of("warning", "default_density", subject, "part", density=WATER)]


Outcome = Measurement | InertiaError
"""What came of measuring a mesh: the answer, or why there is none."""

_measured: WeakKeyDictionary[Surface, dict[object, Outcome]] = WeakKeyDictionary()

REMEMBERED = 32
"""Outcomes kept for one surface: of its exact integral, and of the last methods and stretches tried on it."""


def measure(mesh: Mesh, params: Mapping[str, str], quick: bool = False) -> Measurement:
    """Measure a mesh in its part's frame, and remember the outcome for as long as its surface lives.

    The exact moments are integrated once on the surface as it is and then mapped; every other calculator sees the
    mesh as it will be written, in metres. So does the exact one where it finds something that it cannot integrate
    exactly, such as a union: what is a small error of a mesh may be a large one of the mesh under a stretch.

    With `quick`, as in `measure_mesh`, an answer will do that is not checked in full; one that is serves as well.
    """
    outcome = known_outcome(mesh, params, quick)
    if outcome is None:
        outcome = outcome_of(mesh, params, quick=quick)
        remember(mesh, params, outcome, quick)
    if isinstance(outcome, InertiaError):
        # Another one, or the traceback of the first would grow each time.
        raise _scaled(outcome, 1.0 if _is_of_baked(mesh, params, outcome) else mesh.volume_scale)
    if _is_of_baked(mesh, params, outcome):
        return outcome
    moments: Moments = outcome.moments.transformed(mesh.stretch)
    surface_read = None if outcome.surface is None else outcome.surface.stretched(mesh.stretch)
    # What unit the mesh is in shows only in metres; a box under a stretch is no larger than this.
    low, high = mesh.surface.bounds()
    longest = float((np.abs(mesh.stretch) @ (high - low)).max())
    findings = tuple(
        replace(finding, message=scaled_message(finding.message, mesh.volume_scale))
        for finding in outcome.findings
        if finding.code != UNIT_SUSPICION
    )
    return replace(outcome, moments=moments, surface=surface_read, findings=findings + unit(longest))


def _scaled(error: InertiaError, factor: float) -> InertiaError:
    message = scaled_message(error.message, factor)
    return InertiaError(error.code, error.subject, message, error.remedy, error.sdf_codes)


def outcome_of(mesh: Mesh, params: Mapping[str, str], progress: Progress | None = None, quick: bool = False) -> Outcome:
    """Measure a mesh as `measure` does, and neither look up nor remember it: fit for another thread.

    Parameters
    ----------
    params : mapping of str to str
        By qualified name.
    progress : callable, optional
        As in `measure_surface`: if it returns True, the outcome is the error ``cancelled``.
    quick : bool
        As in `measure_mesh`.
    """
    if chosen_method(params) != "exact":
        return _measured_by(mesh.baked, params, progress, quick)
    outcome = _measured_by(mesh.surface, params, progress, quick)
    if not _is_of_baked(mesh, params, outcome):
        return outcome
    outcome = _measured_by(mesh.baked, params, progress, quick)
    # An error is kept as the surface's, whatever its map.
    return _scaled(outcome, 1.0 / mesh.volume_scale) if isinstance(outcome, InertiaError) else outcome


def known_outcome(mesh: Mesh, params: Mapping[str, str], quick: bool = False) -> Outcome | None:
    """Return what came of measuring the mesh so before, if that is still known and, unless `quick`, checked in full."""
    known = _measured.get(mesh.surface, {})
    outcome = known.get(_key(mesh, params, baked=False))
    if outcome is None or _is_of_baked(mesh, params, outcome):
        outcome = known.get(_key(mesh, params, baked=True))
    if outcome is None and quick:
        outcome = known.get((QUICK, _key(mesh, params, baked=chosen_method(params) != "exact")))
    return outcome if outcome is None or quick or _is_checked(outcome) else None


def quick_differs(mesh: Mesh, params: Mapping[str, str]) -> bool:
    """Return True if a quick measurement leaves something unlooked for."""
    method = METHODS.get(chosen_method(params))
    return method is not None and method.diagnosed and len(mesh.surface.triangles) > READ_IN_FULL


def _is_checked(outcome: Outcome) -> bool:
    return isinstance(outcome, InertiaError) or all(finding.code != NOT_CHECKED for finding in outcome.findings)


QUICK = "quick"
"""What the key of a quick error begins with: its remedies have not been tried, and the full one's have."""


def remember(mesh: Mesh, params: Mapping[str, str], outcome: Outcome, quick: bool = False) -> None:
    """Keep an outcome for `measure`; a calculator of the user's own that failed is asked again."""
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
        # What is remembered has no traceback, whose frames hold the surface and all that was found out about it.
        return InertiaError(*error.args)


def _is_of_baked(mesh: Mesh, params: Mapping[str, str], outcome: Outcome) -> bool:
    """Return True if an outcome holds, or would hold, only for the mesh in metres, not for its surface mapped."""
    if chosen_method(params) != "exact":
        return True
    inexact = isinstance(outcome, Measurement) and outcome.error > 0.0
    return inexact and not _keeps_shape(mesh.stretch)


def _keeps_shape(A: FloatArray) -> bool:
    square = A.T @ A
    return bool(np.abs(square - np.eye(3) * square[0, 0]).max() <= SAME_SHAPE * square[0, 0])


SAME_SHAPE = 1e-5
"""A map whose axes differ less than this in length and angle, relatively, keeps any error's share."""


def _key(mesh: Mesh, params: Mapping[str, str], baked: bool) -> object:
    how = (mesh.stretch.tobytes(), tuple(sorted(params.items()))) if baked else ()
    # The calculator itself is part of the key: one registered again under an old name is asked again.
    return chosen_calculator(params), how
