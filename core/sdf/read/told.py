# SPDX-License-Identifier: GPL-3.0-or-later
"""What the walk down a file has to tell: findings in the order of the file, none of them twice."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from ...errors import Finding, InertiaError
from .include import BeyondLimitError


@dataclass
class Told:
    """The findings about files, names, joints and frames; `noted` is what is doubtful about the structure of files."""

    findings: list[Finding] = field(default_factory=list)
    noted: list[Finding] = field(default_factory=list)
    _once: set[Finding] = field(default_factory=set)
    _said: set[tuple[str, str]] = field(default_factory=set)
    _noticed: int = 0

    def attempt(self, step: Callable[..., object], *arguments: object) -> None:
        """Take a step; what is wrong with it is told, and the rest goes on."""
        try:
            step(*arguments)
        except BeyondLimitError:
            raise
        except InertiaError as error:
            self.tell(error.finding())

    def tell(self, finding: Finding) -> None:
        """Add a finding, unless it has been told."""
        if finding not in self._once:
            self._once.add(finding)
            self.findings.append(finding)

    def tell_unsaid(self, errors: Iterable[InertiaError]) -> None:
        """Add errors, but for those that were told of the same element."""
        new = [error.finding() for error in errors]
        if new:
            self._said.update((finding.code, finding.subject) for finding in self.findings[self._noticed :])
            self._noticed = len(self.findings)
            self.findings += [finding for finding in new if (finding.code, finding.subject) not in self._said]

    def tell_structure(self, findings: Iterable[Finding]) -> None:
        """Add what comparing a file with the table of SDF has found."""
        for finding in findings:
            (self.findings if finding.severity == "error" else self.noted).append(finding)
