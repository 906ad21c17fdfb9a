# SPDX-License-Identifier: GPL-3.0-or-later
"""What is written beside a body."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core import units as core_units
from ...core.errors import Finding, Severity, first_error, worst_severity
from ...core.findings.listed import title_of
from ...core.mesh.diagnosis.remarks import NOT_CHECKED
from ...core.robot.model import Joint
from ...core.robot.resolve import LinkBody
from ...core.units import error_text
from ..translations.words import iface_, n_

JOINT_KINDS = (
    n_("fixed"),
    n_("revolute"),
    n_("continuous"),
    n_("prismatic"),
    n_("screw"),
    n_("universal"),
    n_("ball"),
)
"""SDFormat's words, which labels show in the user's language."""


def holds_text(joint: Joint, torque: float) -> str:
    """Return what a joint's motor holds against gravity, and of how much it can: Holds 12.3 N·m of 28 N·m."""
    unit = "N" if joint.kind == "prismatic" else "N·m"
    held = f"{abs(torque):.3g} {unit}"
    if not joint.effort:
        return iface_("Holds {torque}", torque=held)
    return iface_("Holds {torque} of {effort}", torque=held, effort=f"{joint.effort:.4g} {unit}")


def mass_text(mass: float, units: str = "SI") -> str:
    """Write a mass [kg] as the panel does: 12.40 kg, or where small parts are meant ("GRAM") 12400 g."""
    return core_units.mass_text(mass, core_units.UNITS[units])


def how_exact(body: LinkBody) -> str:
    """Return how exact a link's numbers are: as entered, exact, ±0.1 %; or not checked, if meshes were read quickly."""
    if any(finding.code == NOT_CHECKED for finding in body.all_findings()):
        return iface_("not checked")
    return iface_("as entered") if body.mode == "manual" else error_text(body.error, iface_)


def share_text(mass: float, whole: float) -> str:
    """Write a part's share of its link: 62 %, 3.3 %."""
    return core_units.share_text(mass / whole) if whole > 0.0 and np.isfinite(mass) else iface_("no mass")


def sign_of(findings: Sequence[Finding]) -> Severity | None:
    """Return what a label's sign stands for: an error, a warning, or nothing; remarks have no sign."""
    severity = worst_severity(findings)
    return None if severity == "info" else severity


def first_error_title(findings: Sequence[Finding]) -> str:
    """Return what the first error is."""
    error = first_error(findings)
    return iface_("no number") if error is None else iface_(title_of(error.code))


def fault_text(findings: Sequence[Finding]) -> str:
    """Return what the first error is, or else the first warning."""
    if first_error(findings) is not None:
        return first_error_title(findings)
    return next((iface_(title_of(finding.code)) for finding in findings if finding.severity == "warning"), "")


def too_large_text(times: float, of_link: bool) -> str:
    """Return that an ellipsoid is too large: so many times as long as its link, or as the whole robot."""
    text = n_("Tensor too large: {number}× the link") if of_link else n_("Tensor too large: {number}× the robot")
    return iface_(text, number=core_units.number_text(times, 2))


def waiting_text(findings: Sequence[Finding]) -> str:
    """Return why a link is stale: sculpting, new numbers are being computed, or the user cancelled."""
    codes = {finding.code for finding in findings}
    if "before_sculpting" in codes:
        return iface_("as before sculpting")
    return iface_("cancelled: not up to date") if "computing_cancelled" in codes else iface_("computing …")
