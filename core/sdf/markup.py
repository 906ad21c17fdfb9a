# SPDX-License-Identifier: GPL-3.0-or-later
"""From the characters of a file to a tree of elements, as TinyXML2, the parser of libsdformat, reads them.

It takes much that is no XML (`loose` tells it), and knows no namespaces. No other parser sees the file, so nothing can
be hidden from the limits here, and a DOCTYPE has done nothing before it is refused.
"""

from __future__ import annotations

from lxml import etree

from ..errors import InertiaError
from ..input_file import too_large
from . import scan
from .characters import Characters
from .grammar import ATTRIBUTE, DECLARATION, INSTRUCTION, MAX_ATTRIBUTES, PLAIN, SPACE, SPACES, TAG, TAG_END
from .loose import SHOWN
from .scan import MAX_BYTES, MAX_DEPTH, Element, Scan
from .xml_names import Names

ROOTS = ("sdf", "robot", "model")
"""Where a file has several roots, the first one with the first of these names is read."""

_EMPTY, _TEXT, _FULL = range(3)
"""What an element holds so far: nothing but comments; a text; more, so that no further text counts."""


def read_markup(data: bytes, name: str) -> Scan:
    """Read a file.

    Raises
    ------
    InertiaError
        ``doctype``, ``file_too_large``, ``too_deep``, ``too_many_elements``, ``too_many_attributes``, ``bad_encoding``
        or ``bad_xml``; the subject is ``name:line``.
    """
    if len(data) > MAX_BYTES:
        raise too_large(name, len(data), MAX_BYTES)
    return _Reader(Characters(data, name), name).read()


class _Reader:
    """Walks through the characters once; `_outer` holds what the present element stands within."""

    def __init__(self, characters: Characters, name: str) -> None:
        self._name = name
        self._characters = characters
        self._text = characters.text
        self._loose = characters.loose
        self._names = Names(characters)
        self._found = Scan(characters)
        self._element: Element = None
        self._name_in, self._number, self._content = "", -1, _FULL
        self._outer: list[tuple[Element, str, int]] = []
        self._roots: list[int] = []
        self._begins = 0
        self._declared = self._begun = False
        self._cdata_ends = "]]>" in self._text

    def read(self) -> Scan:
        """Return what was found."""
        text, plain = self._text, PLAIN.match
        place = self._beginning()
        while place >= 0:
            found = plain(text, place)
            if found is None:
                place = self._odd(place)
                continue
            end_tag, name, attributes, leaf = found.groups()
            place = found.end()
            if end_tag:
                place = self._end(end_tag, found.start(1) - 2, place)
                continue
            values = self._attributes(found.start(3), name)[0] if attributes else None
            element = self._add(name, values, found.start(2) - 1, place)
            if leaf is None:
                if text[place - 2] != "/":
                    self._enter(element, name)
            elif leaf.strip(SPACES):
                element.text = self._value(*found.span(4))
        return self._done()

    def _beginning(self) -> int:
        """Return where the file begins behind a byte order mark, which TinyXML2 looks for behind white space."""
        place = self._behind_space(0)
        mark = "\ufeff" if self._characters.utf16 else "\xef\xbb\xbf"
        if self._text.startswith(mark, place):
            if place:
                self._loose.add("space_first", 0)
            self._begins = place + len(mark)
        return self._begins

    def _behind_space(self, place: int) -> int:
        found = SPACE.match(self._text, place)
        assert found
        return found.end()

    def _odd(self, place: int) -> int:
        """Read what is no plain tag; return where it ends, or -1 where nothing more counts."""
        text, start = self._text, self._behind_space(place)
        if start == len(text):
            return -1
        if text[start] != "<":
            end = text.find("<", start)
            if end < 0:
                if self._outer:
                    return -1
                raise self._bad(start, "a text stands behind the last element")
            self._set_text(place, end)
            return end
        if text.startswith("<!--", start):
            end = self._until("-->", start, 4, "a comment")
            if "--" in text[start + 4 : end - 3] or text[end - 4] == "-" and end - 4 >= start + 4:
                self._loose.add("dashes", start)
            self._begun = True
            return end
        if text.startswith("<![CDATA[", start):
            end = self._until("]]>", start, 9, "a CDATA section")
            self._set_text(start + 9, end - 3, cdata=True)
            return end
        if text.startswith("<?", start):
            return self._instruction(start)
        if text.startswith("<!", start):
            return self._unknown(start)
        return self._odd_tag(start)

    def _until(self, mark: str, start: int, skipped: int, what: str) -> int:
        end = self._text.find(mark, start + skipped)
        if end < 0:
            raise self._bad(start, f"{what} has no end")
        return end + len(mark)

    def _instruction(self, start: int) -> int:
        end = self._until("?>", start, 2, "'<?'")
        if self._begun:
            message = "'<?' stands behind the beginning, where simulators refuse the file"
            raise self._bad(start, message)
        declared = DECLARATION.match(self._text, start)
        if declared and not self._declared and start > self._begins:
            self._loose.add("space_first", self._begins)
        elif (declared and self._declared) or not (declared or INSTRUCTION.match(self._text, start)):
            self._loose.add("declaration", start, self._shown(self._text[start:end]))
        self._declared = True
        return end

    def _unknown(self, start: int) -> int:
        if self._text.startswith("<!DOCTYPE", start):
            message = "a DOCTYPE is not allowed"
            raise InertiaError("doctype", self._where(start), message, "remove it; SDF has no use for one")
        self._loose.add("unknown", start)
        self._content, self._begun = _FULL, True
        return self._until(">", start, 2, "'<!'")

    def _odd_tag(self, start: int) -> int:
        text = self._text
        found = TAG.match(text, start)
        if found is None:
            raise self._bad(start, "'<' begins no tag")
        space, slash, name = found.groups()
        if space:
            self._loose.add("space", start)
        values, place = self._attributes(found.end(), name)
        end = TAG_END.match(text, place)
        if end is None:
            raise self._bad(place, f"the tag of <{self._shown(name)}> is broken: attributes are written name='value'")
        if slash and (values or end[1]):
            self._loose.add("end_tag", start)
        if slash and not end[1]:
            if self._outer and end.end() - start != len(name) + 3:
                self._found.end_tags[self._number] = start
            return self._end(name, start, end.end())
        # TinyXML2 takes </mass/> for <mass/>.
        element = self._add(self._names.in_tree(name, start), values, start, end.end())
        if not end[1]:
            self._enter(element, name)
        return end.end()

    def _attributes(self, place: int, tag: str) -> tuple[dict[str, str], int]:
        """Return the attributes that stand at a place, and where they end."""
        values: dict[str, str] = {}
        while found := ATTRIBUTE.match(self._text, place):
            space, name, quoted = found.groups()
            first, last = found.span(3)
            if not space:
                self._loose.add("no_space", place)
            if "<" in quoted:
                self._loose.add("less_than", first)
            if name in values:
                raise self._bad(place, f"<{self._shown(tag)}> has more than one attribute '{self._shown(name)}'")
            if len(values) == MAX_ATTRIBUTES:
                message = f"<{self._shown(tag)}> has more than {MAX_ATTRIBUTES} attributes"
                raise InertiaError("too_many_attributes", self._where(place), message, "remove some")
            values[name] = self._characters.value(first + 1, last - 1)
            place = found.end()
        return values, place

    def _add(self, tag: str, values: dict[str, str] | None, start: int, end: int) -> Element:
        """Add an element, which ends as yet where its start tag or what is known of it does."""
        found = self._found
        if len(self._outer) >= MAX_DEPTH:
            message = f"elements lie deeper than the limit of {MAX_DEPTH}"
            raise InertiaError("too_deep", self._where(start), message, "nest fewer elements")
        if len(found.starts) >= scan.MAX_ELEMENTS:
            message = f"it has more than {scan.MAX_ELEMENTS} elements"
            raise InertiaError("too_many_elements", self._where(start), message, "split the file")
        if values:
            values = self._names.attributes(values, start)
        if self._outer:
            element = etree.SubElement(self._element, tag, values)
        else:
            # Each root has a document of its own: to free a tree without one takes lxml the square of its size.
            element = etree.Element(tag, values)
            self._roots.append(len(found.starts))
            self._begun = True
        found.elements.append(element)
        found.starts.append(start)
        found.ends.append(end)
        self._content = _FULL
        return element

    def _enter(self, element: Element, name: str) -> None:
        """Go into the element that was added last."""
        self._outer.append((self._element, self._name_in, self._number))
        self._element, self._name_in, self._number = element, name, len(self._found.starts) - 1
        self._content = _EMPTY

    def _end(self, name: str, start: int, end: int) -> int:
        """End the innermost element; return where to go on, -1 where TinyXML2 reads no further."""
        if not self._outer:
            self._loose.add("outside", start)
            return -1
        if name != self._name_in:
            line = self._characters.line(self._found.starts[self._number])
            inner = self._shown(self._name_in)
            raise self._bad(start, f"</{self._shown(name)}> stands where <{inner}> of line {line} ends")
        self._found.ends[self._number] = end
        self._element, self._name_in, self._number = self._outer.pop()
        self._content = _FULL
        return end

    def _set_text(self, first: int, last: int, cdata: bool = False) -> None:
        """Take a text: the first within an element is its value."""
        if not (cdata or self._text[first:last].strip(SPACES)):
            return
        if not self._outer:
            self._loose.add("outside", first)
            self._begun = True
            return
        text = self._characters.value(first, last, entities=False) if cdata else self._value(first, last)
        if self._content == _EMPTY:
            self._element.text = text
            self._content = _TEXT
        elif self._content == _TEXT and text.strip():
            self._found.cut.append((self._element, text.strip()[:SHOWN]))
            self._content = _FULL

    def _value(self, first: int, last: int) -> str:
        if self._cdata_ends and "]]>" in self._text[first:last]:
            self._loose.add("cdata_end", first)
        return self._characters.value(first, last)

    def _done(self) -> Scan:
        if self._outer:
            line = self._characters.line(self._found.starts[self._number])
            raise self._bad(len(self._text), f"<{self._shown(self._name_in)}> of line {line} has no end")
        if not self._roots:
            raise self._bad(0, "it has no elements")
        elements = self._found.elements
        ranked = [number for name in ROOTS for number in self._roots if elements[number].tag == name]
        chosen = (ranked or self._roots)[0]
        for number in self._roots:
            if number != chosen:
                self._loose.add("outside", self._found.starts[number])
        self._found.root = elements[chosen]
        self._found.undeclared = self._names.undeclared()
        return self._found

    def _bad(self, place: int, message: str) -> InertiaError:
        return InertiaError("bad_xml", self._where(place), f"this is no XML: {message}", "repair the file")

    def _where(self, place: int) -> str:
        return f"{self._name}:{self._characters.line(place)}"

    def _shown(self, name: str) -> str:
        return self._characters.decoded(name)[:SHOWN]
