# SPDX-License-Identifier: GPL-3.0-or-later
"""What is refused in a file, but in the tab only the step that comes next: a link without a collision."""

from __future__ import annotations

from collections.abc import Iterable

from ...core.errors import WORST_FIRST, Finding, Severity
from ..live import LiveLink

NEXT_STEP = "no_collision"
"""The code of the finding that every link has until its first collision is tagged."""


def shown_severity(finding: Finding) -> Severity:
    """Return how bad a finding looks in the tab: the first click on Link is no error."""
    return "warning" if finding.code == NEXT_STEP else finding.severity


def worst_shown(findings: Iterable[Finding]) -> Severity | None:
    """Return the severity of what looks worst; None without any."""
    found = {shown_severity(finding) for finding in findings}
    return next((severity for severity in WORST_FIRST if severity in found), None)


def is_unfinished(link: LiveLink) -> bool:
    """Say whether nothing is wrong with a link but that it has no collision yet."""
    errors = {finding.code for finding in link.body.all_findings() if finding.severity == "error"}
    return errors == {NEXT_STEP}
