# SPDX-License-Identifier: Apache-2.0
"""What ``check`` found out about a file, and the findings of an earlier check that are known and accepted."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Any

from ..engines.compared import Comparison
from ..errors import Finding, InertiaError, counts_text, has_error
from ..formats.step.assembly import is_step
from ..judge.comparison import Summary
from ..judge.total_mass import TotalMass
from ..robot.report import SCHEMA
from ..status import CANNOT_RUN, DONE, OUR_BUG, REFUSED

_PLACE = re.compile(r"(?P<file>.*[^:]):(?P<line>\d+)(?: (?=/)|$)")
"""How a finding about an element of a file begins its subject: see `core.document.document.Document.place`. One about
the file's XML has no more than that."""

CALL = re.compile(r"/xacro:[^/\[]+\[(?P<place>[^\[\]]+:\d+)\]")
"""The call of a macro of xacro in a subject."""

_CALL_LINE = re.compile(r":\d+(?=\]/)")
"""The line in the place where a macro of xacro is called."""

UNKNOWN = (CANNOT_RUN, OUR_BUG)
"""Codes of files whose findings are unknown."""


@dataclass(frozen=True, eq=False)
class CheckedFile:
    """A file that was checked.

    Parameters
    ----------
    findings : tuple of Finding
        Without those that the baseline lists or a comment ignores.
    status : int
        The exit status for this file alone.
    known : int
        The number of its findings that the baseline lists or a comment ignores.
    summary : Summary or None
        Counts of its links, if it is a robot.
    total : TotalMass or None
        The sum of its masses, compared with the one that is given.
    ignored : tuple of Finding
        Those that a comment ignores.
    engines : Comparison or None
        The bodies of a robot as engines simulate them, if that was asked for.
    """

    path: Path
    findings: tuple[Finding, ...]
    status: int
    known: int = 0
    summary: Summary | None = None
    total: TotalMass | None = None
    ignored: tuple[Finding, ...] = ()
    engines: Comparison | None = None

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


def place_of(finding: Finding, path: Path) -> tuple[str, int | None]:
    """Return the file that a finding is about, an included one perhaps, and the line in it if it names one."""
    place = _PLACE.match(finding.subject)
    if place is None or (is_step(path) and not place["file"].endswith(".csv")):  # "motor:1" is a part's name there
        return str(path), None
    return place["file"], int(place["line"])


def lasting_subject(subject: str) -> str:
    """Return a finding's subject without lines, which change with every line that is inserted above."""
    return _CALL_LINE.sub("", _PLACE.sub(lambda place: f"{_name(place['file'])} ", subject, count=1))


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


def _key(path: Any, code: str, subject: str) -> tuple[str, str, str]:
    return _name(path), code, lasting_subject(subject)


def _name(path: Any) -> str:
    return PurePath(path).as_posix()


def _bad(path: Path, reason: str) -> InertiaError:
    return InertiaError.of("bad_baseline", str(path), reason=reason)
