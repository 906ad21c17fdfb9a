# SPDX-License-Identifier: GPL-3.0-or-later
"""What the walk down a file meets, and what it has to tell: findings in the order of the file, none of them twice."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from ...errors import Finding, InertiaError
from ..xml.document import Document, Element
from .frames import Scope
from .include import BeyondLimitError
from .joints import BodyKey, ScopeContents
from .locate import Locator


@dataclass
class LinkEntry:
    """A link that was met: its element, where it stands, and how its scope and its joints know it."""

    name: str
    element: Element
    file: File
    scope: Scope
    body_key: BodyKey


@dataclass
class ModelEntry:
    """A model that was met, with its scoped name."""

    name: str
    element: Element
    file: File
    static: bool
    links: list[LinkEntry] = field(default_factory=list)


@dataclass(frozen=True)
class File:
    """A document, how URIs in it are looked up, and the files that it was included through, itself the last."""

    document: Document
    locator: Locator
    within: tuple[Path, ...]


@dataclass(frozen=True)
class Into:
    """Where the contents of a model go: the entry, its scope, and what ``__model__`` means there."""

    entry: ModelEntry
    scope: Scope
    contents: ScopeContents
    root: str = ""


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
