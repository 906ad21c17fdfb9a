# SPDX-License-Identifier: GPL-3.0-or-later
"""What an <include> names: a file, or the folder of a model with its model.config; each is read once."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import InertiaError
from .codes import sdf_error
from .document import Document, Element
from .locate import Locator
from .scan import MAX_ELEMENTS
from .values import text_of

VERSIONS = tuple((1, minor) for minor in range(4, 13))
"""The versions of SDFormat that are read: 1.4 to 1.12."""

MAX_NESTING = 32
"""Includes within includes."""


@dataclass
class Library:
    """The documents that were read, by real path, and how much of them was used.

    An include costs its file's elements each time: a few files that include each other many times would otherwise
    make a small file endless.
    """

    left: int = MAX_ELEMENTS
    documents: dict[Path, Document] = field(default_factory=dict)

    def included(self, document: Document, include: Element, locator: Locator, within: tuple[Path, ...]) -> Document:
        """Return the document that an ``<include>`` names.

        Raises
        ------
        InertiaError
            ``missing_element``, ``uri_refused``, ``uri_lookup``, ``include_cycle``, ``too_many_elements``, or what
            reading it raises.
        """
        place = document.at(include)
        uri = include.find("uri")
        if uri is None:
            raise sdf_error("missing_element", place, "an <include> needs a <uri>", "add one", (4,))
        path = locator.find(text_of(uri), document.at(uri))
        if os.path.isdir(path):
            path = self._main_file(path, locator, document.at(uri))
        if path in within:
            circle = " -> ".join(one.name for one in (*within[within.index(path) :], path))
            raise InertiaError(
                "include_cycle", str(place), f"the files include each other: {circle}", "break the circle"
            )
        if len(within) >= MAX_NESTING:
            raise InertiaError("too_deep", str(place), f"includes are nested deeper than {MAX_NESTING}", "nest fewer")
        if path not in self.documents:
            self.documents[path] = checked_document(Document.read(path))
        self.spend(self.documents[path], place)
        return self.documents[path]

    def spend(self, document: Document, place: object) -> None:
        """Count a document's elements once more."""
        self.left -= document.size
        if self.left < 0:
            message = f"with what it includes, the file has more than {MAX_ELEMENTS} elements"
            raise InertiaError("too_many_elements", str(place), message, "split the file")

    def _main_file(self, folder: Path, locator: Locator, place: object) -> Path:
        config = folder / "model.config"
        if not os.path.isfile(config):
            return locator.inside(folder).find("model.sdf", place)
        listed = [
            (_version(one.get("version", "")), text_of(one)) for one in Document.read(config).root.iterfind("sdf")
        ]
        known = [(version or VERSIONS[0], name) for version, name in listed if version is None or version in VERSIONS]
        if not known:
            raise sdf_error("uri_lookup", place, f"{config} names no SDF file of version 1.4 to 1.12", "add one")
        newest = max(version for version, _ in known)
        name = next(name for version, name in known if version == newest)
        return locator.inside(folder).find(name, str(config))


def checked_document(document: Document) -> Document:
    """Return a document that is SDFormat of a version that is read.

    Raises
    ------
    InertiaError
        ``not_sdf`` or ``bad_version``.
    """
    root, place = document.root, document.at(document.root)
    if root.tag != "sdf":
        raise InertiaError("not_sdf", str(place), f"the root is <{root.tag}>, not <sdf>", "give an SDF file")
    text = root.get("version")
    if text is None:
        raise sdf_error("bad_version", place, "<sdf> has no version", "write the version, such as version='1.11'")
    if _version(text) not in VERSIONS:
        message = f"version {ascii(text[:40])} is not read; 1.4 to 1.12 are"
        remedy = "convert it with 'gz sdf --print', or correct the version"
        raise sdf_error("bad_version", place, message, remedy, (39, 5))
    return document


def relative_to_of(document: Document, posed: Element | None) -> str:
    """Return the frame that a ``<pose>`` is given in; empty where it does not say, and where there is no pose.

    Up to SDFormat 1.6 the attribute is called ``frame``.
    """
    if posed is None:
        return ""
    name: str = posed.get("relative_to", "")
    old: str = "" if name else posed.get("frame", "")
    return old if old and (_version(document.root.get("version", "")) or VERSIONS[0]) < (1, 7) else name


def _version(text: str) -> tuple[int, int] | None:
    major, point, minor = text.strip().partition(".")
    if not (point and major.isascii() and major.isdigit() and minor.isascii() and minor.isdigit()):
        return None
    return (int(major), int(minor)) if len(text) < 20 else None
