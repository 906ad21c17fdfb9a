# SPDX-License-Identifier: Apache-2.0
"""An element of an XML file, which knows its file, its place and its characters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from ..errors import Finding, InertiaError
from ..findings.place import LAYER

if TYPE_CHECKING:
    from .document import Document

_PLACE = re.compile(rf".*:\d+ /|{LAYER} <?/")
"""How a subject begins that is the place of an element; see `core.findings.place`."""


class Element(ElementTree.Element):
    """An element of a file; as text it is its place, such as ``model.sdf:12 /sdf/model[@name='m']/link[@name='l']``.

    Its `tag` has the usual prefix: ``gz:voxel_size``. Its `text` is its value in libsdformat.

    Attributes
    ----------
    document : Document
        Its file.
    parent : Element or None
    start, content_start, content_end, end : int
        The characters of the file at which its tags begin and end; of ``<mass/>`` the last three are equal.
    origin : Element or None
        What it was made from, if it was not read; it has the place of that.
    calls : tuple or None
        The calls of macros that made it, which are steps of its path; empty for a path of its own, None for that of
        its origin.
    """

    __slots__ = ("document", "parent", "start", "content_start", "content_end", "end", "origin", "calls")

    document: Document
    parent: Element | None
    start: int
    content_start: int
    content_end: int
    end: int
    origin: Element | None
    calls: tuple[Any, ...] | None

    if TYPE_CHECKING:

        def __iter__(self) -> Iterator[Element]: ...
        def __getitem__(self, place: int) -> Element: ...  # type: ignore[override]
        def iter(self, tag: str | None = None) -> Iterator[Element]: ...  # type: ignore[override]
        def iterfind(self, path: str, namespaces: Any = None) -> Iterator[Element]: ...  # type: ignore[override]
        def find(self, path: str, namespaces: Any = None) -> Element | None: ...

    def __init__(self, tag: str, attributes: dict[str, str]) -> None:
        super().__init__(tag, attributes)
        self.parent = self.origin = self.calls = None

    def __bool__(self) -> bool:
        return True  # that of ElementTree says whether it has children

    def add(self, tag: str, text: str | None = None, /, origin: Element | None = None, **attributes: str) -> Element:
        """Add an element after the others and return it; it has the place of its origin, else that of its parent."""
        element = Element(tag, attributes)
        element.text, element.parent, element.origin, element.document = text, self, origin or self, self.document
        self.append(element)
        return element

    @property
    def original(self) -> Element:
        """The element that was read and has its place: itself, if it was read."""
        element = self
        while element.origin is not None:
            element = element.origin
        return element

    @property
    def line(self) -> int:
        """The line that it begins on, from 1."""
        original = self.original
        return original.document.characters.line(original.start)

    @property
    def where(self) -> str:
        """Its file and line."""
        return f"{self.original.document.name}:{self.line}"

    @property
    def path(self) -> str:
        """The tags and names from the root to it, with the calls that made it."""
        if self.origin is not None and self.calls is None:
            return self.origin.path
        steps: list[object] = []
        element: Element | None = self
        while element is not None:
            name = element.get("name", element.document.given_names.get(element))
            steps.append(element.tag + ("" if name is None else f"[@name='{name}']"))
            element = element.parent
        root, *below = reversed(steps)
        return "/" + "/".join(map(str, (root, *(self.calls or ()), *below)))

    def __str__(self) -> str:
        return f"{self.where} {self.path}"

    @property
    def span(self) -> tuple[int, int]:
        """The start and end of its bytes in its file, tags included."""
        unit = self.document.characters.unit
        return self.start * unit, self.end * unit

    @property
    def content_span(self) -> tuple[int, int]:
        """The start and end of the bytes between its tags; both are its end for ``<mass/>``."""
        unit = self.document.characters.unit
        return self.content_start * unit, self.content_end * unit

    def about(self, finding: Finding) -> Finding:
        """Return a finding about this element, whatever its subject; one about another element stays unchanged."""
        return finding if _PLACE.match(finding.subject) else replace(finding, subject=str(self))

    def led_to(self, error: InertiaError) -> InertiaError:
        """Return an error about something that this element names, such as a file, as one about the element."""
        if _PLACE.match(error.subject):
            return error
        about = f"{error.subject}: " if error.subject else ""
        return InertiaError(error.code, str(self), f"{about}{error.message}", *error.args[3:])


def child_of(parent: Element | None, tag: str) -> Element | None:
    """Return the first child of a tag, or None; `find`, which takes paths, is slower."""
    if parent is not None:
        for child in parent:
            if child.tag == tag:
                return child
    return None


def children_of(parent: Element, tag: str) -> list[Element]:
    """Return all children of a tag."""
    return [child for child in parent if child.tag == tag]


def text_of(element: Element | None) -> str:
    """Return an element's value as libsdformat sees it: its first text, without surrounding space; "" for None."""
    return "" if element is None else (element.text or "").strip()
