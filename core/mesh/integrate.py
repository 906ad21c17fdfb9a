# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact volume, centroid and second moment of a closed triangle mesh.

The solid is a signed sum of the tetrahedra (0, a, b, c) over its faces, whose moments are polynomials in the
corners (Tonon 2004, Explicit exact formulas for the 3-D tetrahedron inertia tensor, J. Math. Stat. 1(1)).
"""

from __future__ import annotations

from math import sqrt

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray, TriangleArray, VertexArray
from ..errors import InertiaError
from ..moments import Moments
from .surface import Surface

BLOCK = 8192
"""Triangles per block: its temporaries (1.8 MB) stay in the second-level cache."""

ROUNDING = 64 * float(np.finfo(np.float64).eps)
"""A tetrahedron's volume is six products of one x, one y and one z, each no larger than the half extents' product;
this is a cautious multiple of their rounding. Roundings of m tetrahedra add up like √m."""


def mesh_moments(vertices: npt.ArrayLike, triangles: npt.ArrayLike) -> Moments:
    """Integrate a closed triangle mesh exactly. Closedness is not looked at: see `measure_mesh`.

    Parameters
    ----------
    vertices : array_like, shape (n, 3), float
        Corners [m]. float32 is taken as it is and integrated in float64.
    triangles : array_like, shape (m, 3), int
        Vertex indices, counter-clockwise seen from outside.

    Returns
    -------
    Moments
        In the mesh's frame; the volume is negative where the mesh is inside out.

    Raises
    ------
    InertiaError
        ``zero_volume`` if the volume is below the rounding of its sum, or what `Surface` raises.
    """
    return surface_moments(Surface(np.asarray(vertices), np.asarray(triangles)))


def surface_moments(surface: Surface) -> Moments:
    """Integrate a checked `Surface`: the kernel of `mesh_moments`."""
    corners, centre, half_extent = _centred(surface.vertices)
    volume6, first24, second120 = _integrals(corners, surface.triangles)
    volume = volume6 / 6.0
    if not abs(volume) > ROUNDING * sqrt(len(surface.triangles)) * float(np.prod(half_extent)):
        raise InertiaError(
            "zero_volume",
            "",
            f"the mesh encloses no volume: {volume:.3g} m³ is within rounding of zero",
            "give it thickness (Solidify), or fit a primitive",
        )
    centroid = first24 / 24.0 / volume
    covariance = second120 / 120.0 - volume * np.outer(centroid, centroid)
    return Moments(volume, centre + centroid, (covariance + covariance.T) / 2.0)


def _centred(vertices: VertexArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the vertices as rows x, y, z about the centre of their bounding box, that centre, and half its size.

    Integrals about a far origin cancel; about the centre none does.
    """
    corners = np.empty((3, len(vertices)))
    corners[:] = vertices.T
    low, high = corners.min(axis=1), corners.max(axis=1)
    centre = low + (high - low) / 2.0
    corners -= centre[:, None]
    return corners, centre, (high - low) / 2.0


def _integrals(corners: FloatArray, triangles: TriangleArray) -> tuple[float, FloatArray, FloatArray]:
    """Return 6 ∫dV, 24 ∫x dV and 120 ∫x xᵀ dV over the tetrahedra (0, a, b, c)."""
    volume6, first24, second120 = 0.0, np.zeros(3), np.zeros((3, 3))
    size = min(BLOCK, len(triangles))
    # points[axis] holds the rows s = a + b + c, then a, b, c.
    points, weighted = np.empty((3, 4, size)), np.empty((3, 4, size))
    index = np.empty((3, size), dtype=np.intp)
    d, product = np.empty(size), np.empty(size)
    for start in range(0, len(triangles), size):
        block = triangles[start : start + size]
        if len(block) < size:  # the last block is smaller: shorter arrays, so that no stale column takes part
            size = len(block)
            points, weighted = np.empty((3, 4, size)), np.empty((3, 4, size))
            index, d, product = index[:, :size].copy(), d[:size], product[:size]
        index[:] = block.T
        for axis in range(3):
            # 'clip' skips a second range check (Surface has made one), which is what makes this gather fast.
            np.take(corners[axis], index, out=points[axis, 1:], mode="clip")
            np.add(points[axis, 1], points[axis, 2], out=points[axis, 0])
            points[axis, 0] += points[axis, 3]
        _triple_product(points, d, product)
        np.multiply(points, d, out=weighted)
        volume6 += float(d.sum())
        first24 += weighted[:, 0].sum(axis=1)
        # ∫x xᵀ over one tetrahedron is d/120 (s sᵀ + a aᵀ + b bᵀ + c cᵀ): for a block, one matrix product.
        second120 += weighted.reshape(3, -1) @ points.reshape(3, -1).T
    return volume6, first24, second120


def _triple_product(points: FloatArray, d: FloatArray, product: FloatArray) -> None:
    """Set d = a · (b × c), six times the signed volume of each tetrahedron; `product` is scratch."""
    (ax, bx, cx), (ay, by, cy), (az, bz, cz) = points[0, 1:], points[1, 1:], points[2, 1:]
    minor = np.empty_like(d)
    d[:] = 0.0
    for a, u, v, w, x in ((ax, by, cz, bz, cy), (ay, bz, cx, bx, cz), (az, bx, cy, by, cx)):
        np.multiply(u, v, out=minor)
        np.multiply(w, x, out=product)
        minor -= product
        minor *= a
        d += minor
