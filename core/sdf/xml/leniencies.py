# SPDX-License-Identifier: GPL-3.0-or-later
"""What is no XML and yet read by TinyXML2, the parser of libsdformat: each form is told once a file, with its line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from operator import itemgetter

from ...errors import Finding

SHOWN = 40
"""Characters of a text of the file that a message repeats."""

FORMS = {
    "dashes": ("a comment holds '--' or ends with '--->'", "use single dashes within comments"),
    "ampersand": ("'&' is not written as &amp;", "write &amp; for it"),
    "reference": ("'{}' stands for no character that XML allows", "remove it"),
    "control": ("there is a control character", "remove it"),
    "nul": ("a NUL byte ends the file there", "remove it and what follows"),
    "less_than": ("'<' stands in an attribute", "write &lt; for it"),
    "cdata_end": ("']]>' stands in a text", "write ]]&gt; for it"),
    "name": ("'{}' is no name to XML", "rename it"),
    "xmlns": ("a default xmlns is declared, which counts for nothing: SDF knows no namespaces", "remove it"),
    "space": ("'<' is followed by space", "remove the space"),
    "no_space": ("two attributes have no space between", "put a space there"),
    "end_tag": ("an end tag has more than its name", "remove what follows the name"),
    "space_first": ("white space stands before the XML declaration or byte order mark", "remove it"),
    "declaration": ("'{}' is not as XML has it", 'write <?xml version="1.0"?>, once'),
    "encoding": ("the encoding '{}' that it declares is not the one it has", "save it as UTF-8, and declare that"),
    "not_utf8": ("it is not all UTF-8; other bytes are read as Latin-1", "save it as UTF-8"),
    "unknown": ("'<!' begins neither a comment nor CDATA; up to the next '>' it counts for nothing", "remove it"),
    "outside": ("what stands outside of the root element counts for nothing", "remove it"),
}
"""The forms: what is wrong, and the remedy."""

HARMLESS = ("declaration", "space_first")
"""Forms that change nothing of what is read."""


@dataclass
class Leniencies:
    """The forms that a file has: the place (character) of the first of each, how it is written, how many there are."""

    found: dict[str, tuple[int, str, int]] = field(default_factory=dict)

    def add(self, form: str, place: int, written: str = "") -> None:
        """Take note of one that stands at `place`; places need not ascend."""
        known = self.found.get(form, (place, written, 0))
        first = known if known[0] <= place else (place, written, 0)
        self.found[form] = (first[0], first[1], known[2] + 1)

    def findings(self, name: str, line: Callable[[int], int]) -> Iterator[Finding]:
        """Yield a finding for each form of the file that messages call `name`, in the order of the file."""
        for form, (place, written, count) in sorted(self.found.items(), key=itemgetter(1)):
            what, remedy = FORMS[form]
            times = f" ({count} times)" if count > 1 else ""
            message = f"{what.format(written[:SHOWN])}{times}; it is read as simulators do"
            yield Finding(
                "info" if form in HARMLESS else "warning", "loose_xml", f"{name}:{line(place)}", message, remedy
            )
