# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wrong with a published inertial: impossible, a template's, or missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from ...body.inertial import Inertial
from ...body.templates import shared_tensors
from ...errors import Finding, InertiaError, has_error
from ...robot.given_inertial import Doubts, doubts_of
from ...robot.resolve import LinkBody, resolve_link
from .published_link import PublishedLink

Fault = Literal["impossible", "placeholder", "missing"]
FAULTS: tuple[Fault, ...] = get_args(Fault)

PLACEHOLDERS = frozenset({"template_tensor", "padded_diagonal", "copied_tensor", "zero_moment", "small_tensor"})
"""Findings about numbers that were never meant for this body; all other doubts are of numbers that it cannot have."""


@dataclass(frozen=True)
class Verdict:
    """What is wrong with a link's inertial: nothing where `fault` is None.

    Parameters
    ----------
    fault : str or None
        Of `FAULTS`.
    why : tuple of Finding
    unread : InertiaError or None
        Why it could not be compared with its geometry.
    """

    fault: Fault | None
    why: tuple[Finding, ...] = ()
    unread: InertiaError | None = None


def verdicts_of(links: Sequence[PublishedLink]) -> Iterator[Verdict]:
    """Yield what is wrong with each link of a file; of one that is computed or never moves, only what is refused."""
    copied = _copied(links)
    for number, link in enumerate(links):
        yield _refused(link) if link.auto or link.static else _judged(link, copied.get(number, ()))


def _copied(links: Sequence[PublishedLink]) -> dict[int, tuple[Finding, ...]]:
    """Return by its number what is said of each link whose tensor is that of others."""
    given = [(number, one.published) for number, one in enumerate(links) if one.published is not None]
    found: dict[int, tuple[Finding, ...]] = {}
    for same in shared_tensors([body for _, body in given]):
        message = f"{len(same)} links of different masses share its tensor"
        for one in same:
            found[given[one][0]] = (Finding("warning", "copied_tensor", "", message, "compute each"),)
    return found


def _refused(link: PublishedLink) -> Verdict:
    found = link.findings or (() if link.published is None else link.published.findings())
    return Verdict("impossible", found) if has_error(found) else Verdict(None)


def _judged(link: PublishedLink, copied: tuple[Finding, ...]) -> Verdict:
    refused = _refused(link)
    if refused.fault:
        return refused
    if link.published is None:
        if link.is_frame:
            return Verdict(None)
        message = "it has an inertial without mass or tensor" if link.given else "it has no inertial"
        return Verdict("missing", (Finding("warning", "default_inertial", "", message),))
    doubts = doubts_about(link, link.published)
    found = (*link.published.findings(), *doubts.findings, *copied)
    if not found:
        return Verdict(None, unread=doubts.unread)
    return Verdict("placeholder" if all(one.code in PLACEHOLDERS for one in found) else "impossible", found)


def doubts_about(own: PublishedLink, body: Inertial) -> Doubts:
    """Return what is doubtful about an inertial for a link's geometry."""
    link = own.link

    def uniform() -> LinkBody | None:
        found = resolve_link(replace(link, visuals=()))
        return None if found.refused else found

    doubts = doubts_of(body, link.parts, lambda: own.seen, uniform)
    return replace(doubts, findings=tuple(finding for finding in doubts.findings if finding.severity != "info"))
