# SPDX-License-Identifier: Apache-2.0
"""Finds what is wrong with the inertial of each link of a file: by its numbers, its geometry, and the other links."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec

import numpy as np

from ..body.inertial import Inertial
from ..errors import Finding, InertiaError
from ..formats.file_link import FileLink
from ..formats.robot_file import RobotFile
from ..mesh.progress import unless_unwanted
from ..robot.resolve import resolve_link
from .among_links import (
    drawn_by_fixed_links,
    with_copies,
    with_default_density,
    with_empty_masses,
    with_one_unit,
    with_shapeless,
    with_slips,
)
from .geometry.given_inertial import OF_TENSOR, Doubts, may_be_judged, not_compared
from .number_checks import check_numbers
from .twins import with_twins
from .verdict import Verdict, judge_inertial, of_mass

TOKEN = 1e-3
"""A fixed link with less than this share of the robot's mass has a token mass: some tools demand one above 0."""


def find_faults(
    file: RobotFile, strict: bool = False, by_geometry: bool = True, known: Iterable[Verdict] = ()
) -> list[Verdict]:
    """Return a verdict, without a plan, for each link of a file, in their order.

    Parameters
    ----------
    file : RobotFile
    strict : bool
        As in `judge`.
    by_geometry : bool
        False reads no mesh: only the numbers of the inertials are checked.
    known : iterable of Verdict
        Those before some inertials of the file changed: a link with the same numbers is not compared with its geometry
        again.
    """
    before = {verdict.link.name: verdict for verdict in known}
    verdicts = []
    total = sum(link.inertial.mass for link in file.links if link.inertial is not None and link.inertial.mass > 0.0)
    for link, body in zip(file.links, file.bodies, strict=True):
        unless_unwanted()
        findings = check_numbers(link, body, link.name in file.held)
        doubts = by_itself = Doubts()
        given = body.inertial if link.auto else link.inertial
        judged = by_geometry and may_be_judged(findings) and not link.static
        if judged and given is not None and given.mass > 0.0:
            last = before.get(link.name)
            if last is not None and _has_same_numbers(link, last.link):
                doubts = by_itself = last.by_itself
            else:
                doubts = by_itself = judge_inertial(link, given, strict, None if link.auto else link.written)
            if any(finding.code == "com_outside" and finding.severity == "warning" for finding in doubts.findings):
                doubts = _among_fixed_links(file, link, given, strict, doubts)
            if link.name in file.held and given.mass < TOKEN * total:
                doubts = _without(doubts, ("implied_density", "small_geometry"))
            if link.auto and not link.has_inertial:  # a number that a simulator computes has no unit
                others = _without(doubts, ("geometry_unit",))
                doubts = replace(others, findings=tuple(map(_as_warning, others.findings)), right=None)
            if link.auto:
                doubts = replace(doubts, findings=tuple(_of_auto(doubt, given, doubts) for doubt in doubts.findings))
            if any(finding.code == "zero_moment" for finding in findings):
                doubts = _without(doubts, OF_TENSOR)
        about = (link.element.about(finding) for finding in (*findings, *doubts.findings))
        verdicts.append(Verdict(link, tuple(dict.fromkeys(about)), by_itself, doubts.right))
    return _compared(verdicts) if by_geometry else verdicts


def _among_fixed_links(file: RobotFile, link: FileLink, given: Inertial, strict: bool, doubts: Doubts) -> Doubts:
    """Return the doubts about a centre of mass outside of a link: none, if links fixed to it draw what weighs there."""
    with suppress(InertiaError):  # of a joint that is not valid
        around = drawn_by_fixed_links(link, file.links, file.joints().get(link.model, ()))
        others = judge_inertial(link, given, strict, around=around)
        if around and not any(finding.code == "com_outside" for finding in others.findings):
            return others
    return doubts


def _compared(verdicts: list[Verdict]) -> list[Verdict]:
    """Return the verdicts with what only a comparison of the links shows."""
    comparisons = (with_one_unit, with_empty_masses, with_shapeless, with_copies, with_slips, with_twins)
    for compare in (*comparisons, with_default_density):
        verdicts = compare(verdicts)
    return verdicts


def _has_same_numbers(link: FileLink, before: FileLink) -> bool:
    """Return True if two readings of an explicit inertial agree, in their digits too."""
    if link.auto or before.auto:
        return False
    pairs = ((_numbers(link.inertial), _numbers(before.inertial)), (_digits(link), _digits(before)))
    return all(np.array_equal(now, then, equal_nan=True) for now, then in pairs)


def _numbers(inertial: Inertial | None) -> list[float]:
    return [] if inertial is None else [inertial.mass, *inertial.com.tolist(), *inertial.inertia.ravel().tolist()]


def _digits(link: FileLink) -> list[float]:
    given = link.written
    return [] if given is None else [*given.six.tolist(), *given.rounding.tolist(), given.mass_rounding]


def unread_geometry(verdicts: Sequence[Verdict]) -> list[Finding]:
    """Return one finding for all links that could not be compared with their geometry, or an empty list."""
    reasons = [(verdict.link, verdict.unread) for verdict in verdicts]
    if find_spec("manifold3d") is None:
        reasons = [(link, reason or _missing_library(link)) for link, reason in reasons]
    unread = [link.element.led_to(reason) for link, reason in reasons if reason is not None]
    return [not_compared(unread)] if unread else []


def _missing_library(link: FileLink) -> InertiaError | None:
    """Return the error of a link whose geometry is a mesh with parts that overlap; an auto link has it already."""
    if link.auto:
        return None
    parts = link.parts("collision") or link.parts("visual")
    findings = resolve_link(replace(link.solid, collisions=parts), rough=True).all_findings()
    missing = (finding for finding in findings if finding.code == "missing_library")
    return next((InertiaError(error.code, error.subject, error.sentence, error.fix) for error in missing), None)


def _as_warning(finding: Finding) -> Finding:
    return finding if finding.severity == "info" else replace(finding, severity="warning")


def _of_auto(finding: Finding, given: Inertial, doubts: Doubts) -> Finding:
    """Return a doubt about numbers that a simulator computes, as one about the mass or density that the file gives."""
    if finding.code == "implied_density":
        form = "stated_box" if finding.sentence.form == "box" else "stated"
        return Finding.of(finding.severity, finding.code, finding.subject, form, **finding.sentence.values)
    return of_mass(finding, given, doubts.right)


def _without(doubts: Doubts, codes: Sequence[str]) -> Doubts:
    return replace(doubts, findings=tuple(finding for finding in doubts.findings if finding.code not in codes))
