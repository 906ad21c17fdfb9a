# SPDX-License-Identifier: GPL-3.0-or-later
"""What a surface encloses, exactly or by voxels, once it is read by the policy that `diagnose` states."""

from __future__ import annotations

from ..body.moments import Moments
from ..errors import Finding, InertiaError
from .diagnose import read_surface
from .diagnosis import remarks
from .diagnosis.quads import bent_quads
from .diagnosis.reading import Reading
from .measurement import Measurement, Request
from .progress import Progress, interruptible, unless_cancelled
from .surface import Surface
from .topology.merging import merge
from .voxel import default_voxel_size
from .voxel_error import Judge, closed_voxel_moments
from .voxels.coarseness import all_missed, too_coarse


def measure_exact(surface: Surface, request: Request) -> Measurement:
    """Integrate what a surface encloses; method ``union``, with its estimated error, where components overlap."""
    return _integrated(surface, _read(surface, request))


def measure_voxels(surface: Surface, request: Request) -> Measurement:
    """Fill what a surface encloses with columns of voxels, also where it is open."""
    size = request.lengths.get("voxel_size", default_voxel_size(surface))
    try:
        reading = _read(surface, request)
    except InertiaError as error:
        if error.code == "open_mesh":
            return _by_majority(surface, size, error, request)
        raise
    integral, watertight = _integrated(surface, reading), reading.watertight

    def measured(size: float, progress: Progress | None = None) -> tuple[Moments, float]:
        found, off = closed_voxel_moments(watertight, size, integral.moments, progress)
        return found, off + (1.0 + off) * integral.error

    def estimate(finer: float) -> float:
        return measured(finer)[1]

    try:
        found, off = measured(size, request.progress)
    except InertiaError as error:
        if error.code == "zero_volume":  # that of the surface is not: it has been read
            raise all_missed(watertight, size, estimate) from error
        raise
    findings = integral.findings + too_coarse(watertight, size, off, estimate)
    return Measurement(found, "voxel", off, findings, integral.surface)


def _read(surface: Surface, request: Request) -> Reading:
    with interruptible(request.progress):
        reading = read_surface(surface, request.quick)
        if reading.windings.overlap > 0.0:
            _ = reading.united  # takes its time, too
    unless_cancelled(request.progress, 0.0)
    return reading


def _integrated(surface: Surface, reading: Reading) -> Measurement:
    moments, findings = reading.moments, reading.findings + bent_quads(surface, reading.moments.volume)
    error, overlaps = reading.error, reading.windings.overlap > 0.0
    if overlaps:
        moments, error = reading.united.moments, max(reading.united.error, error)
        findings += (overlapping(reading),)
    method = "union" if overlaps or reading.swallowed > 0.0 else "exact"
    return Measurement(moments, method, error, findings, reading.surface if reading.corrected else None)


def overlapping(reading: Reading) -> Finding:
    """Say what a surface encloses more than once, and what its union is."""
    united, error = reading.united, max(reading.united.error, reading.error)
    return remarks.overlapping(united.overlap, united.moments.volume, error, united.exactly)


def _by_majority(surface: Surface, size: float, hole: InertiaError, request: Request) -> Measurement:
    """Measure an open mesh by voxels, which the user chose: the columns that do not close are filled by majority."""
    merging = merge(surface, tolerant=True)
    judge = Judge.of(merging.merged(surface), merging)
    moments, error, share = judge.voxel_moments(size, request.progress)

    def estimate(finer: float) -> float:
        return judge.voxel_moments(finer)[1]

    findings = (remarks.by_majority(hole, share), *remarks.size(surface))
    findings += too_coarse(surface, size, error, estimate, holes=True) + bent_quads(surface, moments.volume)
    return Measurement(moments, "voxel", error, findings)
