# SPDX-License-Identifier: Apache-2.0
"""What the walk over a file finds: models, and findings in the order of the file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from ...errors import Finding, InertiaError
from ..xml.document import Document, Element
from .include import BeyondLimitError
from .link import SdfLink
from .scope import Scope


@dataclass(frozen=True, eq=False)
class SdfModel:
    """A model, or a world without a name.

    Parameters
    ----------
    name : str
        Its scoped name.
    static : bool
        True if it or a model around it never moves.
    scope : Scope
        Its frames and joints.
    root : str
        The meaning of ``__model__`` in contents that are merged into it.
    links : list of SdfLink
        Its own links; nested models are entries of their own.
    """

    name: str
    element: Element
    document: Document
    static: bool
    scope: Scope
    root: str = ""
    links: list[SdfLink] = field(default_factory=list)


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
