# SPDX-License-Identifier: GPL-3.0-or-later
"""What ``check`` found in a file, as lines to read: one paragraph for each cause, with the links that have it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import wrap

from ..errors import WORST_FIRST, Finding
from .checked import CheckedFile, place_of

WIDTH = 120
"""Columns of a line."""

NAMED = 8
"""Further links that a paragraph names; the rest are counted."""

_LINK = re.compile(r"/link\[@name='(?P<name>.*?)'\](?P<below>/.*)?$")
_CALL = re.compile(r"/xacro:[^/\[]+\[(?P<place>[^\[\]]+:\d+)\]")
_NAMED = re.compile(r"/(?P<tag>\w+)\[@name='(?P<name>.*?)'\](?=/|$)")


def text_of(file: CheckedFile) -> str:
    """Return a file's verdict, below it a paragraph for each cause, errors first, and at the end its counts."""
    lines = [f"{_short(file.path)}: {file.verdict}"]
    for findings in _causes(file):
        text = _paragraph(findings, file)
        lines += wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)
    if file.total is not None and not file.total.findings:
        lines.append(f"  {file.total.text}")
    if file.summary is not None and file.summary.links:
        lines.append(f"  {file.summary}")
    return "\n".join(lines)


def _short(path: Path | str) -> str:
    """Return a path as seen from the working directory, if it is below that."""
    here = os.getcwd()
    text = os.fspath(path)
    return os.path.relpath(text) if os.path.isabs(text) and text.startswith(here + os.sep) else text


def _causes(file: CheckedFile) -> Iterator[Sequence[Finding]]:
    """Yield the findings by cause: of one code about links of one file, or with the same message."""
    causes: dict[tuple[str, ...], list[Finding]] = {}
    for finding in file.findings:
        name, line = place_of(finding, file.path)
        same = (name,) if line is not None and _LINK.search(finding.subject) else (name, finding.message)
        causes.setdefault((finding.severity, finding.code, finding.remedy, *same), []).append(finding)
    return iter(sorted(causes.values(), key=lambda one: WORST_FIRST.index(one[0].severity)))


def _paragraph(findings: Sequence[Finding], file: CheckedFile) -> str:
    first = findings[0]
    others = [_name(one.subject) for one in findings[1:]]
    also = ""
    if others:
        rest = f" and {len(others) - NAMED} more" if len(others) > NAMED else ""
        alike = "The same" if all(one.message == first.message for one in findings) else "Likewise"
        also = f" {alike}: {', '.join(others[:NAMED])}{rest}."
    remedy = f" Remedy: {first.remedy}." if first.remedy else ""
    return f"{first.severity}: {_where(first, file)}{first.message} [{first.code}].{also}{remedy}"


def _where(finding: Finding, file: CheckedFile) -> str:
    """Return what a finding is about, and its line; nothing for the file itself."""
    name, line = place_of(finding, file.path)
    if line is None:
        return "" if finding.subject in ("", str(file.path)) else f"{finding.subject}: "
    other = "" if name == str(file.path) else f"{_short(name)}, "
    called = "".join(f", called at {_short(place)}" for place in _CALL.findall(finding.subject)[-1:])
    return f"{_name(finding.subject)} ({other}line {line}{called}): "


def _name(subject: str) -> str:
    """Return the link of a place in a file and what is below it, or the last element with a name."""
    link = _LINK.search(subject)
    if link is None:
        named = list(_NAMED.finditer(subject))
        return f"{named[-1]['tag']} '{named[-1]['name']}'" if named else subject.rpartition("/")[2]
    below = [f"{part['tag']} '{part['name']}'" for part in _NAMED.finditer(link["below"] or "")]
    return ", ".join([link["name"], *below])
