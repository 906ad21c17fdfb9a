# SPDX-License-Identifier: GPL-3.0-or-later
"""One pass over the bytes of an XML file: where each element stands, and whether the file is harmless.

expat reports byte offsets, which lxml does not, and takes undeclared prefixes, as libsdformat does.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.parsers import expat

from ..errors import InertiaError
from ..input_file import too_large

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
    that are used outside the scope of a declaration; `root` is the first tag's name. `stops` is where expat stood when
    it reported the end of an element; see `end`.
    """

    encoding: str
    codec: str = "utf-8"
    root: str = ""
    starts: list[int] = field(default_factory=list)
    stops: list[int] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    undeclared: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._marks = (">".encode(self.encoding), "</".encode(self.encoding), "/>".encode(self.encoding))

    def end(self, data: bytes, number: int) -> int:
        """Return where the bytes of an element end in `data`, tags included: asked of few, so not found for all."""
        closing, opening, empty = self._marks
        start, stop = self.starts[number], self.stops[number]
        # At an end tag expat stands on "</", for <empty/> still where the element began (or behind it).
        if stop == start:
            return self._tag_end(data, start)
        if data[stop : stop + len(opening)] != opening:
            return stop
        # Behind <empty/> may stand the end tag of its parent.
        if data[stop - len(empty) : stop] == empty and self._tag_end(data, start) == stop:
            return stop
        return data.index(closing, stop) + len(closing)

    def _tag_end(self, data: bytes, place: int) -> int:
        """Return where a tag ends that may hold ">" in its attributes."""
        closing, *quotes = (character.encode(self.encoding) for character in ">\"'")
        quote = b""
        while True:
            character = data[place : place + len(closing)]
            place += len(closing)
            if quote:
                quote = b"" if character == quote else quote
            elif character in quotes:
                quote = character
            elif character == closing:
                return place


def scan(data: bytes, name: str) -> Scan:
    """Walk through a file.

    Raises
    ------
    InertiaError
        ``doctype``, ``file_too_large``, ``too_deep``, ``too_many_elements``, ``bad_encoding`` or ``bad_xml``; the
        subject is ``name:line``.
    """
    if len(data) > MAX_BYTES:
        raise too_large(name, len(data), MAX_BYTES)
    found = Scan(_code_units(data))
    parser = expat.ParserCreate()
    _walk(parser, found, name)
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        code = "bad_encoding" if "encoding" in reason else "bad_xml"
        raise InertiaError(code, f"{name}:{error.lineno}", f"this is no XML: {reason}", "repair the file") from None
    except (LookupError, UnicodeError, ValueError) as error:  # what Python's codecs say of an unknown encoding
        raise InertiaError("bad_encoding", name, f"its encoding is unknown: {error}", "save it as UTF-8") from None
    finally:
        # The handlers know the parser, which knows them.
        parser.StartElementHandler = parser.EndElementHandler = None
        parser.XmlDeclHandler = parser.StartDoctypeDeclHandler = None
    if found.encoding != "ascii":
        found.codec = found.encoding
    return found


def _walk(parser: expat.XMLParserType, found: Scan, name: str) -> None:
    """Give a parser the handlers that fill `found`; functions with their own names, for they are called so often."""
    starts, stops, lines = found.starts, found.stops, found.lines
    opened: list[int] = []
    scopes = [frozenset({"xml", "xmlns"})]

    def refuse(code: str, message: str, remedy: str) -> InertiaError:
        return InertiaError(code, f"{name}:{parser.CurrentLineNumber}", message, remedy)

    def declaration(_version: str, encoding: str | None, _standalone: int) -> None:
        found.codec = encoding or found.codec

    def doctype(*_: object) -> None:
        # lxml would leave an external entity as an empty node, and a mass in it would read as nothing.
        raise refuse("doctype", "a DOCTYPE is not allowed", "remove it; SDF has no use for one")

    def start(tag: str, attributes: list[str]) -> None:
        number = len(starts)
        if len(opened) >= MAX_DEPTH:
            raise refuse("too_deep", f"elements lie deeper than the limit of {MAX_DEPTH}", "nest fewer elements")
        if number >= MAX_ELEMENTS:
            raise refuse("too_many_elements", f"it has more than {MAX_ELEMENTS} elements", "split the file")
        if not number:
            found.root = tag
        opened.append(number)
        starts.append(parser.CurrentByteIndex)
        stops.append(0)
        lines.append(parser.CurrentLineNumber)
        scope = scopes[-1]
        if attributes or ":" in tag:
            scope = _scope(scope, [tag, *attributes[::2]], found.undeclared)
        scopes.append(scope)

    def end(_tag: str) -> None:
        stops[opened.pop()] = parser.CurrentByteIndex
        scopes.pop()

    parser.ordered_attributes = True
    parser.XmlDeclHandler = declaration
    parser.StartDoctypeDeclHandler = doctype
    parser.StartElementHandler = start
    parser.EndElementHandler = end


def _scope(scope: frozenset[str], names: list[str], undeclared: list[str]) -> frozenset[str]:
    """Return the prefixes that are declared within an element; add to `undeclared` those that it uses without."""
    for name in names:
        if name.startswith("xmlns:"):
            scope = scope | {name[6:]}
    for name in names:
        prefix, colon, _ = name.partition(":")
        if colon and prefix not in scope and prefix not in undeclared:
            undeclared.append(prefix)
    return scope


def _code_units(data: bytes) -> str:
    """Return a codec whose ASCII characters are the bytes of this file: UTF-16 of either order, or ASCII itself."""
    if data[:2] == b"\xff\xfe" or data[:4] == b"<\x00?\x00":
        return "utf-16-le"
    if data[:2] == b"\xfe\xff" or data[:4] == b"\x00<\x00?":
        return "utf-16-be"
    return "ascii"
