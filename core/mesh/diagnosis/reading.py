# SPDX-License-Identifier: GPL-3.0-or-later
"""A mesh as it is read, and what was noticed on the way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isinf

from ...body.moments import Moments
from ...cached import lockfree_cached_property
from ...errors import Finding
from ..surface import Surface
from ..union.by_columns import UNION_ERROR, union_by_columns
from ..union.excess import Excess
from ..voxels.differences import UP, error_per_volume
from ..voxels.grid import Window
from .closed import Closed
from .overlap import Windings


@dataclass(frozen=True, eq=False)
class United:
    """What components that overlap enclose together.

    Parameters
    ----------
    moments : Moments
    error : float
        Estimated, relative.
    overlap : float
        Volume that they enclose too often [m³].
    exactly : bool
        Whether it was integrated, and not found by columns.
    """

    moments: Moments
    error: float
    overlap: float
    exactly: bool


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
        Volume of components that were left out since they lie inside the solid [m³].
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

    @lockfree_cached_property
    def united(self) -> United:
        """The space where the winding is not zero: exactly, or by columns where that does not close."""
        found, plain, best = self.found, self.moments, None
        for excess in self._excesses():
            if excess is not None and isinf(excess.off):
                break
            if excess is not None and 0.0 < excess.moments.volume < plain.volume:
                moments = plain + -excess.moments
                error = UP * excess.off * error_per_volume(found.surface, moments)
                united = United(moments, error, excess.moments.volume, True)
                if error < UNION_ERROR:
                    return united
                best = united if best is None or error < best.error else best
        window = self.window if best is None else None  # what does not close is enclosed elsewhere, too
        by_columns = United(*union_by_columns(found.watertight, plain, self.windings.overlap, window), False)
        return by_columns if best is None or by_columns.error < best.error else best

    def _excesses(self) -> Iterator[Excess | None]:
        # A window says that no component by itself encloses anything twice, as far as columns saw that.
        if self.window is not None:
            yield self.found.excess_of_components
        yield self.found.excess
