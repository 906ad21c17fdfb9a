# SPDX-License-Identifier: Apache-2.0
"""What ``check`` found in a file, as lines to read: one paragraph for each cause, with the links that have it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from shlex import quote
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple

from ..errors import WORST_FIRST, Finding, counts_text
from ..escapes import for_log, for_terminal
from ..findings.listed import listed
from ..units import listed_text
from .checked import CALL, CheckedFile, place_of
from .terminal import KEPT_SPACE, print_finding, print_indented, print_title, with_commands_whole

if TYPE_CHECKING:
    from rich.console import Console

WIDTH = 120
"""Columns of a line."""

REPAIR = "sdf-inertia repair"
"""What a remedy that names the command has in it."""

NAMED = 8
"""Further links that a paragraph names; the rest are counted."""

_LINK = re.compile(r"/link\[@name='(?P<name>.*?)'\](?P<below>/.*)?$")
_NAMED = re.compile(r"/(?P<tag>\w+)\[@name='(?P<name>.*?)'\](?=/|$)")


class Cause(NamedTuple):
    """Findings of one cause: the first one, its place, the names of the others, and if their numbers are equal."""

    first: Finding
    where: str
    also: str
    alike: bool


def causes_of(findings: Iterable[Finding], path: Path, quiet: bool = False, verbose: bool = False) -> Iterator[Cause]:
    """Yield what is wrong with a file by cause, errors first; only errors if `quiet`, each finding if `verbose`."""
    for same in _causes(findings, path):
        if quiet and same[0].severity != "error":
            continue
        for group in [[finding] for finding in same] if verbose else [same]:
            alike = all(finding.message == group[0].message for finding in group)
            yield Cause(group[0], _where(group[0], path), _also(group[1:]), alike)


def text_of(file: CheckedFile, quiet: bool = False, verbose: bool = False) -> str:
    """Return a file's verdict, below it a paragraph for each cause, and at the end its counts."""
    lines = [for_log(f"{short(file.path)}: {file.verdict}")]
    for cause in causes_of(file.findings, file.path, quiet, verbose):
        for text in filter(None, (_paragraph(cause), explanation(cause.first) if verbose else "")):
            filled = wrap(
                with_commands_whole(text),
                WIDTH,
                initial_indent="  ",
                subsequent_indent="    ",
                break_on_hyphens=False,
                break_long_words=False,
            )
            lines += (for_log(line.replace(KEPT_SPACE, " ")) for line in filled)
    for text in _counts(file):
        lines += wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ")
    return "\n".join(lines)


def print_checked(target: Console, file: CheckedFile, quiet: bool, verbose: bool) -> None:
    """Print a file's verdict and what is wrong with it to a terminal."""
    from rich.text import Text

    style = "red" if file.status else "yellow" if file.findings else "green"
    print_title(target, short(file.path), file.verdict, style)
    print_findings(target, file.findings, file.path, quiet, verbose)
    for text in _counts(file):
        print_indented(target, Text(for_terminal(text), style="dim"), 2)


def print_findings(
    target: Console, findings: Iterable[Finding], path: Path, quiet: bool = False, verbose: bool = False
) -> None:
    """Print findings about a file to a terminal, by cause; see `causes_of`."""
    for first, where, also, _ in causes_of(findings, path, quiet, verbose):
        print_finding(target, first, place_text(first, path) or where, also, explanation(first) if verbose else "")


def place_text(finding: Finding, path: Path) -> str:
    """Return the file, line and element of a finding; empty if it names no line."""
    name, line = place_of(finding, path)
    shown = short(name)
    return (
        "" if line is None else f"{Path(shown).name if os.path.isabs(shown) else shown}:{line} {_name(finding.subject)}"
    )


def print_next(target: Console, files: Sequence[CheckedFile]) -> None:
    """Print how much is wrong in all files, and the command to go on with."""
    counts = counts_text(finding.severity for file in files for finding in file.findings)
    if not counts:
        return
    target.print(f"\n{counts} in {len(files)} file{'s' * (len(files) != 1)}", style="bold")
    worst = [finding for file in files for finding in file.findings if finding.severity in ("error", "warning")]
    repairable = next((file for file in files if any(REPAIR in finding.remedy for finding in file.findings)), None)
    steps = [] if repairable is None else [f"{REPAIR} --in-place --dry-run {quote(short(repairable.path))}"]
    steps.append(f"sdf-inertia explain {min(worst, key=lambda finding: WORST_FIRST.index(finding.severity)).code}")
    for step in steps:
        target.print(f"next: {for_terminal(step)}", style="cyan", soft_wrap=True)  # one line, which can be copied


def explanation(finding: Finding) -> str:
    """Return what the code of a finding means."""
    entry = listed().get(finding.code)
    return "" if entry is None else entry.meaning


def _counts(file: CheckedFile) -> list[str]:
    total = [] if file.total is None or file.total.findings else [file.total.text]
    return [*total, *([str(file.summary)] if file.summary is not None and file.summary.links else [])]


def short(path: Path | str) -> str:
    """Return a path as seen from the working directory, if it is below that."""
    here = os.getcwd()
    text = os.fspath(path)
    return os.path.relpath(text) if os.path.isabs(text) and text.startswith(here + os.sep) else text


def _causes(findings: Iterable[Finding], path: Path) -> Iterator[Sequence[Finding]]:
    """Yield the findings by cause: of one code about links of one file, or with the same message, and of one engine."""
    causes: dict[tuple[str, ...], list[Finding]] = {}
    for finding in findings:
        name, line = place_of(finding, path)
        same = (name,) if line is not None and _LINK.search(finding.subject) else (name, finding.message)
        engine = str(finding.sentence.values.get("engine", ""))
        causes.setdefault((finding.severity, finding.code, finding.remedy, engine, *same), []).append(finding)
    return iter(sorted(causes.values(), key=lambda same: WORST_FIRST.index(same[0].severity)))


def _paragraph(cause: Cause) -> str:
    first = cause.first
    where = f"{cause.where}: " if cause.where else ""
    also = f" {'The same' if cause.alike else 'Likewise'}: {cause.also}." if cause.also else ""
    remedy = f" Fix: {first.remedy}." if first.remedy else ""
    return for_terminal(f"{first.severity}: {where}{first.text} [{first.code}].{also}{remedy}")


def _also(others: Sequence[Finding]) -> str:
    """Return the names of what else has a finding."""
    return listed_text([_name(other.subject) for other in others], NAMED)


def _where(finding: Finding, path: Path) -> str:
    """Return what a finding is about, and its line; nothing for the file itself."""
    name, line = place_of(finding, path)
    if line is None:
        return "" if finding.subject in ("", str(path)) else finding.subject
    if name != str(path) and finding.subject == f"{name}:{line}":
        return f"{short(name)}, line {line}"
    other = "" if name == str(path) else f"{short(name)}, "
    called = "".join(f", called at {short(place)}" for place in CALL.findall(finding.subject)[-1:])
    return f"{_name(finding.subject)} ({other}line {line}{called})"


def _name(subject: str) -> str:
    """Return the link of a place in a file and what is below it, or the last element with a name."""
    link = _LINK.search(subject)
    if link is None:
        named = list(_NAMED.finditer(subject))
        return f"{named[-1]['tag']} '{named[-1]['name']}'" if named else subject.rpartition("/")[2]
    below = [f"{part['tag']} '{part['name']}'" for part in _NAMED.finditer(link["below"] or "")]
    return ", ".join([link["name"], *below])
