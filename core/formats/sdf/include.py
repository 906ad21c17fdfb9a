# SPDX-License-Identifier: Apache-2.0
"""Reads the files that <include> elements name, within limits, and what libsdformat refuses about an include."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ...document.document import Document
from ...document.element import Element, child_of, children_of, text_of
from ...document.locate import Locator, NetworkError, NotFoundError
from ...errors import Finding, InertiaError
from ...files.input_file import MAX_ELEMENTS
from ...units import listed_text
from .spec.codes import sdf_error
from .spec.element_faults import no_attribute, reserved
from .spec.names import is_reserved
from .spec.versions import VERSIONS, checked_document, parse_version, version_of

PARAMS = "experimental:params"

MAX_NESTING = 32
"""Maximum depth of includes within includes."""

MAX_INCLUDES = 8_000
"""Maximum number of includes of one file, repeated ones counted each time: the largest worlds known have some thousand,
while five files of 2 KB that include each other ten times have 11,110."""

LISTED = 5
"""Includes that a warning lists besides the first."""

UNREADABLE = ("file_read", "file_too_large", "bad_xml", "bad_encoding", "doctype")
"""Codes of errors of an included file that cannot be read; the rest of the robot is."""


class BeyondLimitError(InertiaError):
    """A file exceeds a limit: all of it is refused, not only the element that exceeds it."""


@dataclass
class DocumentStore:
    """The documents that were read, by real path, with counts against the limits.

    Each include counts the elements of its file again: otherwise a few files that include each other many times could
    make a small file endless.
    """

    elements_left: int = MAX_ELEMENTS
    documents: dict[Path, Document] = field(default_factory=dict)
    _includes: int = 0
    _paths: dict[tuple[Path, str], Path] = field(default_factory=dict)

    def included(self, include: Element, locator: Locator, within: Sequence[Path]) -> tuple[Path, Document]:
        """Return the file that an ``<include>`` names; `within` are the files that include each other there.

        Raises
        ------
        InertiaError
            ``missing_element``, ``uri_refused``, ``include_params``, ``include_cycle``, or what reading it raises.
        NotFoundError
            For a model that may exist, but not in a folder that may be read.
        BeyondLimitError
            ``too_many_includes`` or ``too_many_elements``.
        """
        self._includes += 1
        if self._includes > MAX_INCLUDES:
            raise BeyondLimitError.of("too_many_includes", str(include), limit=MAX_INCLUDES)
        if child_of(include, PARAMS) is not None:
            raise InertiaError.of("include_params", str(include), params=PARAMS)
        path = self._path(include, locator)
        if path in within:
            circle = " -> ".join(file.name for file in (*within[within.index(path) :], path))
            raise InertiaError.of("include_cycle", str(include), circle=circle)
        if len(within) >= MAX_NESTING:
            raise InertiaError.of("too_deep", str(include), "includes", limit=MAX_NESTING)
        try:
            document = checked_document(self._read(path))
        except InertiaError as error:
            led = include.led_to(error)
            if error.code in UNREADABLE:
                raise NotFoundError(led.code, led.subject, led.sentence, led.fix, led.sdf_codes) from None
            raise led from None
        self.spend(document, include)
        return path, document

    @property
    def findings(self) -> Iterator[Finding]:
        """Findings about the files themselves."""
        return (finding for document in self.documents.values() for finding in document.findings)

    def spend(self, document: Document, place: object) -> None:
        """Add a document's elements to the count; raises ``too_many_elements``."""
        self.elements_left -= document.size
        if self.elements_left < 0:
            raise BeyondLimitError.of("too_many_elements", str(place), "included", limit=MAX_ELEMENTS)

    def _read(self, path: Path) -> Document:
        if path not in self.documents:
            self.documents[path] = Document.read(path)
        return self.documents[path]

    def _path(self, include: Element, locator: Locator) -> Path:
        uri = child_of(include, "uri")
        if uri is None:
            raise sdf_error("missing_element", include, "include", codes=(4,))
        key = locator.folder, text_of(uri)
        if key not in self._paths:
            path = locator.find_model(key[1], uri)
            self._paths[key] = self._main_file(path, locator, uri) if os.path.isdir(path) else path
        return self._paths[key]

    def _main_file(self, folder: Path, locator: Locator, uri: Element) -> Path:
        config = folder / "model.config"
        if not os.path.isfile(config):
            return locator.find_in(folder, "model.sdf", uri)
        files = self._read(locator.find_in(folder, config.name, uri)).root.iterfind("sdf")
        listed = [(parse_version(file.get("version", "")), text_of(file)) for file in files]
        known = [(version or VERSIONS[0], name) for version, name in listed if version is None or version in VERSIONS]
        if not known:
            raise sdf_error("uri_lookup", uri, "config", config=config)
        newest = max(version for version, _ in known)
        return locator.find_in(folder, next(name for version, name in known if version == newest), uri)


def not_read(includes: Sequence[tuple[NotFoundError, str]]) -> Iterator[Finding]:
    """Yield one warning for each reason why includes were not read: on the network, not found, not allowed.

    The includes are given by error and URI.
    """
    causes: dict[tuple[type, str], list[tuple[NotFoundError, str]]] = {}
    for error, uri in includes:
        causes.setdefault((type(error), error.code), []).append((error, uri))
    for same in causes.values():
        first = same[0][0]
        others = [ascii(uri) for uri in dict.fromkeys(uri for _, uri in same)][1:]
        form = "network" if isinstance(first, NetworkError) else ""
        values = {"count": len(same), "reason": first.sentence, "others": listed_text(others, LISTED)}
        finding = Finding.of("warning", "include_not_read", first.subject, form, **values, remedy=first.fix)
        yield replace(finding, sdf_codes=first.sdf_codes)


def name_of(element: Element) -> str:
    """Return an element's name; raises InertiaError ``no_name``."""
    name = element.get("name", "").strip()
    if not name:
        raise no_attribute(element, "name")
    return name


def given_name(model: Element, include: Element | None) -> str:
    """Return the name of a model: its include's, else its own; raises InertiaError ``no_name`` or ``reserved_name``."""
    given = child_of(include, "name")
    if given is None:
        return name_of(model)
    name = text_of(given)
    if is_reserved(name) or ("::" in name and version_of(given.document) > (1, 7)):
        raise reserved(given, name)
    return name


def check_placement(include: Element) -> None:
    """Check that an include with a placement frame also has a pose."""
    given = child_of(include, "placement_frame")
    if given is None:
        return
    if child_of(include, "pose") is None:
        raise sdf_error("placement_without_pose", given)
    if text_of(given) == "__root__":
        raise reserved(given, "__root__")


def merge_refusals(model: Element, include: Element, into_world: bool) -> Iterator[InertiaError]:
    """Yield what libsdformat refuses about a model that an include merges into a model or world."""
    for tag in ("link", "gripper") if into_world else ():
        for unsupported in children_of(model, tag):
            yield sdf_error("merge_unsupported", include, tag=tag, place=str(unsupported))
    static = child_of(model, "static")
    if child_of(model, "include") is not None or (static is not None and text_of(static).lower() in ("true", "1")):
        return
    names = [child.get("name", "") for tag in ("link", "model") for child in children_of(model, tag)]
    canonical = model.get("canonical_link", "").strip()
    if not names:
        yield sdf_error("no_link", model, "included")
    elif canonical and canonical.partition("::")[0] not in names:
        yield sdf_error("canonical_link_not_found", model, "included", canonical=canonical)
