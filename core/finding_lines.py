# SPDX-License-Identifier: GPL-3.0-or-later
"""Findings as lines of text: those that say the same of several elements are one line with their number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .errors import Finding, grouped


def finding_lines(findings: Iterable[Finding]) -> Iterator[str]:
    """Yield a line for each finding, in their order; equal ones, whatever they are about, where the first stands."""
    for finding, count in grouped(findings):
        if count == 1:
            yield str(finding)
        else:
            remedy = f" Remedy: {finding.remedy}." if finding.remedy else ""
            times = f"({count:,} times; the first: {finding.subject or 'without a name'})"
            yield f"{finding.severity}: {finding.message} [{finding.code}] {times}{remedy}"
