# SPDX-License-Identifier: Apache-2.0
"""Changes one element in a file's bytes and leaves every other byte unchanged, also formatting, line ends and
encoding."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ..formats.sdf.spec.codes import sdf_error
from .characters import SPACES
from .element import Element
from .parser import ATTRIBUTE, TAG

LOOK_BACK = 256
"""Bytes before an element that are searched for its line's indentation."""


@dataclass(frozen=True)
class Splice:
    """New bytes that replace those from `start` to `end` of a file."""

    start: int
    end: int
    data: bytes


def spliced(data: bytes, splices: Iterable[Splice]) -> bytes:
    """Return `data` with all splices applied; they do not overlap."""
    pieces, place = [], 0
    for splice in sorted(splices, key=lambda splice: splice.start):
        assert place <= splice.start <= splice.end
        pieces += [data[place : splice.start], splice.data]
        place = splice.end
    return b"".join([*pieces, data[place:]])


@dataclass(frozen=True)
class Layout:
    """The layout of an element's children: the text before each, and before the end tag; "" on one line."""

    before_child: str
    before_end: str

    @property
    def deeper(self) -> Layout:
        """The layout one level down."""
        line = self.before_end
        unit = self.before_child[len(line) :] if line and self.before_child.startswith(line) else "  "
        return Layout(self.before_child + unit if self.before_child else "", self.before_child)


class Editor:
    """The text of one element, and the changes to it.

    Parameters
    ----------
    element : Element
        All changes are in it or its descendants; each may be made only once.
    """

    def __init__(self, element: Element) -> None:
        document = element.document
        if document.root.tag == "sdf" and document.root.get("version", "").strip() == "1.0":
            raise sdf_error("bad_version", element, "version_1_0", codes=())
        self._characters = document.characters
        self._element = element
        self._text = self._characters.text[element.start : element.end]
        self._changes: list[tuple[int, int, str]] = []
        self._layouts: dict[Element, Layout] = {}

    def splice(self) -> Splice:
        """Return all changes as one."""
        pieces, place = [], 0
        for start, end, text in sorted(self._changes):
            pieces += [self._text[place:start], text]
            place = max(end, place)
        text = "".join([*pieces, self._text[place:]])
        return Splice(*self._element.span, text.encode(self._characters.codec, "surrogatepass"))

    @property
    def changed(self) -> bool:
        """True if anything was changed."""
        return bool(self._changes)

    def drop_attribute(self, name: str) -> None:
        """Remove an attribute from the element's start tag, with the white space before it."""
        for match in self._attributes():
            if match[2] == name:
                # Without space after it, as in a="1"b="2", the space before it stays to part its neighbours.
                parted = self._text[match.end()] in SPACES + "/>"
                self._changes.append((match.start() if parted else match.start(2), match.end(), ""))

    def set_attribute(self, name: str, value: str) -> None:
        """Add an attribute to the element's start tag, or change its value."""
        place = _tag(self._text, 0).end()
        for match in self._attributes():
            if match[2] == name:
                self._changes.append((match.start(3), match.end(3), f'"{value}"'))
                return
            place = match.end()
        self._changes.append((place, place, f' {name}="{value}"'))

    def set_text(self, element: Element, text: str) -> None:
        """Replace all content between an element's tags."""
        start, end = self._span(element)
        opened, closing = self._content_span(element)
        if opened == end:  # <mass/>
            self._open(start, end, text)
        else:
            self._changes.append((opened, closing, text))

    def replace(self, element: Element, text: str) -> None:
        """Replace a whole element, tags included."""
        self._changes.append((*self._span(element), text))

    def remove(self, element: Element) -> None:
        """Remove a child with the white space before it."""
        start, end = self._span(element)
        while start and self._text[start - 1] in SPACES:
            start -= 1
        self._changes.append((start, end, ""))

    def append(self, parent: Element, texts: Iterable[str]) -> None:
        """Add elements, given as text, at the end of `parent`, laid out as its children are."""
        layout = self.layout(parent)
        text = "".join(layout.before_child + element for element in texts)
        start, end = self._span(parent)
        opened, closing = self._content_span(parent)
        if opened == end:  # <mass/>
            self._open(start, end, text + layout.before_end)
            return
        place = closing
        while place > opened and self._text[place - 1] in SPACES:
            place -= 1
        space = self._text[place:closing]
        # A removed element takes the white space before it along, never that after it.
        if layout.before_child and not {"\n", "\r"} & set(space):
            self._changes.append((place, closing, text + layout.before_end))
        else:
            self._changes.append((place, place, text))

    def layout(self, parent: Element) -> Layout:
        """Return the layout of an element's children, or the one that they would have."""
        if parent not in self._layouts:
            self._layouts[parent] = self._layout(parent)
        return self._layouts[parent]

    def _layout(self, parent: Element) -> Layout:
        before_parent = _line_before(self._before(parent))
        if len(parent):
            line = _line_before(self._before(parent[0]))
            # The first child on the same line as its parent: everything there is on one line.
            return Layout(line, before_parent) if line else Layout("", "")
        outer = parent.parent
        above = "" if outer is None else _line_before(self._before(outer))
        if not above and outer is not None and outer.parent is None:
            above = before_parent.rstrip(" \t")  # no line ends before the first element of a file
        # One level of indentation: what this line has more than that of its own parent.
        unit = (
            before_parent[len(above) :]
            if above and before_parent.startswith(above) and len(before_parent) > len(above)
            else "  "
        )
        return Layout(before_parent + unit, before_parent) if before_parent else Layout("", "")

    def _before(self, element: Element) -> str:
        return self._characters.text[max(element.start - LOOK_BACK, 0) : element.start]

    def _span(self, element: Element) -> tuple[int, int]:
        return element.start - self._element.start, element.end - self._element.start

    def _content_span(self, element: Element) -> tuple[int, int]:
        return element.content_start - self._element.start, element.content_end - self._element.start

    def _attributes(self) -> Iterable[re.Match[str]]:
        place = _tag(self._text, 0).end()
        while match := ATTRIBUTE.match(self._text, place):
            yield match
            place = match.end()

    def _open(self, start: int, end: int, text: str) -> None:
        """Make ``<mass/>`` an element with content."""
        tag_start = end - len("/>")
        while self._text[tag_start - 1] in SPACES:
            tag_start -= 1
        tag = _tag(self._text, start)
        self._changes += [(tag.start(2), tag.end(2), ""), (tag_start, end, f">{text}</{tag[3]}>")]


def _tag(text: str, start: int) -> re.Match[str]:
    """Return the match of the start tag at a place, up to the end of its name."""
    match = TAG.match(text, start)
    assert match
    return match


def _line_before(text: str) -> str:
    """Return the line break and indentation that `text` ends with; empty if anything else precedes."""
    line = text.rstrip(" \t")
    for end in ("\r\n", "\n", "\r"):
        if line.endswith(end):
            return text[len(line) - len(end) :]
    return ""
