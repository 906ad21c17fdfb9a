# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the tree of elements with their byte offsets: what is within what, which text counts, and the limits."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from ...errors import InertiaError
from ...files import xml_guard
from ...files.xml_guard import MAX_DEPTH
from .characters import Characters
from .grammar import SPACES, tag_end
from .leniencies import SHOWN

Element = Any  # lxml has no public type for one

MAX_BYTES = 64 * 1024 * 1024
"""A file above this is refused: a world of 10,000 links has about 10 MB."""


@dataclass
class TreeWithOffsets:
    """The tree of a file, where its elements stand in it, and what is odd about them.

    `starts` and `ends` hold, in document order, where in `characters.text` each of `elements` begins and ends;
    `end_tags` where unusual ones of these begin, by number. `cut` holds the elements whose text ends before they do,
    and what follows there; `undeclared` the prefixes that are nowhere declared.
    """

    characters: Characters
    root: Element = None
    elements: list[Element] = field(default_factory=list)
    starts: array[int] = field(default_factory=lambda: array("q"))
    ends: array[int] = field(default_factory=lambda: array("q"))
    end_tags: dict[int, int] = field(default_factory=dict)
    cut: list[tuple[Element, str]] = field(default_factory=list)
    undeclared: list[str] = field(default_factory=list)

    @property
    def size(self) -> int:
        """How many elements it has."""
        return len(self.starts)

    def content(self, number: int) -> tuple[int, int]:
        """Return where an element's content begins and ends: asked of few, so not kept of all."""
        text, end = self.characters.text, self.ends[number]
        opened = tag_end(text, self.starts[number])
        if opened == end:
            return end, end
        return opened, self.end_tags.get(number) or text.rindex("</", opened, end)


ROOTS = ("sdf", "robot", "model")
"""Where a file has several roots, the first one with the first of these names is read."""

_EMPTY, _TEXT, _FULL = range(3)
"""What an element holds so far: nothing but comments; a text; more, so that no further text counts."""


class TreeBuilder:
    """The elements of a file so far, and the innermost one that has not ended.

    `within` is false outside of all elements; `begun` is true where the file has more than declarations so far.
    """

    def __init__(self, characters: Characters) -> None:
        self.begun = False
        self._characters = characters
        self._found = TreeWithOffsets(characters)
        self._element: Element = None
        self._name, self._number, self._content = "", -1, _FULL
        self._outer: list[tuple[Element, str, int]] = []
        self._roots: list[int] = []
        self._cdata_ends = "]]>" in characters.text

    @property
    def within(self) -> bool:
        """True within an element."""
        return bool(self._outer)

    def add(self, tag: str, values: dict[str, str] | None, start: int, end: int) -> Element:
        """Add an element, which ends as yet where its start tag or what is known of it does."""
        found = self._found
        if len(self._outer) >= MAX_DEPTH:
            raise InertiaError.of("too_deep", self._characters.where(start), "elements", limit=MAX_DEPTH)
        if len(found.starts) >= xml_guard.MAX_ELEMENTS:
            raise InertiaError.of("too_many_elements", self._characters.where(start), limit=xml_guard.MAX_ELEMENTS)
        if self._outer:
            element = etree.SubElement(self._element, tag, values)
        else:
            # Each root has a document of its own: to free a tree without one takes lxml the square of its size.
            element = etree.Element(tag, values)
            self._roots.append(len(found.starts))
            self.begun = True
        found.elements.append(element)
        found.starts.append(start)
        found.ends.append(end)
        self._content = _FULL
        return element

    def enter(self, element: Element, name: str) -> None:
        """Go into the element that was added last."""
        self._outer.append((self._element, self._name, self._number))
        self._element, self._name, self._number = element, name, len(self._found.starts) - 1
        self._content = _EMPTY

    def end(self, name: str, start: int, end: int) -> bool:
        """End the innermost element; false if there is none, and TinyXML2 reads no further."""
        if not self._outer:
            self._characters.leniencies.add("outside", start)
            return False
        if name != self._name:
            message = f"</{self._characters.shown(name)}> stands where {self._innermost()} ends"
            raise self._characters.bad(start, message)
        self._found.ends[self._number] = end
        if end - start != len(name) + 3:
            self._found.end_tags[self._number] = start
        self._element, self._name, self._number = self._outer.pop()
        self._content = _FULL
        return True

    def text(self, first: int, last: int, cdata: bool = False) -> None:
        """Take a text: the first within an element is its value."""
        if not (cdata or self._characters.text[first:last].strip(SPACES)):
            return
        if not self._outer:
            self._characters.leniencies.add("outside", first)
            self.begun = True
            return
        text = self._characters.value(first, last, entities=False) if cdata else self.value(first, last)
        if self._content == _EMPTY:
            self._element.text = text
            self._content = _TEXT
        elif self._content == _TEXT and text.strip():
            self._found.cut.append((self._element, text.strip()[:SHOWN]))
            self._content = _FULL

    def unknown(self) -> None:
        """Take what is neither text nor element: no text behind it counts."""
        self._content, self.begun = _FULL, True

    def value(self, first: int, last: int) -> str:
        """Return what a text stands for."""
        if self._cdata_ends and "]]>" in self._characters.text[first:last]:
            self._characters.leniencies.add("cdata_end", first)
        return self._characters.value(first, last)

    def done(self) -> TreeWithOffsets:
        """Return all that was found, with the root that counts."""
        if self._outer:
            raise self._characters.bad(len(self._characters.text), f"{self._innermost()} has no end")
        if not self._roots:
            raise self._characters.bad(0, "it has no elements")
        elements = self._found.elements
        ranked = [number for name in ROOTS for number in self._roots if elements[number].tag == name]
        chosen = (ranked or self._roots)[0]
        for number in self._roots:
            if number != chosen:
                self._characters.leniencies.add("outside", self._found.starts[number])
        self._found.root = elements[chosen]
        return self._found

    def _innermost(self) -> str:
        line = self._characters.line(self._found.starts[self._number])
        return f"<{self._characters.shown(self._name)}> of line {line}"
