# SPDX-License-Identifier: GPL-3.0-or-later
"""A mesh as it is read, and what was noticed on the way."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...arrays import Ints
from ...errors import Finding
from ...moments import Moments
from ..surface import Surface
from ..topology.edges import Edges
from ..topology.weld import Welding
from ..voxels.grid import Window
from .mending import merged
from .overlap import Windings


@dataclass(frozen=True, eq=False)
class Reading:
    """A mesh as it is read.

    Parameters
    ----------
    surface : Surface
        After corrections: closed, and wound so that outside is outside.
    corrected : bool
        Whether it differs from the mesh as it came.
    moments : Moments
        Its exact signed integral.
    windings : Windings
        Where it winds around space more than once.
    window : tuple of ndarray or None
        A box that holds all such places; None where that is not known.
    label : ndarray, shape (m,), int64, or None
        Of each face's shell; None where it is one shell.
    swallowed : float
        Volume of shells that were left out since they lie inside the solid [m³].
    findings : tuple of Finding
    welding : Welding
        Its points.
    edges : Edges or None
        Its edges where they have been looked at, some faces perhaps wound the other way then.
    error : float
        Estimated relative error of the moments: of what cracks leave, and of what is enclosed wrongly, where
        that is too little to act on.
    """

    surface: Surface
    corrected: bool
    moments: Moments
    windings: Windings
    window: Window | None
    label: Ints | None
    swallowed: float
    findings: tuple[Finding, ...]
    welding: Welding
    edges: Edges | None
    error: float

    def watertight(self) -> Surface:
        """Return the surface with each vertex at its point, so that no column falls through a crack."""
        return merged(self.surface, self.welding)

    def edges_by(self, welding: Welding) -> Edges | None:
        """Return the edges, whichever way faces are wound, if they have been looked at with the points of a welding."""
        return self.edges if np.array_equal(self.welding.point, welding.point) else None
