# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure a mesh: check it, integrate it by the chosen method, and say how far to trust the number."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..errors import Finding, InertiaError
from ..moments import Moments
from . import remarks
from .columns import Progress
from .diagnose import read_surface
from .hull import hull_moments
from .overlap import difference, union
from .shell import shell_moments
from .surface import Surface
from .voxel import default_voxel_size, surface_voxel_moments

METHODS = ("exact", "voxel", "hull", "shell")


@dataclass(frozen=True, eq=False)
class Measurement:
    """What a calculator found.

    Parameters
    ----------
    moments : Moments
        In the mesh's frame.
    method : str
        The calculator's name.
    error : float
        Estimated relative error of volume and tensor; 0 where exact.
    findings : tuple of Finding
        What was noticed or corrected.
    surface : Surface or None
        The surface as it was read, after corrections (such as its winding): what an exporter writes. None where
        nothing was corrected.
    """

    moments: Moments
    method: str
    error: float = 0.0
    findings: tuple[Finding, ...] = ()
    surface: Surface | None = None


def measure_mesh(
    vertices: npt.ArrayLike,
    triangles: npt.ArrayLike,
    method: str = "exact",
    voxel_size: float | None = None,
    thickness: float | None = None,
) -> Measurement:
    """Check and measure a triangle mesh.

    Parameters
    ----------
    vertices : array_like, shape (n, 3), float
        Corners [m].
    triangles : array_like, shape (m, 3), int
        Vertex indices.
    method : {"exact", "voxel", "hull", "shell"}
        How to integrate.
    voxel_size : float, optional
        Side of a voxel [m]; the longest side / 128 where not given.
    thickness : float, optional
        Of the material [m] for ``shell``, half on each side of the surface.

    Returns
    -------
    Measurement
        By the policy that `diagnose` states: exact after corrections that each leave a finding, or, where shells
        overlap, method ``union`` with its estimated error.

    Raises
    ------
    InertiaError
        ``open_mesh``, ``not_orientable``, ``inconsistent_winding``, ``negative_winding``, ``zero_volume``,
        ``unknown_method``, or what `Surface`, `voxel_moments`, `hull_moments` and `shell_moments` raise.
    """
    return measure_surface(Surface(np.asarray(vertices), np.asarray(triangles)), method, voxel_size, thickness)


def measure_surface(
    surface: Surface,
    method: str = "exact",
    voxel_size: float | None = None,
    thickness: float | None = None,
    progress: Progress | None = None,
) -> Measurement:
    """Do the work of `measure_mesh` on a checked `Surface`; voxels report to `progress` as `surface_voxel_moments`."""
    if method == "hull":
        moments, error, findings = hull_moments(surface)
        return Measurement(moments, method, error, findings)
    if method == "shell":
        moments, error, findings = shell_moments(surface, thickness)
        return Measurement(moments, method, error, findings)
    if method not in METHODS:
        known = ", ".join(METHODS)
        raise InertiaError("unknown_method", "", f"there is no method '{method}'", f"choose one of {known}")
    reading = read_surface(surface)
    moments, findings = reading.moments, reading.findings
    corrected = reading.surface if reading.corrected else None
    error = 0.0
    if reading.windings.overlap > 0.0:
        moments, error, overlap = union(reading.watertight(), reading.moments, reading.windings.overlap)
        findings += (remarks.overlapping(overlap, reading.moments.volume, moments.volume, error),)
    if method == "exact":
        united = reading.windings.overlap > 0.0 or reading.swallowed > 0.0
        return Measurement(moments, "union" if united else method, error, findings, corrected)
    size = default_voxel_size(surface) if voxel_size is None else voxel_size
    fine = surface_voxel_moments(reading.watertight(), size, progress=progress)
    try:
        error = difference(fine, surface_voxel_moments(reading.watertight(), 2.0 * size))
    except InertiaError:  # twice as coarse, every voxel misses the solid: nothing vouches for a single digit
        error = 1.0
    return Measurement(fine, method, error, findings, corrected)


def check_mesh(vertices: npt.ArrayLike, triangles: npt.ArrayLike) -> tuple[Finding, ...]:
    """Diagnose a mesh in full and never raise: what refuses it is a finding of severity ``error``.

    Parameters
    ----------
    vertices : array_like, shape (n, 3), float
        Corners [m].
    triangles : array_like, shape (m, 3), int
        Vertex indices.
    """
    try:
        surface = Surface(np.asarray(vertices), np.asarray(triangles))
    except InertiaError as error:
        return (error.finding(),)
    try:
        reading = read_surface(surface, details=True)
        if not reading.windings.overlap:
            return reading.findings
        moments, uncertain, overlap = union(reading.watertight(), reading.moments, reading.windings.overlap)
    except InertiaError as error:
        return (*remarks.size(surface), error.finding())
    told = remarks.overlapping(overlap, reading.moments.volume, moments.volume, uncertain)
    return (*reading.findings, told)
