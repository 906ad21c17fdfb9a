# SPDX-License-Identifier: GPL-3.0-or-later
"""Fewer faces for a collision that is written, by Manifold; never for mass, which that may change by half."""

from __future__ import annotations

import numpy as np

from ..errors import InertiaError
from .manifold import library
from .measure import check_surface
from .surface import Surface


def simplified(surface: Surface, tolerance: float) -> Surface:
    """Return a mesh of fewer faces, whose surface is nowhere further off than a tolerance.

    Parameters
    ----------
    surface : Surface
        Closed; vertices in one place are one.
    tolerance : float
        [in its own units]

    Raises
    ------
    InertiaError
        ``not_simplified`` where the mesh is not closed, where nothing is left, or where the result is no solid.
    """
    if not tolerance > 0.0:
        raise _refused(f"the tolerance is {tolerance:g} m", "give it a length above 0, or write the mesh as it is")
    manifold = library()
    vertices, merged = np.unique(surface.vertices.astype(np.float64), axis=0, return_inverse=True)
    corners = merged.reshape(-1)[surface.triangles].astype(np.uint64)
    solid = manifold.Manifold(manifold.Mesh64(np.ascontiguousarray(vertices), np.ascontiguousarray(corners)))
    if solid.status() != manifold.Error.NoError:
        raise _refused("the mesh is not closed, or its faces do not agree", "close it, or write its convex hull")
    mesh = solid.simplify(tolerance).to_mesh64()
    points, faces = np.array(mesh.vert_properties[:, :3]), np.array(mesh.tri_verts).astype(np.int64)
    if len(faces) < 4:
        raise _refused(f"nothing is left of it at a tolerance of {tolerance:g} m", "choose a smaller one")
    result = Surface(points, faces)
    wrong = [finding for finding in check_surface(result) if finding.severity == "error"]
    if wrong:
        raise _refused(f"at a tolerance of {tolerance:g} m the mesh is no solid any more", "choose a smaller one")
    return result


def _refused(message: str, remedy: str) -> InertiaError:
    return InertiaError("not_simplified", "", f"it cannot be simplified: {message}", remedy)
