# SPDX-License-Identifier: Apache-2.0
"""Checks a mesh, integrates it by the chosen method, and estimates the error."""

from __future__ import annotations

from collections.abc import Mapping

import numpy.typing as npt

from ..errors import Finding, InertiaError
from .diagnosis import remarks
from .enclosed import with_remedies_that_work
from .measurement import Measurement, Request
from .methods import METHODS
from .policy import diagnose_surface
from .progress import Progress
from .surface import Surface, as_array


def measure_mesh(
    vertices: npt.ArrayLike,
    triangles: npt.ArrayLike,
    method: str = "exact",
    voxel_size: float | None = None,
    thickness: float | None = None,
    quick: bool = False,
) -> Measurement:
    """Check and measure a triangle mesh, diagnosed in full.

    Parameters
    ----------
    vertices : array_like, shape (n, 3), float
        Corners [m].
    triangles : array_like, shape (m, 3), int
        Vertex indices.
    method : str
        A name in `METHODS`.
    voxel_size : float, optional
        Side of a voxel [m]; by default the longest side / 128.
    thickness : float, optional
        Wall thickness [m] for the method ``shell``, half on each side of the surface.
    quick : bool
        Skip the search for faces that pass through others if that may take long: for live use. The finding
        ``not_checked`` then reports that volume may be counted twice.

    Returns
    -------
    Measurement
        The result. Corrections made on the way (see `policy`) are in its findings. If components overlap, the method
        is ``union``, with its estimated error. An open mesh by voxels has the warning ``open_mesh``; voxels
        whose estimated error is above 1 % have the warning ``voxels_too_coarse``.

    Raises
    ------
    InertiaError
        ``open_mesh``, ``not_orientable``, ``inconsistent_winding``, ``negative_winding``, ``zero_volume``,
        ``unknown_method``, ``voxels_too_coarse`` if none is inside, or what `Surface`, `voxel_moments`,
        `measure_hull` and `measure_thin_wall` raise.
    """
    lengths = {"voxel_size": voxel_size, "thickness": thickness}
    given = {name: length for name, length in lengths.items() if length is not None}
    return measure_surface(Surface(as_array(vertices), as_array(triangles)), method, given, quick=quick)


def measure_surface(
    surface: Surface,
    method: str = "exact",
    lengths: Mapping[str, float] | None = None,
    progress: Progress | None = None,
    quick: bool = False,
) -> Measurement:
    """Measure a checked `Surface`, including its quads, as `measure_mesh` does.

    The parameters are those of `Request`; `lengths` are by name, such as ``{"voxel_size": 0.01}`` [m].
    """
    if method not in METHODS:
        known = ", ".join(METHODS)
        raise InertiaError.of("unknown_method", "", "method", method=method, known=known)
    return METHODS[method].measure(surface, Request(lengths or {}, progress, quick))


def check_mesh(vertices: npt.ArrayLike, triangles: npt.ArrayLike) -> tuple[Finding, ...]:
    """Diagnose a mesh in full; never raises: an error is a finding of severity ``error``.

    Parameters
    ----------
    vertices : array_like, shape (n, 3), float
        Corners [m].
    triangles : array_like, shape (m, 3), int
        Vertex indices.
    """
    try:
        return check_surface(Surface(as_array(vertices), as_array(triangles)))
    except InertiaError as error:
        return (error.finding(),)


def check_surface(surface: Surface) -> tuple[Finding, ...]:
    """Return the findings about a checked `Surface`, including its quads, as `check_mesh` does."""
    try:
        checked = diagnose_surface(surface)
        return checked.findings + remarks.bent_quads(surface, checked.moments.volume)
    except InertiaError as error:
        return (*remarks.size(surface)[0], with_remedies_that_work(surface, error).finding())
