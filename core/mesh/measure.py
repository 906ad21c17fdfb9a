# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure a mesh: check it, integrate it by the chosen method, and say how far to trust the number."""

from __future__ import annotations

from dataclasses import dataclass

import numpy.typing as npt

from ..body.moments import Moments
from ..errors import Finding, InertiaError
from .diagnose import read_surface
from .diagnosis import remarks
from .diagnosis.quads import bent_quads
from .diagnosis.reading import Reading
from .hull import hull_moments
from .progress import Progress, interruptible, unless_cancelled
from .surface import Surface, as_array
from .thin_wall import thin_wall_moments
from .topology.merging import merge
from .voxel import default_voxel_size
from .voxel_error import Judge, closed_voxel_moments
from .voxels.coarseness import all_missed, too_coarse

METHODS = ("exact", "voxel", "hull", "shell")

SURFACE_METHODS = ("exact", "voxel")
"""Those that measure what the surface encloses."""


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
    quick: bool = False,
) -> Measurement:
    """Check and measure a triangle mesh, diagnosed in full.

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
    quick : bool
        Do not look for faces that pass through others where that may take long: for live use. What may so be counted
        twice is said by the finding ``not_checked``.

    Returns
    -------
    Measurement
        By the policy that `diagnose` states: exact after corrections that each leave a finding, or, where components
        overlap, method ``union`` with its estimated error. An open mesh by voxels has the warning ``open_mesh``; voxels
        whose estimated error is above 1 % have the warning ``voxels_too_coarse``.

    Raises
    ------
    InertiaError
        ``open_mesh``, ``not_orientable``, ``inconsistent_winding``, ``negative_winding``, ``zero_volume``,
        ``unknown_method``, ``voxels_too_coarse`` where none lies inside, or what `Surface`, `voxel_moments`,
        `hull_moments` and `thin_wall_moments` raise.
    """
    surface = Surface(as_array(vertices), as_array(triangles))
    return measure_surface(surface, method, voxel_size, thickness, quick=quick)


def measure_surface(
    surface: Surface,
    method: str = "exact",
    voxel_size: float | None = None,
    thickness: float | None = None,
    progress: Progress | None = None,
    quick: bool = False,
) -> Measurement:
    """Do the work of `measure_mesh` on a checked `Surface`.

    Voxels and thin walls report to `progress` as `surface_voxel_moments` does; the other methods ask it between steps.
    """
    if method == "hull":
        moments, error, findings = hull_moments(surface)
        return Measurement(moments, method, error, findings)
    if method == "shell":
        moments, error, findings = thin_wall_moments(surface, thickness, progress)
        return Measurement(moments, method, error, findings)
    if method not in METHODS:
        known = ", ".join(METHODS)
        raise InertiaError("unknown_method", "", f"there is no method '{method}'", f"choose one of {known}")
    size = default_voxel_size(surface) if voxel_size is None else voxel_size
    try:
        with interruptible(progress):
            reading = read_surface(surface, quick)
            if reading.windings.overlap > 0.0:
                _ = reading.united  # takes its time, too
    except InertiaError as error:
        if method == "voxel" and error.code == "open_mesh":
            return _by_majority(surface, size, error, progress)
        raise
    unless_cancelled(progress, 0.0)
    moments, findings = reading.moments, reading.findings + bent_quads(surface, reading.moments.volume)
    corrected = reading.surface if reading.corrected else None
    uncertain = reading.error
    if reading.windings.overlap > 0.0:
        moments, uncertain = reading.united.moments, max(reading.united.error, uncertain)
        findings += (_overlapping(reading),)
    if method == "exact":
        united = reading.windings.overlap > 0.0 or reading.swallowed > 0.0
        return Measurement(moments, "union" if united else method, uncertain, findings, corrected)
    watertight = reading.watertight

    def measured(size: float, progress: Progress | None = None) -> tuple[Moments, float]:
        found, off = closed_voxel_moments(watertight, size, moments, progress)
        return found, off + (1.0 + off) * uncertain

    def estimate(finer: float) -> float:
        return measured(finer)[1]

    try:
        found, off = measured(size, progress)
    except InertiaError as error:
        if error.code == "zero_volume":  # that of the surface is not: it has been read
            raise all_missed(watertight, size, estimate) from error
        raise
    findings += too_coarse(watertight, size, off, estimate)
    return Measurement(found, method, off, findings, corrected)


def _overlapping(reading: Reading) -> Finding:
    united, error = reading.united, max(reading.united.error, reading.error)
    return remarks.overlapping(united.overlap, united.moments.volume, error, united.exactly)


def _by_majority(surface: Surface, size: float, hole: InertiaError, progress: Progress | None) -> Measurement:
    """Measure an open mesh by voxels, which the user chose: the columns that do not close are filled by majority."""
    merging = merge(surface, tolerant=True)
    judge = Judge.of(merging.merged(surface), merging)
    moments, error, share = judge.voxel_moments(size, progress)

    def estimate(finer: float) -> float:
        return judge.voxel_moments(finer)[1]

    findings = (remarks.by_majority(hole, share), *remarks.size(surface))
    findings += too_coarse(surface, size, error, estimate, holes=True)
    return Measurement(moments, "voxel", error, findings)


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
        return check_surface(Surface(as_array(vertices), as_array(triangles)))
    except InertiaError as error:
        return (error.finding(),)


def check_surface(surface: Surface) -> tuple[Finding, ...]:
    """Do the work of `check_mesh` on a checked `Surface`, whose quads are looked at too."""
    try:
        reading = read_surface(surface)
        noted = reading.findings + bent_quads(surface, reading.moments.volume)
        if not reading.windings.overlap:
            return noted
        return (*noted, _overlapping(reading))
    except InertiaError as error:
        return (*remarks.size(surface), error.finding())
