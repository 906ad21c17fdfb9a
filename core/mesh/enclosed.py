# SPDX-License-Identifier: Apache-2.0
"""Measures what a surface encloses, exactly or by voxels, after the policy has read it.

Voxels too coarse for a solid are reported with a size that was tried and is fine enough; a remedy is named if it was
tried on the surface. What takes long is kept for the next call.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from threading import Lock
from typing import Any, TypeVar

import numpy as np

from ..body.compare import relative_error
from ..body.moments import Moments
from ..errors import Finding, InertiaError
from ..findings.remedy import Remedy
from ..units import share_text
from .diagnosis import remarks
from .diagnosis.checked_mesh import CheckedMesh
from .hull import is_flat
from .manifold import library
from .measurement import Measurement, Request
from .policy import READ, close_holes, diagnose_surface, normalized
from .progress import Progress, interruptible, unless_cancelled
from .surface import Surface
from .voxel import default_voxel_size, surface_voxel_moments
from .winding.solid import Inside, has_inside, solid_moments

T = TypeVar("T")
MOST = 8
"""Results to keep: a mesh has four, and they hold no arrays of its size."""

_results: dict[bytes, Any] = {}
_lock = Lock()

COARSE = 0.01
"""An estimated error worth a warning: the difference from which voxels in AUTO are reported too. At the default size
thin walls exceed it, and faces along the grid that end inside a voxel."""

MOST_COLUMNS = 1 << 18
"""Sizes are tried up to this many columns, a second or so for most meshes."""

VOXELS, SHELL = "{voxel}", "{shell}"
"""Remedies for a surface that does not enclose a volume: one or the other comes first."""


def measure_exact(surface: Surface, request: Request) -> Measurement:
    """Integrate what a surface encloses; the method is ``union`` if components overlap."""
    checked = read_solid(surface, request)
    findings = checked.findings + remarks.bent_quads(surface, checked.moments.volume)
    inertia = max(checked.error, checked.error_inertia)
    return Measurement(checked.moments, checked.method, checked.error, findings, _written(checked), inertia)


def read_solid(surface: Surface, request: Request) -> CheckedMesh:
    """Read what a surface encloses by the policy; the remedies of its errors were tried, unless `quick`."""
    try:
        checked = diagnose_surface(surface, request.quick, request.progress)
    except InertiaError as error:
        with interruptible(request.progress):
            raise (error if request.quick else with_remedies_that_work(surface, error)) from None
    unless_cancelled(request.progress, 0.0)
    return checked


def measure_voxels(surface: Surface, request: Request) -> Measurement:
    """Fill what a surface encloses with columns of voxels, also if it is open."""
    size = request.lengths.get("voxel_size", default_voxel_size(surface))
    try:
        checked = diagnose_surface(surface, request.quick, request.progress)
    except InertiaError as error:
        if error.code in ("cancelled", "zero_volume", "missing_library"):
            raise
        return _by_winding(surface, size, error, request)
    truth = checked.moments

    def measured(size: float, progress: Progress | None = None) -> tuple[Moments, float]:
        moments = surface_voxel_moments(checked.watertight, size, progress=progress)
        off = relative_error(moments, truth)
        return moments, off + (1.0 + off) * checked.error

    def estimate(finer: float) -> float:
        return measured(finer)[1] - checked.error

    try:
        moments, off = measured(size, request.progress)
    except InertiaError as error:
        if error.code == "zero_volume":  # from the voxels; the surface itself has a volume
            raise _coarse(surface, size, "", estimate) from error
        raise
    findings = checked.findings + remarks.bent_quads(surface, truth.volume)
    coarse = off - checked.error  # finer voxels reduce no more
    if coarse > 1.0:
        raise _coarse(surface, size, share_text(off), estimate)
    if coarse > COARSE:
        findings += (_coarse(surface, size, share_text(off), estimate).finding("warning"),)
    return Measurement(moments, "voxel", off, findings, _written(checked), max(off, checked.error_inertia))


def with_remedies_that_work(surface: Surface, wrong: InertiaError) -> InertiaError:
    """Return an error whose remedy names only methods that were tried on this surface and give a number."""
    return InertiaError(wrong.code, wrong.subject, wrong.sentence, _that_work(surface, wrong.fix))


def kept(surface: Surface, name: str, compute: Callable[[], T]) -> T:
    """Return a result, or raise its error; both are computed once for the same vertices and triangles."""
    arrays = surface.vertices, surface.triangles
    key = blake2b(repr([name, *((array.dtype, array.shape) for array in arrays)]).encode())
    for array in arrays:
        key.update(array.tobytes())
    with _lock:
        result: Any = _results.get(key.digest(), _lock)
    if result is _lock:  # it is not there
        try:
            result = compute()
        except InertiaError as error:
            if error.code == "cancelled":
                raise
            result = InertiaError(*error.args)  # without the traceback, whose frames hold the surface
        with _lock:
            _results[key.digest()] = result
            while len(_results) > MOST:
                del _results[next(iter(_results))]
    if isinstance(result, InertiaError):
        raise InertiaError(*result.args)
    return result  # type: ignore[no-any-return]


def _coarse(surface: Surface, size: float, error: str, estimate: Callable[[float], float]) -> InertiaError:
    """Return the error for voxels that are too coarse; it gives the largest size that was tried and is fine enough.

    Without an estimated `error` no voxel has its centre inside.

    Errors do not decrease steadily: a size may fit by chance. So the next smaller size must be good, too.
    """
    sides = " x ".join(f"{side:.4g}" for side in surface.extent())
    values = {"size": size, "sides": sides, "error": error}
    # Halve the size until two in a row are fine enough, or there are too many columns.
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
        try:
            inside = _inside(surface, size)
        except InertiaError as error:
            raise with_remedies_that_work(surface, error) from None
        doubts, lost = remarks.size(surface)
        volume, inertia = max(inside.error, lost), max(inside.error_inertia, lost)
        doubt = remarks.by_winding(wrong, volume, inertia)
        findings = (replace(doubt, fix=_that_work(surface, doubt.fix)), *doubts)
    if inside.ambiguity > remarks.USABLE:
        findings += (Finding.of("warning", "ambiguous_inside", share=share_text(inside.ambiguity)),)
    findings += remarks.bent_quads(surface, inside.moments.volume)
    return Measurement(inside.moments, "voxel", volume, findings, error_inertia=inertia)


def _inside(surface: Surface, size: float) -> Inside:
    return kept(surface, f"inside {size!r}", lambda: solid_moments(normalized(surface), size))


def _fills(surface: Surface) -> bool:
    """Return True if `_inside` gives a number at the default size, mostly without that work."""
    inside = has_inside(normalized(surface))
    return bool(_inside(surface, default_voxel_size(surface))) if inside is None else inside


def _closes(surface: Surface) -> bool:
    """Return True if `measure_exact` gives a number after the holes are closed that is not all in doubt."""
    closed, (bound, _), _ = close_holes(surface)
    return bound <= 1.0 and bound + diagnose_surface(closed, quick=True).error <= 1.0


TRIALS: Mapping[str, Callable[[Surface], bool]] = {
    "{voxel}": _fills,
    "{close_holes}": _closes,
    "{hull}": lambda surface: bool(library()) and not is_flat(surface),
}
"""Remedies that may fail on a surface that does not enclose a volume, and how to try them. The shell of any surface has
a volume."""


def _that_work(surface: Surface, remedy: Remedy) -> Remedy:
    """Return the alternatives of a remedy that give a number, tried on this surface."""
    alternatives = list(remedy.alternatives)
    for name in TRIALS.keys() & alternatives:
        try:
            works = kept(surface, name, partial(TRIALS[name], surface))
        except InertiaError as error:
            if error.code == "cancelled":
                raise
            works = False
        if not works:
            alternatives.remove(name)
    vars(surface).pop(READ, None)
    if VOXELS in remedy.alternatives and VOXELS not in alternatives:
        alternatives = [SHELL, *(text for text in alternatives if text != SHELL)]
    return Remedy(*alternatives) if alternatives else remedy


def _written(checked: CheckedMesh) -> Surface | None:
    return checked.surface if checked.corrected and checked.united is None else None
