# SPDX-License-Identifier: GPL-3.0-or-later
"""What the walk over a file finds: files, models, and findings in the order of the file, each once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from ...errors import Finding, InertiaError
from ..xml.document import Document, Element
from .include import BeyondLimitError
from .link import SdfLink
from .locate import Locator
from .scope import Scope


@dataclass(frozen=True)
class File:
    """A document, how its URIs are looked up, and the files that included it, with itself as the last."""

    document: Document
    locator: Locator
    within: tuple[Path, ...]


@dataclass(frozen=True, eq=False)
class SdfModel:
    """A model: its scoped name, its own links (nested models are entries of their own), and whether it is static."""

    name: str
    element: Element
    document: Document
    static: bool
    links: list[SdfLink] = field(default_factory=list)


@dataclass(frozen=True)
class Into:
    """Where the contents of a model go: the model, its scope, and the meaning of ``__model__`` there."""

    model: SdfModel
    scope: Scope
    root: str = ""


@dataclass
class FindingList:
    """The findings about files, names, joints and frames; `notes` are doubts about the structure of files."""

    listed: list[Finding] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)
    _known: set[tuple[str, str]] = field(default_factory=set)

    def attempt(self, step: Callable[..., object], *arguments: object) -> None:
        """Run a step; an error becomes a finding, and the walk goes on."""
        try:
            step(*arguments)
        except BeyondLimitError:
            raise
        except InertiaError as error:
            self.add([error.finding()])

    def add(self, findings: Iterable[Finding]) -> None:
        """Add findings."""
        for finding in findings:
            self.listed.append(finding)
            self._known.add((finding.code, finding.subject))

    def add_new(self, errors: Iterable[InertiaError]) -> None:
        """Add errors, except those whose code and element are listed already."""
        new = [error.finding() for error in errors]
        self.add([finding for finding in new if (finding.code, finding.subject) not in self._known])

    def add_structure(self, findings: Iterable[Finding]) -> None:
        """Add the findings of a comparison with the table of SDF."""
        for finding in findings:
            if finding.severity == "error":
                self.add([finding])
            else:
                self.notes.append(finding)
