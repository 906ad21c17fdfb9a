# SPDX-License-Identifier: Apache-2.0
"""An XML file as a tree of elements that know their places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from ..errors import Finding
from ..files.input_file import read_bytes, too_large
from .characters import SHOWN, Characters
from .element import Element
from .parser import Parser

MAX_BYTES = 64 * 1024 * 1024
"""Maximum size of a file [bytes]: a world of 10,000 links has about 10 MB."""


class Comment(NamedTuple):
    """A comment for us.

    Parameters
    ----------
    text : str
        What follows ``sdf-inertia:``.
    line : int
        Its own line.
    first, last : int
        The lines of the innermost element that it is in.
    path : str
        That element's path; ``/`` for the root or none.
    """

    text: str
    line: int
    first: int
    last: int
    path: str


@dataclass(eq=False)
class Document:
    """An XML file.

    Parameters
    ----------
    path : Path or None
        Path of the file; None for other bytes.
    name : str
        Its name in messages.
    data : bytes
        The bytes on disk.
    root : Element
    size : int
        Number of elements.
    findings : tuple of Finding
        ``loose_xml``, ``text_cut`` and ``utf16`` (warnings), ``undeclared_prefix`` (info).
    comments : tuple of Comment
        Those that begin with ``sdf-inertia:``.
    given_names : dict of Element to str
        Names that readers give to elements without one, such as a body of an MJCF.
    """

    path: Path | None
    name: str
    data: bytes
    characters: Characters
    root: Element
    size: int
    findings: tuple[Finding, ...] = ()
    comments: tuple[Comment, ...] = field(default=(), repr=False)
    given_names: dict[Element, str] = field(default_factory=dict, repr=False)

    @classmethod
    def read(cls, path: Path | str) -> Document:
        """Read a file.

        Raises
        ------
        InertiaError
            ``file_read`` (missing, unreadable, not a regular file), ``file_too_large``, or what `parse` raises.
        """
        path = Path(path)
        return cls.parse(read_bytes(path, MAX_BYTES), str(path), path)

    @classmethod
    def parse(cls, data: bytes, name: str, path: Path | None = None) -> Document:
        """Parse bytes.

        Raises
        ------
        InertiaError
            ``doctype``, ``file_too_large``, ``too_deep``, ``too_many_elements``, ``too_many_attributes``,
            ``bad_encoding`` or ``bad_xml``, with file and line.
        """
        if len(data) > MAX_BYTES:
            raise too_large(name, len(data), MAX_BYTES)
        characters = Characters(data, name)
        parser = Parser(characters)
        root = parser.parse()
        document = cls(path, name, data, characters, root, len(parser.elements))
        for element in parser.elements:
            element.document = document
        document.findings = (*characters.findings(), *_findings(parser, name))
        document.comments = tuple(_comments(parser, characters, root))
        return document

    @property
    def codec(self) -> str:
        """The codec of the markup in `data`."""
        return self.characters.codec

    @classmethod
    def derived(cls, tag: str, attributes: dict[str, str], origin: Element) -> Document:
        """Return a document with only a root, whose elements are made from those of another; they have the places of
        these."""
        other, root = origin.document, Element(tag, attributes)
        root.document, root.origin = cls(other.path, other.name, b"", other.characters, root, other.size), origin
        return root.document

    def with_bytes(self) -> Document:
        """Return a document made by `derived` with bytes of its own, which can be changed; raises what `parse` does."""
        parsed = Document.parse(
            ElementTree.tostring(self.root, encoding="utf-8", short_empty_elements=False), self.name, self.path
        )
        for element, made in zip(parsed.root.iter(), self.root.iter(), strict=True):
            element.origin, element.calls = made.origin, made.calls
        return parsed


def _findings(parser: Parser, name: str) -> Iterator[Finding]:
    for element, lost in parser.cut:
        read = (element.text or "").strip()[:SHOWN]
        yield Finding.of("warning", "text_cut", str(element), qualified=element.tag, read=read, lost=lost)
    for prefix in parser.undeclared:
        yield Finding.of("info", "undeclared_prefix", name, prefix=prefix)


def _comments(parser: Parser, characters: Characters, root: Element) -> Iterator[Comment]:
    for element, start, end in parser.comments:
        text, line = characters.decoded(characters.text[start:end]), characters.line(start)
        if element is None or element is root:
            yield Comment(text, line, 0, 0, "/")
        else:
            yield Comment(text, line, element.line, characters.line(element.end - 1), element.path)
