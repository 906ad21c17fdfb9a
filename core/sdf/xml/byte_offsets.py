# SPDX-License-Identifier: GPL-3.0-or-later
"""The tree of a file with the byte offsets of its elements, as one pass finds them, and the limits of that pass."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import Any

from .characters import Characters
from .grammar import tag_end

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
