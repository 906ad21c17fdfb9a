# SPDX-License-Identifier: Apache-2.0
"""Computes what Gazebo's own mesh calculator gets, right or wrong: shown next to our number, never instead of it.

gz-sim 10 (MeshInertiaCalculator) integrates each submesh by itself about the mesh's origin, by surface integrals that
each look at one component of the normal (Eberly 2002, Polyhedral Mass Properties Revisited), closed or not. A submesh
whose tensor gz-math calls invalid is corrected if it misses by up to 5 %, else skipped; the rest is summed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ...arrays import FloatArray, TriangleArray, VertexArray
from ...body.gz_validity import gz_accepts
from ...body.inertial import VALIDITY_EPS, Inertial
from ...errors import InertiaError

MAY_BEND = 0.05
"""Maximum relative excess of the largest principal moment over the sum of the others before a submesh is skipped."""

Triangles = tuple[VertexArray, TriangleArray]
"""Vertices (n, 3) [m] and, by their indices, triangles (m, 3); several submeshes may share the vertices."""


def gazebo_mesh(submeshes: Iterable[Triangles], scale: Sequence[float], density: float) -> Inertial:
    """Compute a mesh collision as Gazebo does.

    Parameters
    ----------
    submeshes : iterable of (vertices, triangles)
        As Gazebo splits the file: by object and material.
    scale : sequence of float
        The SDF's three numbers, applied to each vertex with their signs.
    density : float
        [kg/m³]

    Returns
    -------
    Inertial
        In the mesh's frame.

    Raises
    ------
    InertiaError
        ``gazebo_refuses`` if Gazebo reports the errors 37 and 19 and the simulator does not start.
    """
    total = Inertial.zero
    for vertices, triangles in submeshes:
        body = _submesh(vertices[triangles].astype(np.float64) * np.array(scale), density)
        if body is not None and total.mass + body.mass > 0.0:
            total += body
    if not (total.mass > 0.0 and np.isfinite(total.inertia).all() and gz_accepts(total.inertia)):
        raise InertiaError.of("gazebo_refuses", numbers="")
    return total


def _submesh(corners: FloatArray, density: float) -> Inertial | None:
    """Return the body of one submesh, given by corners (m, 3, 3), as Gazebo uses it; None if it skips the submesh."""
    volume, first, second = _integrals(corners)
    if volume == 0.0:  # a plane through the origin: Gazebo divides by the volume and drops the result
        return None
    centroid = first / volume
    covariance = second - volume * np.outer(centroid, centroid)
    tensor = density * (np.trace(covariance) * np.eye(3) - covariance)
    body = Inertial(volume * density, centroid, tensor)
    if body.mass < 0.0 or not _leading_minors_positive(tensor):
        return None
    return body if gz_accepts(tensor) else _bent(body)


def _integrals(corners: FloatArray) -> tuple[float, FloatArray, FloatArray]:
    """Return ∫dV, ∫x dV and ∫x xᵀ dV as surface integrals, each over one component of the normal.

    By the divergence theorem ∫dV = ∮ x n_x dA, ∫x² dV = ∮ x³/3 n_x dA, ∫xy dV = ∮ x²/2 y n_x dA and so on by rotation
    of the axes. On a closed surface any choice gives the same result; on an open one this is Gazebo's choice.
    """
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    doubled = np.cross(b - a, c - a)  # twice the area, along the normal
    one = a + b + c
    two = a * a + b * b + c * c + a * b + b * c + c * a
    three = a**3 + b**3 + c**3 + a * a * (b + c) + b * b * (c + a) + c * c * (a + b) + a * b * c
    volume = float((doubled[:, 0] * one[:, 0]).sum() / 6.0)
    first = (doubled * two).sum(axis=0) / 24.0
    second = np.diag((doubled * three).sum(axis=0) / 60.0)
    for axis, other in ((0, 1), (1, 2), (2, 0)):
        # ∫ u² v over a triangle is its area / 30 times the sum over the corners of v (two + u (one + u)).
        weight = two[:, None, axis] + corners[:, :, axis] * (one[:, None, axis] + corners[:, :, axis])
        mixed = float((doubled[:, axis] * (corners[:, :, other] * weight).sum(axis=1)).sum() / 120.0)
        second[axis, other] = second[other, axis] = mixed
    return volume, first, second


def _leading_minors_positive(tensor: FloatArray) -> bool:
    tolerance = VALIDITY_EPS * abs(float(np.trace(tensor)))
    return all(float(np.linalg.det(tensor[:size, :size])) + tolerance >= 0.0 for size in (1, 2, 3))


def _bent(body: Inertial) -> Inertial | None:
    """Return the body with its two smaller principal moments enlarged to satisfy the triangle inequality."""
    principal = body.principal()
    low, middle, high = principal.moments.tolist()
    if 1.0 - (low + middle) / high > MAY_BEND:
        return None
    moments = np.array([low, middle, high]) * np.array([high / (low + middle)] * 2 + [1.0])
    return Inertial(body.mass, body.com, principal.axes.T @ np.diag(moments) @ principal.axes)
