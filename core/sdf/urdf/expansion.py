# SPDX-License-Identifier: Apache-2.0
"""Expands a xacro file to URDF by the package xacro; each element keeps its place in the text and the macros' calls."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field, replace
from glob import glob
from pathlib import Path
from traceback import walk_tb
from types import SimpleNamespace
from typing import Any
from xml.dom import minidom
from xml.parsers.expat import ErrorString, ExpatError

from ...errors import InertiaError
from ...files.input_file import guard_xml, note_missing, on_a_drive_of, read_bytes
from ..read.locate import Locator, NotFoundError
from ..xml.document import DerivedDocument, Document, Element, Place, child_of
from ..xml.tree_builder import MAX_BYTES
from .robot import XACRO
from .xacro_library import load_xacro


@dataclass(frozen=True, eq=False)
class Call:
    """A call of a macro: its name, where it is called, and the values of its parameters."""

    macro: str
    place: Place
    values: dict[str, str] = field(default_factory=dict)

    @property
    def line(self) -> str:
        """The file and line of the call."""
        return f"{self.place.document.name}:{self.place.document.line(self.place.element)}"


@dataclass(frozen=True, eq=False, kw_only=True)
class ExpandedDocument(DerivedDocument):
    """An expanded xacro file; `calls` are the macros that an element comes from, the outermost first. The place of a
    link is that of its ``<inertial>``. The path of an element names the calls: ``arm.xacro:7
    /robot[@name='r']/xacro:arm[robot.xacro:12]/link[@name='left_hand']``.
    """

    calls: dict[Element, tuple[Call, ...]] = field(default_factory=dict)

    def line(self, element: Element) -> int:
        return super().line(inertial_or_self(element))

    def place(self, element: Element) -> str:
        standing = inertial_or_self(element)
        root, *steps = self.steps(element)
        calls = (f"xacro:{call.macro}[{call.line}]" for call in self.calls[standing])
        return f"{self.origins[standing].document.name}:{self.line(element)} /{'/'.join([root, *calls, *steps])}"


def inertial_or_self(element: Element) -> Element:
    """Return the ``<inertial>`` of a link that has one, and any other element itself."""
    inertial = child_of(element, "inertial") if element.tag == "link" else None
    return element if inertial is None else inertial


def is_xacro(document: Document) -> bool:
    """Return True for a ``.xacro`` file, and for any file that uses xacro's elements or attributes."""
    if document.path is not None and document.path.suffix.lower() == ".xacro":
        return True
    names = (name for one in document.root.iter("*") for name in (one.tag, *one.attrib))
    return b"xacro" in document.data and any(str(name).startswith(XACRO) for name in names)


def expand(document: Document, locator: Locator, arguments: Mapping[str, str]) -> ExpandedDocument:
    """Expand a xacro file.

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


class _Expansion:
    def __init__(self, document: Document, locator: Locator) -> None:
        self.document, self.locator = document, locator
        self.roots = [*locator.readable, *filter(None, [locator.above.checkout])]
        self.documents = {Path(os.path.realpath(document.path or document.name)): document}
        self.calls: list[Call] = []
        self.properties: dict[str, Any] = {}
        self.library = library = load_xacro(self._find)
        self.base = SimpleNamespace(**vars(library))
        library.parse, library.open = self._included, self._yaml
        library.glob = SimpleNamespace(glob=lambda name: glob(name) if on_a_drive_of(Path(name), self.roots) else [])
        library.eval_all, library.handle_macro_call = self._evaluate, self._call
        library.grab_property = self._property

    def run(self, arguments: Mapping[str, str]) -> ExpandedDocument:
        self.library.init_stacks(str(self.document.path or self.document.name))
        tree = _marked(self.document)
        try:
            with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):  # hides the warnings that xacro prints
                self.library.process_doc(tree, mappings=dict(arguments), verbosity=0)
            data = tree.documentElement.toxml().encode()
        except MemoryError:
            raise
        except Exception as error:
            raise self._placed(error) from None
        nodes = [*_elements(tree)]
        places = (node.getUserData("place") for node in nodes)
        made = ExpandedDocument.made(data, places, self.document)
        expanded = replace(made, findings=self.document.findings)
        calls = (node.getUserData("calls") for node in nodes)
        expanded.calls.update(zip(expanded.root.iter("*"), calls, strict=True))
        return expanded

    def _find(self, name: str) -> str:
        folder = self.locator.above.named.get(name)
        if folder not in self.roots:
            try:
                folder = self.locator.find(f"package://{name}", "")
            except NotFoundError:
                folder = next(self.locator.above.workspace.named(name), None)
                if folder is None:
                    raise
                self.roots.append(folder)
        return str(folder)

    def _readable(self, name: str) -> Path:
        """Return the real path of a file that may be read, existing or not."""
        path = Path(os.path.abspath(name))
        real = Path(os.path.realpath(path)) if on_a_drive_of(path, self.roots) else path
        if not any(real.is_relative_to(root) for root in self.roots):
            raise InertiaError.of("uri_refused", "", "include", name=ascii(name[:200]))
        return real

    def _included(self, _: None, name: str) -> Any:
        real = self._readable(name)
        if not real.is_file():
            note_missing(real)
            self.library.filestack.pop()
            absent = FileNotFoundError(f"the included file {ascii(name)} is not a file that is there")
            raise self.library.XacroException(exc=absent)  # xacro ignores this for an optional file
        if real not in self.documents:
            here = os.path.realpath(os.curdir)
            relative = not os.path.isabs(self.document.name) and real.is_relative_to(here)
            # The form in which the file names it.
            shown = os.path.relpath(real, here) if relative else os.path.normpath(name)
            self.documents[real] = Document.parse(read_bytes(real, MAX_BYTES), shown, Path(shown))
        return _marked(self.documents[real])

    def _yaml(self, name: str) -> io.StringIO:
        real = self._readable(name)
        if real.suffix.lower() not in (".yaml", ".yml"):
            raise InertiaError.of("uri_refused", "", "yaml", name=ascii(name[:200]))
        return io.StringIO(read_bytes(real, MAX_BYTES).decode("utf-8", "replace"))

    def _evaluate(self, node: Any, macros: Any, symbols: Any) -> None:
        if node.tagName == "xacro:macro" and self.calls:  # the body of the macro that is called
            values = {name: str(value) for name, value in dict.items(symbols) if not name.startswith("*")}
            self.calls[-1].values.update(values)
        node.setUserData("calls", tuple(self.calls), _Kept)
        self.base.eval_all(node, macros, symbols)

    def _call(self, node: Any, macros: Any, symbols: Any) -> Any:
        if node.tagName == "xacro:call" or not node.tagName.startswith("xacro:"):
            return self.base.handle_macro_call(node, macros, symbols)
        self.calls.append(Call(node.tagName.removeprefix("xacro:"), node.getUserData("place")))
        self.base.handle_macro_call(node, macros, symbols)
        self.calls.pop()
        return True

    def _property(self, node: Any, symbols: Any) -> None:
        self.properties[node.getAttribute("name")] = node
        self.base.grab_property(node, symbols)

    def _placed(self, error: Exception) -> InertiaError:
        """Return an exception of the library as an error at the innermost element that it had reached."""
        errors = [error]
        while isinstance(inner := getattr(errors[-1], "exc", None), Exception):
            errors.append(inner)
        frames = (frame for one in reversed(errors) for frame, _ in reversed([*walk_tb(one.__traceback__)]))
        place = next(filter(None, map(self._place, frames)), self.document.name)
        if isinstance(errors[-1], InertiaError):
            return errors[-1].about(str(place))
        message = " ".join(str(error).split()) or type(error).__name__
        bare = self._without_prefix()
        if bare is not None:
            values = {"message": message, "tag": bare.element.tag, "line": bare.document.line(bare.element)}
            return InertiaError.of("bad_xacro", str(place), "prefix", name=bare.document.name, **values)
        return InertiaError.of("bad_xacro", str(place), "expansion", message=message)

    def _without_prefix(self) -> Place | None:
        """Return the first macro or property of a file that lacks the prefix of xacro, which then ignores it."""
        for document in self.documents.values():
            for element in document.root.iter("macro", "property"):
                if element.get("name") is not None and (element.tag == "property" or element.get("params") is not None):
                    return document.at(element)
        return None

    def _place(self, frame: Any) -> Place | None:
        """Return the place of the element that a function of the library is at, or of a property that it evaluates."""
        if frame.f_globals is not vars(self.library):
            return None  # an expression, whose names the file chooses
        names = frame.f_locals
        lazy = self.properties.get(names["key"]) if frame.f_code.co_name == "_resolve_" else None
        node = lazy or names.get("tag") or names.get("elt") or names.get("node")
        node = node.parentNode if isinstance(node, minidom.Text) else node
        return node.getUserData("place") if isinstance(node, minidom.Element) else None


class _Kept:
    """Makes the copy of a node keep its place."""

    @staticmethod
    def handle(_operation: int, key: str, data: object, _source: Any, copy: Any) -> None:
        copy.setUserData(key, data, _Kept)


def _marked(document: Document) -> Any:
    """Return a document as the tree that xacro reads, whose elements know their places."""
    guard_xml(document.data, document.name)
    try:
        tree = minidom.parseString(document.data)
    except ExpatError as error:  # about namespaces, which the guard does not check
        place = f"{document.name}:{error.lineno}"
        raise InertiaError.of("bad_xml", place, "libxml", reason=ErrorString(error.code)) from None
    for node, element in zip(_elements(tree), document.root.iter("*"), strict=True):
        node.setUserData("place", document.at(element), _Kept)
        node.setUserData("calls", (), _Kept)
    return tree


def _elements(tree: Any) -> Iterator[Any]:
    yield tree.documentElement
    yield from tree.documentElement.getElementsByTagName("*")
