# SPDX-License-Identifier: Apache-2.0
"""Expands the includes of an MJCF file to a text in which each line is one element, whose place in the files is known.

MuJoCo reports the line of each element that it parses, but 0 for all elements of an included file. The text names no
file of the disk: each has a name of ours, by which MuJoCo gets its bytes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import prod
from pathlib import Path
from typing import NamedTuple

from ...document.document import MAX_BYTES, Document
from ...document.element import Element
from ...document.packages import Folders
from ...errors import InertiaError
from ...files.input_file import read_bytes

MOST_ELEMENTS = 200_000
"""Maximum number of elements, with those that includes, ``<replicate>``, ``<flexcomp>`` and ``<composite>`` make."""

FOLDER_SETTINGS = ("meshdir", "texturedir", "assetdir")
"""Attributes of ``<compiler>`` that change where files are looked up."""

DEEPEST = 32
"""Maximum number of files that include each other."""

NAMED_AFTER_FILES = ("mesh", "hfield", "texture")
"""Elements that have the names of their files, if they have none."""

FILE = "sdf-inertia-"
"""The beginning of our names of files."""

_FILE = re.compile(rf"{FILE}\d+(?:\.[^\s'\"]*)?")
_LINE = re.compile(r".*line\D*(\d+)", re.DOTALL)  # the last one: before it stand names of the file


class NamedFile(NamedTuple):
    """A file that an element names.

    Parameters
    ----------
    name : str
        As written.
    place : Element
        Of the element.
    """

    name: str
    place: Element


@dataclass(frozen=True, eq=False)
class Expanded:
    """An MJCF file with all that it includes.

    Parameters
    ----------
    document : Document
        The file itself.
    text : bytes
        The expanded XML, an element on each line.
    places : sequence of Element
        Of the elements, in the order of the lines.
    inertials : mapping of int to Element
        The place of the ``<inertial>`` in the body on each line that has one.
    folders : Folders
    files : mapping of str to NamedFile
        The files by their names in the text.
    settings : mapping of str to str
        ``meshdir``, ``texturedir`` and ``strippath``, as all ``<compiler>`` together set them.
    """

    document: Document
    text: bytes
    places: Sequence[Element]
    inertials: Mapping[int, Element]
    folders: Folders
    files: Mapping[str, NamedFile]
    settings: Mapping[str, str]

    def place(self, info: str) -> Element:
        """Return the place of the element that MuJoCo says is on ``line N``; the root if it names no line."""
        return self.places[self._number(info)]

    def inertial(self, info: str) -> Element | None:
        """Return the place of the ``<inertial>`` of the body on that line, if it has one."""
        return self.inertials.get(self._number(info))

    def in_own_words(self, message: str) -> str:
        """Return what MuJoCo says with the names of files as they are written."""
        return _FILE.sub(lambda match: self.files[match[0]].name if match[0] in self.files else match[0], message)

    def _number(self, info: str) -> int:
        match = _LINE.match(info)
        number = 0 if match is None else int(match[1]) - 1
        return number if 0 <= number < len(self.places) else 0


def expand(document: Document, roots: Sequence[Path] = ()) -> Expanded:
    """Expand a file's includes, whose paths are relative to the folder of the first file.

    Raises
    ------
    InertiaError
        ``bad_mjcf`` for an include that cannot be read as MJCF, ``uri_refused`` for one outside of the folders that may
        be read, or what `Document.parse` raises.
    """
    if document.root.tag != "mujoco":
        raise InertiaError.of("bad_mjcf", document.name, "fragment")
    expansion = _Expansion(document, Folders.of(document, roots))
    expansion.add(document.root, (document,))
    return Expanded(
        document,
        "".join(expansion.lines).encode(),
        expansion.places,
        expansion.inertials,
        expansion.folders,
        expansion.named,
        expansion.settings,
    )


class _Expansion:
    """The lines so far, the places of their elements, and the files, each of which is read once."""

    def __init__(self, document: Document, folders: Folders) -> None:
        self.document, self.folders, self.count = document, folders, 0
        self.lines: list[str] = []
        self.places: list[Element] = []
        self.inertials: dict[int, Element] = {}
        self.files: dict[Path, Document] = {}
        self.names: set[str] = set()
        self.named: dict[str, NamedFile] = {}
        self.settings: dict[str, str] = {}

    def add(self, element: Element, files: tuple[Document, ...], parent: int = 0, copies: int = 1) -> None:
        """Add an element and those in it to one; `files` include each other, the last has the element.

        MuJoCo makes `copies` of it.
        """
        copies *= _copies(element)
        self.count += copies
        if self.count > MOST_ELEMENTS:
            raise InertiaError.of("too_many_elements", str(element), "copies", limit=MOST_ELEMENTS)
        if element.tag == "include":
            included = self._included(element, files)
            for child in included.root:
                self.add(child, (*files, included), parent, copies)
            return
        if element.tag == "model" and "file" in element.attrib:
            raise InertiaError.of("bad_mjcf", str(element), "attached", name=element.get("file"))
        if element.tag == "inertial":
            self.inertials[parent] = element
        attributes = "".join(f' {name}="{_quoted(value)}"' for name, value in self._attributes(element).items())
        self.lines.append(f"{chr(10) * bool(self.lines)}<{element.tag}{attributes}>")
        number = len(self.places)
        self.places.append(element)
        for child in element:
            self.add(child, files, number, copies)
        self.lines.append(f"</{element.tag}>")

    def _attributes(self, element: Element) -> Mapping[str, str]:
        """Return the attributes of an element with our names of files."""
        attributes = dict(element.attrib)
        if element.tag == "compiler":
            given = {name: attributes.pop(name) for name in FOLDER_SETTINGS if name in attributes}
            both = given.pop("assetdir", None)
            self.settings |= {} if both is None else {"meshdir": both, "texturedir": both}
            self.settings |= given | {"strippath": attributes.get("strippath", self.settings.get("strippath", ""))}
        for name, value in element.attrib.items():
            if name.startswith("file") and value:
                stem, dot, suffix = value.replace("\\", "/").rpartition("/")[2].rpartition(".")
                attributes[name] = f"{FILE}{len(self.named)}{dot}{suffix if dot else ''}"
                self.named[attributes[name]] = NamedFile(value, element)
                if name == "file" and element.tag in NAMED_AFTER_FILES:
                    attributes["name"] = attributes.get("name") or (stem if dot else suffix)
        return attributes

    def _included(self, include: Element, files: tuple[Document, ...]) -> Document:
        """Return the file that an element includes: from the folder of the first file, or from that of its own."""
        name = include.get("file", "").replace("\\", "/")
        if len(include):
            raise InertiaError.of("bad_mjcf", str(include), "mujoco", reason="Include element cannot have children")
        folders = (Path(document.path or document.name).parent for document in (self.document, files[-1]))
        paths = [Path(os.path.normpath(folder / name)) for folder in folders]
        shown = next((path for path in paths if os.path.isfile(path)), paths[0])
        if not self.folders.allow(shown):
            raise InertiaError.of("uri_refused", str(include), "include", name=ascii(name[:200]))
        real = Path(os.path.realpath(shown))
        if len(files) > DEEPEST or any(
            document.path is not None and Path(os.path.realpath(document.path)) == real for document in files
        ):
            raise InertiaError.of("bad_mjcf", str(include), "cycle", name=name)
        if os.path.normpath(name) in self.names:
            raise InertiaError.of("bad_mjcf", str(include), "twice", name=name)
        self.names.add(os.path.normpath(name))
        if real not in self.files:
            try:
                self.files[real] = Document.parse(read_bytes(shown, MAX_BYTES), str(shown), shown)
            except InertiaError as error:
                raise include.led_to(error) from None
        return self.files[real]


def _copies(element: Element) -> int:
    """Return how many elements MuJoCo makes of one."""
    if element.tag not in ("replicate", "flexcomp", "composite"):
        return 1
    counts = (count.removeprefix("+") for count in element.get("count", "").split())
    return max(1, prod(int(count[:9]) for count in counts if count.isdecimal()))


def _quoted(value: str) -> str:
    """Return the text of an attribute on one line."""
    return escape(value).replace("\n", "&#10;").replace("\r", "&#13;")
