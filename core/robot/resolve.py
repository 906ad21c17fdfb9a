# SPDX-License-Identifier: Apache-2.0
"""Computes the inertial of a link by libsdformat's rules (sdformat 16, Link::ResolveAutoInertials).

Collisions are summed even where they overlap; then mass and tensor are scaled to the target mass.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from ..body.inertial import Inertial
from ..body.materials import checked_mass
from ..body.pose import Pose
from ..errors import PART_REFUSED, Finding, InertiaError, Severity, has_error
from ..findings.remedy import Reader
from .auto import as_loaded, written_surface
from .model import InertiaMode, Link
from .overlapping import overlapping
from .part import Body, PartBody, resolve_part

ADVICE_EXACT = "choose Filled for this link, or the method Exact and a closed mesh"
"""What to do if a link cannot be Auto."""

ADVICE_SAME_PARTS = "choose Filled for this link, or let just the collisions have mass"
"""What to do if a link cannot be Auto because parts other than its collisions have mass."""


@dataclass(frozen=True, eq=False)
class LinkBody(Body):
    """The inertial of a link.

    Parameters
    ----------
    mode : str
        How it is to be written; it may differ from the mode of `link`.
    right : Inertial or None
        The correct inertial, if a mistake in a manual one is certain.
    """

    mode: InertiaMode
    pose: Pose
    parts: tuple[PartBody, ...]
    link: Link | None = None
    right: Inertial | None = None

    def all_findings(self) -> tuple[Finding, ...]:
        """Return the link's findings and those of its parts."""
        findings = self.findings
        for part in self.parts:
            findings += part.findings
        return findings

    def for_reader(self, reader: Reader) -> LinkBody:
        """Return the same link with all its remedies worded for one user interface, see `remedy_for`."""
        return replace(super().for_reader(reader), parts=tuple(part.for_reader(reader) for part in self.parts))

    @property
    def refused(self) -> bool:
        """True if a simulator would refuse the link, or there is no number for it that it should have."""
        return (self.inertial is None and self.mode != "none") or has_error(self.all_findings())


def resolve_link(
    link: Link, strict_auto: bool = False, from_file: bool = False, quick: bool = False, rough: bool = False
) -> LinkBody:
    """Compute a link's inertial from its parts that have mass, or take the manual one.

    Parameters
    ----------
    strict_auto : bool
        If a link cannot be Auto, make that an error instead of writing the link filled (``auto_not_possible``).
    from_file : bool
        The link was read from a file that stays unchanged: parts with a result are summed even if others have none, as
        libsdformat does (findings still make the link `refused`). If a simulator would compute another number, the
        warning is ``simulator_differs``.
    quick : bool
        As in `measure_mesh`: for live use, never for files or reports.
    rough : bool
        As in `measure`: to compare the result with another inertial by percents, never for a finding. Findings about
        the quality of meshes and overlaps are missing.

    Returns
    -------
    LinkBody
        Never raises for bad input: a part without a result is refused with its finding, and so is its link.
    """
    with np.errstate(over="ignore", invalid="ignore"):  # sizes of 1e200 m overflow, and end in the finding not_finite
        return _resolve(link, strict_auto, from_file, quick or rough, rough)


def _resolve(link: Link, strict_auto: bool, from_file: bool, quick: bool, rough: bool) -> LinkBody:
    if link.mode == "manual" or link.manual is not None:
        return _manual(link, strict_auto, quick)
    if link.mode == "none":
        unwritable = [] if quick or from_file else _unwritable(link, [])
        return _link_body(link, "none", None, [], [*link.findings, *unwritable])
    parts = [resolve_part(part, link, quick, rough) for part in link.weighed]
    findings = list(link.findings)
    refused = [part.name for part in parts if part.inertial is None]
    findings += _unwritable(link, parts) if not (quick or from_file) else []
    mode: InertiaMode = link.mode
    if not parts and not has_error(findings):
        form = "empty" if link.empty else "massless" if link.collisions else "link"
        findings.append(Finding.of("warning" if link.empty else "error", "no_collision", link.name, form))
    elif refused:
        values = {"count": len(refused), "total": len(parts), "parts": ", ".join(refused)}
        findings.append(Finding.of("error", PART_REFUSED, link.name, **values))
    try:
        # A link whose mass a simulator computes: its parts as the simulator has them, or why it cannot.
        if link.mode == "auto" and not refused and parts:
            loaded, notes, obstacles = as_loaded(link, parts, quick, from_file)
            if obstacles and from_file:
                findings.append(Finding.of("warning", "simulator_differs", link.name, reason="; ".join(obstacles)))
            elif obstacles:
                mode = "filled"
                remedy = ADVICE_EXACT if link.weighed == link.collisions else ADVICE_SAME_PARTS
                findings.append(_not_auto(link, "; ".join(obstacles), strict_auto, remedy))
            else:
                parts = loaded
                findings += notes
        if link.mass is not None:
            checked_mass(link.mass, link.name)
        known = [part for part in parts if part.inertial is not None]
        if not known or (refused and not from_file):
            return _link_body(link, mode, None, parts, findings)
        if not rough:
            findings += overlapping(link, known, sum(part.inertial.mass for part in known if part.inertial), quick)
        # A target mass scales all parts alike, unless some have a mass of their own: then only the others.
        with_mass = frozenset(part.name for part in link.weighed if part.mass is not None)
        if with_mass and link.mass is not None:
            known = parts = _scaled_except(link, parts, with_mass, link.mass)
        inertial = _sum(known)
        if link.mass is not None:
            if not inertial.mass > 0.0:
                raise InertiaError.of("bad_mass", link.name, "not_scalable", mass=inertial.mass, target=link.mass)
            scale = link.mass / inertial.mass
            inertial = inertial.scaled_to(link.mass)
        if not inertial.is_finite():
            raise InertiaError.of("not_finite", link.name, "link")
        if link.mass is not None and not with_mass:
            parts = [scaled(part, scale) for part in parts]
    except InertiaError as error:
        return _link_body(link, mode, None, parts, [*findings, error.about(link.name).finding()])
    inertial = inertial.without_noise()
    findings += [finding.about(link.name) for finding in inertial.findings()]
    return _link_body(link, mode, inertial, parts, findings)


def _unwritable(link: Link, parts: list[PartBody]) -> list[Finding]:
    """Return findings about collisions that cannot be written as chosen: as a hull, or with fewer faces."""
    corrected = {part.name: part.surface for part in parts}
    findings = []
    for collision in link.collisions:
        try:
            written_surface(collision, corrected.get(collision.name))
        except InertiaError as error:
            findings.append(error.about(f"{link.name}/{collision.name}").finding())
    return findings


def _link_body(
    link: Link, mode: InertiaMode, inertial: Inertial | None, parts: list[PartBody], findings: list[Finding]
) -> LinkBody:
    methods = {part.method for part in parts}
    method = "none" if mode == "none" else methods.pop() if len(methods) == 1 else "sum"
    volume, errors = None, [0.0, 0.0]
    if inertial is not None:
        # An error of a part counts in the link by the part's share of its mass.
        volume = sum([part.volume for part in parts if part.volume is not None])
        known = [(part, part.inertial.mass) for part in parts if part.inertial is not None]
        whole = sum(mass for _, mass in known)
        shares = [(part, mass / whole if whole else 1.0) for part, mass in known]  # a total of 0 has underflowed
        errors = [
            sum([share * part.error for part, share in shares]),
            sum([share * part.error_inertia for part, share in shares]),
        ]
    values = inertial, volume, method, errors[0], tuple(findings), mode, link.pose, tuple(parts), link
    return LinkBody(link.name, *values, error_inertia=errors[1])


def _manual(link: Link, strict_auto: bool, quick: bool) -> LinkBody:
    findings = link.findings
    if link.manual is None:
        findings += (Finding.of("error", "no_manual_inertia", link.name),)
    else:
        findings += tuple(finding.about(link.name) for finding in link.manual.findings())
        if link.mode == "auto":
            computed = resolve_link(replace(link, manual=None), quick=quick).inertial
            other = "no mass" if computed is None else f"{computed.mass:.6g} kg"
            reason = f"its inertia is manual with {link.manual.mass:.6g} kg, its collisions would give {other}"
            remedy = "choose Auto on the link itself, if the entered numbers are not meant"
            findings += (_not_auto(link, reason, strict_auto, remedy, "as entered"),)
    inertial = None if has_error(findings) else link.manual
    return LinkBody(link.name, inertial, None, "manual", 0.0, findings, "manual", link.pose, (), link)


def _not_auto(link: Link, reason: str, strict_auto: bool, remedy: str, instead: str = "filled") -> Finding:
    severity: Severity = "error" if strict_auto else "warning"
    form = "strict" if strict_auto else ""
    return Finding.of(severity, "auto_not_possible", link.name, form, instead=instead, reason=reason, remedy=remedy)


def _scaled_except(link: Link, parts: list[PartBody], with_mass: Collection[str], target: float) -> list[PartBody]:
    """Scale the parts that do not keep their mass, so that all parts add up to the target [kg]; raise if impossible."""
    masses = {part.name: part.inertial.mass for part in parts if part.inertial is not None}
    fixed = sum(mass for name, mass in masses.items() if name in with_mass)
    free = sum(mass for name, mass in masses.items() if name not in with_mass)
    if not (target > fixed and free > 0.0):
        form = "alone" if target > fixed else "others"
        weighed = f"its parts with a mass of their own weigh {fixed:.6g} kg"
        raise InertiaError.of("target_below_parts", link.name, form, weighed=weighed, target=target)
    scale = (target - fixed) / free
    return [
        part if part.name in with_mass else replace(scaled(part, scale), density=part.density and part.density * scale)
        for part in parts
    ]


def scaled(part: PartBody, scale: float) -> PartBody:
    """Return a part with its mass multiplied by a factor; its density stays that in the file."""
    inertial = part.inertial
    if inertial is None:
        return part
    return replace(part, inertial=Inertial(inertial.mass * scale, inertial.com, inertial.inertia * scale))


def _sum(parts: list[PartBody]) -> Inertial:
    total, *others = [part.inertial for part in parts if part.inertial is not None]
    for other in others:
        total += other
    return total
