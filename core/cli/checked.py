# SPDX-License-Identifier: Apache-2.0
"""What ``check`` found out about a file, and which findings a baseline or a comment in the file accepts."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Any

from ..document.document import MAX_BYTES, Comment, Document
from ..engines.compared import Comparison
from ..errors import Finding, InertiaError, counts_text, has_error
from ..files.input_file import read_bytes
from ..findings.listed import listed
from ..findings.place import CALL, PLACE
from ..formats.step.assembly import is_step
from ..formats.table import SUFFIXES
from ..judge.comparison import Summary
from ..judge.total_mass import TotalMass
from ..robot.report import SCHEMA
from ..status import CANNOT_RUN, DONE, OUR_BUG, REFUSED

_CALL_LINE = re.compile(r":\d+(?=\]/)")
"""The line in the place where a macro of xacro is called."""

UNKNOWN = (CANNOT_RUN, OUR_BUG)
"""Codes of files whose findings are unknown."""

LONGEST = 1000
"""Characters of a comment that are read."""

_IGNORE = re.compile(r"\s*+ignore\[([\w\s,]*+)\]", re.ASCII)
"""How a comment begins that accepts findings of an element, with their codes."""


@dataclass(frozen=True, eq=False)
class CheckedFile:
    """A file that was checked.

    Parameters
    ----------
    findings : tuple of Finding
        Without those that the baseline lists, or a comment or the configuration ignores.
    status : int
        The exit status for this file alone.
    known : int
        The number of its findings that the baseline lists, or a comment or the configuration ignores.
    summary : Summary or None
        Counts of its links, if it is a robot.
    total : TotalMass or None
        The sum of its masses, compared with the one that is given.
    ignored : tuple of Finding
        Those that a comment or the configuration ignores.
    engines : Comparison or None
        The bodies of a robot as engines simulate them, if that was asked for.
    configuration : Path or None
        The project's configuration that was used.
    """

    path: Path
    findings: tuple[Finding, ...]
    status: int
    known: int = 0
    summary: Summary | None = None
    total: TotalMass | None = None
    ignored: tuple[Finding, ...] = ()
    engines: Comparison | None = None
    configuration: Path | None = None

    @property
    def verdict(self) -> str:
        """The verdict on the file as a whole."""
        if self.status == OUR_BUG:
            return "not checked"
        if self.status == CANNOT_RUN:
            return "not read"
        if self.status == REFUSED:
            return f"invalid, {self._counts}" + (f", {self.known} known" if self.known else "")
        if self.known:  # errors too, perhaps
            new = len(self.findings)
            return f"{new or 'no'} new finding{'s' if new > 1 else ''}, {self.known} known"
        return f"usable, {self._counts}" if self._counts else "good"

    @property
    def _counts(self) -> str:
        return counts_text(finding.severity for finding in self.findings)


class Baseline:
    """Findings that are known and accepted: an earlier ``check --format json``.

    A finding is known by its file, its code, and the element or part that it is about: neither by the line, nor by
    its numbers. Of several that are alike, as many are known as there were.

    Raises
    ------
    InertiaError
        ``bad_baseline``, if the file cannot be read or was not written by ``check``.
    """

    def __init__(self, path: Path) -> None:
        try:
            written = json.loads(path.read_bytes())
            if not 1 <= int(written.get("schema", SCHEMA)) <= SCHEMA:
                raise _bad(path, "a newer version of SDF Inertia wrote it")
            files = written["files"]
            self._left = Counter(
                _key(file["file"], each["code"], each["subject"]) for file in files for each in file["findings"]
            )
        except OSError as error:
            raise _bad(path, f"it cannot be read ({error.strerror})") from None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise _bad(path, "check did not write it") from None

    def without_known(self, file: CheckedFile) -> CheckedFile:
        """Return a file without the findings that are known, each of which is known once.

        A file that could not be read or checked stays as it is.
        """
        if file.status in UNKNOWN:
            return file
        new = tuple(finding for finding in file.findings if not self._knows(file.path, finding))
        for finding in file.ignored:  # which are not fixed
            self._knows(file.path, finding)
        status = REFUSED if has_error(new) else DONE
        return replace(file, findings=new, status=status, known=file.known + len(file.findings) - len(new))

    def gone(self, files: Sequence[CheckedFile]) -> int:
        """Return how many known findings files no longer have; those of an unreadable file are unknown."""
        names = {_name(file.path) for file in files if file.status not in UNKNOWN}
        return sum(count for (name, *_), count in self._left.items() if name in names)

    def _knows(self, path: Path, finding: Finding) -> bool:
        key = _key(path, finding.code, finding.subject)
        known = self._left[key] > 0
        self._left[key] -= known
        return known


def without_ignored(file: CheckedFile, strict: bool, accepted: Container[str] = ()) -> CheckedFile:
    """Return a file without the findings that comments ignore, or whose codes a configuration accepts, and with
    findings about the comments.

    With `strict`, comments that ignore nothing are reported too. A file that could not be read stays as it is.
    """
    if file.status in UNKNOWN:
        return file
    ignored = {finding for finding in file.findings if finding.code in accepted}
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


def place_of(finding: Finding, path: Path) -> tuple[str, int | None]:
    """Return the file that a finding is about, an included one perhaps, and the line in it if it names one."""
    place = PLACE.match(finding.subject)
    if place is None or (is_step(path) and not place["file"].endswith(".csv")):  # "motor:1" is a part's name there
        return str(path), None
    if place["layer"] is not None:
        return place["layer"].partition("[")[0], None  # a layer in a package
    return place["file"], int(place["line"])


def lasting_subject(subject: str) -> str:
    """Return a finding's subject without lines, which change with every line that is inserted above."""
    return _CALL_LINE.sub("", PLACE.sub(lambda place: f"{_name(place['file'] or place['layer'])} ", subject, count=1))


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


def _key(path: Any, code: str, subject: str) -> tuple[str, str, str]:
    return _name(path), code, lasting_subject(subject)


def _name(path: Any) -> str:
    return PurePath(path).as_posix()


def _bad(path: Path, reason: str) -> InertiaError:
    return InertiaError.of("bad_baseline", str(path), reason=reason)
