# SPDX-License-Identifier: GPL-3.0-or-later
"""What is not XML but accepted by TinyXML2, the parser of libsdformat: each form is reported once, with its line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from operator import itemgetter

from ...errors import Finding, Severity

SHOWN = 40
"""Characters of a text of the file that a message quotes."""

HARMLESS = ("declaration", "space_first")
"""Forms that do not change the result."""


@dataclass
class Leniencies:
    """The forms in a file: the position of the first of each, how it is written, and the count."""

    found: dict[str, tuple[int, str, int]] = field(default_factory=dict)

    def add(self, form: str, place: int, written: str = "") -> None:
        """Record one at `place`; places need not ascend."""
        known = self.found.get(form, (place, written, 0))
        first = known if known[0] <= place else (place, written, 0)
        self.found[form] = (first[0], first[1], known[2] + 1)

    def findings(self, name: str, line: Callable[[int], int]) -> Iterator[Finding]:
        """Yield a finding for each form in the file that messages call `name`, in the order of the file."""
        for form, (place, written, count) in sorted(self.found.items(), key=itemgetter(1)):
            severity: Severity = "info" if form in HARMLESS else "warning"
            values = {"text": written[:SHOWN], "count": count if count > 1 else 0}
            yield Finding.of(severity, "loose_xml", f"{name}:{line(place)}", form, **values)
