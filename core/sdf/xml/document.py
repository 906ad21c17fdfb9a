# SPDX-License-Identifier: Apache-2.0
"""Parses bytes to a tree that knows the place of each element; refuses first what could harm the reader."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import NamedTuple, Self

from lxml import etree

from ...errors import Finding, InertiaError
from ...files.input_file import read_bytes
from .characters import SHOWN
from .markup import content_of, read_markup
from .tree_builder import MAX_BYTES, Element, TreeWithOffsets
from .xml_names import written_name

__all__ = ["Comment", "Document", "Element", "Place", "child_of", "children_of", "qualified"]


@dataclass(frozen=True, eq=False)
class Document:
    """An XML file: its bytes, its tree, and the position of each element in the bytes.

    Parameters
    ----------
    path : Path or None
        Path of the file; None for other bytes.
    name : str
        Its name in messages.
    data : bytes
        The bytes on disk.
    root : lxml element
        The text of an element is its value in libsdformat; there are no comments, and no namespaces: see `qualified`.
    findings : tuple of Finding
        ``loose_xml``, ``text_cut`` and ``utf16`` (warnings), ``undeclared_prefix`` (info).
    given_names : dict of element to str
        Names that readers give to elements without one, such as a body of an MJCF.
    """

    path: Path | None
    name: str
    data: bytes
    root: Element
    findings: tuple[Finding, ...]
    _offsets: TreeWithOffsets
    _numbers: dict[Element, int]
    given_names: dict[Element, str] = field(default_factory=dict)

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
        found = read_markup(data, name)
        # The dict keeps every element's proxy alive: lxml would otherwise make a new one for each access.
        numbers = dict(zip(found.elements, range(found.size), strict=True))
        document = cls(path, name, data, found.root, (), found, numbers)
        return replace(document, findings=tuple(document._oddities()))

    @property
    def size(self) -> int:
        """Number of elements."""
        return self._offsets.size

    @property
    def codec(self) -> str:
        """The codec of the markup in `data`: UTF-16, or Latin-1 for every encoding that contains ASCII."""
        return self._offsets.characters.codec

    def span(self, element: Element) -> tuple[int, int]:
        """Return the start and end of an element's bytes in `data`, tags included."""
        number, unit = self._numbers[element], self._offsets.characters.unit
        return self._offsets.starts[number] * unit, self._offsets.ends[number] * unit

    def content_span(self, element: Element) -> tuple[int, int]:
        """Return the start and end of the bytes between an element's tags; both are its end for ``<mass/>``."""
        unit = self._offsets.characters.unit
        first, last = content_of(self._offsets, self._numbers[element])
        return first * unit, last * unit

    def line(self, element: Element) -> int:
        """Return the line that an element begins on, from 1."""
        return self._offsets.characters.line(self._offsets.starts[self._numbers[element]])

    def at(self, element: Element) -> Place:
        """Return an element's `place` as a value that becomes text only when a message needs it."""
        return Place(self, element)

    def place(self, element: Element) -> str:
        """Return an element's place, such as ``model.sdf:12 /sdf/model[@name='m']/link[@name='l']``."""
        return f"{self.name}:{self.line(element)} /{'/'.join(self.steps(element))}"

    def steps(self, element: Element) -> list[str]:
        """Return the path of an element from the root: tags and names."""
        steps = []
        for one in (element, *element.iterancestors()):
            name = one.get("name", self.given_names.get(one))
            steps.append(qualified(one) + ("" if name is None else f"[@name='{name}']"))
        return steps[::-1]

    def add(self, parent: Element, tag: str, text: str) -> None:
        """Add an element to the tree, after its siblings; it has its parent's place."""
        element = etree.SubElement(parent, tag)
        element.text = text
        self._numbers[element] = self._numbers[parent]

    @property
    def comments(self) -> Iterator[Comment]:
        """The comments that begin with ``sdf-inertia:``."""
        characters = self._offsets.characters
        for number, start, end in self._offsets.comments:
            text, line = characters.decoded(characters.text[start:end]), characters.line(start)
            if number < 0 or (element := self._offsets.elements[number]) is self.root:
                yield Comment(text, line, 0, 0, "/")
            else:
                last = characters.line(self._offsets.ends[number] - 1)
                yield Comment(text, line, self.line(element), last, f"/{'/'.join(self.steps(element))}")

    def _oddities(self) -> Iterator[Finding]:
        characters = self._offsets.characters
        if characters.utf16:
            yield Finding.of("warning", "utf16", self.name)
        yield from characters.findings()
        for element, lost in self._offsets.cut:
            read = element.text.strip()[:SHOWN]
            yield Finding.of(
                "warning", "text_cut", self.place(element), qualified=qualified(element), read=read, lost=lost
            )
        for prefix in self._offsets.undeclared:
            yield Finding.of("info", "undeclared_prefix", self.name, prefix=prefix)


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


class Place(NamedTuple):
    """The place of an element; only `str` computes `Document.place`, which takes longer than reading the element."""

    document: Document
    element: Element

    def __str__(self) -> str:
        return self.document.place(self.element)

    def about(self, finding: Finding) -> Finding:
        """Return a finding about this element, whatever its subject; one about another element stays unchanged."""
        return finding if _PLACE.match(finding.subject) else replace(finding, subject=str(self))

    def led_to(self, error: InertiaError) -> InertiaError:
        """Return an error about something that this element names, such as a file, as one about the element."""
        if _PLACE.match(error.subject):
            return error
        about = f"{error.subject}: " if error.subject else ""
        return InertiaError(error.code, str(self), f"{about}{error.message}", *error.args[3:])


_PLACE = re.compile(r".*:\d+ /")


def child_of(parent: Element | None, tag: str) -> Element | None:
    """Return the first child of a tag, or None; `find`, which takes paths, is five times slower."""
    if parent is not None:
        for one in parent:
            if one.tag == tag:
                return one
    return None


def children_of(parent: Element, tag: str) -> list[Element]:
    """Return all children of a tag."""
    return [one for one in parent if one.tag == tag]


def qualified(element: Element) -> str:
    """Return an element's tag as people write it, such as ``gz:voxel_size``."""
    return written_name(element.tag)


@dataclass(frozen=True, eq=False, kw_only=True)
class DerivedDocument(Document):
    """A document whose elements have the places of those that they were made from.

    Parameters
    ----------
    origins : dict of element to Place
        An element without an entry has its parent's place.
    """

    origins: dict[Element, Place]

    @classmethod
    def made(cls, data: bytes, places: Iterable[Place | None], source: Document) -> Self:
        """Parse bytes as a document with the name and path of another.

        Parameters
        ----------
        places : iterable of Place or None
            What each element was made from, in document order; the root has a place.

        Raises
        ------
        InertiaError
            What parsing raises if the tree is too large.
        """
        parsed = Document.parse(data, source.name, source.path)
        known = {new: old for new, old in zip(parsed.root.iter("*"), places, strict=True) if old is not None}
        own = {one.name: getattr(parsed, one.name) for one in fields(parsed)}
        return cls(**own, origins=known)

    def line(self, element: Element) -> int:
        """Return the line that an element's origin begins on, from 1, in its own file."""
        document, origin = self._origin(element)
        return document.line(origin)

    def place(self, element: Element) -> str:
        """Return the place of an element's origin."""
        return str(self._origin(element))

    def _origin(self, element: Element) -> Place:
        while element not in self.origins:
            element = element.getparent()
        return self.origins[element]
