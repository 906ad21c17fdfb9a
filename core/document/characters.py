# SPDX-License-Identifier: Apache-2.0
"""Decodes the bytes of an XML file to a text with the same positions, and notes what in it is not XML.

Markup is ASCII in every supported encoding, so it is searched in a text with one character for each byte (or pair of
bytes, in UTF-16); only names and values beyond ASCII are decoded.
"""

from __future__ import annotations

import codecs
import re
import sys
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property

from ..errors import Finding, InertiaError, Severity
from ..formats.sdf.spec.codes import sdf_error

SPACES = " \t\n\v\f\r"
"""White space in TinyXML2: that of XML and two control characters."""

SHOWN = 40
"""Characters of a text of the file that a message quotes."""

HARMLESS = ("declaration", "space_first")
"""Forms of ``loose_xml`` that do not change the result."""

ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""A character that XML 1.0 does not allow."""

_ENTITIES = {"quot": '"', "amp": "&", "apos": "'", "lt": "<", "gt": ">"}
_REFERENCE = re.compile(r"&(?:#x([0-9a-fA-F]*+);|#([0-9]*+);|(quot|amp|apos|lt|gt);)?")
_CONTROL = re.compile("[\x01-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\xef\xbf[\xbe\xbf]")
_ENCODING = re.compile(r"<\?xml\s(?:[^>]*?\s)?encoding\s*=\s*[\"']([^\"'>]*)", re.ASCII)
_ESCAPED = re.compile("[\udc80-\udcff]")
_NEWLINES = re.compile("\r\n?|\n\r?")


class Characters:
    """The text of a file.

    Parameters
    ----------
    name : str
        The file's name in messages.

    Attributes
    ----------
    text : str
        A character for each `unit` of the bytes, up to the first NUL, where TinyXML2 ends.
    unit : int
        Bytes of a character of `text`: 1, or 2 in UTF-16.
    codec : str
        Encoding of the characters of `text`; Latin-1 for every encoding that contains ASCII.
    plain : bool
        True if every value is literal: ASCII, without entities.

    Raises
    ------
    InertiaError
        ``bad_encoding`` if UTF-16 ends in the middle of a character.
    """

    def __init__(self, data: bytes, name: str) -> None:
        self.name = name
        self._loose: dict[str, tuple[int, str, int]] = {}  # by form: the first place, how it is written, the count
        self.codec = _markup_codec(data)
        self.unit = 1 if self.codec == "latin-1" else 2
        if self.unit == 2 and len(data) % 2:
            raise InertiaError.of("bad_encoding", name, "half_character")
        self.text = data.decode("latin-1") if self.unit == 1 else _code_units(data, self.codec)
        end = self.text.find("\0")
        if end >= 0:
            self.note("nul", end)
            self.text = self.text[:end]
        self._value_codec = self._declared_codec(data) if self.unit == 1 else self.codec
        control = _CONTROL.search(self.text)
        if control:
            self.note("control", control.start())
        self.plain = not control and self.text.isascii() and "&" not in self.text and "\r" not in self.text

    def _declared_codec(self, data: bytes) -> str:
        """Return the codec of names and values: UTF-8 if the bytes are valid UTF-8, whatever the declaration."""
        declared = _ENCODING.search(self.text, 0, 1024)
        known = _single_byte(declared[1]) if declared else "utf-8"
        if declared and not known:
            self.note("encoding", declared.start(1), declared[1])
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as error:
            if known and known != "utf-8":
                return known
            self.note("not_utf8", error.start)
        return "utf-8"

    def note(self, form: str, place: int, written: str = "") -> None:
        """Record what is not XML at `place`; places need not ascend."""
        first, text, count = self._loose.get(form, (place, written, 0))
        self._loose[form] = (first, text, count + 1) if first <= place else (place, written, count + 1)

    def findings(self) -> Iterator[Finding]:
        """Yield a finding for each form that is not XML, in the order of the file."""
        if self.unit == 2:
            yield Finding.of("warning", "utf16", self.name)
        for form, (place, written, count) in sorted(self._loose.items(), key=lambda item: item[1]):
            severity: Severity = "info" if form in HARMLESS else "warning"
            values = {"text": written[:SHOWN], "count": count if count > 1 else 0}
            yield Finding.of(severity, "loose_xml", self.where(place), form, **values)

    @cached_property
    def _line_ends(self) -> array[int]:
        end = "\n" if "\n" in self.text else "\r"
        return array("q", (match.start() for match in re.finditer(end, self.text)))

    def line(self, place: int) -> int:
        """Return the line of a character, from 1."""
        return bisect_left(self._line_ends, place) + 1

    def where(self, place: int) -> str:
        """Return a position as messages name it."""
        return f"{self.name}:{self.line(place)}"

    def bad(self, place: int, reason: str) -> InertiaError:
        """Return the error for what TinyXML2 refuses."""
        return sdf_error("bad_xml", self.where(place), "sdf", reason=reason)

    def decoded(self, raw: str) -> str:
        """Return a piece of `text` decoded, with entities unchanged."""
        if raw.isascii():
            return raw
        if self.unit == 2:
            return raw.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        text = raw.encode("latin-1").decode(self._value_codec, "surrogateescape")
        return _ESCAPED.sub(lambda match: chr(ord(match[0]) & 0xFF), text)

    def value(self, start: int, end: int, entities: bool = True) -> str:
        """Return a text or the value of an attribute: entities replaced, line ends as ``\\n``.

        TinyXML2 keeps any other ``&`` literally, and a reference to NUL ends the value, as in C.
        """
        raw = self.text[start:end]
        if self.plain:
            return raw
        text = self.decoded(raw)
        if "\r" in text:
            text = _NEWLINES.sub("\n", text)
        if entities and "&" in text:
            text = _REFERENCE.sub(lambda match: self._referred(match, start), text).partition("\0")[0]
        return ILLEGAL.sub(_stand_in, text)

    def _referred(self, match: re.Match[str], start: int) -> str:
        """Return the character of a reference in the value that begins at `start`; note a wrong one."""
        hexadecimal, decimal, entity = match.groups()
        if entity:
            return _ENTITIES[entity]
        digits = hexadecimal if decimal is None else decimal
        number = sys.maxunicode + 1
        if digits is not None and len(digits.lstrip("0")) < 8:  # int() refuses thousands of digits, even zeros
            number = int(digits or "0", 16 if decimal is None else 10)
        if number <= sys.maxunicode and not ILLEGAL.match(chr(number)):
            return chr(number)
        form = "ampersand" if digits is None else "reference"
        if form in self._loose:  # only the first has a place: to find it takes time
            place = self._loose[form][0]
        else:
            place = start - 1
            for _ in range(match.string.count("&", 0, match.start()) + 1):
                place = self.text.index("&", place + 1)
        self.note(form, place, match[0])
        return match[0] if number > sys.maxunicode else chr(number)


def _markup_codec(data: bytes) -> str:
    """Return the codec of a file's markup: UTF-16 of either order, or Latin-1 for all encodings that contain ASCII."""
    if data[:2] in (b"\xff\xfe", b"<\0"):
        return "utf-16-le"
    return "utf-16-be" if data[:2] in (b"\xfe\xff", b"\0<") else "latin-1"


def _code_units(data: bytes, codec: str) -> str:
    """Return UTF-16 as text with a character for each unit: those beyond 16 bits are two, which may also be alone."""
    units = array("H", data)
    if codec[-2:] != sys.byteorder[:1] + "e":
        units.byteswap()
    return "".join(map(chr, units))


def _single_byte(encoding: str) -> str:
    """Return the codec of a declared encoding if it is UTF-8 or a single-byte one that contains ASCII, else ""."""
    try:
        codec = codecs.lookup(encoding).name
    except (LookupError, ValueError):  # a NUL in it raises ValueError
        return ""
    if codec in ("utf-8", "ascii"):
        return "utf-8"
    return codec if codec.startswith(("iso8859", "cp125", "koi8")) else ""


def _stand_in(match: re.Match[str]) -> str:
    """Return what replaces a control character, which Python may read as space: its picture, or a space."""
    number = ord(match[0])
    if number in (0x0B, 0x0C):
        return " "
    return chr(0x2400 + number) if number < 0x20 else "\ufffd"
