# SPDX-License-Identifier: GPL-3.0-or-later
"""What is written beside a body."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core import units as core_units
from ...core.errors import Finding, Severity, first_error, worst_severity
from ...core.findings.listed import title_of
from ...core.mesh.diagnosis.remarks import NOT_CHECKED
from ...core.robot.resolve import LinkBody
from ...core.units import error_text


def mass_text(mass: float, units: str = "SI") -> str:
    """Write a mass [kg] as the panel does: 12.40 kg, or where small parts are meant ("GRAM") 12400 g."""
    return core_units.mass_text(mass, core_units.UNITS[units])


def how_exact(body: LinkBody) -> str:
    """Say where the numbers of a link come from: as entered, exact, or ±0.1 %; or that its meshes were read quickly."""
    if any(finding.code == NOT_CHECKED for finding in body.all_findings()):
        return "not checked"
    return "as entered" if body.mode == "manual" else error_text(body.error)


def share_text(mass: float, whole: float) -> str:
    """Write a part's share of its link: 62 %, 3.3 %."""
    return core_units.share_text(mass / whole) if whole > 0.0 and np.isfinite(mass) else "no mass"


def sign_of(findings: Sequence[Finding]) -> Severity | None:
    """Return what a label's sign stands for: an error, a warning, or nothing; remarks have no sign."""
    found = worst_severity(findings)
    return None if found == "info" else found


def first_error_title(findings: Sequence[Finding]) -> str:
    """Return what the first error is."""
    error = first_error(findings)
    return "no number" if error is None else title_of(error.code)


def waiting_text(findings: Sequence[Finding]) -> str:
    """Say of a link that is stale whether new numbers come, or the user did not want to wait."""
    codes = {finding.code for finding in findings}
    if "before_sculpting" in codes:
        return "as before sculpting"
    return "cancelled: not up to date" if "computing_cancelled" in codes else "computing …"
