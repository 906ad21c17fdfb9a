# SPDX-License-Identifier: Apache-2.0
"""Builds the tree of elements with their byte offsets, chooses the text of each, and enforces the limits."""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from ...errors import InertiaError
from ...files import input_file
from ...files.input_file import MAX_DEPTH
from .characters import SHOWN, SPACES, Characters

Element = Any  # lxml has no public type for it

MAX_BYTES = 64 * 1024 * 1024
"""Maximum size of a file [bytes]: a world of 10,000 links has about 10 MB."""


@dataclass
class TreeWithOffsets:
    """The tree of a file, the positions of its elements, and what is unusual about them.

    `starts` and `ends` are, in document order, the positions in `characters.text` of each of `elements`; `end_tags`
    those of unusual end tags, by number. `cut` has the elements whose text ends before they do, and what follows it;
    `undeclared` the prefixes without a declaration; `comments` those that begin with ``sdf-inertia:``, by the number
    of the innermost element, or -1, and the start and end of what follows.
    """

    characters: Characters
    root: Element = None
    elements: list[Element] = field(default_factory=list)
    starts: array[int] = field(default_factory=lambda: array("q"))
    ends: array[int] = field(default_factory=lambda: array("q"))
    end_tags: dict[int, int] = field(default_factory=dict)
    cut: list[tuple[Element, str]] = field(default_factory=list)
    undeclared: list[str] = field(default_factory=list)
    comments: list[tuple[int, int, int]] = field(default_factory=list)

    @property
    def size(self) -> int:
        """Number of elements."""
        return len(self.starts)


_OURS = re.compile(r"<!--\s*sdf-inertia:")

ROOTS = ("sdf", "robot", "model")
"""Of several roots of a file, the first one with the first of these names is read."""

_EMPTY, _TEXT, _FULL = range(3)
"""States of an element's content: only comments so far; a text; more, so that later texts are ignored."""


class TreeBuilder:
    """The elements of a file so far, and the innermost open one.

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
        """True inside an element."""
        return bool(self._outer)

    def add(self, tag: str, values: dict[str, str] | None, start: int, end: int) -> Element:
        """Add an element; its end is for now that of its start tag or of its known part."""
        found = self._found
        if len(self._outer) >= MAX_DEPTH:
            raise InertiaError.of("too_deep", self._characters.where(start), "elements", limit=MAX_DEPTH)
        if len(found.starts) >= input_file.MAX_ELEMENTS:
            raise InertiaError.of("too_many_elements", self._characters.where(start), limit=input_file.MAX_ELEMENTS)
        if self._outer:
            element = etree.SubElement(self._element, tag, values)
        else:
            # Each root has its own document: lxml needs quadratic time to free a tree without one.
            element = etree.Element(tag, values)
            self._roots.append(len(found.starts))
            self.begun = True
        found.elements.append(element)
        found.starts.append(start)
        found.ends.append(end)
        self._content = _FULL
        return element

    def enter(self, element: Element, name: str) -> None:
        """Enter the element that was added last."""
        self._outer.append((self._element, self._name, self._number))
        self._element, self._name, self._number = element, name, len(self._found.starts) - 1
        self._content = _EMPTY

    def end(self, name: str, start: int, end: int) -> bool:
        """End the innermost element; return False if there is none, where TinyXML2 stops reading."""
        if not self._outer:
            self._characters.note("outside", start)
            return False
        if name != self._name:
            message = f"</{self._characters.shown(name)}> is where {self._innermost()} ends"
            raise self._characters.bad(start, message)
        self._found.ends[self._number] = end
        if end - start != len(name) + 3:
            self._found.end_tags[self._number] = start
        self._element, self._name, self._number = self._outer.pop()
        self._content = _FULL
        return True

    def text(self, first: int, last: int, cdata: bool = False) -> None:
        """Add a text: the first one in an element is its value."""
        if not (cdata or self._characters.text[first:last].strip(SPACES)):
            return
        if not self._outer:
            self._characters.note("outside", first)
            self.begun = True
            return
        text = self._characters.value(first, last, entities=False) if cdata else self.value(first, last)
        if self._content == _EMPTY:
            self._element.text = text
            self._content = _TEXT
        elif self._content == _TEXT and text.strip():
            self._found.cut.append((self._element, text.strip()[:SHOWN]))
            self._content = _FULL

    def comment(self, start: int, end: int) -> None:
        """Keep a comment that is for us; drop any other."""
        self.begun = True
        found = _OURS.match(self._characters.text, start, end)
        if found:
            self._found.comments.append((self._number, found.end(), end - len("-->")))

    def unknown(self) -> None:
        """Record what is neither text nor element: later texts are ignored."""
        self._content, self.begun = _FULL, True

    def value(self, first: int, last: int) -> str:
        """Return a text decoded."""
        if self._cdata_ends and "]]>" in self._characters.text[first:last]:
            self._characters.note("cdata_end", first)
        return self._characters.value(first, last)

    def done(self) -> TreeWithOffsets:
        """Return the result, with the root that libsdformat reads."""
        if self._outer:
            raise self._characters.bad(len(self._characters.text), f"{self._innermost()} has no end")
        if not self._roots:
            raise self._characters.bad(0, "it has no elements")
        elements = self._found.elements
        ranked = [number for name in ROOTS for number in self._roots if elements[number].tag == name]
        chosen = (ranked or self._roots)[0]
        for number in self._roots:
            if number != chosen:
                self._characters.note("outside", self._found.starts[number])
        self._found.root = elements[chosen]
        return self._found

    def _innermost(self) -> str:
        line = self._characters.line(self._found.starts[self._number])
        return f"<{self._characters.shown(self._name)}> of line {line}"
