# SPDX-License-Identifier: GPL-3.0-or-later
"""Computes the convex hull of a mesh, or a mesh of fewer faces for contacts, with the library Manifold.

Manifold's QuickHull (Barber, Dobkin & Huhdanpaa 1996, The Quickhull algorithm for convex hulls) leaves out points that
are outside by less than 1e-7 of the largest coordinate, and from many points in one plane it may make a surface that
folds back on itself. So points are stretched to the same extent along their principal axes, a linear map, which maps
hulls to hulls; and each is shifted slightly, so that no four lie in a plane. The resulting faces are used with the
original vertices. What they leave outside is the error.
"""

from __future__ import annotations

import numpy as np

from ..arrays import FloatArray, TriangleArray, blocks
from ..errors import Finding, InertiaError
from ..units import fitting_volume_text
from .integrate import surface_moments
from .manifold import hull_triangles, library
from .measurement import Measurement, Request
from .policy import diagnose_surface
from .surface import Surface

HAIR = 1e-10
"""Points are shifted by up to this share of their extent: far above their rounding, and negligible."""

TRIES = 4
"""Shifts that are tried until a hull leaves out no more than `HAIR`."""

FLAT = 1e-7
"""Points whose extent along the third principal axis is below this share of that along the first lie in a plane: seven
digits, as in mesh files, are off a tilted plane by so much."""

FLAT_STEPS = 64
"""So do those whose third extent is below this many steps of their coordinates: each is off a plane by one."""

MISSING = 1e-2
"""A hull that leaves out this share of its volume is wrong."""

ROUNDING = 1e-12
"""Dents this small, in shares of the volume, are float64's rounding."""

PRODUCTS = 1 << 26
"""Maximum points times faces to compare, a third of a second; of more faces, a regular sample."""

BLOCK = 1 << 20
"""Points times faces per block."""


def measure_hull(surface: Surface, _request: Request) -> Measurement:
    """Integrate the convex hull of a surface exactly.

    Returns
    -------
    Measurement
        Its error is that of vertices that the hull leaves outside; the finding ``convex_hull`` gives the hull's volume
        and the one without it.

    Raises
    ------
    InertiaError
        As `convex_hull`.
    """
    hull, missing = _hull(surface)
    moments = surface_moments(hull)
    try:
        without = f"{fitting_volume_text(surface_moments(surface).volume)} without it"
    except InertiaError:
        without = "the mesh without it encloses nothing"
    # The tensor grows by five thirds of a volume that is added all around.
    return Measurement(
        moments,
        "hull",
        5.0 / 3.0 * missing,
        (
            Finding.of(
                "info",
                "convex_hull",
                faces=len(hull.triangles),
                volume=fitting_volume_text(moments.volume),
                without=without,
            ),
        ),
    )


def convex_hull(surface: Surface) -> Surface:
    """Return the convex hull of the vertices that faces use: closed, wound outward, in float64.

    Raises
    ------
    InertiaError
        ``zero_volume`` if the vertices lie in a plane; ``no_hull`` if none is found that contains all of them;
        ``missing_library`` without manifold3d.
    """
    return _hull(surface)[0]


def _hull(surface: Surface) -> tuple[Surface, float]:
    """Return the hull, and the maximum share of its volume that it leaves out."""
    points = np.unique(surface.vertices[surface.used()].astype(np.float64), axis=0)
    unit = _rounded_out(points, surface)
    random = np.random.default_rng(0)
    best: tuple[float, TriangleArray] | None = None
    for _ in range(TRIES):
        triangles = hull_triangles(unit + random.uniform(-HAIR, HAIR, unit.shape))
        if not _is_around(unit.mean(axis=0), unit, triangles):
            continue
        missing = _missing(unit, triangles)  # shares of volume are invariant under the map of `_rounded_out`
        if best is None or missing < best[0]:
            best = missing, triangles
        if missing <= HAIR:
            break
    if best is None or best[0] > MISSING:
        fault = "folds back on itself" if best is None else f"leaves out {best[0]:.2g} of its volume"
        raise InertiaError.of("no_hull", "", "fault", fault=fault)
    return Surface(points, best[1]), best[0]


def _rounded_out(points: FloatArray, surface: Surface) -> FloatArray:
    """Return the points stretched to the same extent along their principal axes, within 1 of the origin."""
    low, high = points.min(axis=0), points.max(axis=0)
    arm, size = points - (low + (high - low) / 2.0), float((high - low).max()) or 1.0
    arm /= size
    arm -= arm.mean(axis=0)
    _, extents, axes = np.linalg.svd(np.linalg.qr(arm, mode="r"))
    # Numbers that fit into float32 may have been rounded to it, although they are float64.
    step = np.spacing(np.abs(points).max().astype(np.float32 if _are_single(points) else np.float64))
    if len(extents) < 3 or not extents[2] > max(FLAT, FLAT_STEPS * float(step) / size) * extents[0]:
        raise InertiaError.of("zero_volume", "", "flat", vertices=np.count_nonzero(surface.used()))
    extents[0] *= np.sign(np.linalg.det(axes))  # not a mirror: outward stays outward
    unit: FloatArray = arm @ (axes.T / extents)
    return unit / float(np.abs(unit).max())


def _are_single(points: FloatArray) -> bool:
    with np.errstate(over="ignore"):
        return bool((points.astype(np.float32) == points).all())


def _is_around(inside: FloatArray, points: FloatArray, triangles: TriangleArray) -> bool:
    """Return True if a surface is closed, a topological sphere, and faces away from a point (3,) everywhere.

    Then it does not pass through itself.
    """
    start, end = triangles.astype(np.int64).ravel(), np.roll(triangles, -1, axis=1).astype(np.int64).ravel()
    one, other = np.sort((start << 32) | end), np.sort((end << 32) | start)
    if (one != other).any() or (one[1:] == one[:-1]).any():
        return False
    if 2 * len(np.unique(triangles)) != len(triangles) + 4:
        return False
    a, b, c = (points[triangles[:, corner]] - inside for corner in range(3))
    # With the original vertices, a face without area may look the other way by as much as they were shifted.
    return bool(((a * np.cross(b, c)).sum(axis=1) > -16.0 * HAIR).all())


def _missing(points: FloatArray, triangles: TriangleArray) -> float:
    """Estimate the share of its volume that a surface around the points' mean leaves out.

    It is the sum of its dents, a tetrahedron at each edge whose faces meet at more than π, and of a layer as thick as
    the largest distance of a point outside a face.
    """
    a, b, c = (points[triangles[:, corner]] for corner in range(3))
    normal = np.cross(b - a, c - a)
    start, end = triangles.astype(np.int64), np.roll(triangles, -1, axis=1).astype(np.int64)
    side = np.argsort(((np.minimum(start, end) << 32) | np.maximum(start, end)).ravel(), kind="stable").reshape(-1, 2)
    face, beyond = side[:, 0] // 3, points[np.roll(triangles, 1, axis=1).ravel()[side[:, 1]]]
    dents = float(np.maximum(((beyond - a[face]) * normal[face]).sum(axis=1), 0.0).sum()) / 6.0
    length = np.linalg.norm(normal, axis=1)
    steady = np.flatnonzero(length > ROUNDING)
    direction = normal[steady].T / length[steady]
    heights = (a[steady].T * direction).sum(axis=0)
    # The surface's own corners are in its dents; points nearer to the mean than every face are inside.
    other = np.ones(len(points), dtype=bool)
    other[triangles] = False
    middle = points.mean(axis=0)
    nearest = float((heights - middle @ direction).min())
    left = points[other & (((points - middle) ** 2).sum(axis=1) > nearest * nearest)]
    sparse = slice(None, None, 1 + len(steady) * len(left) // PRODUCTS)
    direction, heights, outside = direction[:, sparse], heights[sparse], 0.0
    for some in blocks(len(left), 1 + BLOCK // len(heights)):
        outside = max(outside, float((left[some] @ direction - heights).max()))
    volume = float(((a - points[0]) * normal).sum()) / 6.0
    missing = (dents + outside * float(length.sum()) / 2.0) / volume
    return missing if missing > ROUNDING else 0.0


def simplified(surface: Surface, tolerance: float) -> Surface:
    """Return a mesh of fewer faces, whose surface stays within a tolerance: for export, never for mass.

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
    try:
        diagnose_surface(result)
    except InertiaError:
        raise InertiaError.of("not_simplified", "", "broken", tolerance=tolerance) from None
    return result
