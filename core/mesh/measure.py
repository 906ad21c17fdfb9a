# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure a mesh: check it, integrate it by the chosen method, and say how far to trust the number."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..errors import Finding, InertiaError
from ..moments import Moments
from .diagnose import check_closed
from .integrate import surface_moments
from .surface import Surface
from .voxel import default_voxel_size, surface_voxel_moments

PLANNED = ("hull", "shell")


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
    method : {"exact", "voxel"}
        How to integrate.
    voxel_size : float, optional
        Side of a voxel [m]; the longest side / 128 where not given.
    thickness : float, optional
        Wall thickness [m] for ``shell``.

    Returns
    -------
    Measurement
        A mesh that is wholly inside out is read the right way round, with the finding ``inside_out``.

    Raises
    ------
    InertiaError
        ``open_mesh``, ``inconsistent_winding``, ``zero_volume``, ``unknown_method``, ``method_not_built``
        (``hull``, ``shell``), or what `Surface` and `voxel_moments` raise.
    """
    return measure_surface(Surface(np.asarray(vertices), np.asarray(triangles)), method, voxel_size)


def measure_surface(surface: Surface, method: str = "exact", voxel_size: float | None = None) -> Measurement:
    """Do the work of `measure_mesh` on a checked `Surface`."""
    if method in PLANNED:
        message = f"the method '{method}' is not built yet"
        raise InertiaError("method_not_built", "", message, "choose exact or voxel, or fit a primitive")
    if method not in ("exact", "voxel"):
        raise InertiaError("unknown_method", "", f"there is no method '{method}'", "choose exact or voxel")
    check_closed(surface)
    moments = surface_moments(surface)
    corrected, findings = None, tuple[Finding, ...]()
    if moments.volume < 0.0:
        findings = (_inside_out(moments.volume),)
        moments, corrected = -moments, surface.flipped()
    if method == "exact":
        return Measurement(moments, method, 0.0, findings, corrected)
    size = default_voxel_size(surface) if voxel_size is None else voxel_size
    fine = surface_voxel_moments(corrected or surface, size)
    try:
        error = _difference(fine, surface_voxel_moments(corrected or surface, 2.0 * size))
    except InertiaError:  # twice as coarse, every voxel misses the solid: nothing vouches for a single digit
        error = 1.0
    return Measurement(fine, method, error, findings, corrected)


def _inside_out(volume: float) -> Finding:
    return Finding(
        "warning",
        "inside_out",
        "",
        f"the mesh is inside out (in its own units, its signed volume is {volume:.6g});"
        f" it is read with its faces turned, as {-volume:.6g}",
        "recalculate the normals (Mesh > Normals > Recalculate Outside)",
    )


def _difference(a: Moments, b: Moments) -> float:
    """Return how far two results for one solid are apart, relative to the first: volume or covariance, the worse."""
    volume = abs(a.volume - b.volume) / a.volume
    spread = float(np.abs(a.covariance - b.covariance).max() / np.trace(a.covariance))
    return max(volume, spread)
