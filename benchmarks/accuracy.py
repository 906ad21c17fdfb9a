# SPDX-License-Identifier: GPL-3.0-or-later
"""Error of the tensor about the centre of mass of a mesh far from the origin, against rational arithmetic."""

from __future__ import annotations

import numpy as np

from tests.core.exact import integrate
from tests.core.solids import polygon, prism, subdivided

from .systems import FOR_ACCURACY, Refused, absent

OFFSETS = (0.0, 20.0, 1e4, 1e6)


def table() -> str:
    """Return the errors as a Markdown table."""
    vertices, triangles = subdivided(prism(polygon(11), -1.0, 1.0, top_scale=0.6))
    direction = np.array([1.0, -0.7, 0.4])
    missing = absent(FOR_ACCURACY)
    rows = {system: [] for system in FOR_ACCURACY if system.name not in missing}
    for offset in OFFSETS:
        moved = vertices + offset * direction
        truth = integrate(moved, triangles)  # of the float64 vertices as they are there
        covariance = np.array([[float(entry) for entry in row] for row in truth.covariance])
        inertia = np.trace(covariance) * np.eye(3) - covariance
        for system, cells in rows.items():
            try:
                found = system.load(moved, triangles)().inertia
                cells.append(f"{np.abs(found - inertia).max() / np.trace(inertia):.0e}")
            except Refused:
                cells.append("refused")
    text = f"| {len(triangles)} triangles, size 2 | " + " | ".join(f"moved {offset:g}" for offset in OFFSETS) + " |\n"
    text += "|---|" + "---:|" * len(OFFSETS) + "\n"
    text += "".join(f"| {system.title()} | {' | '.join(cells)} |\n" for system, cells in rows.items())
    text += "".join(
        f"| {name} | absent: {reason} |" + " |" * (len(OFFSETS) - 1) + "\n" for name, reason in missing.items()
    )
    return text + "\nLargest error of an entry in shares of the trace. VTK computes no tensor.\n"
