# SPDX-License-Identifier: Apache-2.0
"""What MuJoCo makes of a mesh: it refuses the whole model because of one that it cannot use."""

from __future__ import annotations

import numpy as np

from ...mesh.hull import is_flat
from ...mesh.integrate import enclosed_volume
from ...mesh.surface import Surface
from ...mesh.topology.edges import Edges
from ...mesh.topology.merging import by_place
from ...robot.model import Mesh

LEAST = 1e-14
"""Ten times the least volume [m³] and area [m²] of a mesh that MuJoCo accepts, mjMINVAL."""


def usable(mesh: Mesh, collides: bool) -> bool:
    """Return True if MuJoCo loads a mesh: one that collides needs a hull, another 4 vertices and some area."""
    surface = _single(mesh)
    others = surface.vertices[surface.used()]
    for _ in range(3):  # without those at the same place as the first
        others = others[(others != others[:1]).any(axis=1)]
    a, b, c = (surface.vertices[surface.triangles[:, corner]].astype(np.float64) for corner in range(3))
    area = float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()) / 2.0
    return len(others) > 0 and area > LEAST and not (collides and is_flat(surface))


def inertia_of(mesh: Mesh) -> str:
    """Return how MuJoCo shall compute a mesh's inertia, if it ever has to: ``exact`` for a solid, else ``shell``.

    Exact refuses faces that are not wound alike, and little volume; shell refuses nothing.
    """
    surface = _single(mesh)
    solid = Edges.around(by_place(surface).points).plain and enclosed_volume(surface) > LEAST
    return "exact" if solid and not is_flat(surface) else "shell"


def _single(mesh: Mesh) -> Surface:
    """Return a mesh's surface in float32, as MuJoCo keeps it."""
    return Surface(mesh.baked.vertices.astype(np.float32), mesh.baked.triangles)
