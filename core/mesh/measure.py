# SPDX-License-Identifier: Apache-2.0
"""Checks a mesh, integrates it by the chosen method, and estimates the error."""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import Finding, InertiaError
from .diagnosis import remarks
from .enclosed import with_remedies_that_work
from .measurement import Measurement, Request
from .methods import METHODS
from .policy import diagnose_surface
from .progress import Progress
from .surface import Surface


def measure_surface(
    surface: Surface,
    method: str = "exact",
    lengths: Mapping[str, float] | None = None,
    progress: Progress | None = None,
    quick: bool = False,
) -> Measurement:
    """Measure a checked `Surface`, including its quads, as `core.measure_mesh` does.

    The parameters are those of `Request`; `lengths` are by name, such as ``{"voxel_size": 0.01}`` [m].
    """
    if method not in METHODS:
        known = ", ".join(METHODS)
        raise InertiaError.of("unknown_method", "", "method", method=method, known=known)
    return METHODS[method].measure(surface, Request(lengths or {}, progress, quick))


def check_surface(surface: Surface) -> tuple[Finding, ...]:
    """Return the findings about a checked `Surface`, including its quads, as `core.check_mesh` does."""
    try:
        checked = diagnose_surface(surface)
        return checked.findings + remarks.bent_quads(surface, checked.moments.volume)
    except InertiaError as error:
        return (*remarks.size(surface)[0], with_remedies_that_work(surface, error).finding())
