# SPDX-License-Identifier: Apache-2.0
"""Expands the includes of an MJCF file to a text in which each line is one element, whose place in the files is known.

MuJoCo reports the line of each element that it parses, but 0 for all elements of an included file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import quoteattr

from ..errors import InertiaError
from ..files.input_file import read_bytes
from ..sdf.xml.document import Document, Element, Place
from ..sdf.xml.tree_builder import MAX_BYTES

MOST_ELEMENTS = 200_000
"""Maximum number of elements, as files that include others repeat them."""

DEEPEST = 32
"""Maximum number of files that include each other."""

_BREAKS = {"\n": "&#10;", "\r": "&#13;"}

_LINE = re.compile(r"line\D*(\d+)")


@dataclass(frozen=True, eq=False)
class Expanded:
    """An MJCF file with all that it includes.

    Parameters
    ----------
    document : Document
        The file itself.
    text : bytes
        The expanded XML, an element on each line.
    places : sequence of Place
        Of the elements, in the order of the lines.
    """

    document: Document
    text: bytes
    places: Sequence[Place]

    def place(self, info: str) -> Place:
        """Return the place of the element that MuJoCo says is on ``line N``; the root if it names no line."""
        found = _LINE.search(info)
        number = 0 if found is None else int(found[1]) - 1
        return self.places[number if 0 <= number < len(self.places) else 0]


def expand(document: Document) -> Expanded:
    """Expand a file's includes, whose paths are relative to the folder of the first file.

    Raises
    ------
    InertiaError
        ``bad_mjcf`` for an include that cannot be read as MJCF, or what `Document.parse` raises.
    """
    lines: list[str] = []
    places: list[Place] = []
    root = document.root
    if root.tag != "mujoco":
        raise InertiaError.of("bad_mjcf", document.name, "fragment")
    _add(root, (document,), lines, places)
    return Expanded(document, "".join(lines).encode(), places)


def _add(element: Element, files: tuple[Document, ...], lines: list[str], places: list[Place]) -> None:
    """Add an element and those in it; `files` include each other, the last has the element."""
    if len(places) >= MOST_ELEMENTS:
        raise InertiaError.of("too_many_elements", files[0].name, limit=MOST_ELEMENTS)
    if element.tag == "include":
        included = _included(files[-1].at(element), files)
        for child in _children(included.root):
            _add(child, (*files, included), lines, places)
        return
    attributes = "".join(f" {name}={quoteattr(value, _BREAKS)}" for name, value in element.attrib.items())
    lines.append(f"{chr(10) * bool(lines)}<{element.tag}{attributes}>")
    places.append(files[-1].at(element))
    for child in _children(element):
        _add(child, files, lines, places)
    lines.append(f"</{element.tag}>")


def _children(element: Element) -> Iterator[Element]:
    return (child for child in element if isinstance(child.tag, str))


def _included(place: Place, files: tuple[Document, ...]) -> Document:
    """Return the file that an element includes: from the folder of the first file, or from that of its own."""
    name = place.element.get("file", "").strip()
    if os.path.isabs(name) or Path(name).suffix.lower() not in (".xml", ".mjcf"):
        raise InertiaError.of("uri_refused", str(place), "include", name=ascii(name[:200]))
    first, *others = [Path(os.path.normpath(Path(one.path or one.name).parent / name)) for one in (files[0], files[-1])]
    shown = next((one for one in (first, *others) if one.is_file()), first)
    if len(files) > DEEPEST or any(_is_same(shown, one.path) for one in files):
        raise InertiaError.of("bad_mjcf", str(place), "cycle", name=name)
    try:
        return Document.parse(read_bytes(shown, MAX_BYTES), str(shown), shown)
    except InertiaError as error:
        raise place.led_to(error) from None


def _is_same(path: Path, other: Path | None) -> bool:
    return other is not None and os.path.realpath(path) == os.path.realpath(other)
