# SPDX-License-Identifier: GPL-3.0-or-later
"""One pass over the bytes of an XML file: where each element stands, and whether the file is harmless.

expat reports byte offsets, which lxml does not, and takes undeclared prefixes, as libsdformat does.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.parsers import expat

from ..errors import InertiaError

MAX_BYTES = 64 * 1024 * 1024
"""A file above this is refused: a world of 10,000 links has about 10 MB."""

MAX_DEPTH = 256
"""Elements within elements; libxml2's own limit, and far above any nesting of models."""

MAX_ELEMENTS = 1_000_000
"""Elements of one file."""


@dataclass
class Scan:
    """Offsets [bytes] and lines of the elements in document order, and what the file uses.

    `encoding` is a codec for the file's markup, `codec` that of its names and texts; `undeclared` holds the prefixes
    that are used outside the scope of a declaration; `root` is the first tag's name.
    """

    encoding: str
    codec: str = "utf-8"
    root: str = ""
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    undeclared: list[str] = field(default_factory=list)


def scan(data: bytes, name: str) -> Scan:
    """Walk through a file.

    Raises
    ------
    InertiaError
        ``doctype``, ``file_too_large``, ``too_deep``, ``too_many_elements``, ``bad_encoding`` or ``bad_xml``; the
        subject is ``name:line``.
    """
    if len(data) > MAX_BYTES:
        message = f"it has {len(data)} bytes, above the limit of {MAX_BYTES}"
        raise InertiaError("file_too_large", name, message, "split the file")
    walk = _Walk(data, name)
    try:
        walk.parser.Parse(data, True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        code = "bad_encoding" if "encoding" in reason else "bad_xml"
        raise InertiaError(code, f"{name}:{error.lineno}", f"this is no XML: {reason}", "repair the file") from None
    except (LookupError, UnicodeError, ValueError) as error:  # what Python's codecs say of an unknown encoding
        raise InertiaError("bad_encoding", name, f"its encoding is unknown: {error}", "save it as UTF-8") from None
    if walk.found.encoding != "ascii":
        walk.found.codec = walk.found.encoding
    return walk.found


class _Walk:
    """expat's handlers, and what they keep between calls."""

    def __init__(self, data: bytes, name: str) -> None:
        self.found = Scan(_code_units(data))
        self._data = data
        self._name = name
        self._open: list[int] = []
        self._scopes: list[frozenset[str]] = [frozenset({"xml", "xmlns"})]
        self._closing = ">".encode(self.found.encoding)
        self._end_tag = "</".encode(self.found.encoding)
        self._quotes = ('"'.encode(self.found.encoding), "'".encode(self.found.encoding))
        self.parser = expat.ParserCreate()
        self.parser.ordered_attributes = True
        self.parser.XmlDeclHandler = self._declaration
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end

    def _refuse(self, code: str, message: str, remedy: str) -> InertiaError:
        return InertiaError(code, f"{self._name}:{self.parser.CurrentLineNumber}", message, remedy)

    def _declaration(self, _version: str, encoding: str | None, _standalone: int) -> None:
        self.found.codec = encoding or self.found.codec

    def _doctype(self, *_: object) -> None:
        # lxml would leave an external entity as an empty node, and a mass in it would read as nothing.
        raise self._refuse("doctype", "a DOCTYPE is not allowed", "remove it; SDF has no use for one")

    def _start(self, tag: str, attributes: list[str]) -> None:
        found = self.found
        if len(self._open) >= MAX_DEPTH:
            raise self._refuse("too_deep", f"elements lie deeper than the limit of {MAX_DEPTH}", "nest fewer elements")
        if len(found.starts) >= MAX_ELEMENTS:
            raise self._refuse("too_many_elements", f"it has more than {MAX_ELEMENTS} elements", "split the file")
        if not found.starts:
            found.root = tag
        self._open.append(len(found.starts))
        found.starts.append(self.parser.CurrentByteIndex)
        found.ends.append(0)
        found.lines.append(self.parser.CurrentLineNumber)
        scope = self._scopes[-1]
        prefixed = [name for name in (tag, *attributes[::2]) if ":" in name]
        if prefixed:
            scope = scope.union(name[6:] for name in prefixed if name.startswith("xmlns:"))
            for name in prefixed:
                prefix = name.partition(":")[0]
                if prefix not in scope and prefix not in found.undeclared:
                    found.undeclared.append(prefix)
        self._scopes.append(scope)

    def _end(self, _tag: str) -> None:
        number = self._open.pop()
        self._scopes.pop()
        # At an end tag expat stands on "</", for <empty/> still where the element began (or behind it).
        self.found.ends[number] = self._element_end(self.found.starts[number], self.parser.CurrentByteIndex)

    def _element_end(self, start: int, now: int) -> int:
        if now == start:
            return self._tag_end(start)
        unit = len(self._closing)
        if self._data[now : now + 2 * unit] != "</".encode(self.found.encoding):
            return now
        # Behind <empty/> may stand the end tag of its parent.
        if self._data[now - 2 * unit : now] == "/>".encode(self.found.encoding) and self._tag_end(start) == now:
            return now
        return self._data.index(self._closing, now) + len(self._closing)

    def _tag_end(self, start: int) -> int:
        """Return where a tag ends that may hold ">" in its attributes."""
        unit = len(self._closing)
        quote = b""
        place = start
        while True:
            character = self._data[place : place + unit]
            place += unit
            if quote:
                quote = b"" if character == quote else quote
            elif character in self._quotes:
                quote = character
            elif character == self._closing:
                return place


def _code_units(data: bytes) -> str:
    """Return a codec whose ASCII characters are the bytes of this file: UTF-16 of either order, or ASCII itself."""
    if data[:2] == b"\xff\xfe" or data[:4] == b"<\x00?\x00":
        return "utf-16-le"
    if data[:2] == b"\xfe\xff" or data[:4] == b"\x00<\x00?":
        return "utf-16-be"
    return "ascii"
