# SPDX-License-Identifier: Apache-2.0
"""Computes the convex hull of a mesh, or a mesh of fewer faces for contacts, with the library Manifold.

Manifold's QuickHull (Barber, Dobkin & Huhdanpaa 1996, The Quickhull algorithm for convex hulls) ignores points that
are outside by less than 1e-7 of the largest coordinate, and its surface may fold back on itself if many points lie in
one plane. So the points are stretched to the same extent along their principal axes (a linear map, which maps hulls to
hulls), and shifted slightly, so that no four lie in a plane. The resulting faces connect the original vertices. The
volume that is then outside of the hull is its error.
"""

from __future__ import annotations

import numpy as np

from ..arrays import FloatArray, TriangleArray, blocks
from ..errors import Finding, InertiaError
from ..units import fitting_volume_text
from .integrate import enclosed_volume, surface_moments
from .manifold import hull_triangles, library
from .measurement import Measurement, Request
from .policy import diagnose_surface
from .surface import Surface
from .topology.edges import Edges

SHIFT = 1e-10
"""Points are shifted by up to this share of their extent: far above their rounding, and negligible."""

ATTEMPTS = 4
"""Maximum number of shifts to try until a hull leaves out at most a share of `SHIFT`."""

FLAT = 1e-7
"""Points are in a plane if their extent along the third principal axis is below this share of that along the first: the
seven digits of mesh files put points this far off a tilted plane."""

FLAT_STEPS = 64
"""Points are in a plane, too, if their third extent is below this many rounding steps of their coordinates."""

WRONG = 1e-2
"""A hull that leaves out more than this share of its volume is rejected."""

ROUNDING = 1e-12
"""A missing share of the volume below this is float64's rounding."""

MAX_PAIRS = 1 << 26
"""Maximum pairs of a point and a face to compare, a third of a second; if there are more, every n-th face is used."""

BLOCK = 1 << 20
"""Pairs of a point and a face per block."""


def measure_hull(surface: Surface, _request: Request) -> Measurement:
    """Integrate the convex hull of a surface exactly.

    Returns
    -------
    Measurement
        Its error covers vertices outside of the hull; the finding ``convex_hull`` gives the volumes of hull and mesh.

    Raises
    ------
    InertiaError
        As `convex_hull`.
    """
    hull, missing = _hull(surface)
    moments, enclosed = surface_moments(hull), enclosed_volume(surface)
    without = f"{fitting_volume_text(enclosed)} without it" if enclosed else "the mesh without it encloses nothing"
    values = {"faces": len(hull.triangles), "volume": fitting_volume_text(moments.volume), "without": without}
    # The tensor grows by five thirds of a volume that is added all around.
    return Measurement(moments, "hull", 5.0 / 3.0 * missing, (Finding.of("info", "convex_hull", **values),))


def convex_hull(surface: Surface) -> Surface:
    """Return the convex hull of the vertices that faces use: closed, wound outward, in float64.

    Raises
    ------
    InertiaError
        ``zero_volume`` if the vertices lie in a plane; ``no_hull`` if none is found that contains all of them;
        ``missing_library`` without manifold3d.
    """
    return _hull(surface)[0]


def is_flat(surface: Surface) -> bool:
    """Return True if the vertices that faces use lie in a plane, so that they have no hull."""
    try:
        _equalized(surface.vertices[surface.used()].astype(np.float64), surface)
    except InertiaError:
        return True
    return False


def _hull(surface: Surface) -> tuple[Surface, float]:
    """Return the hull, and a bound of what it leaves out, relative to its volume."""
    points = np.unique(surface.vertices[surface.used()].astype(np.float64), axis=0)
    unit = _equalized(points, surface)
    random = np.random.default_rng(0)
    least = np.inf
    for _ in range(ATTEMPTS):
        triangles = hull_triangles(unit + random.uniform(-SHIFT, SHIFT, unit.shape))
        missing = _missing_share(unit, triangles)  # shares of volume are invariant under the map of `_equalized`
        if missing < least:
            least, best = missing, triangles
        if missing <= SHIFT:
            break
    if least > WRONG:
        raise InertiaError.of("no_hull", "", "fault", fault=f"leaves out {least:.2g} of its volume")
    return Surface(points, best), least


def _equalized(points: FloatArray, surface: Surface) -> FloatArray:
    """Return the points stretched to the same extent along their principal axes, with coordinates from -1 to 1."""
    # Centred and of size 1; the singular values are the extents along the principal axes.
    low, high = points.min(axis=0), points.max(axis=0)
    centred, size = points - (low + (high - low) / 2.0), float((high - low).max()) or 1.0
    centred /= size
    centred -= centred.mean(axis=0)
    _, extents, axes = np.linalg.svd(np.linalg.qr(centred, mode="r"))
    # Numbers that fit into float32 may have been rounded to it, although they are float64.
    with np.errstate(over="ignore"):
        single = (points.astype(np.float32) == points).all()
    step = np.spacing(np.abs(points).max().astype(np.float32 if single else np.float64))
    if len(extents) < 3 or not extents[2] > max(FLAT, FLAT_STEPS * float(step) / size) * extents[0]:
        raise InertiaError.of("zero_volume", "", "flat", vertices=np.count_nonzero(surface.used()))
    extents[0] *= np.sign(np.linalg.det(axes))  # without mirroring: outward stays outward
    unit: FloatArray = centred @ (axes.T / extents)
    return unit / float(np.abs(unit).max())


def _missing_share(points: FloatArray, triangles: TriangleArray) -> float:
    """Estimate the volume between a nearly convex surface and the hull of the points, relative to the surface's.

    It is the sum of the dents (a tetrahedron at each concave edge, also where the surface folds back on itself), and of
    a layer over the whole surface, as thick as the largest distance of a point outside of a face.
    """
    a, b, c = (points[triangles[:, corner]] for corner in range(3))
    normal = np.cross(b - a, c - a)
    length = np.linalg.norm(normal, axis=1)
    # At a concave edge, the far corner of one face is above the other: a tetrahedron of their hull is missing.
    edges = Edges.around(triangles.astype(np.int64))
    side, other = edges.pairs
    face, opposite = edges.face[side], points[np.roll(edges.start, len(triangles))[other]]
    dents = float(np.maximum(((opposite - a[face]) * normal[face]).sum(axis=1), 0.0).sum()) / 6.0
    # The planes of all faces that have a normal: its direction and its height.
    wide = length > ROUNDING
    direction = normal[wide].T / length[wide]
    heights = (a[wide].T * direction).sum(axis=0)
    # Vertices of the surface are counted by its dents; points nearer to the mean than every face are inside.
    unused = np.ones(len(points), dtype=bool)
    unused[triangles] = False
    middle = points.mean(axis=0)
    nearest = float((heights - middle @ direction).min())
    candidates = points[unused & (((points - middle) ** 2).sum(axis=1) > nearest * nearest)]
    sample = slice(None, None, 1 + len(heights) * len(candidates) // MAX_PAIRS)
    direction, heights, outside = direction[:, sample], heights[sample], 0.0
    for some in blocks(len(candidates), 1 + BLOCK // len(heights)):
        outside = max(outside, float((candidates[some] @ direction - heights).max()))
    volume = float(((a - points[0]) * normal).sum()) / 6.0
    missing = (dents + outside * float(length.sum()) / 2.0) / max(volume, ROUNDING)
    return missing if missing > ROUNDING else 0.0


def simplified(surface: Surface, tolerance: float) -> Surface:
    """Return a mesh of fewer faces, whose surface stays within a tolerance: for export, never for mass.

    Parameters
    ----------
    surface : Surface
        Closed; equal vertices are merged.
    tolerance : float
        [unit of the surface]

    Raises
    ------
    InertiaError
        ``not_simplified`` if the mesh is not closed, nothing is left, or the result is not a solid.
    """
    if not tolerance > 0.0:
        raise InertiaError.of("not_simplified", "", "tolerance", tolerance=tolerance)
    manifold = library()
    # Manifold needs each place once; it checks that the surface is closed.
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
