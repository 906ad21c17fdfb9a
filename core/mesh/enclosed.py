# SPDX-License-Identifier: GPL-3.0-or-later
"""What a surface encloses, exactly or by voxels, once it is read by the policy."""

from __future__ import annotations

from .diagnosis.quads import bent_quads
from .measurement import Measurement, Request
from .policy import read_surface
from .progress import unless_cancelled
from .surface import Surface
from .voxel import default_voxel_size
from .voxels.by_majority import enclosed
from .voxels.differences import relative_error


def measure_exact(surface: Surface, request: Request) -> Measurement:
    """Integrate what a surface encloses; method ``union`` where components overlap."""
    reading = read_surface(surface, request.quick, request.progress)
    unless_cancelled(request.progress, 0.0)
    findings = reading.findings + bent_quads(surface, reading.moments.volume)
    written = reading.surface if reading.corrected and reading.united is None else None
    return Measurement(reading.moments, reading.method, reading.error, findings, written)


def measure_voxels(surface: Surface, request: Request) -> Measurement:
    """Fill what a surface encloses with columns of voxels."""
    size = request.lengths.get("voxel_size", default_voxel_size(surface))
    integral = measure_exact(surface, request)
    read = integral.surface or surface
    found = enclosed(read, size, request.progress).moments()
    off = relative_error(found, integral.moments)
    return Measurement(found, "voxel", off + (1.0 + off) * integral.error, integral.findings, integral.surface)
