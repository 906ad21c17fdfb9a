# SPDX-License-Identifier: GPL-3.0-or-later
"""What a surface encloses, exactly or by voxels, once it is read by the policy."""

from __future__ import annotations

from ..body.moments import Moments
from ..errors import InertiaError
from .diagnosis import remarks
from .diagnosis.quads import bent_quads
from .diagnosis.reading import Reading
from .integrate import surface_moments
from .measurement import Measurement, Request
from .policy import read_surface
from .progress import Progress, unless_cancelled
from .surface import Surface
from .topology.loops import boundary_loops, fans
from .voxel import default_voxel_size
from .voxels.by_majority import enclosed, voted
from .voxels.coarseness import all_missed, too_coarse
from .voxels.differences import mutual_error, relative_error


def measure_exact(surface: Surface, request: Request) -> Measurement:
    """Integrate what a surface encloses; method ``union`` where components overlap."""
    reading = read_surface(surface, request.quick, request.progress)
    unless_cancelled(request.progress, 0.0)
    findings = reading.findings + bent_quads(surface, reading.moments.volume)
    return Measurement(reading.moments, reading.method, reading.error, findings, _written(reading))


def measure_voxels(surface: Surface, request: Request) -> Measurement:
    """Fill what a surface encloses with columns of voxels, also where it is open."""
    size = request.lengths.get("voxel_size", default_voxel_size(surface))
    try:
        reading = read_surface(surface, request.quick, request.progress)
    except InertiaError as error:
        if error.code == "open_mesh":
            return _by_majority(surface, size, error, request)
        raise
    truth = reading.moments

    def measured(size: float, progress: Progress | None = None) -> tuple[Moments, float]:
        found = enclosed(reading.watertight, size, progress).moments()
        off = relative_error(found, truth)
        return found, off + (1.0 + off) * reading.error

    def estimate(finer: float) -> float:
        return measured(finer)[1]

    try:
        found, off = measured(size, request.progress)
    except InertiaError as error:
        if error.code == "zero_volume":  # that of the surface is not: it has been read
            raise all_missed(surface, size, estimate) from error
        raise
    findings = reading.findings + bent_quads(surface, truth.volume) + too_coarse(surface, size, off, estimate)
    return Measurement(found, "voxel", off, findings, _written(reading))


def _by_majority(surface: Surface, size: float, hole: InertiaError, request: Request) -> Measurement:
    """Measure an open mesh by voxels, which the user chose: the columns that do not close are filled by majority."""
    open_surface = Reading.of(surface).surface
    closed = fans(open_surface, boundary_loops(open_surface))

    def measured(size: float, progress: Progress | None = None) -> tuple[Moments, float, float]:
        found = voted(open_surface, size, progress=progress)
        moments = found.moments()
        try:
            off = mutual_error(moments, surface_moments(closed))
        except InertiaError:  # zero_volume: nothing vouches for it
            off = 1.0
        return moments, max(off, found.share), found.share

    moments, error, share = measured(size, request.progress)
    findings = (remarks.by_majority(hole, share), *remarks.size(surface))
    findings += too_coarse(surface, size, error, lambda finer: measured(finer)[1], holes=True)
    return Measurement(moments, "voxel", error, findings + bent_quads(surface, moments.volume))


def _written(reading: Reading) -> Surface | None:
    return reading.surface if reading.corrected and reading.united is None else None
