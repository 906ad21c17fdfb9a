# SPDX-License-Identifier: GPL-3.0-or-later
"""What a finding is called where there is no room for its message."""

from __future__ import annotations

TITLES = {
    "auto_ignores_method": "Gazebo ignores voxels",
    "auto_not_possible": "Cannot be Auto",
    "default_density": "No density given",
    "free_links": "Links without joints",
    "no_link": "In no link",
    "not_evaluated": "Disabled",
    "not_finite": "Not finite",
    "open_columns": "Open mesh",
    "part_refused": "Part without inertia",
    "t_junction": "T-junctions",
    "unit_suspicion": "Doubtful unit",
}
"""Where the code of a finding does not say it well."""


def title_of(code: str) -> str:
    """Return the code of findings in words."""
    return TITLES.get(code, code.replace("_", " ").capitalize())
