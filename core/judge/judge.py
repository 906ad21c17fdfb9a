# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wrong or doubtful about the inertials of a file: one verdict for each link, shared by all commands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..body.inertial import Inertial
from ..errors import Finding, has_error
from ..formats.robot_file import RobotFile
from ..robot.extent import extent_of
from ..robot.given_inertial import Doubts, doubts_of, not_compared
from ..robot.model import Unusable
from ..sdf.file_link import FileLink
from .among_links import merged, with_copies, with_shapeless
from .numbers import by_numbers
from .verdict import Verdict

PLACEHOLDER = 1e-3
"""A fixed link with less than this part of the robot's mass has it because a tool demands one."""


def judge_file(file: RobotFile, strict: bool = False, verdicts: Sequence[Verdict] | None = None) -> list[Finding]:
    """Return all findings about a file and its links.

    Parameters
    ----------
    file : RobotFile
    strict : bool
        Without margins, and with what is often no fault, as infos.
    verdicts : sequence of Verdict, optional
        Of its links, if they are known already.
    """
    verdicts = judge_links(file, strict) if verdicts is None else verdicts
    findings = [*file.findings, *merged(file, verdicts), *file.engine_findings(), *unread_geometry(verdicts)]
    read = {one.subject for one in findings if one.code in ("bad_number", "bad_vector", "bad_boolean")}
    shown = (one for one in dict.fromkeys(findings) if strict or one.severity != "info")
    return [one for one in shown if one.code != "bad_value" or one.subject not in read]


def judge_links(file: RobotFile, strict: bool = False, by_geometry: bool = True) -> list[Verdict]:
    """Return a verdict for each link of a file, in their order; see `judge_file`.

    Without `by_geometry` no mesh is read: the inertials are judged by their numbers alone.
    """
    verdicts = []
    total = sum(link.inertial.mass for link in file.links if link.inertial is not None and link.inertial.mass > 0.0)
    for link, body in zip(file.links, file.bodies, strict=True):
        findings = by_numbers(link, body, link.name in file.held)
        doubts = Doubts()
        given = body.inertial if link.auto else link.inertial
        judged = by_geometry and not has_error(findings) and not link.static
        if judged and given is not None and given.mass > 0.0:
            doubts = judge_inertial(link, given, strict)
            if link.name in file.held and given.mass < PLACEHOLDER * total:
                doubts = _without(doubts, "implied_density")
        about = (link.place.about(finding) for finding in (*findings, *doubts.findings))
        verdicts.append(Verdict(link, tuple(dict.fromkeys(about)), doubts.unread, doubts.right))
    return with_copies(with_shapeless(verdicts)) if by_geometry else verdicts


def unread_geometry(verdicts: Sequence[Verdict]) -> list[Finding]:
    """Return one finding for all links that could not be compared with their geometry; nothing if there are none."""
    unread = [one.link.place.led_to(one.unread) for one in verdicts if one.unread is not None]
    return [not_compared(unread)] if unread else []


def _without(doubts: Doubts, code: str) -> Doubts:
    return replace(doubts, findings=tuple(one for one in doubts.findings if one.code != code))


def judge_inertial(link: FileLink, inertial: Inertial, strict: bool = False) -> Doubts:
    """Return what is doubtful about an inertial, possible in itself, for the geometry of a link."""
    collisions = link.link.collisions
    wrong = [one for one in collisions if not isinstance(one.geometry, Unusable) and extent_of([one]) is None]
    if wrong and not link.auto:  # for an auto link it is an error among the link's own findings
        sizes = ", ".join(f"'{one.name}' is {one.geometry}" for one in wrong)
        message = f"its collision has an impossible size or place: {sizes}"
        return Doubts((Finding("warning", "bad_size", "", message, "give every size a length above 0"),))
    uniform = (lambda: None if link.body.refused else link.body) if link.auto else link.uniform
    return doubts_of(inertial, collisions, lambda: link.shown, uniform, strict)
