# SPDX-License-Identifier: GPL-3.0-or-later
"""What a surface encloses, exactly or by voxels, once it is read by the policy."""

from __future__ import annotations

from ..body.moments import Moments
from ..errors import InertiaError
from .diagnosis import remarks
from .diagnosis.quads import bent_quads
from .diagnosis.reading import Reading
from .measurement import Measurement, Request
from .policy import orderly, read_surface
from .progress import Progress, interruptible, unless_cancelled
from .surface import Surface
from .voxel import default_voxel_size, surface_voxel_moments
from .voxels.coarseness import all_missed, too_coarse
from .voxels.differences import relative_error
from .winding.solid import solid_moments

AMBIGUOUS = 0.1
"""From that share on it is told that an open mesh does not say what is inside."""


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
        if error.code in ("cancelled", "zero_volume"):
            raise
        return _by_winding(surface, size, error, request)
    truth = reading.moments

    def measured(size: float, progress: Progress | None = None) -> tuple[Moments, float]:
        found = surface_voxel_moments(reading.watertight, size, progress=progress)
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


def _by_winding(surface: Surface, size: float, wrong: InertiaError, request: Request) -> Measurement:
    """Measure what a surface winds around that encloses nothing definite: by winding numbers, whatever is wrong with
    it."""
    with interruptible(request.progress):
        found = solid_moments(orderly(surface), size)
    findings = (remarks.by_winding(wrong, found.error), *remarks.size(surface))
    if found.ambiguity > AMBIGUOUS:
        findings += (remarks.ambiguous_inside(found.ambiguity),)
    return Measurement(found.moments, "voxel", found.error, findings + bent_quads(surface, found.moments.volume))


def _written(reading: Reading) -> Surface | None:
    return reading.surface if reading.corrected and reading.united is None else None
