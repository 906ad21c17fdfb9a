# SPDX-License-Identifier: GPL-3.0-or-later
"""From a link to its inertial, by libsdformat's rules (sdformat 16, Link::ResolveAutoInertials).

A collision's density wins over the link's, that over 1000 kg/m³; a collision's parameters replace the link's whole;
collisions are summed even where they overlap; then mass and tensor are scaled to the target mass.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np

from .calculators import calculate, chosen_calculator, chosen_method
from .errors import Finding, InertiaError, Severity, has_error
from .inertial import Inertial
from .materials import WATER, checked_density, checked_mass
from .mesh.measure import Measurement
from .mesh.surface import Surface
from .model import Collision, InertiaMode, Link, Mesh, Model
from .moments import Moments
from .pose import Pose

NOT_LOADED = 1e-6
"""A simulator's own number may differ from ours by this much, relatively, before a link is written filled."""

WORTH_SAYING = 1e-2
"""A method that a simulator may ignore is worth a word from this relative difference on."""


@dataclass(frozen=True, eq=False)
class Body:
    """The numbers of a link or of one of its parts; all None for a refused body.

    Parameters
    ----------
    name : str
        The link's or collision's name.
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


@dataclass(frozen=True, eq=False)
class PartBody(Body):
    """A collision's share of its link; `surface` is its mesh [m] where that was corrected, else None."""

    geometry: str
    density: float | None
    surface: Surface | None = None


@dataclass(frozen=True, eq=False)
class LinkBody(Body):
    """A link's inertial; `mode` is how it is to be written, which may differ from what was asked for."""

    mode: InertiaMode
    pose: Pose
    parts: tuple[PartBody, ...]

    def all_findings(self) -> tuple[Finding, ...]:
        """Return the link's findings and those of its parts."""
        return self.findings + tuple(finding for part in self.parts for finding in part.findings)

    @property
    def refused(self) -> bool:
        """True where a simulator would refuse the link, or there is no number for it."""
        return self.inertial is None or has_error(self.all_findings())


def resolve_model(model: Model, strict_auto: bool = False) -> tuple[LinkBody, ...]:
    """Resolve every link of a model; see `resolve_link`."""
    return tuple(resolve_link(link, strict_auto) for link in model.links)


def resolve_link(link: Link, strict_auto: bool = False) -> LinkBody:
    """Compute a link's inertial from its collisions, or take the manual one.

    Parameters
    ----------
    link : Link
    strict_auto : bool
        Make ``auto_not_possible`` an error instead of writing the link filled.

    Returns
    -------
    LinkBody
        Never raises for bad input: a part without an answer is refused with its finding, and so is its link.
    """
    if link.mode == "manual" or link.manual is not None:
        return _manual(link, strict_auto)
    parts = [_part(collision, link) for collision in link.collisions]
    findings = list(link.findings)
    refused = [part.name for part in parts if part.inertial is None]
    mode: InertiaMode = link.mode
    if not parts:
        findings.append(_no_collision(link))
    elif refused:
        names = ", ".join(refused)
        message = f"{len(refused)} of its {len(parts)} parts has no inertia: {names}"
        findings.append(Finding("error", "part_refused", link.name, message, "see the finding of the part"))
    try:
        if link.mode == "auto" and not refused and parts:
            mode, parts, notes = _as_loaded(link, parts, strict_auto)
            findings += notes
        if link.mass is not None:
            checked_mass(link.mass, link.name)
        if refused or not parts:
            return _link_body(link, mode, None, parts, findings)
        inertial = _sum(parts)
        if link.mass is not None:
            scale = link.mass / inertial.mass
            parts = [_scaled(part, scale) for part in parts]
            inertial = inertial.scaled_to(link.mass)
    except InertiaError as error:
        return _link_body(link, mode, None, parts, [*findings, error.about(link.name).finding()])
    inertial = inertial.without_noise()
    findings += [finding.about(link.name) for finding in inertial.findings()]
    return _link_body(link, mode, inertial, parts, findings)


def _link_body(
    link: Link, mode: InertiaMode, inertial: Inertial | None, parts: list[PartBody], findings: list[Finding]
) -> LinkBody:
    methods = {part.method for part in parts}
    method = methods.pop() if len(methods) == 1 else "sum"
    volumes = [part.volume for part in parts if part.volume is not None]
    volume, error = None, 0.0
    if inertial is not None:
        volume = sum(volumes)
        masses = [part.inertial.mass for part in parts if part.inertial is not None]
        error = float(np.dot(masses, [part.error for part in parts]) / sum(masses))
    return LinkBody(link.name, inertial, volume, method, error, tuple(findings), mode, link.pose, tuple(parts))


def _manual(link: Link, strict_auto: bool) -> LinkBody:
    findings = link.findings
    if link.manual is None:
        message = "its inertia is manual, but no mass and tensor are given"
        findings += (Finding("error", "no_manual_inertia", link.name, message, "enter them, or choose AUTO or FILLED"),)
    else:
        findings += tuple(finding.about(link.name) for finding in link.manual.findings())
        if link.mode == "auto":
            computed = resolve_link(replace(link, manual=None)).inertial
            other = "no mass" if computed is None else f"{computed.mass:.6g} kg"
            reason = f"its inertia is manual with {link.manual.mass:.6g} kg, its collisions would give {other}"
            findings += (_not_auto(link, reason, strict_auto),)
    inertial = None if has_error(findings) else link.manual
    return LinkBody(link.name, inertial, None, "manual", 0.0, findings, "manual", link.pose, ())


def _not_auto(link: Link, reason: str, strict_auto: bool) -> Finding:
    severity: Severity = "error" if strict_auto else "warning"
    remedy = "choose FILLED or MANUAL for this link, or the method exact and a closed mesh"
    return Finding(severity, "auto_not_possible", link.name, f"the link is written filled: {reason}", remedy)


def _no_collision(link: Link) -> Finding:
    message = "it has no collision to compute its inertia from"
    return Finding("error", "no_collision", link.name, message, "tag a collision below it, or make its inertia MANUAL")


def _params(collision: Collision, link: Link) -> Mapping[str, str]:
    return link.params if collision.params is None else collision.params


def _part(collision: Collision, link: Link) -> PartBody:
    """Resolve one collision by the method that was chosen for it."""
    subject = f"{link.name}/{collision.name}"
    findings = [finding.about(subject) for finding in collision.findings]
    density = collision.density if collision.density is not None else link.density
    kind = collision.geometry.kind
    if density is None:
        density = WATER
        if link.mass is None:
            message = f"no density is given; SDFormat's default of {WATER:g} kg/m³ (water) is used"
            remedy = "give the part or its link a density"
            findings.append(Finding("warning", "default_density", subject, message, remedy))
    method, surface = "primitive", None
    try:
        checked_density(density, subject)
        if isinstance(collision.geometry, Mesh):
            method = chosen_method(_params(collision, link))
            measured = measure(collision.geometry, _params(collision, link))
            findings += [finding.about(subject) for finding in measured.findings]
            moments, error = measured.moments, measured.error
            surface = measured.surface
        else:
            moments, error = collision.geometry.moments(), 0.0
        inertial = moments.inertial(density).transformed(collision.pose).without_noise()
    except InertiaError as problem:
        findings.append(problem.about(subject).finding())
        return PartBody(collision.name, None, None, method, 0.0, tuple(findings), kind, density)
    return PartBody(collision.name, inertial, moments.volume, method, error, tuple(findings), kind, density, surface)


def _sum(parts: list[PartBody]) -> Inertial:
    total = Inertial.zero
    for part in parts:
        if part.inertial is not None:
            total += part.inertial
    return total


def _scaled(part: PartBody, scale: float) -> PartBody:
    if part.inertial is None or part.density is None:
        return part
    return replace(part, inertial=part.inertial.scaled_to(part.inertial.mass * scale), density=part.density * scale)


def _as_loaded(
    link: Link, parts: list[PartBody], strict_auto: bool
) -> tuple[InertiaMode, list[PartBody], list[Finding]]:
    """Return how an AUTO link is written, and its parts as a simulator will compute them from the file.

    A simulator integrates each mesh exactly, whatever the parameters say. Voxels are a matter of accuracy, so there
    the exact number is the one shown; any other method means another solid, so there the link is written filled.
    """
    loaded, findings, obstacles = [], [], []
    for part, collision in zip(parts, link.collisions, strict=True):
        if not isinstance(collision.geometry, Mesh) or part.method == "exact":
            loaded.append(part)
            continue
        exact = _part(replace(collision, params={}), link)
        if exact.inertial is None:
            obstacles.append(f"{part.name} has no exact integral ({exact.findings[-1].code})")
        elif part.inertial is not None:
            difference = _difference(part.inertial, exact.inertial)
            if part.method == "voxel":
                loaded.append(exact)
                if difference > WORTH_SAYING:
                    findings.append(_ignored(link, part, part.inertial.mass, exact.inertial.mass, difference))
            elif difference > NOT_LOADED:
                obstacles.append(
                    f"{part.name} by method {part.method} has {part.inertial.mass:.6g} kg,"
                    f" a simulator would get {exact.inertial.mass:.6g} kg"
                )
            else:
                loaded.append(part)
    if not obstacles:
        return "auto", loaded, findings
    return "filled", parts, [_not_auto(link, "; ".join(obstacles), strict_auto)]


def _ignored(link: Link, part: PartBody, voxel: float, exact: float, difference: float) -> Finding:
    return Finding(
        "warning",
        "auto_ignores_method",
        f"{link.name}/{part.name}",
        f"voxels give {voxel:.6g} kg, the exact integral {exact:.6g} kg (they differ by {difference:.1%}); a simulator"
        " may ignore gz:voxel_size, so the exact number is shown",
        "choose a smaller voxel, the method exact, or FILLED",
    )


def _difference(a: Inertial, b: Inertial) -> float:
    """Return how far two bodies are apart, relative to the second: in mass, or in any component of the tensor."""
    mass = abs(a.mass - b.mass) / b.mass
    return float(max(mass, np.abs(a.inertia - b.inertia).max() / np.trace(b.inertia)))


_measured: WeakKeyDictionary[Surface, dict[object, Measurement]] = WeakKeyDictionary()

REMEMBERED = 8
"""Measurements kept for one surface: its exact moments, and the last few methods or stretches tried on it."""


def measure(mesh: Mesh, params: Mapping[str, str]) -> Measurement:
    """Measure a mesh in its part's frame, and remember it for as long as its surface lives.

    The exact moments are integrated once on the surface as it is and then mapped; every other calculator sees the
    mesh as it will be written, in metres.
    """
    known = _measured.setdefault(mesh.surface, {})
    exact = chosen_method(params) == "exact"
    # The calculator itself is part of the key: one registered anew under an old name is asked anew.
    how = () if exact else (mesh.stretch.tobytes(), tuple(sorted(params.items())))
    key = (chosen_calculator(params), how)
    if key not in known:
        while len(known) >= REMEMBERED:
            del known[next(iter(known))]
        surface = mesh.surface if exact else mesh.baked
        known[key] = calculate(surface.vertices, surface.triangles, params)
    measured = known[key]
    if not exact:
        return measured
    moments: Moments = measured.moments.transformed(mesh.stretch)
    surface_read = None if measured.surface is None else measured.surface.stretched(mesh.stretch)
    return replace(measured, moments=moments, surface=surface_read)
