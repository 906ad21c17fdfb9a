# SPDX-License-Identifier: GPL-3.0-or-later
"""What the walk down a file meets: links, models, the files that they stand in, and where a model's contents go."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from ..xml.document import Document, Element
from .frames import Scope
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
