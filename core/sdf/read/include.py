# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads what an <include> names, a file or the folder of a model with its model.config; each file once."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ...errors import Finding, InertiaError
from ...files.input_file import MAX_ELEMENTS
from ..codes import sdf_error
from ..spec.element_faults import elements_of_attributes
from ..spec.values import text_of
from ..xml.document import Document, Element, child_of, qualified
from .locate import Locator

VERSIONS = tuple((1, minor) for minor in (0, *range(2, 13)))
"""Supported versions of SDFormat: 1.0, and 1.2 to 1.12."""

PARAMS = "experimental:params"

MAX_NESTING = 32
"""Maximum depth of includes within includes."""

MAX_INCLUDES = 8_000
"""Maximum number of includes of one file, repeated ones counted each time: the largest worlds known have some thousand,
while five files of 2 KB that include each other ten times have 11,110."""


class BeyondLimitError(InertiaError):
    """A file exceeds a limit: all of it is refused, not only the element that exceeds it."""


@dataclass
class DocumentStore:
    """The documents that were read, by real path, with counts against the limits.

    Each include counts the elements of its file again: otherwise a few files that include each other many times could
    make a small file endless.
    """

    left: int = MAX_ELEMENTS
    documents: dict[Path, Document] = field(default_factory=dict)
    _includes: int = 0
    _found: dict[tuple[Path, str], Path] = field(default_factory=dict)

    def included(self, document: Document, include: Element, locator: Locator, within: tuple[Path, ...]) -> Document:
        """Return the document that an ``<include>`` names.

        Raises
        ------
        InertiaError
            ``missing_element``, ``uri_refused``, ``include_params``, ``include_cycle``, or what reading it raises.
        NotFoundError
            For a model that may exist, but not in a folder that may be read.
        BeyondLimitError
            ``too_many_includes`` or ``too_many_elements``.
        """
        place = document.at(include)
        self._includes += 1
        if self._includes > MAX_INCLUDES:
            raise BeyondLimitError.of("too_many_includes", str(place), limit=MAX_INCLUDES)
        if any(qualified(child) == PARAMS for child in include.iterchildren("*")):
            raise InertiaError.of("include_params", str(place), params=PARAMS)
        path = self._path(document, include, locator)
        if path in within:
            circle = " -> ".join(one.name for one in (*within[within.index(path) :], path))
            raise InertiaError.of("include_cycle", str(place), circle=circle)
        if len(within) >= MAX_NESTING:
            raise InertiaError.of("too_deep", str(place), "includes", limit=MAX_NESTING)
        try:
            document = checked_document(self._read(path))
        except InertiaError as error:
            raise place.led_to(error) from None
        self.spend(document, place)
        return document

    @property
    def findings(self) -> Iterator[Finding]:
        """Findings about the files themselves."""
        return (finding for document in self.documents.values() for finding in document.findings)

    def _read(self, path: Path) -> Document:
        if path not in self.documents:
            self.documents[path] = Document.read(path)
        return self.documents[path]

    def spend(self, document: Document, place: object) -> None:
        """Add a document's elements to the count; raises ``too_many_elements``."""
        self.left -= document.size
        if self.left < 0:
            raise BeyondLimitError.of("too_many_elements", str(place), "included", limit=MAX_ELEMENTS)

    def _path(self, document: Document, include: Element, locator: Locator) -> Path:
        uri = child_of(include, "uri")
        if uri is None:
            raise sdf_error("missing_element", document.at(include), "include", codes=(4,))
        key = (locator.folder, text_of(uri))
        if key not in self._found:
            path = locator.find(key[1], document.at(uri))
            self._found[key] = self._main_file(path, locator, document.at(uri)) if os.path.isdir(path) else path
        return self._found[key]

    def _main_file(self, folder: Path, locator: Locator, place: object) -> Path:
        config = folder / "model.config"
        if not os.path.isfile(config):
            return locator.inside(folder).find("model.sdf", place)
        listed = [(_version(one.get("version", "")), text_of(one)) for one in self._read(config).root.iterfind("sdf")]
        known = [(version or VERSIONS[0], name) for version, name in listed if version is None or version in VERSIONS]
        if not known:
            raise sdf_error("uri_lookup", place, "config", config=config)
        newest = max(version for version, _ in known)
        name = next(name for version, name in known if version == newest)
        return locator.inside(folder).find(name, place)


def checked_document(document: Document) -> Document:
    """Return a document if it is SDFormat of a supported version.

    Raises
    ------
    InertiaError
        ``not_sdf`` or ``bad_version``.
    """
    root, place = document.root, document.at(document.root)
    if root.tag != "sdf":
        raise sdf_error("not_sdf", place, tag=root.tag)
    text = root.get("version")
    if text is None:
        raise sdf_error("bad_version", place, "missing")
    if _version(text) not in VERSIONS:
        raise sdf_error("bad_version", place, "unknown", codes=(39, 5), text=ascii(text[:40]))
    if version_of(document) == (1, 0):
        elements_of_attributes(document)
    return document


def relative_to_of(document: Document, posed: Element | None) -> str:
    """Return the frame that a ``<pose>`` is relative to; empty if it names none, or without a pose.

    Up to SDFormat 1.6 the attribute is called ``frame``.
    """
    if posed is None:
        return ""
    name: str = posed.get("relative_to", "")
    old: str = "" if name else posed.get("frame", "")
    return old if old and before_1_7(document) else name


def before_1_7(document: Document) -> bool:
    """Return True if siblings of different kinds may share a name in a document's version."""
    return version_of(document) < (1, 7)


def version_of(document: Document) -> tuple[int, int]:
    """Return a document's version of SDF; the oldest if it cannot be read."""
    return _version(document.root.get("version", "")) or VERSIONS[0]


def _version(text: str) -> tuple[int, int] | None:
    major, point, minor = text.strip().partition(".")
    if not (point and major.isascii() and major.isdigit() and minor.isascii() and minor.isdigit()):
        return None
    return (int(major), int(minor)) if len(text) < 20 else None
