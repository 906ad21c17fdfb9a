# SPDX-License-Identifier: GPL-3.0-or-later
"""What is written beside a body."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core import units as core_units
from ...core.errors import Finding, Severity, worst_severity
from ...core.mesh.diagnosis.remarks import NOT_CHECKED
from ...core.resolve import LinkBody
from ...core.units import error_text

WIDEST = 44
"""Characters of a finding that fit on a label."""


def mass_text(mass: float, units: str = "SI") -> str:
    """Write a mass [kg] as the panel does: 12.40 kg, or where small parts are meant ("GRAM") 12400 g."""
    return core_units.mass_text(mass, core_units.UNITS[units])


def how_exact(body: LinkBody) -> str:
    """Say where the numbers of a link come from: manual, exact, or ±0.1 %; or that its meshes were read quickly."""
    if any(finding.code == NOT_CHECKED for finding in body.all_findings()):
        return "not checked"
    return "manual" if body.mode == "manual" else error_text(body.error)


def share_text(mass: float, whole: float) -> str:
    """Write a part's share of its link: 62 %, 3.3 %."""
    return core_units.share_text(mass / whole) if whole > 0.0 and np.isfinite(mass) else "no mass"


def worst(findings: Sequence[Finding]) -> Severity | None:
    """Return what a label's sign stands for: an error, a warning, or nothing; remarks have no sign."""
    found = worst_severity(findings)
    return None if found == "info" else found


def why_not(findings: Sequence[Finding]) -> str:
    """Return the first error in so many characters as a label holds; that of a part says more than that it has one."""
    errors = sorted(
        (finding for finding in findings if finding.severity == "error"), key=lambda error: error.code == "part_refused"
    )
    text = errors[0].message if errors else "no number"
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 1].rstrip()}…"


def waiting_text(findings: Sequence[Finding]) -> str:
    """Say of a link that is stale whether new numbers come, or the user did not want to wait."""
    cancelled = any(finding.code == "computing_cancelled" for finding in findings)
    return "cancelled: not up to date" if cancelled else "computing …"


def count_text(findings: Sequence[Finding]) -> str:
    """Count errors and warnings: 1 error, 2 warnings."""
    counts = [(sum(finding.severity == kind for finding in findings), kind) for kind in ("error", "warning")]
    return ", ".join(f"{count} {kind}{'s' if count > 1 else ''}" for count, kind in counts if count)
