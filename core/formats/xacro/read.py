# SPDX-License-Identifier: Apache-2.0
"""Expands a xacro file to URDF by the package xacro; each element keeps its place in the text and the macros' calls."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from glob import glob, has_magic
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ...child.child import Answer, Child, UnfulfilledError
from ...document.document import MAX_BYTES, Document
from ...document.element import Element, child_of
from ...document.locate import Locator, NotFoundError
from ...errors import InertiaError
from ...files.input_file import guard_xml, note_missing, on_a_drive_of, read_bytes
from ..urdf.read import XACRO

_child = Child(Path(__file__).with_name("xacro_program.py"), "xacro")

_ENCODING = re.compile(rb"""(?:\xef\xbb\xbf)?<\?xml[^>]*?encoding=["']([\w.-]+)["'][^>]*\?>""")


@dataclass(frozen=True, eq=False)
class Call:
    """A call of a macro: its name, where it is called, and the values of its parameters."""

    macro: str
    place: Element
    values: dict[str, str] = field(default_factory=dict)

    @property
    def line(self) -> str:
        """The file and line of the call."""
        return self.place.where

    def __str__(self) -> str:
        return f"xacro:{self.macro}[{self.line}]"


def is_xacro(document: Document) -> bool:
    """Return True for a ``.xacro`` file, and for any file that uses xacro's elements or attributes."""
    if document.path is not None and document.path.suffix.lower() == ".xacro":
        return True
    names = (name for element in document.root.iter() for name in (element.tag, *element.attrib))
    return b"xacro" in document.data and any(str(name).startswith(XACRO) for name in names)


def expand(document: Document, locator: Locator, arguments: Mapping[str, str]) -> Document:
    """Expand a xacro file to a document whose elements have the text that they come from as `origin`, and the macros
    that they come from, the outermost first, as `calls`; a link has those of its ``<inertial>``.

    Raises
    ------
    InertiaError
        ``xacro`` without the package, ``bad_xacro`` for what it cannot expand, ``xacro_refused`` for what may run
        arbitrary code, ``uri_lookup`` and ``uri_refused`` for packages and files, or what `Document.parse` raises.
    """
    try:
        return _Expansion(document, locator).run(arguments)
    except InertiaError as error:
        raise error.about(document.name) from None


def inertial_or_self(element: Element) -> Element:
    """Return the ``<inertial>`` of a link that has one, and any other element itself."""
    inertial = child_of(element, "inertial") if element.tag == "link" else None
    return element if inertial is None else inertial


class _Expansion:
    """Answers what the library in its child process asks for: packages, and files that may be read."""

    def __init__(self, document: Document, locator: Locator) -> None:
        self.document, self.locator = document, locator
        self.roots = [*locator.readable, *filter(None, [locator.above.checkout])]
        self.documents = {Path(os.path.realpath(document.path or document.name)): document}

    def run(self, arguments: Mapping[str, str]) -> Document:
        answers = {"package": self._find, "include": self._included, "yaml": self._yaml, "glob": self._glob}
        given: dict[str, object] = {"path": str(self.document.path or self.document.name), "folder": os.getcwd()}
        try:
            given |= {"arguments": dict(arguments), "environment": dict(os.environ)}
            reply = expand_in_child(given, _text(self.document), answers)
        except UnfulfilledError as error:
            raise self._placed(error) from None
        elements = [[*document.root.iter()] for document in self.documents.values()]
        data = reply["text"].encode(errors="replace")  # an expression may make half a surrogate pair
        expanded = Document.parse(data, self.document.name, self.document.path)
        expanded.findings = self.document.findings
        made = [*expanded.root.iter()]
        if len(made) != len(reply["places"]):
            raise InertiaError.of("bad_xacro", self.document.name, "markup")
        calls = [Call(macro, elements[file][number], values) for macro, (file, number), values in reply["calls"]]
        for element, (file, number), chain in zip(made, reply["places"], reply["chains"], strict=True):
            element.origin, element.calls = elements[file][number], tuple(calls[call] for call in chain)
        for link in expanded.root.iter("link"):  # whose inertial is what matters
            inertial = inertial_or_self(link)
            link.origin, link.calls = inertial.origin, inertial.calls
        return expanded

    def _find(self, name: str) -> tuple[str, tuple[()]]:
        folder = self.locator.above.named.get(name)
        if folder not in self.roots:
            try:
                folder = self.locator.find(f"package://{name}", "")
            except NotFoundError:
                folder = next(self.locator.above.workspace.named(name), None)
                if folder is None:
                    raise
                self.roots.append(folder)
        return str(folder), ()

    def _readable(self, name: str) -> Path:
        """Return the real path of a file that may be read, existing or not."""
        path = Path(os.path.abspath(name))
        try:
            real = Path(os.path.realpath(path)) if on_a_drive_of(path, self.roots) else path
        except ValueError:  # a NUL, or half a surrogate pair
            real = Path()
        if not any(real.is_relative_to(root) for root in self.roots):
            raise InertiaError.of("uri_refused", "", "include", name=ascii(name[:200]))
        return real

    def _included(self, name: str) -> tuple[int | None, tuple[bytes, ...]]:
        """Return the number of a file and its text, or None if it is missing."""
        real = self._readable(name)
        if not os.path.isfile(real):
            note_missing(real)
            return None, ()
        if real not in self.documents:
            here = os.path.realpath(os.curdir)
            relative = not os.path.isabs(self.document.name) and real.is_relative_to(here)
            # The form in which the file names it.
            shown = os.path.relpath(real, here) if relative else os.path.normpath(name)
            self.documents[real] = Document.parse(read_bytes(real, MAX_BYTES), shown, Path(shown))
        return [*self.documents].index(real), (_text(self.documents[real]),)

    def _yaml(self, name: str) -> tuple[None, tuple[bytes]]:
        real = self._readable(name)
        if real.suffix.lower() not in (".yaml", ".yml"):
            raise InertiaError.of("uri_refused", "", "yaml", name=ascii(name[:200]))
        return None, (read_bytes(real, MAX_BYTES),)

    def _glob(self, pattern: str) -> tuple[list[str], tuple[()]]:
        """Return the files that a pattern fits; its folder must be one that may be read."""
        folders = os.path.dirname(pattern)
        if has_magic(folders):
            raise InertiaError.of("uri_refused", "", "pattern", name=ascii(pattern[:200]))
        self._readable(folders)
        return glob(pattern), ()

    def _placed(self, error: UnfulfilledError) -> InertiaError:
        """Return what the library says as an error at the innermost element that it had reached."""
        numbers, refusal, refused, message = error.reason
        documents, place = [*self.documents.values()], self.document.name
        if numbers is not None:
            file, element = numbers
            place = str([*documents[file].root.iter()][element])
        if refusal is not None:
            return error.refusals[int(refusal)].about(place)
        match refused:
            case "unsafe", values:
                return InertiaError.of("xacro_refused", place, **values)
            case "elements", values:
                return InertiaError.of("too_many_elements", place, "expanded", **values)
            case "xml", values:
                place = f"{documents[values['file']].name}:{values['line']}"
                return InertiaError.of("bad_xml", place, "libxml", reason=values["reason"])
            case kind, values:
                return InertiaError.of("bad_xacro", place, kind, **values)
        bare = self._without_prefix()
        if bare is not None:
            values = {"message": message, "tag": bare.tag, "line": bare.line}
            return InertiaError.of("bad_xacro", place, "prefix", name=bare.document.name, **values)
        return InertiaError.of("bad_xacro", place, "expansion", message=message)

    def _without_prefix(self) -> Element | None:
        """Return the first macro or property of a file that lacks the prefix of xacro, which then ignores it."""
        for document in self.documents.values():
            for element in document.root.iter():
                needed = {"macro": ("name", "params"), "property": ("name",)}.get(element.tag)
                if needed is not None and element.attrib.keys() >= {*needed}:
                    return element
        return None


def _text(document: Document) -> bytes:
    """Return a file as UTF-8 or UTF-16: the child cannot load another codec."""
    guard_xml(document.data, document.name)
    declared = _ENCODING.match(document.data)
    if declared is None or declared[1].lower() == b"utf-8":
        return document.data
    text = document.data[declared.end() :]
    try:
        text.decode()  # UTF-8, whatever the declaration says: as `Document` reads it
    except UnicodeDecodeError:
        return text.decode(declared[1].decode()).encode()
    return text


def expand_in_child(values: Mapping[str, Any], data: bytes, answers: Mapping[str, Answer]) -> dict[str, Any]:
    """Return what `xacro_program.expand` returns.

    Raises
    ------
    UnfulfilledError
        For what xacro cannot expand.
    InertiaError
        ``xacro`` if it is not installed or too old, ``library_failed`` if the file takes too much time or memory.
    """
    if find_spec("xacro") is None:
        raise _unusable("is not installed")
    try:
        expanded: dict[str, Any] = _child.request("expand", values, (data,), answers)
    except ImportError:
        raise _unusable("is too old") from None
    return expanded


def _unusable(reason: str) -> InertiaError:
    return InertiaError.of("xacro", "", "package", reason=reason)
