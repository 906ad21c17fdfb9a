# SPDX-License-Identifier: Apache-2.0
"""Judges the inertials of a file: one verdict for each link, shared by all commands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ..engines.table import view_of
from ..errors import Finding
from ..findings.remedy import OF_REPAIR, Remedy
from ..formats.robot_file import RobotFile
from ..robot.given_inertial import OF_TENSOR, Doubts, may_be_judged, not_compared
from ..robot.mistakes.tensor import CODES
from .among_links import merged_findings, with_copies, with_shapeless
from .numbers import check_numbers
from .twins import with_twins
from .verdict import MISTAKES, OF_CODE, REPAIRED, Verdict, judge_inertial

PLACEHOLDER = 1e-3
"""A fixed link with less than this share of the robot's mass has a token mass: some tools demand one above 0."""


def judge_file(
    file: RobotFile,
    strict: bool = False,
    verdicts: Sequence[Verdict] | None = None,
    engines: Iterable[str] = (),
) -> list[Finding]:
    """Return all findings about a file and its links.

    Parameters
    ----------
    file : RobotFile
    strict : bool
        Apply stricter limits, and return infos too, which are often harmless.
    verdicts : sequence of Verdict, optional
        The verdicts on its links, if they are known already.
    engines : iterable of str
        Names in `ENGINES`; what these refuse, or simulate in their own way, is returned too.
    """
    verdicts = judge_links(file, strict) if verdicts is None else verdicts
    findings = [*file.findings, *merged_findings(file, verdicts), *file.engine_findings(), *unread_geometry(verdicts)]
    read = {one.subject for one in findings if one.code in ("bad_number", "bad_vector", "bad_boolean")}
    shown = (one for one in dict.fromkeys(findings) if strict or one.severity != "info")
    findings = [one for one in shown if one.code != "bad_value" or one.subject not in read]
    known = {(one.code, one.subject) for one in findings}
    views = (view_of(engine, file) for engine in engines)
    others = (one for view in views for one in view.all_findings if strict or one.severity != "info")
    return [*findings, *(one for one in others if (one.code, one.subject) not in known)]


def judge_links(file: RobotFile, strict: bool = False, by_geometry: bool = True) -> list[Verdict]:
    """Return a verdict for each link of a file, in their order; see `judge_file`.

    Without `by_geometry` no mesh is read: only the numbers of the inertials are checked.
    """
    verdicts = []
    total = sum(link.inertial.mass for link in file.links if link.inertial is not None and link.inertial.mass > 0.0)
    for link, body in zip(file.links, file.bodies, strict=True):
        findings = check_numbers(link, body, link.name in file.held)
        doubts = Doubts()
        given = body.inertial if link.auto else link.inertial
        judged = by_geometry and may_be_judged(findings) and not link.static
        if judged and given is not None and given.mass > 0.0:
            doubts = judge_inertial(link, given, strict, None if link.auto else link.written)
            if link.name in file.held and given.mass < PLACEHOLDER * total:
                doubts = _without(doubts, ("implied_density", "small_geometry"))
            if link.auto and not link.has_inertial:  # a number that a simulator computes has no unit
                own = _without(doubts, ("geometry_unit",))
                doubts = replace(own, findings=tuple(map(_as_warning, own.findings)), right=None)
            if any(one.code == "zero_moment" for one in findings):
                doubts = _without(doubts, OF_TENSOR)
        about = (
            link.place.about(finding) for finding in (*findings, *_with_commands(doubts, file.changes_in_place(link)))
        )
        verdicts.append(Verdict(link, tuple(dict.fromkeys(about)), doubts.unread, doubts.right))
    return with_twins(with_copies(with_shapeless(verdicts))) if by_geometry else verdicts


def unread_geometry(verdicts: Sequence[Verdict]) -> list[Finding]:
    """Return one finding for all links that could not be compared with their geometry, or an empty list."""
    unread = [one.link.place.led_to(one.unread) for one in verdicts if one.unread is not None]
    return [not_compared(unread)] if unread else []


def _with_commands(doubts: Doubts, in_place: bool) -> Iterator[Finding]:
    """Yield the findings, with the options of `repair` that correct each in its remedy."""
    place = "--in-place" if in_place else ""
    for finding in doubts.findings:
        what: str | None = OF_CODE.get(finding.code)
        if finding.code in CODES.values():
            what = None if doubts.right is not None else MISTAKES[finding.code]
        chosen = f"{place} --what {what}".lstrip() if what not in (None, *REPAIRED) else place
        if finding.severity == "info":  # which `repair` leaves as it is
            yield replace(finding, remedy=str(finding.remedy))
        elif isinstance(finding.remedy, Remedy):
            options = {name: chosen for name in OF_REPAIR} | {"compute_both": f"{chosen} --com geometry".lstrip()}
            yield replace(finding, remedy=finding.remedy.with_values(options))
        else:
            yield finding


def _as_warning(finding: Finding) -> Finding:
    return finding if finding.severity == "info" else replace(finding, severity="warning")


def _without(doubts: Doubts, codes: Sequence[str]) -> Doubts:
    return replace(doubts, findings=tuple(one for one in doubts.findings if one.code not in codes))
