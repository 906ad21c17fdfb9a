# SPDX-License-Identifier: GPL-3.0-or-later
"""What went wrong, or looks doubtful, in words a user can act on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from .remedies import Reader, actions_of, said_to

Severity = Literal["info", "warning", "error"]

WORST_FIRST: tuple[Severity, ...] = ("error", "warning", "info")


@dataclass(frozen=True)
class Finding:
    """One observation about a body, a mesh or a file. It never stops a computation.

    Parameters
    ----------
    severity : {"info", "warning", "error"}
        ``error`` marks a body that a simulator would refuse.
    code : str
        Stable identifier, such as ``open_mesh``.
    subject : str
        The object it is about, as its owner named it.
    message : str
        What is wrong, with the number seen.
    remedy : str
        What to do about it; empty where nothing needs doing. A `Remedy`, where readers call that by different names.
    sdf_codes : tuple of int
        The numbers of libsdformat's own errors that it stands for, its first one first; empty where there are none.
    """

    severity: Severity
    code: str
    subject: str
    message: str
    remedy: str = ""
    sdf_codes: tuple[int, ...] = ()

    def about(self, subject: str) -> Finding:
        """Return the same finding about `subject`, if it does not name one yet."""
        return self if self.subject else replace(self, subject=subject)

    def said_to(self, reader: Reader) -> Finding:
        """Return the same finding with its remedy in the words of a reader."""
        return replace(self, remedy=said_to(reader, self.remedy))

    @property
    def actions(self) -> tuple[str, ...]:
        """The names in `ACTIONS` of what the remedy says to do, the best first."""
        return actions_of(self.remedy)

    def __str__(self) -> str:
        where = f"{self.subject}: " if self.subject else ""
        remedy = f" Remedy: {self.remedy}." if self.remedy else ""
        return f"{self.severity}: {where}{self.message} [{self.code}]{remedy}"


class InertiaError(Exception):
    """There is no right answer: the object, what is wrong with the number seen, and what to do.

    Parameters
    ----------
    code, subject, message, remedy, sdf_codes
        As in `Finding`.
    """

    def __init__(
        self, code: str, subject: str, message: str, remedy: str = "", sdf_codes: tuple[int, ...] = ()
    ) -> None:
        super().__init__(code, subject, message, remedy, sdf_codes)
        self.code = code
        self.subject = subject
        self.message = message
        self.remedy = remedy
        self.sdf_codes = sdf_codes

    def about(self, subject: str) -> InertiaError:
        """Return the same error about `subject`, if it does not name one yet."""
        return self if self.subject else InertiaError(self.code, subject, self.message, self.remedy, self.sdf_codes)

    def finding(self, severity: Severity = "error") -> Finding:
        """Return the error as a finding."""
        return Finding(severity, self.code, self.subject, self.message, self.remedy, self.sdf_codes)

    def __str__(self) -> str:
        return str(self.finding())


PART_REFUSED = "part_refused"
"""The code of what is said of a link because of a part: the part's own finding says more."""


def has_error(findings: Iterable[Finding]) -> bool:
    """Say whether any of the findings is of severity ``error``."""
    return any(finding.severity == "error" for finding in findings)


def first_error(findings: Iterable[Finding]) -> Finding | None:
    """Return the first error, if there is one: a part's own comes before its link's."""
    errors = [finding for finding in findings if finding.severity == "error"]
    return min(errors, key=lambda error: error.code == PART_REFUSED, default=None)


def worst_severity(findings: Iterable[Finding]) -> Severity | None:
    """Return the severity of the worst finding; None without any."""
    found = {finding.severity for finding in findings}
    return next((severity for severity in WORST_FIRST if severity in found), None)


def grouped(findings: Iterable[Finding]) -> list[tuple[Finding, int]]:
    """Return findings that say the same but for their subjects as one, with how many there are, in their order."""
    groups: dict[Finding, tuple[Finding, int]] = {}
    for finding in findings:
        first, count = groups.get(said := replace(finding, subject=""), (finding, 0))
        groups[said] = first, count + 1
    return list(groups.values())
