# SPDX-License-Identifier: GPL-3.0-or-later
"""The convex hull of a mesh's vertices, by a library that is at hand: SciPy, or what the host provides (Blender)."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from ..arrays import FloatArray, TriangleArray
from ..errors import Finding, InertiaError
from ..remedies import Remedy
from ..units import fitting_volume_text
from .integrate import surface_moments
from .measurement import Measurement, Request
from .surface import Surface

Provider = Callable[[FloatArray], TriangleArray]
"""A function of points (n, 3), float64, of size 1 about the origin: the triangles (m, 3) of their hull, by number of
point, wound in any way. It raises `InertiaError` where it has no answer."""

FLAT = 64 * float(np.finfo(np.float32).eps)
"""Points whose third principal extent is below this share of the first lie in a plane, as far as float32 can say."""

MISSING = 1e-2
"""A hull that leaves out this share of its volume is wrong. Blender's rounds points to a grid of some 10,000 steps
(Bullet's btConvexHullComputer), which leaves out 1e-5 to 1e-4 where thousands of points are on the hull."""

ROUNDING = 1e-12
"""Dents this small, in shares of the volume, are those of float64."""

DIRECTIONS = 512
"""Directions in which points and hull are compared; evenly spread among the hull's faces."""

_providers: dict[str, Provider] = {}


def use_provider(name: str, function: Provider | None) -> None:
    """Offer `function` as the source of hulls where SciPy is not installed; None withdraws the offer."""
    if function is None:
        _providers.pop(name, None)
    else:
        _providers[name] = function


def measure_hull(surface: Surface, _request: Request) -> Measurement:
    """Integrate the convex hull of a surface exactly.

    Returns
    -------
    Measurement
        Its error is that of vertices that the hull leaves outside; the finding ``convex_hull`` says who made it, its
        volume and the one without it.

    Raises
    ------
    InertiaError
        As `convex_hull`.
    """
    hull, provider, missing = _hull(surface)
    moments = surface_moments(hull)
    try:
        without = f"{fitting_volume_text(surface_moments(surface).volume)} without it"
    except InertiaError:
        without = "the mesh without it encloses nothing"
    volume = fitting_volume_text(moments.volume)
    message = f"the convex hull ({len(hull.triangles)} faces, by {provider}) has {volume}; {without}"
    # The tensor grows by five thirds of what volume is added all around.
    return Measurement(moments, "hull", 5.0 / 3.0 * missing, (Finding("info", "convex_hull", "", message),))


def convex_hull(surface: Surface) -> tuple[Surface, str]:
    """Return the convex hull of the vertices that faces use, wound outward, and the name of its provider.

    Raises
    ------
    InertiaError
        ``zero_volume`` where the vertices lie in a plane, ``no_hull`` where no provider is at hand or its answer is
        not a closed surface around all vertices.
    """
    hull, provider, _ = _hull(surface)
    return hull, provider


def _hull(surface: Surface) -> tuple[Surface, str, float]:
    """Return hull, provider, and the share of the hull's volume that it may leave out."""
    points = surface.vertices[np.unique(surface.triangles)].astype(np.float64)
    unit = _rounded_out(points)
    name, provider = _provider()
    triangles = _outward(unit, np.asarray(provider(unit)))
    start, end = triangles.astype(np.int64), np.roll(triangles, -1, axis=1).astype(np.int64)
    _, faces = np.unique((np.minimum(start, end) << 32) | np.maximum(start, end), return_counts=True)
    if (faces != 2).any():
        fault = f"is open at {np.count_nonzero(faces != 2)} edges"
        raise InertiaError("no_hull", "", f"the convex hull by {name} {fault}", Remedy("{voxel}", "{shell}"))
    # Shares of volume are the same under the map that `_rounded_out` is.
    missing = _missing(unit, triangles)
    if missing > MISSING:
        fault = f"leaves out {missing:.2g} of its volume"
        raise InertiaError("no_hull", "", f"the convex hull by {name} {fault}", Remedy("{voxel}", "{shell}"))
    return Surface(points, triangles), name, missing


def _rounded_out(points: FloatArray) -> FloatArray:
    """Return the points stretched to the same extent along their principal axes, within 1 of the origin.

    A linear map takes hulls to hulls, and the hull of a thin plate is then found as safely as that of a ball.
    """
    low, high = points.min(axis=0), points.max(axis=0)
    arm = points - (low + (high - low) / 2.0)
    arm /= float(np.abs(arm).max()) or 1.0
    arm -= arm.mean(axis=0)
    _, extents, axes = np.linalg.svd(np.linalg.qr(arm, mode="r"))
    if len(extents) < 3 or not extents[2] > FLAT * extents[0]:
        message = f"its {len(points)} vertices lie in a plane, so their hull has no volume"
        raise InertiaError("zero_volume", "", message, Remedy("{shell}", "{fit}"))
    extents[0] *= np.sign(np.linalg.det(axes))  # no mirror: what is outward stays so
    unit: FloatArray = arm @ (axes.T / extents)
    return unit / float(np.abs(unit).max())


def _provider() -> tuple[str, Provider]:
    try:
        import_module("scipy.spatial")
    except ImportError:
        if _providers:
            return next(iter(_providers.items()))
        raise InertiaError(
            "no_hull",
            "",
            "neither SciPy nor Blender is at hand to make a convex hull",
            Remedy("install scipy, or run it in Blender", "{voxel}", "{shell}"),
        ) from None
    return "SciPy", _by_scipy


def _by_scipy(points: FloatArray) -> TriangleArray:
    spatial: Any = import_module("scipy.spatial")
    try:
        triangles: TriangleArray = spatial.ConvexHull(points).simplices
    except spatial.QhullError as error:
        reason = str(error).strip().splitlines()[0]
        message = f"SciPy finds no convex hull: {reason}"
        raise InertiaError("zero_volume", "", message, Remedy("{shell}", "{fit}")) from None
    return triangles


def _outward(points: FloatArray, triangles: TriangleArray) -> TriangleArray:
    """Wind each face so that the middle of the hull's vertices is behind it."""
    inside = points[np.unique(triangles)].mean(axis=0)
    a, b, c = (points[triangles[:, corner]] - inside for corner in range(3))
    inward = (a * np.cross(b, c)).sum(axis=1) < 0.0
    return np.where(inward[:, None], triangles[:, ::-1], triangles)


def _missing(points: FloatArray, triangles: TriangleArray) -> float:
    """Estimate the share of its volume that a closed hull leaves out.

    That is its dents, a tetrahedron at each edge whose faces meet at more than π, and a layer all around as thick as
    the furthest point is beyond all of its vertices.
    """
    a, b, c = (points[triangles[:, corner]] for corner in range(3))
    normal = np.cross(b - a, c - a)
    start, end = triangles.astype(np.int64), np.roll(triangles, -1, axis=1).astype(np.int64)
    side = np.argsort(((np.minimum(start, end) << 32) | np.maximum(start, end)).ravel(), kind="stable").reshape(-1, 2)
    face, beyond = side[:, 0] // 3, points[np.roll(triangles, 1, axis=1).ravel()[side[:, 1]]]
    dents = float(np.maximum(((beyond - a[face]) * normal[face]).sum(axis=1), 0.0).sum()) / 6.0
    volume = float(((a - points[0]) * normal).sum()) / 6.0
    length = np.linalg.norm(normal, axis=1)
    steady = np.flatnonzero(length > ROUNDING)
    some = steady[:: -(-len(steady) // DIRECTIONS)]
    direction = normal[some].T / length[some]
    beyond_all = (points @ direction).max(axis=0) - (points[np.unique(triangles)] @ direction).max(axis=0)
    missing = (dents + float(beyond_all.max(initial=0.0)) * float(length.sum()) / 2.0) / volume
    return missing if missing > ROUNDING else 0.0
