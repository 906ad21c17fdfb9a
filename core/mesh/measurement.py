# SPDX-License-Identifier: Apache-2.0
"""Input and result of measuring a mesh."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isnan, nan

from ..body.moments import Moments
from ..errors import Finding
from .progress import Progress
from .surface import Surface


@dataclass(frozen=True, eq=False)
class Request:
    """How a surface is to be measured, besides the method.

    Parameters
    ----------
    lengths : mapping of str to float
        The method's parameters by name [m]; missing ones have their default.
    progress : callable, optional
        Called with the share of the work done, as `surface_voxel_moments` does, or between the steps of the work.
    quick : bool
        As in `measure_mesh`.
    """

    lengths: Mapping[str, float] = field(default_factory=dict)
    progress: Progress | None = None
    quick: bool = False


@dataclass(frozen=True, eq=False)
class Measurement:
    """The result of a calculator.

    Parameters
    ----------
    moments : Moments
        In the mesh's frame.
    method : str
        The calculator's name.
    error : float
        Estimated relative error of the volume; 0 if exact.
    findings : tuple of Finding
        About doubts and corrections.
    surface : Surface or None
        The surface after corrections (such as its winding), for export. None if nothing was corrected.
    error_inertia : float
        Estimated relative error of the tensor; by default that of the volume.

    Examples
    --------
    >>> from sdf_inertia import measure_mesh
    >>> wrist = measure_mesh("examples/desk_arm_description/meshes/wrist.stl", method="voxel", scale=0.001)
    >>> print(f"{wrist.moments.volume * 1e6:.2f} cm³ to {wrist.error:.1g}, by the method {wrist.method}")
    29.30 cm³ to 0.0003, by the method voxel
    """

    moments: Moments
    method: str
    error: float = 0.0
    findings: tuple[Finding, ...] = ()
    surface: Surface | None = None
    error_inertia: float = nan

    def __post_init__(self) -> None:
        if isnan(self.error_inertia):
            object.__setattr__(self, "error_inertia", self.error)
