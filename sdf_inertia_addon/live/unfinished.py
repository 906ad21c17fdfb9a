# SPDX-License-Identifier: GPL-3.0-or-later
"""What is refused in a file, but to the user only the step that comes next: a link without a collision."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ...core.errors import Finding, Severity, worst_severity
from ...core.robot.resolve import LinkBody

NEXT_STEP = "no_collision"
"""The code of the finding that every link has until its first collision is tagged."""


def shown_severity(finding: Finding) -> Severity:
    """Return how bad a finding looks: the first click on Link is no error."""
    return "warning" if finding.code == NEXT_STEP else finding.severity


def worst_shown(findings: Iterable[Finding]) -> Severity | None:
    """Return the severity of what looks worst; None without any."""
    return worst_severity(replace(finding, severity=shown_severity(finding)) for finding in findings)


def is_unfinished(body: LinkBody) -> bool:
    """Return True if nothing is wrong with a link but that it has no collision yet."""
    found = body.all_findings()
    errors = {finding.code for finding in found if finding.severity == "error"}
    return errors <= {NEXT_STEP} and any(finding.code == NEXT_STEP for finding in found)
