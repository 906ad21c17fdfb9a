# SPDX-License-Identifier: GPL-3.0-or-later
"""Findings as lines of text: those that say the same of several elements are one line with their number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from .errors import Finding


def finding_lines(findings: Iterable[Finding]) -> Iterator[str]:
    """Yield a line for each finding, in their order; equal ones, whatever they are about, where the first stands."""
    alike: dict[Finding, list[Finding]] = {}
    for finding in findings:
        alike.setdefault(replace(finding, subject=""), []).append(finding)
    for same, found in alike.items():
        if len(found) == 1:
            yield str(found[0])
        else:
            remedy = f" Remedy: {same.remedy}." if same.remedy else ""
            times = f"({len(found):,} times; the first: {found[0].subject or 'without a name'})"
            yield f"{same.severity}: {same.message} [{same.code}] {times}{remedy}"
