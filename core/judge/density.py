# SPDX-License-Identifier: Apache-2.0
"""The mean densities of a robot's links: an odd one shows a wrong mass."""

from __future__ import annotations

from collections.abc import Iterable

from ..formats.file_link import FileLink

ABSURD = 1e99
"""Densities [kg/m³] beyond this, or below its inverse, come from sizes that overflow."""


def densities_of(links: Iterable[FileLink]) -> dict[str, float]:
    """Return the density [kg/m³] of each link with mass and geometry, by its name."""
    densities = {}
    for link in links:
        uniform = link.uniform_shown() if link.mass is not None and link.mass > 0.0 else None
        density = link.mass / uniform.volume if link.mass and uniform is not None and uniform.volume else 0.0
        if 1.0 / ABSURD < density < ABSURD:
            densities[link.name] = density
    return densities
