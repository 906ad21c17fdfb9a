# SPDX-License-Identifier: GPL-3.0-or-later
"""From bytes to a tree that knows where each element stands; what could harm the reader is refused first.

Two passes: expat, which reports bytes and refuses early, then lxml, whose tree everything else uses.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from lxml import etree

from ..errors import Finding, InertiaError
from ..input_file import read_bytes
from .collecting import uncollected
from .scan import MAX_BYTES, Scan, scan

Element = Any  # lxml has no public type for one

KNOWN_PREFIXES = {
    "gz": "http://gazebosim.org/schema",
    "ignition": "http://ignitionrobotics.org/schema",
    "drake": "http://drake.mit.edu",
    "sdf_inertia": "urn:sdf_inertia",
}
"""What the prefixes mean that files use without a declaration; any other one becomes ``urn:undeclared:<prefix>``."""


@dataclass(frozen=True, eq=False)
class Document:
    """An XML file: its bytes, its tree, and where in the bytes each element stands.

    Parameters
    ----------
    path : Path or None
        Where the file is; None for bytes from elsewhere.
    name : str
        What messages call it.
    data : bytes
        As they are on disk.
    root : lxml element
        Prefixes that the file uses undeclared are declared here, not in `data`.
    findings : tuple of Finding
        ``undeclared_prefix`` (info).
    """

    path: Path | None
    name: str
    data: bytes
    root: Element
    findings: tuple[Finding, ...]
    _scan: Scan
    _numbers: dict[Element, int] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path | str) -> Document:
        """Read a file.

        Raises
        ------
        InertiaError
            ``file_read`` (missing, unreadable, no regular file), ``file_too_large``, or what `parse` raises.
        """
        path = Path(path)
        return cls.parse(read_bytes(path, MAX_BYTES), str(path), path)

    @classmethod
    @uncollected()
    def parse(cls, data: bytes, name: str, path: Path | None = None) -> Document:
        """Parse bytes.

        Raises
        ------
        InertiaError
            ``doctype``, ``file_too_large``, ``too_deep``, ``too_many_elements``, ``bad_encoding`` or ``bad_xml``, with
            file and line.
        """
        scanned = scan(data, name)
        declared = {
            prefix: KNOWN_PREFIXES.get(prefix, f"urn:undeclared:{quote(prefix)}") for prefix in scanned.undeclared
        }
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
        try:
            root = etree.fromstring(_with_declarations(data, declared, scanned), parser)
        except etree.XMLSyntaxError as error:
            line = (error.position or (0, 0))[0]
            raise InertiaError("bad_xml", f"{name}:{line}", f"this is no XML: {error.msg}", "repair the file") from None
        findings = tuple(
            Finding("info", "undeclared_prefix", name, f"the prefix '{prefix}:' is not declared; it is read as {uri}")
            for prefix, uri in declared.items()
        )
        document = cls(path, name, data, root, findings, scanned)
        # The dict keeps every element's proxy alive: lxml would make a new one for each look otherwise.
        document._numbers.update(zip(root.iter("*"), range(len(scanned.starts)), strict=True))
        return document

    @property
    def size(self) -> int:
        """How many elements it has."""
        return len(self._scan.starts)

    def span(self, element: Element) -> tuple[int, int]:
        """Return where an element's bytes begin and end in `data`, tags included."""
        number = self._numbers[element]
        return self._scan.starts[number], self._scan.end(self.data, number)

    def line(self, element: Element) -> int:
        """Return the line that an element begins on, from 1."""
        return self._scan.lines[self._numbers[element]]

    def at(self, element: Element) -> Place:
        """Return an element's `place` as a value that becomes text only when a message needs it."""
        return Place(self, element)

    def place(self, element: Element) -> str:
        """Return where an element stands, such as ``model.sdf:12 /sdf/model[@name='m']/link[@name='l']``."""
        steps = []
        for one in (element, *element.iterancestors()):
            name = one.get("name")
            steps.append(qualified(one) + ("" if name is None else f"[@name='{name}']"))
        return f"{self.name}:{self.line(element)} /{'/'.join(reversed(steps))}"


class Place(NamedTuple):
    """Where an element stands; `str` of it is `Document.place`, which takes longer than reading the element does."""

    document: Document
    element: Element

    def __str__(self) -> str:
        return self.document.place(self.element)

    def about(self, finding: Finding) -> Finding:
        """Return a finding about this element, by whatever name it called it; one about another element stays so."""
        return finding if _PLACE.match(finding.subject) else replace(finding, subject=str(self))

    def led_to(self, error: InertiaError) -> InertiaError:
        """Return an error about something that this element names, such as a file, as one about the element."""
        if _PLACE.match(error.subject):
            return error
        about = f"{error.subject}: " if error.subject else ""
        return InertiaError(error.code, str(self), f"{about}{error.message}", *error.args[3:])


_PLACE = re.compile(r".*:\d+ /")


def child_of(parent: Element | None, tag: str) -> Element | None:
    """Return the first child of a tag, or None; `find`, which takes paths, is five times slower."""
    if parent is not None:
        for one in parent:
            if one.tag == tag:
                return one
    return None


def children_of(parent: Element, tag: str) -> list[Element]:
    """Return all children of a tag."""
    return [one for one in parent if one.tag == tag]


def qualified(element: Element) -> str:
    """Return an element's tag as the file writes it, such as ``gz:voxel_size``."""
    local = etree.QName(element).localname
    return f"{element.prefix}:{local}" if element.prefix else str(local)


def _with_declarations(data: bytes, declared: dict[str, str], scanned: Scan) -> bytes:
    if not declared:
        return data
    text = "".join(f' xmlns:{prefix}="{uri}"' for prefix, uri in declared.items())
    place = scanned.starts[0] + len(f"<{scanned.root}".encode(scanned.codec))
    return data[:place] + text.encode(scanned.codec) + data[place:]
