# SPDX-License-Identifier: GPL-3.0-or-later
"""Voxels too coarse for a solid: told together with a size that is not, which has been tried."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ...errors import Finding, InertiaError
from ...remedies import Remedy
from ...units import share_text
from ..surface import Surface

COARSE = 0.01
"""An estimated error worth a warning: the difference from which voxels in AUTO are told too. At the default size it is
exceeded by thin walls, and by faces along the grid that end inside a voxel."""

MOST_COLUMNS = 1 << 18
"""Sizes are tried down to this many columns, a second or so for most meshes."""

Estimate = Callable[[float], float]
"""From a voxel size [m] to the estimated relative error of its result."""


def too_coarse(
    surface: Surface, voxel_size: float, error: float, estimate: Estimate, holes: bool = False
) -> tuple[Finding, ...]:
    """Say whether voxels are too coarse for what they measure.

    Parameters
    ----------
    surface : Surface
    voxel_size : float
        Side of a voxel [m].
    error : float
        Estimated relative error of the result.
    estimate : callable
        What gave that error.
    holes : bool
        Whether the surface is open, so that the exact integral refuses it.

    Returns
    -------
    tuple of Finding
        ``voxels_too_coarse``, or nothing where the error is at most `COARSE`.
    """
    if error <= COARSE:
        return ()
    message = f"{_voxels(surface, voxel_size)}: the estimated error is {share_text(error)}"
    return (Finding("warning", "voxels_too_coarse", "", message, _remedy(surface, voxel_size, estimate, holes)),)


def all_missed(surface: Surface, voxel_size: float, estimate: Estimate) -> InertiaError:
    """Return the error ``voxels_too_coarse``, for a solid that no voxel lies in. The parameters are `too_coarse`'s."""
    message = f"{_voxels(surface, voxel_size)}: not one has its centre inside"
    return InertiaError("voxels_too_coarse", "", message, _remedy(surface, voxel_size, estimate, holes=False))


def _voxels(surface: Surface, voxel_size: float) -> str:
    sides = " x ".join(f"{side:.4g}" for side in surface.extent())
    return f"voxels of {voxel_size:.6g} m are too coarse for this mesh of {sides} m"


def _remedy(surface: Surface, voxel_size: float, estimate: Estimate, holes: bool) -> Remedy:
    size = fine_enough(surface, voxel_size, estimate)
    exact = "{close_holes}" if holes else "{exact}"
    if size is None:
        return Remedy(f"{exact}; no voxel size that is quick enough to be tried brings the error below 1 %")
    return Remedy(f"{{voxel_size:{size:g}}}, which brings the error below 1 %", exact)


def fine_enough(surface: Surface, voxel_size: float, estimate: Estimate) -> float | None:
    """Return the largest voxel size tried, of two digits [m], whose estimated error is at most `COARSE`.

    Errors do not fall evenly: voxels that happen to fit are good by chance. So the next smaller size must do as well.
    """
    before = None
    for size in _sizes(surface, voxel_size):
        try:
            fine = estimate(size) <= COARSE
        except InertiaError:  # every voxel misses the solid, or too many columns are open
            fine = False
        if fine and before is not None:
            return before
        before = size if fine else None
    return None


def _sizes(surface: Surface, voxel_size: float) -> Iterator[float]:
    extent = np.sort(surface.extent())
    size = min(voxel_size, float(extent[2])) / 2.0
    while np.prod(np.maximum(extent[:2] / size, 1.0)) <= MOST_COLUMNS and extent[2] / size <= MOST_COLUMNS:
        yield float(f"{size:.1e}")
        size /= 2.0
