# SPDX-License-Identifier: GPL-3.0-or-later
"""A mesh as it is read, and what was noticed on the way."""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import Finding
from ...moments import Moments
from ..surface import Surface
from ..voxels.grid import Window
from .closed import Closed
from .overlap import Windings


@dataclass(frozen=True, eq=False)
class Reading:
    """A mesh as it is read.

    Parameters
    ----------
    found : Closed
        After corrections, and wound so that outside is outside.
    findings : tuple of Finding
    corrected : bool
        Whether the surface differs from the mesh as it came.
    windings : Windings
        Where it winds around space more than once.
    window : tuple of ndarray or None
        A box that holds all such places; None where that is not known.
    swallowed : float
        Volume of shells that were left out since they lie inside the solid [m³].
    error : float
        Estimated relative error of the moments: of what cracks leave, and of what is enclosed wrongly, where
        that is too little to act on.
    """

    found: Closed
    findings: tuple[Finding, ...]
    corrected: bool
    windings: Windings
    window: Window | None
    swallowed: float
    error: float

    @property
    def surface(self) -> Surface:
        return self.found.surface

    @property
    def watertight(self) -> Surface:
        """The surface with each vertex at its point."""
        return self.found.watertight

    @property
    def moments(self) -> Moments:
        """Its exact signed integral."""
        return self.found.moments
