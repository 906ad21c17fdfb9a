# SPDX-License-Identifier: GPL-3.0-or-later
"""Comments ``<!-- sdf-inertia: ignore[code] -->`` in a robot's files: findings that are known and accepted there."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from operator import itemgetter
from pathlib import Path

from ..errors import Finding, has_error
from ..findings.listed import listed
from ..sdf.xml.document import Comment, Document
from ..status import DONE, REFUSED
from .checked import CALL, UNKNOWN, CheckedFile, place_of

_IGNORE = re.compile(r"\s*+ignore\[([\w\s,]*+)\]", re.ASCII)


def without_ignored(file: CheckedFile, documents: Iterable[Document], strict: bool) -> CheckedFile:
    """Return a file without the findings that comments in its documents ignore, and with findings about the comments.

    With `strict`, comments that ignore nothing are reported too. A file that could not be read stays as it is.
    """
    ignored: set[Finding] = set()
    about: list[Finding] = []
    for document in documents if file.status not in UNKNOWN else ():
        comments = [*document.comments]
        located = _Located(document, file) if comments else None
        for comment in comments:
            place = f"{document.name}:{comment.line}"
            match = _IGNORE.match(comment.text)
            codes = re.findall(r"\w+", match[1]) if match else []
            if not codes:
                about.append(Finding.of("warning", "unused_ignore", place, "syntax"))
            for code in codes:
                findings = located.within(comment, code) if located else set()
                ignored |= findings
                if code not in listed():
                    about.append(Finding.of("warning", "unused_ignore", place, "unknown", code=code[:40]))
                elif strict and not findings:
                    about.append(Finding.of("info", "unused_ignore", place, "unused", code=code))
    left = (*(one for one in file.findings if one not in ignored), *about)
    gone = tuple(one for one in file.findings if one in ignored)
    status = file.status if not gone else REFUSED if has_error(left) else DONE
    return replace(file, findings=left, status=status, known=len(gone), ignored=gone)


class _Located:
    """The findings about a document by code: in the order of their elements' bytes, or of lines if they name no element
    of it, as in an expanded xacro file."""

    def __init__(self, document: Document, file: CheckedFile) -> None:
        places = [
            (line, finding)
            for finding in file.findings
            for name, line in _places(finding, file.path)
            if name == document.name
        ]
        lines, subjects = {line for line, _ in places}, {finding.subject for _, finding in places}
        starts: defaultdict[str, list[int]] = defaultdict(list)
        for element in document.root.iter("*"):
            if document.line(element) in lines and (subject := document.place(element)) in subjects:
                starts[subject].append(document.span(element)[0])
        self._positions: defaultdict[tuple[str, bool], list[tuple[int, Finding]]] = defaultdict(list)
        for line, finding in places:
            known = starts.get(finding.subject)
            self._positions[finding.code, bool(known)] += ((position, finding) for position in known or [line])
        for positions in self._positions.values():
            positions.sort(key=_POSITION)

    def within(self, comment: Comment, code: str) -> set[Finding]:
        """Return the findings of a code in a comment's element."""
        findings: set[Finding] = set()
        for known, (start, end) in ((True, comment.span), (False, comment.lines)):
            positions = self._positions.get((code, known), [])
            first, last = (bisect_left(positions, one, key=_POSITION) for one in (start, end))
            findings.update(finding for _, finding in positions[first:last])
        return findings


_POSITION = itemgetter(0)


def _places(finding: Finding, path: Path) -> Iterator[tuple[str, int]]:
    """Yield the file and line of a finding, then those of the calls of macros that led to it; line 0 for a file."""
    name, line = place_of(finding, path)
    yield name, line or 0
    for place in CALL.findall(finding.subject):
        called, _, number = place.rpartition(":")
        yield called, int(number)
