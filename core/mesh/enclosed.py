# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures what a surface encloses, exactly or by voxels, after the policy has read it.

Voxels too coarse for a solid are reported with a size that was tried and is fine enough.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..body.compare import relative_error
from ..body.moments import Moments
from ..errors import Finding, InertiaError
from ..findings.remedy import Remedy
from ..units import share_text
from .diagnosis import remarks
from .diagnosis.checked_mesh import CheckedMesh
from .measurement import Measurement, Request
from .policy import diagnose_surface, normalized
from .progress import Progress, interruptible, unless_cancelled
from .surface import Surface
from .voxel import default_voxel_size, surface_voxel_moments
from .winding.solid import refuse_without_inside, solid_moments

COARSE = 0.01
"""An estimated error worth a warning: the difference from which voxels in AUTO are reported too. At the default size
thin walls exceed it, and faces along the grid that end inside a voxel."""

MOST_COLUMNS = 1 << 18
"""Sizes are tried up to this many columns, a second or so for most meshes."""

VOXELS, SHELL = "{voxel}", "{shell}"
"""Remedies for a surface that does not enclose a volume: one or the other comes first."""

AMBIGUOUS = 0.1
"""From this share on the inside of an open mesh is reported as ambiguous."""


def measure_exact(surface: Surface, request: Request) -> Measurement:
    """Integrate what a surface encloses; the method is ``union`` if components overlap."""
    try:
        checked = diagnose_surface(surface, request.quick, request.progress)
    except InertiaError as error:
        with interruptible(request.progress):
            raise (error if request.quick else voxels_if_they_help(surface, error)) from None
    unless_cancelled(request.progress, 0.0)
    findings = checked.findings + remarks.bent_quads(surface, checked.moments.volume)
    return Measurement(checked.moments, checked.method, checked.error, findings, _written(checked))


def measure_voxels(surface: Surface, request: Request) -> Measurement:
    """Fill what a surface encloses with columns of voxels, also if it is open."""
    size = request.lengths.get("voxel_size", default_voxel_size(surface))
    try:
        checked = diagnose_surface(surface, request.quick, request.progress)
    except InertiaError as error:
        if error.code in ("cancelled", "zero_volume"):
            raise
        return _by_winding(surface, size, error, request)
    truth = checked.moments

    def measured(size: float, progress: Progress | None = None) -> tuple[Moments, float]:
        found = surface_voxel_moments(checked.watertight, size, progress=progress)
        off = relative_error(found, truth)
        return found, off + (1.0 + off) * checked.error

    def estimate(finer: float) -> float:
        return measured(finer)[1] - checked.error

    try:
        found, off = measured(size, request.progress)
    except InertiaError as error:
        if error.code == "zero_volume":  # from the voxels; the surface itself has a volume
            raise _coarse(surface, size, "", estimate) from error
        raise
    findings = checked.findings + remarks.bent_quads(surface, truth.volume)
    if off - checked.error > COARSE:
        findings += (_coarse(surface, size, share_text(off), estimate).finding("warning"),)
    return Measurement(found, "voxel", off, findings, _written(checked))


def _coarse(surface: Surface, size: float, error: str, estimate: Callable[[float], float]) -> InertiaError:
    """Return the error for voxels that are too coarse; it gives the largest size that was tried and is fine enough.

    Without an estimated `error` no voxel has its centre inside.

    Errors do not decrease steadily: a size may fit by chance. So the next smaller size must be good, too.
    """
    sides = " x ".join(f"{side:.4g}" for side in surface.extent())
    values = {"size": size, "sides": sides, "error": error}
    extent = np.sort(surface.extent())
    tried, before = min(size, float(extent[2])) / 2.0, None
    while np.prod(np.maximum(extent[:2] / tried, 1.0)) <= MOST_COLUMNS and extent[2] / tried <= MOST_COLUMNS:
        named = float(f"{tried:.1e}")
        try:
            fine = estimate(named) <= COARSE
        except InertiaError:  # every voxel misses the solid
            fine = False
        if fine and before is not None:
            form = "" if error else "missed"
            return InertiaError.of("voxels_too_coarse", "", form, **values, finer=before)
        before = named if fine else None
        tried /= 2.0
    return InertiaError.of("voxels_too_coarse", "", "too_slow" if error else "missed_too_slow", **values)


def _by_winding(surface: Surface, size: float, wrong: InertiaError, request: Request) -> Measurement:
    """Measure a surface that does not enclose a volume by winding numbers, whatever is wrong with it."""
    with interruptible(request.progress):
        found = solid_moments(normalized(surface), size)
    doubts, lost = remarks.size(surface)
    error = max(found.error, lost)
    findings = (remarks.by_winding(wrong, error), *doubts)
    if found.ambiguity > AMBIGUOUS:
        findings += (Finding.of("warning", "ambiguous_inside", share=share_text(found.ambiguity)),)
    return Measurement(found.moments, "voxel", error, findings + remarks.bent_quads(surface, found.moments.volume))


def voxels_if_they_help(surface: Surface, wrong: InertiaError) -> InertiaError:
    """Return an error whose remedy names voxels only if they were tried and find an inside."""
    remedy = wrong.remedy
    if not isinstance(remedy, Remedy) or VOXELS not in remedy.alternatives:
        return wrong
    try:
        refuse_without_inside(normalized(surface), default_voxel_size(surface))
    except InertiaError as error:
        if error.code == "cancelled":
            raise
        others = [text for text in remedy.alternatives if text not in (VOXELS, SHELL)]
        return InertiaError(wrong.code, wrong.subject, wrong.message, Remedy(SHELL, *others))
    return wrong


def _written(checked: CheckedMesh) -> Surface | None:
    return checked.surface if checked.corrected and checked.united is None else None
