# SPDX-License-Identifier: Apache-2.0
"""Exact volume, centroid and second moment of a closed triangle mesh.

The solid is a signed sum of the tetrahedra (0, a, b, c) over its faces. In each of them a homogeneous polynomial of
degree k integrates to 1/(k + 3) of its integral over the face times the face's distance, and over a face every
quadratic equals a third of the sum of its values at the middles of the three edges (Strang & Fix 1973, table 4.1). So
with d = a · (b × c), six times the tetrahedron's volume, and the edge sums p = a + b, q = b + c, r = c + a:

    6 ∫ dV = d        48 ∫ x dV = d (p + q + r)        120 ∫ x xᵀ dV = d (p pᵀ + q qᵀ + r rᵀ)

and d itself is p · (q × r) / 2, so that only the edge sums are needed.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray, Indices, TriangleArray, VertexArray, blocks
from ..body.moments import Moments
from ..errors import InertiaError
from .surface import Surface, as_array

BLOCK = 16_000
"""Triangles per block. Calls of numpy cost as much as the arithmetic of a thousand triangles; but the workspace stays
below 2 MB, and a matrix product of 4 x BLOCK x 4 below the size at which OpenBLAS starts its own threads (2^18). Rows
longer than 8192 numbers avoid a copy to numpy's buffer in loops over several rows."""

ROUNDING = 64 * float(np.finfo(np.float64).eps)
"""d/12 is six products of one x, one y and one z of edge sums, each up to eight times the half extents' product:
this is a cautious multiple of their rounding. Roundings of m tetrahedra add up like √m."""

SPARSE = 0.01
"""A solid that fills less of the bounding box of all vertices than this is thin, or oblique to the box, or has unused
vertices far away: then it is integrated in a frame where that costs no digits."""

SKEWED = 4.0
"""A box this many times smaller along other axes is worth the rotation."""

OFF_CENTRE = 64.0
"""If the second moment about the box's centre is this many times that about the centre of mass, integrate again about
the centre of mass: their difference would lose as many digits."""


def mesh_moments(vertices: npt.ArrayLike, triangles: npt.ArrayLike) -> Moments:
    """Integrate a closed triangle mesh exactly. It is not checked for closedness: see `measure_mesh`.

    Parameters
    ----------
    vertices : array_like, shape (n, 3), float
        Corners [m]. float32 is accepted and integrated in float64.
    triangles : array_like, shape (m, 3), int
        Vertex indices, counter-clockwise seen from outside.

    Returns
    -------
    Moments
        In the mesh's frame; the volume is negative if the mesh is inside out.

    Raises
    ------
    InertiaError
        ``zero_volume`` if the volume is below the rounding of its sum, or what `Surface` raises.

    Examples
    --------
    >>> import trimesh
    >>> from sdf_inertia import mesh_moments
    >>> wrist = trimesh.load_mesh("examples/desk_arm_description/meshes/wrist.stl")  # mm
    >>> print(f"{mesh_moments(wrist.vertices, wrist.faces).volume:.1f} mm³")
    29311.8 mm³
    """
    return surface_moments(Surface(as_array(vertices), as_array(triangles)))


def surface_moments(surface: Surface) -> Moments:
    """Integrate a checked `Surface`, once: the kernel of `mesh_moments`."""
    known: Moments | None = vars(surface).get("_moments")  # cached like a property, by the modules above
    if known is None:
        known = vars(surface)["_moments"] = _integrated(surface)
    return known


def smallest_cone(surface: Surface) -> float:
    """Return the smallest 2 a · (b × c) of a surface's faces about the middle of its box, relative to the cube of half
    its longest side: positive if all look away from there."""
    if "_smallest_cone" not in vars(surface):
        enclosed_volume(surface)
    return float(vars(surface)["_smallest_cone"])


def enclosed_volume(surface: Surface) -> float:
    """Return a surface's volume, below zero if it is inside out [m³]; 0 if it is below rounding."""
    try:
        return surface_moments(surface).volume
    except InertiaError:  # zero_volume
        return 0.0


def _integrated(surface: Surface) -> Moments:
    corners, centre, half_extent = centred(surface.vertices, surface.box)
    sums, smallest = _sums(corners, surface.triangles)
    vars(surface)["_smallest_cone"] = smallest / (float(half_extent.max()) ** 3 or 1.0)
    if fills_little(sums[0] / 12.0, 8.0 * half_extent.prod()):
        return _along_own_axes(surface)
    return _about_own_centre(corners, surface.triangles, sums, centre, half_extent)


def fills_little(volume: FloatArray, box: FloatArray) -> npt.NDArray[np.bool_]:
    """Return True if volumes are `SPARSE` in boxes of the given volumes."""
    return abs(volume) < SPARSE * box


def is_off_centre(second: FloatArray, apart: FloatArray) -> npt.NDArray[np.bool_]:
    """Return True if most of the trace of the second moment is that of the whole volume at its centroid, `apart`."""
    return abs(second) > OFF_CENTRE * abs(second - apart)


def _about_own_centre(
    corners: FloatArray, triangles: TriangleArray, sums: FloatArray, centre: FloatArray, half_extent: FloatArray
) -> Moments:
    # If the centre of mass is far from the box's centre, integrate again about it.
    volume, first = float(sums[0]) / 12.0, sums[1:4] / 96.0
    if volume and is_off_centre((sums[4] + sums[8] + sums[12]) / 240.0, first @ (first / volume)):
        centroid = first / volume
        corners -= centroid[:, None]
        centre, half_extent = centre + centroid, half_extent + np.abs(centroid)
        sums, _ = _sums(corners, triangles)
        volume = float(sums[0]) / 12.0
    if not abs(volume) > ROUNDING * sqrt(len(triangles)) * float(half_extent.prod()):
        raise InertiaError.of("zero_volume", "", "mesh", volume=volume)
    first, second = sums[1:4], sums[4:].reshape(3, 3)  # 2d (p + q + r), 2d (p pᵀ + q qᵀ + r rᵀ)
    centroid = first / (96.0 * volume)
    covariance = second / 240.0 - volume * (centroid[:, None] * centroid)
    return Moments(volume, centre + centroid, (covariance + covariance.T) / 2.0)


def _along_own_axes(surface: Surface) -> Moments:
    """Integrate a solid that fills little of its box: about its used vertices, along their principal axes.

    The rounding of a volume is that of its box. Rotation also rounds the vertices, but only in proportion to their
    distance, so that a thin rod loses as many digits as its length over its thickness has, not twice as many.
    """
    # Only used vertices: others may make the box, and so the rounding, arbitrarily large.
    used, vertices, triangles = surface.used(), surface.vertices, surface.triangles
    if not used.all():
        vertices, triangles = vertices[used], (np.cumsum(used) - 1)[triangles]
    corners, centre, half_extent = centred(vertices, surface.bounds())
    # Principal axes of the points: right-handed, and only worth the rotation if the box becomes much smaller.
    axes = np.linalg.eigh(np.einsum("in,jn->ij", corners, corners / len(vertices)))[1]
    axes *= np.sign(np.linalg.det(axes))
    turned: FloatArray = axes.T @ corners
    low, high = turned.min(axis=1), turned.max(axis=1)
    turned_extent = (high - low) / 2.0
    if SKEWED * turned_extent.prod() > half_extent.prod():  # it was aligned already, or nearly
        return _about_own_centre(corners, triangles, _sums(corners, triangles)[0], centre, half_extent)
    offset = low + turned_extent
    turned -= offset[:, None]
    thick_enough = turned_extent + turned_extent.max() / 16.0  # a plane is no longer exactly plane after a rotation
    moments = _about_own_centre(turned, triangles, _sums(turned, triangles)[0], offset, thick_enough)
    return moments.transformed(axes, centre)


def centred(vertices: VertexArray, box: tuple[FloatArray, FloatArray]) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the vertices as rows x, y, z about the centre of their bounding box, that centre, and half its size.

    Integrals about a far origin lose digits by cancellation.
    """
    low, high = box
    half_extent = (high - low) / 2.0
    centre = low + half_extent
    corners = np.empty((3, len(vertices)))
    corners[:] = vertices.T
    corners -= centre[:, None]
    return corners, centre, half_extent


class Workspace:
    """Memory for one block, reused between calls: fresh pages cost more than the arithmetic of a small mesh.

    Its `edges` (3, 3, m) are the edge sums r, q, p, each as rows x, y, z, and its `d` (m,) is 2 a · (b × c).
    """

    def __init__(self, capacity: int = BLOCK) -> None:
        self._memory = np.empty(14 * capacity)
        self.resize(capacity)

    def resize(self, m: int) -> None:
        """Arrange the arrays for m triangles, with contiguous rows, and prepare the steps between them."""
        rows = self._memory[: 14 * m].reshape(14, m)
        rows[9] = 1.0
        self.edges, self._weighted = rows[:9].reshape(3, 3, m), rows[10:]  # 1, x, y, z of an edge sum, times d
        # Each edge sum with the row after it, 1 for the last: OpenBLAS is faster with four rows than with three.
        self._factors = [rows[start : start + 4].T for start in (0, 3, 6)]
        # Each array reuses the rows of one that is no longer needed: a block must fit into the cache.
        a, b, p = self.edges
        r, q = a, b
        self.d, c = self._weighted[0], self._weighted[1:]
        self._index = p.view(np.intp)
        self._corners = [*zip(self._index, (a, b, c), strict=True)]
        self._steps: list[tuple[np.ufunc, FloatArray, FloatArray, FloatArray]] = [
            (np.add, a, b, p),
            (np.add, c, a, r),
            (np.add, b, c, q),
        ]
        cross, product = c, self.d  # q × r: y z - z y, z x - x z, x y - y x
        for x, y, z in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
            self._steps += [
                (np.multiply, q[y], r[z], cross[x]),
                (np.multiply, q[z], r[y], product),
                (np.subtract, cross[x], product, cross[x]),
            ]

    def load(self, corners: FloatArray, triangles: TriangleArray, first: Indices | None = None) -> None:
        """Gather the corners of some triangles, whose indices count from `first` (m,), and compute `edges` and `d`."""
        if len(triangles) != len(self.d):
            self.resize(len(triangles))
        self._index[:] = triangles.T
        if first is not None:
            self._index += first
        for numbers, corner in self._corners:
            # 'clip' skips a second range check (Surface has made one), which makes this gather fast.
            corners.take(numbers, axis=1, out=corner, mode="clip")
        for operation, operand, other, result in self._steps:
            operation(operand, other, out=result)
        np.einsum("in,in->n", self._weighted[1:], self.edges[2], out=self.d)  # (q × r) · p

    def sums(self, out: FloatArray) -> None:
        """Write Σ d (1, e)ᵀ (e, unused), shape (4, 4), of each of the three edge sums e into `out`."""
        for edge, factors, product in zip(self.edges, self._factors, out, strict=True):
            np.multiply(edge, self.d, out=self._weighted[1:])
            np.dot(self._weighted, factors, out=product)  # unlike `matmul`, it releases the lock

    def sums_of_each(self, starts: Indices) -> FloatArray:
        """Return Σ d, Σ d (p + q + r), and the xx, xy, xz, yy, yz, zz of Σ d (p pᵀ + q qᵀ + r rᵀ), shape (10, k): a
        column for each of the k runs of triangles that start at `starts`."""
        sums, terms = np.empty((10, len(starts))), np.empty_like(self.d)
        weighted, second = self._weighted[1:], iter(sums[4:])
        np.add.reduceat(self.d, starts, out=sums[0])
        for i in range(3):
            np.multiply(self.edges[:, i], self.d, out=weighted)
            np.add.reduce(weighted, axis=0, out=terms)
            np.add.reduceat(terms, starts, out=sums[1 + i])
            for j in range(i, 3):
                np.einsum("en,en->n", weighted, self.edges[:, j], out=terms)
                np.add.reduceat(terms, starts, out=next(second))
        return sums


_idle: list[Workspace] = []
"""Workspaces that no thread is using. Taking from and adding to a list is atomic."""


def _sums(corners: FloatArray, triangles: TriangleArray) -> tuple[FloatArray, float]:
    """Return Σ 2d, Σ 2d (p + q + r), and the rows of Σ 2d (p pᵀ + q qᵀ + r rᵀ): 13 numbers; and the smallest 2d."""
    parts = [*blocks(len(triangles), BLOCK)]
    volumes, products, smallest = np.empty(len(parts)), np.empty((len(parts), 3, 4, 4)), np.inf
    try:
        workspace = _idle.pop()
    except IndexError:
        workspace = Workspace()
    for part, volume, product in zip(parts, volumes[:, None], products, strict=True):
        workspace.load(corners, triangles[part])
        volume[:] = np.add.reduce(workspace.d)  # pairwise, which rounds less than a matrix product
        smallest = min(smallest, float(np.minimum.reduce(workspace.d)))
        workspace.sums(product)
    _idle.append(workspace)
    return np.append(np.add.reduce(volumes), np.add.reduce(products[..., :3], axis=(0, 1))), smallest
