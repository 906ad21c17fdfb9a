# SPDX-License-Identifier: GPL-3.0-or-later
"""Findings about what is not imported of a robot."""

from __future__ import annotations

from ..errors import Finding, InertiaError, Severity

KEPT = "Write Back changes only inertials in the original file"


def not_imported(place: str, form: str, severity: Severity = "warning", **values: str) -> Finding:
    """Return the finding for what is left out; the original file keeps it."""
    return Finding.of(severity, "not_imported", place, form, **values)


def mesh_not_imported(subject: str, error: InertiaError) -> Finding:
    """Return the finding for a mesh that is left out."""
    lost = error.code in ("uri_lookup", "uri_refused")
    if lost:
        return not_imported(error.subject, "lost_mesh", part=subject, reason=error.message)
    return not_imported(error.subject, "mesh", part=subject, reason=error.message, remedy=error.remedy or KEPT)
