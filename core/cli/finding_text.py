# SPDX-License-Identifier: Apache-2.0
"""Findings as people read them, in a pipe and in a terminal: a paragraph for each cause, with all that have it."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import WORST_FIRST, Finding, counts_text
from ..escapes import for_terminal
from ..findings.listed import listed
from ..findings.place import PLACE, is_link, name_of, where_of
from ..findings.remedy import Remedy
from ..units import listed_text
from .terminal import Output

if TYPE_CHECKING:
    from .checked import CheckedFile

NAMED = 8
"""Further subjects that a paragraph names; the rest are counted."""

STYLES = (
    r"^ *(?:(?P<red>error)|(?P<yellow>warning)|(?P<cyan>info)): ",
    r"^ +(?:(?P<green>Fix:)|(?P<dim>The same:|Likewise:|Why:)) ",
    r"(?P<dim>\[\w+\])$",
)
"""What stands out in a line of a finding, as groups that are named by their style."""

_REPAIR = re.compile(r"""`(sdf-inertia repair --in-place)((?! --density KG_M3)(?:'[^']*'|"[^"]*"|[^`'"])*)`""")
"""A command in a remedy, as `shlex.quote` writes it: a name in quotes may have a backtick."""


def causes_of(findings: Iterable[Finding], quiet: bool = False, verbose: bool = False) -> Sequence[Sequence[Finding]]:
    """Return findings by cause, errors first; only errors if `quiet`, each finding by itself if `verbose`.

    A cause is a code, a message's form and a remedy, for one engine; about links of one file, or with one message.
    """
    causes: dict[tuple[str, ...], dict[str, Finding]] = {}
    for number, finding in enumerate(findings):
        if quiet and finding.severity != "error":
            continue
        place = PLACE.match(finding.subject)
        is_about_link = place is not None and is_link(finding.subject)
        same = (place["file"] or place["layer"]) if place is not None and is_about_link else finding.message
        engine = str(finding.sentence.values.get("engine", ""))
        key: tuple[str, ...] = (finding.severity, finding.code, finding.sentence.form, finding.remedy, engine, same)
        key += (str(number),) if verbose else ()
        if causes.setdefault(key, {}).setdefault(finding.subject, finding).message != finding.message:
            causes.setdefault((*key, finding.message), {})[finding.subject] = finding
    groups = [[*by_subject.values()] for by_subject in causes.values()]
    return sorted(groups, key=lambda group: WORST_FIRST.index(group[0].severity))


def print_findings(
    output: Output, findings: Iterable[Finding], quiet: bool = False, verbose: bool = False, indent: int = 0
) -> None:
    """Print findings by cause, see `causes_of`: the place, what is wrong, what else has it, and the fix.

    With `verbose`, what the code means too. All lines but the first of a cause are indented, by `indent` more.
    """
    for first, *others in causes_of(findings, quiet, verbose):
        place = re.escape(for_terminal(where_of(short(first.subject))))
        head = sentence_of(replace(first, fix=Remedy()))
        output.wrapped(f"{first.severity}: {head}", indent, parts=(rf"(?<=: )(?P<bold>{place})(?=: )", *STYLES))
        alike = all(finding.message == first.message for finding in others)
        names = listed_text([name_of(finding.subject) for finding in others], NAMED)
        why = listed()[first.code].meaning if verbose and first.code in listed() else ""
        for title, text in (("The same" if alike else "Likewise", names), ("Fix", first.remedy), ("Why", why)):
            if text:
                output.wrapped(f"{title}: {text}", indent + 2, parts=STYLES)


def sentence_of(finding: Finding) -> str:
    """Return a finding in one line, without its severity: the place, what is wrong, and the fix."""
    where = where_of(short(finding.subject))
    remedy = f" Fix: {finding.remedy}" if finding.remedy else ""
    return f"{where + ': ' if where else ''}{finding.text} [{finding.code}]{remedy}"


def log_findings(findings: Iterable[Finding], quiet: bool = False) -> None:
    """Print findings on standard error; see `print_findings`."""
    print_findings(Output.to(sys.stderr), findings, quiet)


def print_checked(output: Output, file: CheckedFile, quiet: bool, verbose: bool) -> None:
    """Print the verdict on a file, below it what is wrong with it, and at the end its counts."""
    style = "red" if file.status else "yellow" if file.findings else "green"
    output.title(short(file.path), file.verdict, style)
    print_findings(output, file.findings, quiet, verbose, indent=2)
    if file.total is not None and not file.total.findings:
        output.wrapped(file.total.text, 2, "dim")
    if file.summary is not None and file.summary.links:
        output.wrapped(str(file.summary), 2, "dim")


def print_next(output: Output, files: Sequence[CheckedFile]) -> None:
    """Print how much is wrong in all files, and the commands to go on with."""
    findings = [finding for file in files for finding in file.findings]
    findings.sort(key=lambda finding: WORST_FIRST.index(finding.severity))
    counts = counts_text(finding.severity for finding in findings)
    if not counts:
        return
    output.line("")
    output.line(f"{counts} in {len(files)} file{'s' * (len(files) != 1)}", "bold")
    repair = next((command for finding in findings for command in [_REPAIR.search(finding.remedy)] if command), None)
    steps = [] if repair is None else [f"{repair[1]} --dry-run{repair[2]}"]
    for step in (*steps, f"sdf-inertia explain {findings[0].code}"):
        output.line(f"next: {step}", "cyan")  # one line, which can be copied


def short(path: Path | str) -> str:
    """Return a path, or a text that begins with it, as seen from the working directory, if it is below that."""
    return os.fspath(path).removeprefix(f"{os.getcwd()}{os.sep}")
