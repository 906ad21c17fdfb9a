# SPDX-License-Identifier: Apache-2.0
"""Parses the characters of a file to a tree of elements as TinyXML2, the parser of libsdformat, does.

TinyXML2 accepts much that is not XML (`Characters.note` records it), and ignores namespaces. No other parser sees the
file, so nothing can be hidden from the limits here, and a DOCTYPE has done nothing before it is refused.
"""

from __future__ import annotations

import re
from typing import Literal

from ..errors import InertiaError
from ..files import input_file
from .characters import SHOWN, SPACES, Characters
from .element import Element

MAX_ATTRIBUTES = 1000
"""Maximum attributes of one element; SDF has at most ten."""

ROOTS = ("sdf", "robot", "model")
"""Of several roots of a file, the first one with the first of these names is read."""

PREFIXES = {
    "http://gazebosim.org/schema": "gz",
    "http://ignitionrobotics.org/schema": "ignition",
    "http://drake.mit.edu": "drake",
    "urn:sdf_inertia": "sdf_inertia",
    "http://www.ros.org/wiki/xacro": "xacro",
}
"""Usual prefixes by namespace; another prefix declared with one of these is read as the usual one."""

_S = f"[{SPACES}]*+"
_NAME = "[A-Za-z_:\x80-\uffff][A-Za-z0-9_:.\x80-\uffff-]*+"

SPACE = re.compile(_S)

TAG = re.compile(f"<({_S})(/?)({_NAME})")
"""The beginning of a tag: white space, the slash of an end tag, the name."""

ATTRIBUTE = re.compile(rf"""({_S})({_NAME}){_S}={_S}("[^"]*+"|'[^']*+')""")
"""White space, an attribute's name, its value with quotes."""

TAG_END = re.compile(f"{_S}(/?)>")

# The rest is as in XML. Most tags are so, and most elements contain only a text: one match reads these whole.
_X = "[ \t\r\n]"
_PLAIN_NAME = "[A-Za-z_][A-Za-z0-9_.-]*+"
_PLAIN_ATTRIBUTE = rf"""{_X}++{_PLAIN_NAME}{_X}*+={_X}*+(?:"[^"<]*+"|'[^'<]*+')"""

PLAIN = re.compile(
    rf"{_X}*+<(?:/({_PLAIN_NAME}){_X}*+>"
    rf"|({_PLAIN_NAME})((?:{_PLAIN_ATTRIBUTE}){{0,{MAX_ATTRIBUTES}}}+){_X}*+(?:(/)>|>(?:([^<]*+)</\2{_X}*+>)?+))"
)
"""An end tag's name; or a start tag's name, its attributes, the slash of an empty element, and its text if the end tag
follows."""

DECLARATION = re.compile(
    rf"""<\?xml{_X}++version{_X}*+={_X}*+(?:"1\.\d++"|'1\.\d++')"""
    rf"""(?:{_X}++encoding{_X}*+={_X}*+(?:"[A-Za-z][\w.-]*+"|'[A-Za-z][\w.-]*+'))?+"""
    rf"""(?:{_X}++standalone{_X}*+={_X}*+(?:"(?:yes|no)"|'(?:yes|no)'))?+{_X}*+\?>""",
    re.ASCII,
)

INSTRUCTION = re.compile(rf"<\?(?![xX][mM][lL][{SPACES}?]){_PLAIN_NAME}(?:{_X}|\?>)")

OURS = re.compile(r"<!--\s*sdf-inertia:")

_LETTER = (
    "A-Z_a-z\xc0-\xd6\xd8-\xf6\xf8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff"
    "\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
# Not compiled before the first unusual name: each takes as long as reading a file.
_XML_NAME = f"[{_LETTER}][{_LETTER}.0-9\xb7\u0300-\u036f\u203f\u2040-]*+"


class Parser:
    """Walks once over a file.

    Attributes
    ----------
    elements : list of Element
        In the order of the file.
    cut : list of (Element, str)
        The elements whose value ends before they do, and what follows it.
    comments : list of (Element or None, int, int)
        Those for us: the element that each is in, the start and end of what follows ``sdf-inertia:``.
    """

    def __init__(self, characters: Characters) -> None:
        self.elements: list[Element] = []
        self.cut: list[tuple[Element, str]] = []
        self.comments: list[tuple[Element | None, int, int]] = []
        self._characters, self._text = characters, characters.text
        self._roots: list[Element] = []
        self._open: list[tuple[Element, str]] = []  # the innermost last, each with its name as written
        self._texts: Literal["none", "first", "ignored"] = "ignored"  # of the innermost element so far
        self._begun = self._declared = False
        self._prefixes = {"xml": "xml"}
        self._used_prefixes: dict[str, None] = {}

    def parse(self) -> Element:
        """Return the root that libsdformat reads.

        Raises
        ------
        InertiaError
            ``doctype``, ``too_deep``, ``too_many_elements``, ``too_many_attributes`` or ``bad_xml``, with the line.
        """
        text, characters = self._text, self._characters
        literal = characters.plain and "]]>" not in text
        place = self._begins = self._first_place()
        while place >= 0:
            match = PLAIN.match(text, place)
            if match is None:
                place = self._read_odd(place)
                continue
            end_tag, name, attributes, empty, leaf = match.groups()
            if end_tag:
                place = self._end(end_tag, match.start(1) - 2, match.end())
                continue
            place = match.end()
            values = self._attributes(match.start(3))[0] if attributes else {}
            element = self._add(name, values, match.start(2) - 1, place)
            if leaf is not None:
                element.content_start, element.content_end = match.span(5)
                if leaf.strip(SPACES):
                    element.text = leaf if literal else self._value(*match.span(5))
            elif not empty:
                self._enter(element, name)
        return self._chosen_root()

    @property
    def undeclared(self) -> list[str]:
        """The prefixes that are used and not declared."""
        return [prefix for prefix in self._used_prefixes if prefix not in self._prefixes]

    def _first_place(self) -> int:
        """Return the start of the file after a byte order mark, which TinyXML2 looks for after white space."""
        place = self._after_space(0)
        mark = "\ufeff" if self._characters.unit == 2 else "\xef\xbb\xbf"
        if not self._text.startswith(mark, place):
            return 0
        if place:
            self._characters.note("space_first", 0)
        return place + len(mark)

    def _after_space(self, place: int) -> int:
        match = SPACE.match(self._text, place)
        assert match
        return match.end()

    def _read_odd(self, place: int) -> int:
        """Read what is not a plain tag; return its end, or -1 where TinyXML2 stops reading."""
        text, start = self._text, self._after_space(place)
        if start == len(text):
            return -1
        if text[start] != "<":
            end = text.find("<", start)
            if end < 0:
                if not self._begun or self._open:
                    return -1
                raise self._characters.bad(start, "there is text after the last element")
            self._add_text(place, end)
            return end
        if text.startswith("<!--", start):
            end = self._end_of("-->", start, 4, "a comment")
            if "--" in text[start + 4 : end - 3] or (text[end - 4] == "-" and end - 4 >= start + 4):
                self._characters.note("dashes", start)
            self._begun = True
            ours = OURS.match(text, start, end)
            if ours:
                self.comments.append((self._open[-1][0] if self._open else None, ours.end(), end - len("-->")))
            return end
        if text.startswith("<![CDATA[", start):
            end = self._end_of("]]>", start, 9, "a CDATA section")
            self._add_text(start + 9, end - 3, cdata=True)
            return end
        if text.startswith("<?", start):
            return self._read_instruction(start)
        if text.startswith("<!DOCTYPE", start):
            raise InertiaError.of("doctype", self._characters.where(start))
        if text.startswith("<!", start):
            self._characters.note("unknown", start)
            self._texts, self._begun = "ignored", True
            return self._end_of(">", start, 2, "'<!'")
        return self._read_tag(start)

    def _end_of(self, mark: str, start: int, skipped: int, what: str) -> int:
        end = self._text.find(mark, start + skipped)
        if end < 0:
            raise self._characters.bad(start, f"{what} has no end")
        return end + len(mark)

    def _read_instruction(self, start: int) -> int:
        end = self._end_of("?>", start, 2, "'<?'")
        if self._begun:
            raise self._characters.bad(start, "'<?' is not at the beginning: simulators refuse the file")
        declared = DECLARATION.match(self._text, start)
        if declared and not self._declared and start > self._begins:
            self._characters.note("space_first", self._begins)
        elif (declared and self._declared) or not (declared or INSTRUCTION.match(self._text, start)):
            self._characters.note("declaration", start, self._characters.decoded(self._text[start:end])[:SHOWN])
        self._declared = True
        return end

    def _read_tag(self, start: int) -> int:
        match = TAG.match(self._text, start)
        if match is None:
            raise self._characters.bad(start, "'<' begins no tag")
        space, slash, name = match.groups()
        if space:
            self._characters.note("space", start)
        values, place = self._attributes(match.end())
        end = TAG_END.match(self._text, place)
        if end is None:
            raise self._characters.bad(place, "a tag is broken: attributes are written name='value'")
        if slash and (values or end[1]):
            self._characters.note("end_tag", start)
        if slash and not end[1]:
            return self._end(name, start, end.end())
        # TinyXML2 accepts </mass/> as <mass/>.
        element = self._add(self._tree_name(name, start), values, start, end.end())
        if not end[1]:
            self._enter(element, name)
        return end.end()

    def _attributes(self, place: int) -> tuple[dict[str, str], int]:
        """Return the attributes at a position, and their end."""
        values: dict[str, str] = {}
        start, special = place, False
        while match := ATTRIBUTE.match(self._text, place):
            space, name, quoted = match.groups()
            first, last = match.span(3)
            if not space:
                self._characters.note("no_space", place)
            if "<" in quoted:
                self._characters.note("less_than", first)
            if name in values:
                shown = self._characters.decoded(name)[:SHOWN]
                raise self._characters.bad(place, f"a tag has more than one attribute '{shown}'")
            if len(values) == MAX_ATTRIBUTES:
                raise InertiaError.of("too_many_attributes", self._characters.where(place), limit=MAX_ATTRIBUTES)
            values[name] = self._characters.value(first + 1, last - 1)
            special = special or ":" in name or name == "xmlns" or not name.isascii()
            place = match.end()
        return (self._without_namespaces(values, start) if special else values), place

    def _without_namespaces(self, values: dict[str, str], place: int) -> dict[str, str]:
        """Keep the prefixes that attributes declare, wherever that is: of one prefix, the first; return the others."""
        if "xmlns" in values:
            self._characters.note("xmlns", place)
        for name, value in values.items():
            if name.startswith("xmlns:"):
                prefix = self._characters.decoded(name[6:])
                self._prefixes.setdefault(prefix, PREFIXES.get(value, prefix))
        others = (name for name in values if name != "xmlns" and not name.startswith("xmlns:"))
        return {self._tree_name(name, place): values[name] for name in others}

    def _tree_name(self, raw: str, place: int) -> str:
        """Return a name with the usual prefix; note one that XML does not allow."""
        if raw.isascii() and ":" not in raw:
            return raw
        name = self._characters.decoded(raw)
        prefix, colon, local = name.partition(":")
        if not all(re.fullmatch(_XML_NAME, part) for part in ((prefix, local) if colon else (name,))):
            self._characters.note("name", place, name)
        elif colon:
            self._used_prefixes[prefix] = None
            return f"{self._prefixes.get(prefix, prefix)}:{local}"
        return name

    def _add(self, tag: str, attributes: dict[str, str], start: int, end: int) -> Element:
        """Add an element; its end is for now that of its start tag or of its known part."""
        if len(self._open) >= input_file.MAX_DEPTH:
            raise InertiaError.of("too_deep", self._characters.where(start), "elements", limit=input_file.MAX_DEPTH)
        if len(self.elements) >= input_file.MAX_ELEMENTS:
            raise InertiaError.of("too_many_elements", self._characters.where(start), limit=input_file.MAX_ELEMENTS)
        element = Element(tag, attributes)
        element.start, element.content_start, element.content_end, element.end = start, end, end, end
        if self._open:
            element.parent = self._open[-1][0]
            element.parent.append(element)
        else:
            self._roots.append(element)
            self._begun = True
        self.elements.append(element)
        self._texts = "ignored"
        return element

    def _enter(self, element: Element, name: str) -> None:
        self._open.append((element, name))
        self._texts = "none"

    def _end(self, name: str, start: int, end: int) -> int:
        """End the innermost element; return the end of its tag, or -1 if there is none, where TinyXML2 stops."""
        if not self._open:
            self._characters.note("outside", start)
            return -1
        element, begun = self._open[-1]
        if name != begun:
            shown = self._characters.decoded(name)[:SHOWN]
            raise self._characters.bad(start, f"</{shown}> is where {self._innermost()} ends")
        element.content_end, element.end = start, end
        self._open.pop()
        self._texts = "ignored"
        return end

    def _add_text(self, first: int, last: int, cdata: bool = False) -> None:
        """Add a text: the first one in an element is its value."""
        if not (cdata or self._text[first:last].strip(SPACES)):
            return
        if not self._open:
            self._characters.note("outside", first)
            self._begun = True
            return
        text = self._characters.value(first, last, entities=False) if cdata else self._value(first, last)
        element = self._open[-1][0]
        if self._texts == "none":
            element.text = text
            self._texts = "first"
        elif self._texts == "first" and text.strip():
            self.cut.append((element, text.strip()[:SHOWN]))
            self._texts = "ignored"

    def _value(self, first: int, last: int) -> str:
        if "]]>" in self._text[first:last]:
            self._characters.note("cdata_end", first)
        return self._characters.value(first, last)

    def _chosen_root(self) -> Element:
        if self._open:
            raise self._characters.bad(len(self._text), f"{self._innermost()} has no end")
        if not self._roots:
            raise self._characters.bad(0, "it has no elements")
        ranked = [root for name in ROOTS for root in self._roots if root.tag == name]
        chosen = (ranked or self._roots)[0]
        for root in self._roots:
            if root is not chosen:
                self._characters.note("outside", root.start)
        return chosen

    def _innermost(self) -> str:
        element, name = self._open[-1]
        return f"<{self._characters.decoded(name)[:SHOWN]}> of line {self._characters.line(element.start)}"
