# SPDX-License-Identifier: GPL-3.0-or-later
"""What of a robot is not brought over."""

from __future__ import annotations

from ...errors import Finding, Severity


def not_imported(place: str, message: str, severity: Severity = "warning") -> Finding:
    """Say what is left out; the original file keeps it."""
    return Finding(severity, "not_imported", place, message, "Write Back changes only inertials in the original file")
