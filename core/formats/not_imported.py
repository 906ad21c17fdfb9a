# SPDX-License-Identifier: GPL-3.0-or-later
"""Findings about what is not imported of a robot."""

from __future__ import annotations

from ..errors import Finding, InertiaError, Severity

KEPT = "Write Back changes only inertials in the original file"


def not_imported(place: str, message: str, severity: Severity = "warning", remedy: str = KEPT) -> Finding:
    """Return the finding for what is left out; the original file keeps it."""
    return Finding(severity, "not_imported", place, message, remedy)


def mesh_not_imported(subject: str, error: InertiaError) -> Finding:
    """Return the finding for a mesh that is left out."""
    lost = error.code in ("uri_lookup", "uri_refused")
    remedy = "name the folder that holds its package as Packages in the import dialog" if lost else error.remedy
    return not_imported(error.subject, f"{subject}: {error.message}", remedy=remedy or KEPT)
