# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wrong or doubtful about the inertials of a file: one verdict a link, which every command goes by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Literal, get_args

import numpy as np

from ..body.inertial import Inertial
from ..body.templates import shared_tensors
from ..errors import PART_REFUSED, Finding, InertiaError, has_error
from ..formats.robot_file import RobotFile
from ..robot.extent import extent_of
from ..robot.given_inertial import Doubts, doubts_of, not_compared
from ..robot.model import Unusable
from ..robot.plausibility import fits
from ..robot.resolve import LinkBody
from ..sdf.file_link import FileLink
from ..sdf.xml.document import child_of

Fault = Literal["impossible", "placeholder", "missing", "mistake", "doubtful", "geometry"]
FAULTS: tuple[Fault, ...] = get_args(Fault)

OF_CODE: dict[str, Fault] = {
    "geometry_unit": "geometry",
    "default_inertial": "missing",
    "massless_link": "missing",
    "template_tensor": "placeholder",
    "padded_diagonal": "placeholder",
    "copied_tensor": "placeholder",
    "zero_moment": "doubtful",
    "small_tensor": "doubtful",
    "implied_density": "doubtful",
    "radius_of_gyration": "doubtful",
    "impossible_spread": "doubtful",
    "small_geometry": "doubtful",
    "unit_suspicion": "doubtful",
    "com_outside": "doubtful",
    "inertial_unit": "mistake",
}
"""The fault that a finding about an inertial stands for; any other error makes it impossible."""

WORST_FIRST: tuple[Fault, ...] = ("geometry", "missing", "impossible", "mistake", "placeholder", "doubtful")

NO_SIZE = 1e-7
"""A radius of gyration [m] below this is that of a point: a tenth of a micrometre, smaller than any part of a robot."""

FOLLOW_A_ZERO = ("zero_moment", "bad_number", "default_inertial", "negative_moment", "triangle_inequality", "not_finite")
"""Findings that only follow from a tensor that is zero or not there."""

LIGHT = 1e-6
"""A fixed frame without geometry may have a mass up to this [kg]: some tools demand one above 0."""


@dataclass(frozen=True)
class Verdict:
    """What is wrong with a link's inertial.

    Parameters
    ----------
    link : FileLink
    findings : tuple of Finding
        About the link, at its place in the file; empty for a sound one.
    unread : InertiaError or None
        Why it could not be compared with its geometry.
    right : Inertial or None
        What the file means, if a mistake in its numbers is certain.
    """

    link: FileLink
    findings: tuple[Finding, ...]
    unread: InertiaError | None = None
    right: Inertial | None = None

    @property
    def fault(self) -> Fault | None:
        """The worst fault that its findings stand for, None for a sound link."""
        if self.right is not None:
            return "mistake"
        faults = {_fault_of(one) for one in self.findings if one.severity != "info"}
        return next((fault for fault in WORST_FIRST if fault in faults), None)


def _fault_of(finding: Finding) -> Fault | None:
    return OF_CODE.get(finding.code, "impossible" if finding.severity == "error" else None)


def judge_file(file: RobotFile, strict: bool = False) -> list[Finding]:
    """Return all findings about a file and its links.

    Parameters
    ----------
    file : RobotFile
    strict : bool
        Without margins, and with what is often no fault, as infos.
    """
    verdicts = judge_links(file, strict)
    findings = [*file.findings, *merged(file, verdicts), *file.engine_findings()]
    unread = [one.link.place.led_to(one.unread) for one in verdicts if one.unread is not None]
    if unread:
        findings.append(not_compared(unread))
    read = {one.subject for one in findings if one.code in ("bad_number", "bad_vector", "bad_boolean")}
    shown = (one for one in dict.fromkeys(findings) if strict or one.severity != "info")
    return [one for one in shown if one.code != "bad_value" or one.subject not in read]


def judge_links(file: RobotFile, strict: bool = False, by_geometry: bool = True) -> list[Verdict]:
    """Return a verdict for each link of a file, in their order; see `judge_file`.

    Without `by_geometry` no mesh is read: the inertials are judged by their numbers alone.
    """
    verdicts = []
    for link, body in zip(file.links, file.bodies, strict=True):
        findings = _by_numbers(link, body, link.name in file.held)
        doubts = Doubts()
        given = body.inertial if link.auto else link.inertial
        judged = by_geometry and not has_error(findings) and not link.static
        if judged and given is not None and given.mass > 0.0:
            doubts = judge_inertial(link, given, strict)
        about = (link.place.about(finding) for finding in (*findings, *doubts.findings))
        verdicts.append(Verdict(link, tuple(dict.fromkeys(about)), doubts.unread, doubts.right))
    return _with_copies(verdicts) if by_geometry else verdicts


def judge_inertial(link: FileLink, inertial: Inertial, strict: bool = False) -> Doubts:
    """Return what is doubtful about an inertial, possible in itself, in the geometry of a link."""
    collisions = link.link.collisions
    wrong = [one for one in collisions if not isinstance(one.geometry, Unusable) and extent_of([one]) is None]
    if wrong and not link.auto:  # of an auto link it is an error, which the link's own findings report
        sizes = ", ".join(f"'{one.name}' is {one.geometry}" for one in wrong)
        message = f"no body has the size or place of its collision: {sizes}"
        return Doubts((Finding("warning", "bad_size", "", message, "give every size a length above 0"),))
    uniform = (lambda: None if link.body.refused else link.body) if link.auto else link.uniform
    return doubts_of(inertial, collisions, lambda: link.shown, uniform, strict)


def _by_numbers(link: FileLink, body: LinkBody, held: bool) -> list[Finding]:
    """Return what is wrong with a link by its numbers alone, with the severity that its place in the robot asks for."""
    findings = [one for one in body.all_findings() if one.code != PART_REFUSED]  # the part's own finding says more
    if link.auto:
        return findings
    if not link.has_inertial:
        others = [one for one in findings if one.code != "default_inertial"]
        return [*others, *_missing(link, held)]
    given, mass = link.inertial, link.mass
    if mass == 0.0 and not any(one.code == "zero_mass" for one in findings):
        findings = [one for one in findings if one.code != "bad_mass"]
        findings.append(_massless(held))
    if mass is None or not mass > 0.0:
        return findings
    has_tensor = child_of(child_of(link.element, "inertial"), "inertia") is not None
    if given is None and not has_tensor and body.inertial is not None:  # what the format takes instead
        if link.has_geometry and not link.static:
            message = f"it has a mass of {mass:.4g} kg and no <inertia>; SDFormat takes moments of 1 kg·m²"
            findings.append(Finding("warning", "default_inertial", "", message, "compute it: repair"))
    elif (given is None and not has_tensor) or (given is not None and _is_zero(given)):
        findings = [one for one in findings if one.code not in FOLLOW_A_ZERO]
        if link.has_geometry or not held:
            findings.append(_zero_tensor(mass, has_tensor))
        elif mass <= LIGHT:
            findings.append(Finding("info", "zero_mass", "", f"its mass is {mass:g} kg; it is fixed to a body"))
    return findings


def _missing(link: FileLink, held: bool) -> Iterator[Finding]:
    if link.static or link.is_frame and held:
        return
    remedy = "compute it: repair --density KG_M3, or give it one"
    if link.has_geometry:
        message = "it is fixed, has geometry and no inertial" if held else "it moves and has no inertial"
        yield Finding("warning", "default_inertial", "", message, remedy)
    elif not held:
        yield Finding("info", "default_inertial", "", "it moves and has neither inertial nor geometry", remedy)


def _massless(held: bool) -> Finding:
    if held:
        return Finding("info", "zero_mass", "", "its mass is 0; it is part of a rigid group")
    message = "its mass is 0, and it moves"
    return Finding("warning", "massless_link", "", message, "give it a mass, or fix it to another link")


def _is_zero(inertial: Inertial) -> bool:
    trace = float(np.abs(np.diag(inertial.inertia)).sum())
    return bool(inertial.is_finite() and inertial.mass > 0.0 and sqrt(trace / inertial.mass) < NO_SIZE)


def _zero_tensor(mass: float, has_tensor: bool) -> Finding:
    what = "the tensor is zero" if has_tensor else "it has no <inertia>"
    message = f"{what}, and the mass is {mass:.4g} kg"
    return Finding("error", "zero_tensor", "", message, "compute it from the geometry: repair")


def _with_copies(verdicts: list[Verdict]) -> list[Verdict]:
    """Add the finding of those that share a tensor with links of other masses and that it does not fit."""
    given = [(number, one.link.inertial) for number, one in enumerate(verdicts) if not one.link.static]
    known = [(number, inertial) for number, inertial in given if inertial is not None and not _is_zero(inertial)]
    for group in shared_tensors([inertial for _, inertial in known]):
        numbers = [known[one][0] for one in group]
        inertials = [known[one][1] for one in group]
        names = ", ".join(verdicts[number].link.local_name for number in numbers[:8]) + (", ..." if group[8:] else "")
        masses = [inertial.mass for inertial in inertials]
        message = f"{len(group)} links of {min(masses):.4g} to {max(masses):.4g} kg share its tensor: {names}"
        finding = Finding("warning", "copied_tensor", "", message, "compute it from the geometry: repair")
        for number, inertial in zip(numbers, inertials, strict=True):
            verdict = verdicts[number]
            has_other = verdict.fault in ("impossible", "geometry", "mistake", "placeholder")
            if not has_other and not _fits(verdict.link, inertial):
                about = verdict.link.place.about(finding)
                verdicts[number] = replace(verdict, findings=(*verdict.findings, about))
    return verdicts


def _fits(link: FileLink, inertial: Inertial) -> bool:
    """Return True if a tensor is about that of the link's uniform geometry, or that cannot be computed."""
    uniform = link.uniform_shown()
    if uniform is None or uniform.inertial is None:
        return True
    return fits(inertial, uniform.inertial)


def merged(file: RobotFile, verdicts: Sequence[Verdict]) -> Iterable[Finding]:
    """Return the findings of the links; one for all if none of them has an inertial."""
    findings = [finding for one in verdicts for finding in one.findings]
    missing = [one for one in findings if one.code == "default_inertial" and one.severity == "warning"]
    if len(missing) < 2 or any(link.has_inertial for link in file.links):
        return findings
    reads = "; Gazebo takes 1 kg and unit moments for each" if file.format_name == "SDF" else ""
    message = f"none of its {len(file.links)} links has an inertial{reads}"
    whole = Finding("warning", "no_inertials", file.document.name, message, missing[0].remedy)
    return [whole, *(one for one in findings if one.code != "default_inertial")]
