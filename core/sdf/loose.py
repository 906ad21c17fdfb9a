# SPDX-License-Identifier: GPL-3.0-or-later
"""What is no XML and yet read by TinyXML2, the parser of libsdformat: each form is told once a file, with its line."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..errors import Finding

FORMS = {
    "dashes": ("a comment holds '--' or ends with '--->'", "use single dashes within comments"),
    "ampersand": ("'&' is not written as an entity", "write &amp; for it"),
    "reference": ("a character reference stands for no character of XML", "remove it"),
    "control": ("there is a control character", "remove it"),
    "nul": ("a NUL byte ends the file there", "remove it and what follows"),
    "less_than": ("'<' stands in an attribute", "write &lt; for it"),
    "cdata_end": ("']]>' stands in a text", "write ]]&gt; for it"),
    "name": ("a name has characters or colons that XML names have not", "rename it"),
    "xmlns": ("a default xmlns is declared, which counts for nothing: SDF knows no namespaces", "remove it"),
    "space": ("'<' is followed by space", "remove the space"),
    "no_space": ("two attributes have no space between", "put a space there"),
    "end_tag": ("an end tag has more than its name", "remove what follows the name"),
    "declaration": ("the XML declaration is not the first thing, or not as XML has it", 'begin with <?xml version="1.0"?>'),
    "encoding": ("the XML declaration names another encoding than the file has", "save it as UTF-8, and say so there"),
    "not_utf8": ("it is not all UTF-8; other bytes are read as Latin-1", "save it as UTF-8"),
    "unknown": ("'<!' begins neither a comment nor CDATA; up to the next '>' it counts for nothing", "remove it"),
    "outside": ("what stands outside of the root element counts for nothing", "remove it"),
}
"""The forms: what is wrong, and the remedy."""


@dataclass
class Loose:
    """The forms that a file has: the place (character) of the first of each, and how many there are."""

    found: dict[str, tuple[int, int]] = field(default_factory=dict)

    def add(self, form: str, place: int) -> None:
        """Note one that stands at `place`; places need not ascend."""
        first, count = self.found.get(form, (place, 0))
        self.found[form] = (min(first, place), count + 1)


def loose_finding(form: str, subject: str, count: int) -> Finding:
    """Return the finding of a form, whose first one stands at `subject`."""
    what, remedy = FORMS[form]
    times = f" ({count} times)" if count > 1 else ""
    return Finding("warning", "loose_xml", subject, f"{what}{times}; it is read as simulators do", remedy)
