# SPDX-License-Identifier: Apache-2.0
"""xacro as a robot format: expanded to URDF, and edited where an inertial is written as text."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from ...document.document import Document
from ...document.element import Element, child_of
from ...document.locate import Locator
from ...errors import InertiaError
from ...files.mesh_store import Loaders
from ..file_link import FileLink
from ..robot_file import NO_ARGUMENTS, Arguments, Format
from ..urdf.format import URDF, UrdfRobotFile
from ..urdf.read import XACRO as PREFIX
from .read import expand, inertial_or_self


@dataclass(frozen=True, eq=False, kw_only=True)
class XacroRobotFile(UrdfRobotFile):
    """The robot that a xacro file expands to.

    Parameters
    ----------
    writable : tuple of Path
        Real folders whose files may be changed: the file's own, its packages and checkout, and those that were given.
    """

    writable: Sequence[Path]
    format_name: ClassVar[str] = "xacro"

    @cached_property
    def _uses(self) -> Counter[Element | None]:
        """How many elements come from each one of the text."""
        return Counter(element.origin for element in self.document.root.iter() if element is inertial_or_self(element))

    def check_own(self, link: FileLink, included: bool) -> None:
        element = inertial_or_self(link.element)
        origin = element.original
        computed, count = _is_computed(origin), self._uses[origin]
        if computed or count > 1:
            raise self._macro_inertial(element, computed, count)
        path = Path(os.path.realpath(origin.document.path or ""))
        if origin.document is self.source:
            return
        if not any(path.is_relative_to(folder) for folder in self.writable):
            raise InertiaError.of("included_inertial", "", "not_writable", name=origin.document.name)
        if not included:
            raise InertiaError.of("included_inertial", "", "in_place", name=origin.document.name)

    def _macro_inertial(self, element: Element, computed: bool, count: int) -> InertiaError:
        """Return the error for an element that is not changed."""
        calls, place = element.calls, element.where
        if calls:
            call = calls[-1]
            values = ", ".join(f"{name}={value}" for name, value in call.values.items()) or "no values"
            lines = ", from ".join(call.line for call in reversed(calls))
            form = "macro" if computed else "shared_macro"
            return InertiaError.of(
                "macro_inertial", "", form, macro=call.macro, count=count, lines=lines, values=values, place=place
            )
        if element.tag == "link":
            return InertiaError.of("macro_inertial", "", "link")
        return InertiaError.of("macro_inertial", "", "expressions" if computed else "text", count=count, place=place)

    def text_of(self, link: Element) -> Element:
        return inertial_or_self(link).original


def _is_computed(element: Element) -> bool:
    """Return True if an ``<inertial>`` holds expressions or macros, or a ``<link>`` without one holds macros."""
    if any(inner.tag.startswith(PREFIX) for inner in element.iter()):
        return True
    texts = (text for inner in element.iter() for text in (inner.text or "", *inner.attrib.values()))
    return element.tag == "inertial" and any("${" in text or "$(" in text for text in texts)


def _read(document: Document, roots: Sequence[Path], loaders: Loaders | None, arguments: Arguments) -> XacroRobotFile:
    """Expand a xacro file, and read the URDF."""
    locator = Locator.of(Path(os.path.realpath(document.path or document.name)).parent, roots)
    expanded = expand(document, locator, arguments)
    if expanded.root.tag != URDF.root:
        raise InertiaError.of("unread_format", document.name, "expanded", tag=expanded.root.tag)
    if child_of(expanded.root, "link") is None:
        raise InertiaError.of("bad_xacro", document.name, "no_link")
    read = URDF.read(expanded, roots, loaders, NO_ARGUMENTS)
    values = {field.name: getattr(read, field.name) for field in fields(read)} | {"source": document}
    folders = [locator.folder, *locator.above.packages, *filter(None, [locator.above.checkout])]
    writable = [*folders, *(Path(os.path.realpath(root)) for root in roots)]
    return XacroRobotFile(**values, writable=writable)


XACRO = Format("xacro", (".xacro",), "robot", _read, (".urdf.xacro",), imported=False)
