# SPDX-License-Identifier: Apache-2.0
"""Findings and errors: what is wrong or doubtful, in words that a user can act on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from .findings.listed import WORST_FIRST as WORST_FIRST
from .findings.listed import Severity as Severity
from .findings.listed import error_codes_text
from .findings.message import Message
from .findings.place import link_of, where_of
from .findings.remedy import Reader, Remedy, remedy_for
from .units import listed_text


@dataclass(frozen=True, init=False)
class Finding:
    """One observation about a body, a mesh or a file. Findings are advisory; they never abort.

    Parameters
    ----------
    severity : {"info", "warning", "error"}
        ``error`` marks a body that a simulator would refuse.
    code : str
        Stable identifier, such as ``open_mesh``.
    subject : str
        The object it is about, by the name that the user gave it.
    sentence : Message or str
        What is wrong, with the number seen; a text that is not in the catalogue may be plain.
    fix : Remedy or str
        What to do about it; empty if nothing is needed.
    sdf_codes : tuple of int
        The numbers of libsdformat's own errors for it, the first reported first; may be empty.

    Attributes
    ----------
    message, remedy : str
        `sentence` and `fix` in English, for anyone. Findings with the same texts are equal.

    Examples
    --------
    >>> from sdf_inertia import read_robot
    >>> finding = read_robot("examples/arm.urdf").check()[0]
    >>> print(finding.severity, finding.code, finding.subject, sep=", ")
    error, triangle_inequality, examples/arm.urdf:8 /robot[@name='arm']/link[@name='base']
    >>> finding.link
    'base'
    >>> print(finding.remedy)
    compute it from the geometry; or enter the tensor about the centre of mass, with ixy = -∫xy dm
    """

    severity: Severity
    code: str
    subject: str
    message: str = field(init=False)  # not an argument of `replace`
    remedy: str = field(init=False)
    sdf_codes: tuple[int, ...]
    sentence: Message = field(repr=False, compare=False)
    fix: Remedy = field(repr=False, compare=False)

    def __init__(
        self,
        severity: Severity,
        code: str,
        subject: str,
        sentence: Message | str,
        fix: Remedy | str = "",
        sdf_codes: tuple[int, ...] = (),
    ) -> None:
        sentence, fix = Message.plain(sentence), Remedy.plain(fix)
        self.__dict__.update(severity=severity, code=code, subject=subject, sdf_codes=sdf_codes)
        self.__dict__.update(message=sentence.text, remedy=fix.text, sentence=sentence, fix=fix)

    @classmethod
    def of(cls, severity: Severity, code: str, subject: str = "", form: str = "", /, **values: Any) -> Self:
        """Return a finding whose message is a template of the catalogue with these values; see `Message`."""
        sentence = Message(code, form, values)
        return cls(severity, code, subject, sentence, sentence.remedy())

    def about(self, subject: str) -> Finding:
        """Return the same finding about `subject`, if it does not name one yet."""
        return self if self.subject else replace(self, subject=subject)

    def with_values(self, values: Mapping[str, Any]) -> Finding:
        """Return the same finding with these values, too, in its message; what to do about it stays."""
        return replace(self, sentence=replace(self.sentence, values={**self.sentence.values, **values}))

    def for_reader(self, reader: Reader, robot: str = "FILE", mesh: str = "MESH", more: str = "") -> Finding:
        """Return the same finding with its remedy worded for one user interface; see `remedy_for`."""
        return replace(self, fix=Remedy.plain(remedy_for(reader, self.fix, robot=robot, mesh=mesh, more=more)))

    @property
    def actions(self) -> tuple[str, ...]:
        """The names in `ACTIONS` of the actions in the remedy, the best first."""
        return self.fix.actions

    @property
    def link(self) -> str | None:
        """The name of the link in a file that it is about, or that its part is in; None for anything else."""
        return link_of(self.subject)

    @property
    def text(self) -> str:
        """The message, followed by libsdformat's own errors, if any."""
        return f"{self.message} (libsdformat: {error_codes_text(self.sdf_codes)})" if self.sdf_codes else self.message

    def __str__(self) -> str:
        where = f"{where_of(self.subject)}: " if self.subject else ""
        remedy = f" Fix: {self.remedy}." if self.remedy else ""
        return f"{self.severity}: {where}{self.text} [{self.code}]{remedy}"


class InertiaError(Exception):
    """No correct answer exists: the object, what is wrong with which number, and the fix.

    Parameters
    ----------
    code, subject, sdf_codes
        As in `Finding`.
    message, remedy : Message, Remedy or str
        `Finding`'s `sentence` and `fix`; the attributes are `Finding`'s.

    Examples
    --------
    >>> from sdf_inertia import InertiaError, read_robot
    >>> try:
    ...     read_robot("examples/missing.urdf")
    ... except InertiaError as error:
    ...     print(error)
    error: 'examples/missing.urdf': it cannot be read: No such file or directory [file_read] Fix: check the path.
    """

    def __init__(
        self,
        code: str,
        subject: str,
        message: Message | str,
        remedy: Remedy | str = "",
        sdf_codes: tuple[int, ...] = (),
    ) -> None:
        self.sentence, self.fix = Message.plain(message), Remedy.plain(remedy)
        super().__init__(code, subject, self.sentence, self.fix, sdf_codes)
        self.code, self.subject, self.sdf_codes = code, subject, sdf_codes
        self.message, self.remedy = self.sentence.text, self.fix.text

    @classmethod
    def of(cls, code: str, subject: str = "", form: str = "", /, **values: Any) -> Self:
        """Return an error whose message is a template of the catalogue with these values; see `Message`."""
        sentence = Message(code, form, values)
        return cls(code, subject, sentence, sentence.remedy())

    def about(self, subject: str) -> InertiaError:
        """Return the same error about `subject`, if it does not name one yet."""
        return self if self.subject else InertiaError(self.code, subject, self.sentence, self.fix, self.sdf_codes)

    def with_sdf_codes(self, codes: tuple[int, ...]) -> Self:
        """Return the same error with the numbers of libsdformat's own errors."""
        return type(self)(self.code, self.subject, self.sentence, self.fix, codes)

    def finding(self, severity: Severity = "error") -> Finding:
        """Return the error as a finding."""
        return Finding(severity, self.code, self.subject, self.sentence, self.fix, self.sdf_codes)

    def __str__(self) -> str:
        return str(self.finding())


PART_REFUSED = "part_refused"
"""The code of a link's finding that refers to the finding of one of its parts."""


def has_error(findings: Iterable[Finding]) -> bool:
    """Return True if any of the findings is of severity ``error``."""
    return any(finding.severity == "error" for finding in findings)


def first_error(findings: Iterable[Finding]) -> Finding | None:
    """Return the first error, if any; a part's error comes before that of its link."""
    errors = [finding for finding in findings if finding.severity == "error"]
    return min(errors, key=lambda error: error.code == PART_REFUSED, default=None)


def worst_severity(findings: Iterable[Finding]) -> Severity | None:
    """Return the severity of the worst finding; None if there are no findings."""
    severities = {finding.severity for finding in findings}
    return next((severity for severity in WORST_FIRST if severity in severities), None)


def counts_text(severities: Iterable[str]) -> str:
    """Return the numbers of errors and warnings, such as ``1 error, 2 warnings``; empty without any."""
    counts = Counter(severities)
    pairs = ((severity, counts[severity]) for severity in ("error", "warning"))
    return ", ".join(f"{count} {severity}{'s' * (count != 1)}" for severity, count in pairs if count)


def grouped(findings: Iterable[Finding]) -> list[tuple[Finding, int]]:
    """Return the findings with equal ones (whatever their subject) merged, each with its count, in their order."""
    return [(first, 1 + len(others)) for first, *others in _groups(findings)]


def _groups(findings: Iterable[Finding]) -> list[list[Finding]]:
    """Return the findings that are equal, whatever their subject, together."""
    groups: dict[Finding, list[Finding]] = {}
    for finding in findings:
        groups.setdefault(replace(finding, subject=""), []).append(finding)
    return list(groups.values())


MOST_NAMES, LONGEST_NAME = 12, 40
"""How many subjects share a line, and how long each may be: a place in a file is longer, and the first is enough."""


def finding_lines(findings: Iterable[Finding]) -> Iterator[str]:
    """Yield a line for each finding, in their order; equal ones (whatever their subject) share a line, which names
    them, or the first of them."""
    for group in _groups(findings):
        finding, *others = group
        if not others:
            yield str(finding)
            continue
        remedy = f" Fix: {finding.remedy}." if finding.remedy else ""
        times = f"({len(group):,} times{_subjects_text(group)})"
        yield f"{finding.severity}: {finding.text} [{finding.code}] {times}{remedy}"


def _subjects_text(group: Iterable[Finding]) -> str:
    names = list(dict.fromkeys(finding.subject for finding in group))
    if "" in names or max(map(len, names)) > LONGEST_NAME:
        return f"; the first: {names[0] or 'without a name'}"
    return f": {listed_text(names, MOST_NAMES)}"
