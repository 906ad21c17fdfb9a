# SPDX-License-Identifier: Apache-2.0
"""Comments ``<!-- sdf-inertia: ignore[code] -->`` in a robot's files: findings that are known and accepted there."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from ..document.document import MAX_BYTES, Comment, Document
from ..errors import Finding, InertiaError, has_error
from ..files.input_file import read_bytes
from ..findings.listed import listed
from ..formats.table import SUFFIXES
from ..status import DONE, REFUSED
from .checked import CALL, UNKNOWN, CheckedFile, place_of

LONGEST = 1000
"""Characters of a comment that are read."""

_IGNORE = re.compile(r"\s*+ignore\[([\w\s,]*+)\]", re.ASCII)


def without_ignored(file: CheckedFile, strict: bool) -> CheckedFile:
    """Return a file without the findings that comments ignore, and with findings about the comments.

    With `strict`, comments that ignore nothing are reported too. A file that could not be read stays as it is.
    """
    if file.status in UNKNOWN:
        return file
    ignored: set[Finding] = set()
    about: list[Finding] = []
    places: defaultdict[str, list[tuple[Finding, list[tuple[str, int]]]]] = defaultdict(list)
    for finding in file.findings:
        places[finding.code].append((finding, [*_places(finding, file.path)]))
    known_places = (place for alike in places.values() for _, known in alike for place in known)
    names = dict.fromkeys([str(file.path), *(name for name, _ in known_places)])
    for document in _with_comments(names):
        for comment in document.comments:
            place = f"{document.name}:{comment.line}"
            match = _IGNORE.match(comment.text[:LONGEST])
            codes = dict.fromkeys(re.findall(r"\w+", match[1]) if match else ())
            if not codes:
                about.append(Finding.of("warning", "unused_ignore", place, "syntax"))
            for code in codes:
                findings = {
                    finding
                    for finding, known in places[code]
                    if any(name == document.name and _applies(comment, line, finding) for name, line in known)
                }
                ignored |= findings
                if code not in listed():
                    about.append(Finding.of("warning", "unused_ignore", place, "unknown", code=code[:40]))
                elif strict and not findings:
                    about.append(Finding.of("info", "unused_ignore", place, "unused", code=code))
    remaining = (*(finding for finding in file.findings if finding not in ignored), *about)
    gone = tuple(finding for finding in file.findings if finding in ignored)
    status = file.status if not gone else REFUSED if has_error(remaining) else DONE
    return replace(file, findings=remaining, status=status, known=len(gone), ignored=gone)


def _applies(comment: Comment, line: int, finding: Finding) -> bool:
    """Return True if a finding at a line is in a comment's element; on its first and last line, by the path there."""
    if comment.first < line < comment.last or comment.path == "/":
        return True
    path = finding.subject.partition(" ")[2]
    return line in (comment.first, comment.last) and (path.startswith(comment.path) or "/xacro:" in path)


def _with_comments(names: Iterable[str]) -> Iterator[Document]:
    """Yield the robot files that may have comments for us."""
    for name in names:
        if Path(name).suffix.lower() in SUFFIXES:
            with suppress(InertiaError):  # it is gone
                data = read_bytes(Path(name), MAX_BYTES)
                if any("sdf-inertia:".encode(codec) in data for codec in ("ascii", "utf-16-le", "utf-16-be")):
                    yield Document.parse(data, name)


def _places(finding: Finding, path: Path) -> Iterator[tuple[str, int]]:
    """Yield the file and line of a finding, then those of the calls of macros that led to it; line 0 for a file."""
    name, line = place_of(finding, path)
    yield name, line or 0
    for place in CALL.findall(finding.subject):
        called, _, number = place.rpartition(":")
        yield called, int(number)
