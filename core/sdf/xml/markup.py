# SPDX-License-Identifier: Apache-2.0
"""Parses the characters of a file to a tree of elements as TinyXML2, the parser of libsdformat, does.

TinyXML2 accepts much that is not XML (`Characters.note` records it), and ignores namespaces. No other parser sees the
file, so nothing can be hidden from the limits here, and a DOCTYPE has done nothing before it is refused.
"""

from __future__ import annotations

import re

from ...errors import InertiaError
from ...files.input_file import too_large
from .characters import SPACES, Characters
from .tree_builder import MAX_BYTES, TreeBuilder, TreeWithOffsets
from .xml_names import XmlNames

MAX_ATTRIBUTES = 1000
"""Maximum attributes of one element; SDF has at most ten."""

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
    rf"|({_PLAIN_NAME})((?:{_PLAIN_ATTRIBUTE}){{0,{MAX_ATTRIBUTES}}}+){_X}*+(?:/>|>(?:([^<]*+)</\2{_X}*+>)?+))"
)
"""An end tag's name; or a start tag's name and attributes, and its text if the end tag follows."""

DECLARATION = re.compile(
    rf"""<\?xml{_X}++version{_X}*+={_X}*+(?:"1\.\d++"|'1\.\d++')"""
    rf"""(?:{_X}++encoding{_X}*+={_X}*+(?:"[A-Za-z][\w.-]*+"|'[A-Za-z][\w.-]*+'))?+"""
    rf"""(?:{_X}++standalone{_X}*+={_X}*+(?:"(?:yes|no)"|'(?:yes|no)'))?+{_X}*+\?>""",
    re.ASCII,
)

INSTRUCTION = re.compile(rf"<\?(?![xX][mM][lL][{SPACES}?]){_PLAIN_NAME}(?:{_X}|\?>)")


def read_markup(data: bytes, name: str) -> TreeWithOffsets:
    """Read a file.

    Raises
    ------
    InertiaError
        ``doctype``, ``file_too_large``, ``too_deep``, ``too_many_elements``, ``too_many_attributes``, ``bad_encoding``
        or ``bad_xml``; the subject is ``name:line``.
    """
    if len(data) > MAX_BYTES:
        raise too_large(name, len(data), MAX_BYTES)
    return _Reader(Characters(data, name)).read()


class _Reader:
    """Walks once over the characters."""

    def __init__(self, characters: Characters) -> None:
        self._characters = characters
        self._text = characters.text
        self._names = XmlNames(characters)
        self._builder = TreeBuilder(characters)
        self._begins = 0
        self._declared = False

    def read(self) -> TreeWithOffsets:
        """Return the tree."""
        text, plain, place = self._text, PLAIN.match, self._beginning()
        growth, simple = self._builder, self._characters.plain and "]]>" not in text
        while place >= 0:
            found = plain(text, place)
            if found is None:
                place = self._odd(place)
                continue
            end_tag, name, attributes, leaf = found.groups()
            place = found.end()
            if end_tag:
                if not growth.end(end_tag, found.start(1) - 2, place):
                    break
                continue
            values = self._attributes(found.start(3))[0] if attributes else None
            element = growth.add(name, values, found.start(2) - 1, place)
            if leaf is None:
                if text[place - 2] != "/":
                    growth.enter(element, name)
            elif leaf.strip(SPACES):
                element.text = leaf if simple else growth.value(*found.span(4))
        done = growth.done()
        done.undeclared = self._names.undeclared()
        return done

    def _beginning(self) -> int:
        """Return the start of the file after a byte order mark, which TinyXML2 looks for after white space."""
        place = self._behind_space(0)
        mark = "\ufeff" if self._characters.utf16 else "\xef\xbb\xbf"
        if self._text.startswith(mark, place):
            if place:
                self._characters.note("space_first", 0)
            self._begins = place + len(mark)
        return self._begins

    def _behind_space(self, place: int) -> int:
        found = SPACE.match(self._text, place)
        assert found
        return found.end()

    def _odd(self, place: int) -> int:
        """Read what is not a plain tag; return its end, or -1 where TinyXML2 stops reading."""
        text, start = self._text, self._behind_space(place)
        if start == len(text):
            return -1
        if text[start] != "<":
            end = text.find("<", start)
            if end < 0:
                if not self._builder.begun or self._builder.within:
                    return -1
                raise self._characters.bad(start, "there is text after the last element")
            self._builder.text(place, end)
            return end
        if text.startswith("<!--", start):
            end = self._until("-->", start, 4, "a comment")
            if "--" in text[start + 4 : end - 3] or text[end - 4] == "-" and end - 4 >= start + 4:
                self._characters.note("dashes", start)
            self._builder.comment(start, end)
            return end
        if text.startswith("<![CDATA[", start):
            end = self._until("]]>", start, 9, "a CDATA section")
            self._builder.text(start + 9, end - 3, cdata=True)
            return end
        if text.startswith("<?", start):
            return self._instruction(start)
        if text.startswith("<!", start):
            return self._unknown(start)
        return self._odd_tag(start)

    def _until(self, mark: str, start: int, skipped: int, what: str) -> int:
        end = self._text.find(mark, start + skipped)
        if end < 0:
            raise self._characters.bad(start, f"{what} has no end")
        return end + len(mark)

    def _instruction(self, start: int) -> int:
        end = self._until("?>", start, 2, "'<?'")
        if self._builder.begun:
            message = "'<?' is not at the beginning: simulators refuse the file"
            raise self._characters.bad(start, message)
        declared = DECLARATION.match(self._text, start)
        if declared and not self._declared and start > self._begins:
            self._characters.note("space_first", self._begins)
        elif (declared and self._declared) or not (declared or INSTRUCTION.match(self._text, start)):
            self._characters.note("declaration", start, self._characters.shown(self._text[start:end]))
        self._declared = True
        return end

    def _unknown(self, start: int) -> int:
        if self._text.startswith("<!DOCTYPE", start):
            raise InertiaError.of("doctype", self._characters.where(start))
        self._characters.note("unknown", start)
        self._builder.unknown()
        return self._until(">", start, 2, "'<!'")

    def _odd_tag(self, start: int) -> int:
        text = self._text
        found = TAG.match(text, start)
        if found is None:
            raise self._characters.bad(start, "'<' begins no tag")
        space, slash, name = found.groups()
        if space:
            self._characters.note("space", start)
        values, place = self._attributes(found.end())
        end = TAG_END.match(text, place)
        if end is None:
            raise self._characters.bad(place, "a tag is broken: attributes are written name='value'")
        if slash and (values or end[1]):
            self._characters.note("end_tag", start)
        if slash and not end[1]:
            return end.end() if self._builder.end(name, start, end.end()) else -1
        # TinyXML2 accepts </mass/> as <mass/>.
        element = self._builder.add(self._names.in_tree(name, start), values, start, end.end())
        if not end[1]:
            self._builder.enter(element, name)
        return end.end()

    def _attributes(self, place: int) -> tuple[dict[str, str], int]:
        """Return the attributes at a position, and their end."""
        values: dict[str, str] = {}
        start, special = place, False
        while found := ATTRIBUTE.match(self._text, place):
            space, name, quoted = found.groups()
            first, last = found.span(3)
            if not space:
                self._characters.note("no_space", place)
            if "<" in quoted:
                self._characters.note("less_than", first)
            if name in values:
                shown = self._characters.shown(name)
                raise self._characters.bad(place, f"a tag has more than one attribute '{shown}'")
            if len(values) == MAX_ATTRIBUTES:
                raise InertiaError.of("too_many_attributes", self._characters.where(place), limit=MAX_ATTRIBUTES)
            values[name] = self._characters.value(first + 1, last - 1)
            special = special or ":" in name or name == "xmlns" or not name.isascii()
            place = found.end()
        return self._names.attributes(values, start) if special else values, place


def content_of(found: TreeWithOffsets, number: int) -> tuple[int, int]:
    """Return the start and end of an element's content."""
    text, end = found.characters.text, found.ends[number]
    tag = TAG.match(text, found.starts[number])
    while tag:
        place = tag.end()
        tag = ATTRIBUTE.match(text, place)
    tag = TAG_END.match(text, place)
    assert tag
    if tag.end() == end:
        return end, end
    return tag.end(), found.end_tags.get(number) or text.rindex("</", tag.end(), end)
