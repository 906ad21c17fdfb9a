# SPDX-License-Identifier: GPL-3.0-or-later
"""Reduces the faces of a collision for export, by Manifold; never for mass, which it may change by half."""

from __future__ import annotations

import numpy as np

from ..errors import InertiaError
from .manifold import library
from .measure import check_surface
from .surface import Surface


def simplified(surface: Surface, tolerance: float) -> Surface:
    """Return a mesh of fewer faces, whose surface stays within a tolerance.

    Parameters
    ----------
    surface : Surface
        Closed; equal vertices are merged.
    tolerance : float
        [in its own units]

    Raises
    ------
    InertiaError
        ``not_simplified`` if the mesh is not closed, nothing is left, or the result is not a solid.
    """
    if not tolerance > 0.0:
        raise InertiaError.of("not_simplified", "", "tolerance", tolerance=tolerance)
    manifold = library()
    vertices, merged = np.unique(surface.vertices.astype(np.float64), axis=0, return_inverse=True)
    corners = merged.reshape(-1)[surface.triangles].astype(np.uint64)
    solid = manifold.Manifold(manifold.Mesh64(np.ascontiguousarray(vertices), np.ascontiguousarray(corners)))
    if solid.status() != manifold.Error.NoError:
        raise InertiaError.of("not_simplified", "", "open")
    mesh = solid.simplify(tolerance).to_mesh64()
    points, faces = np.array(mesh.vert_properties[:, :3]), np.array(mesh.tri_verts).astype(np.int64)
    if len(faces) < 4:
        raise InertiaError.of("not_simplified", "", "nothing", tolerance=tolerance)
    result = Surface(points, faces)
    wrong = [finding for finding in check_surface(result) if finding.severity == "error"]
    if wrong:
        raise InertiaError.of("not_simplified", "", "broken", tolerance=tolerance)
    return result
