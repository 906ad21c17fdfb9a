# SPDX-License-Identifier: Apache-2.0
"""Unions and hulls by the library Manifold (https://github.com/elalish/manifold), which core uses nowhere else.

It is imported when first needed. While it works it holds the interpreter lock, and runs its own threads.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from math import log2
from pathlib import Path
from typing import Any

import numpy as np

from ..arrays import FloatArray, Ints, TriangleArray
from ..errors import InertiaError
from .surface import Surface, extremes, joined

ROUNDING = 1e-11
"""Manifold moves no point by more than 1e-12 of the largest coordinate, which is at most 1 here. So no volume changes
by more than this share of its surface's area, rounding included."""

STARTING, PER_FACE, PER_CROSSING = 1e-2, 1.5e-6, 3e-5
"""CPU time [s] of a union: for its threads, for each face and halving of the solids, and for each pair of faces of two
solids that pass through each other. Measured on 2 to 8,000 solids of 400 to 100,000 faces and up to 500,000 such pairs;
if many solids have equal faces, it is up to twice as much, otherwise up to ten times less."""


class NotUnited(Exception):
    """Manifold has no trustworthy union of these solids; the message gives the reason."""


def united(solids: Sequence[Surface]) -> Surface:
    """Return the union of closed solids.

    Parameters
    ----------
    solids : sequence of Surface
        Each is closed on its own vertex indices, wound consistently and outward, and does not pass through itself: a
        shell with its cavities. Edges of four faces and faces without area are allowed. They overlap, touch, or are
        apart.

    Returns
    -------
    Surface
        Closed, in float64 in the frame of the solids. If solids touch along an edge or at a corner, vertices there are
        repeated.

    Raises
    ------
    NotUnited
        If Manifold refuses a solid or the union, or returns a wrong one, with an impossible volume or bounding box. A
        solid that passes through itself is *not* always detected.
    InertiaError
        ``missing_library`` without manifold3d.

    References
    ----------
    Smith, J. (2009), Towards robust inexact geometric computation, University of Cambridge, UCAM-CL-TR-766.
    """
    manifold = library()
    # Centred, and scaled by a power of two, which rounds nothing: `ROUNDING` is relative to coordinates of 1.
    whole = joined(solids)
    low, high = (corner.astype(np.float64) for corner in whole.bounds())
    centre = low + (high - low) / 2.0
    scale = float(np.ldexp(1.0, 1 - int(np.frexp((high - low).max())[1])))  # half of the longest side is in [1/2, 1)
    vertices = np.ascontiguousarray((whole.vertices.astype(np.float64) - centre) * scale)
    # Manifold's volume of each solid must be that of our integral, and above 0: otherwise it has read another solid.
    starts = np.cumsum([0, *(len(solid.vertices) for solid in solids)])
    faces = np.cumsum([0, *(len(solid.triangles) for solid in solids)])
    volumes, areas = _volumes_and_areas(vertices, whole.triangles.astype(np.int64), faces[:-1])
    shapes = []
    for number, solid in enumerate(solids):
        corners = vertices[starts[number] : starts[number + 1]]
        shape = manifold.Manifold(manifold.Mesh64(corners, np.ascontiguousarray(solid.triangles, dtype=np.uint64)))
        _check_status(shape, f"solid {number}")
        volume, room = volumes[number], ROUNDING * areas[number]
        if abs(shape.volume() - volume) > room or volume < -room:
            raise NotUnited(f"solid {number} has the volume {shape.volume():.9g}, and not {volume:.9g} above 0")
        shapes.append(shape)
    union = manifold.Manifold.batch_boolean(shapes, manifold.OpType.Add)
    _check_status(union, "the union")
    mesh = union.to_mesh64()
    vertices, triangles = np.array(mesh.vert_properties[:, :3]), np.array(mesh.tri_verts).astype(np.int64)
    if not len(triangles):
        raise NotUnited("the union is empty")
    # A union is no smaller than its largest solid, no larger than the sum of all, and has the same bounding box.
    (volume,), (area,) = _volumes_and_areas(vertices, triangles, np.zeros(1, dtype=np.int64))
    room = ROUNDING * (areas.sum() + area)
    if not volumes.max() - room <= volume <= volumes.sum() + room:
        raise NotUnited(f"the union has the volume {volume:.9g}, the solids {volumes.max():.9g} to {volumes.sum():.9g}")
    gap = np.abs(np.subtract(extremes(vertices), [(low - centre) * scale, (high - centre) * scale])).max()
    if gap > ROUNDING:
        raise NotUnited(f"the union ends {gap:.3g} beside the solids")
    return Surface(vertices / scale + centre, triangles)


def union_seconds(faces: int, solids: int, crossings: int) -> float:
    """Return the approximate maximum CPU time of `united` [s] on the machine of `benchmarks/results.md`.

    Parameters
    ----------
    faces, solids : int
        How many there are.
    crossings : int
        Pairs of faces of different solids that pass through each other.
    """
    return STARTING + PER_FACE * faces * log2(2 * max(solids, 1)) + PER_CROSSING * crossings


def hull_triangles(points: FloatArray) -> TriangleArray:
    """Return the triangles (m, 3) of the convex hull of points (n, 3), as indices of points, wound outward.

    No two points may be equal, and they may not lie in a plane: see `convex_hull`, which takes care of that.

    Raises
    ------
    InertiaError
        ``no_hull`` without triangles; ``missing_library`` without manifold3d.
    """
    hull = library().Manifold.hull_points(points)
    mesh = hull.to_mesh64()
    corners, triangles = np.array(mesh.vert_properties[:, :3]), np.array(mesh.tri_verts).astype(np.int64)
    # Each corner is exactly one of the points.
    both, number = np.unique(np.concatenate([points, corners]), axis=0, return_inverse=True)
    place = np.full(len(both), -1)
    place[number.reshape(-1)[: len(points)]] = np.arange(len(points))
    point: Ints = place[number.reshape(-1)[len(points) :]]
    if not len(triangles) or (point < 0).any():
        raise InertiaError.of("no_hull", "", "none")
    hull_faces: TriangleArray = point[triangles]
    return hull_faces


def library() -> Any:
    """Return the module `manifold3d`, or raise ``missing_library``."""
    try:
        _offer_dlls()
        import manifold3d
    except ImportError as error:
        raise InertiaError.of("missing_library", error=error) from None
    return manifold3d


def _offer_dlls() -> None:
    """On Windows, add the wheel's libraries to the search path if it was only unpacked, as by Blender 4.2 to 4.4.

    There the wheel's ``.data/platlib``, with a C++ library that the module needs, is not moved.
    """
    offer = getattr(os, "add_dll_directory", None)
    if offer is None or "manifold3d" in sys.modules:
        return
    for place in sys.path:
        for folder in Path(place).glob("manifold3d-*.data/platlib"):
            offer(str(folder.absolute()))


def _check_status(shape: Any, name: str) -> None:
    if shape.status() != library().Error.NoError:
        raise NotUnited(f"{name}: {shape.status().name}")


def _volumes_and_areas(vertices: FloatArray, triangles: Ints, starts: Ints) -> tuple[FloatArray, FloatArray]:
    """Return volume and surface area of solids (k,), each with the faces from one start to the next."""
    first = np.repeat(vertices[triangles[starts, 0]], np.diff(np.append(starts, len(triangles))), axis=0)
    # About a corner of its own: about the origin, a small solid far from it would lose digits.
    a, b, c = (vertices[triangles[:, corner]] - first for corner in range(3))
    across = np.cross(b - a, c - a)
    heights, twice = (a * across).sum(axis=1), np.linalg.norm(across, axis=1)
    return np.add.reduceat(heights, starts) / 6.0, np.add.reduceat(twice, starts) / 2.0
