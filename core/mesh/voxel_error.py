# SPDX-License-Identifier: GPL-3.0-or-later
"""Columns of voxels together with their error: known where the truth is, else estimated, and rather too high."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..body.moments import Moments
from ..errors import InertiaError
from .diagnosis.overlap import sample_coarsely
from .integrate import surface_moments
from .progress import Progress
from .surface import Surface
from .topology.closing import closed_up
from .topology.merging import Merging
from .voxels.by_majority import Voted, enclosed, voted
from .voxels.differences import mutual_error, relative_error

SAME = 1e-9
"""Signed sum and union that differ by less differ by rounding: an overlap that small weighs nothing."""

LARGER = (1.5, 2.0)
"""How many times larger the voxels are that are asked as well about an overlap."""

MARGIN = 1.5
"""The largest difference to what they say was exceeded by the true error, up to so much, in 4 % of 2,000 unions of two
to four boxes, along the axes and askew; with this margin in none by more than 1 %."""


def closed_voxel_moments(
    surface: Surface, voxel_size: float, truth: Moments, progress: Progress | None = None
) -> tuple[Moments, float]:
    """Measure a surface known to be closed by columns of voxels, and compare with its moments as they are known.

    Columns that do not close all the same, for they run into an edge that others meet only in part, are decided by
    majority.

    Returns
    -------
    moments : Moments
        Of the union.
    error : float
        Relative: of volume, centroid or covariance, the worst, as `difference` says.

    Raises
    ------
    InertiaError
        What `surface_voxel_moments` raises, but for ``open_columns``.
    """
    moments = enclosed(surface, voxel_size, progress).moments()
    return moments, relative_error(moments, truth)


@dataclass(frozen=True, eq=False)
class Judge:
    """What is known of an open surface to judge columns of voxels by.

    Parameters
    ----------
    surface : Surface
        With each vertex at its point, so that no column falls through a crack.
    closed : Moments or None
        Its exact signed integral with its holes closed; None where nothing is enclosed then.
    uncertain : float
        How far that is from those with other covers over the holes, relative.
    overlap : float
        Share of the volume that coarse columns see enclosed more than once.
    """

    surface: Surface
    closed: Moments | None
    uncertain: float
    overlap: float

    @classmethod
    def of(cls, surface: Surface, merging: Merging) -> Judge:
        """Close the holes of an open surface with each vertex at its point."""
        flat, dented = closed_up(surface, merging)
        try:
            closed, other = surface_moments(flat), surface_moments(dented)
        except InertiaError:  # zero_volume
            return cls(surface, None, 0.0, 0.0)
        if closed.volume < 0.0:  # inside out, which the union does not mind
            return cls.of(surface.flipped(), merging)
        return cls(surface, closed, mutual_error(closed, other), sample_coarsely(flat).overlap / closed.volume)

    def voxel_moments(self, voxel_size: float, progress: Progress | None = None) -> tuple[Moments, float, float]:
        """Measure the surface as `voted` does.

        The signed sum of the very same columns is compared with the exact integral, which it approximates. Where
        nothing overlaps, the union is that sum. Where the two differ, the truth is the exact integral less what is
        enclosed too often, and of that only columns know: those asked for, and larger ones, all of which are believed.

        Returns
        -------
        moments : Moments
            Of the union.
        error : float
            Estimated, relative: of volume, centroid or covariance, the worst; 1 or more where nothing vouches for it.
        share : float
            Share of the columns crossed, of all three directions, that do not close: the error is no smaller.

        Raises
        ------
        InertiaError
            What `voted` raises, or ``zero_volume``.
        """
        found = voted(self.surface, voxel_size, progress=progress)
        moments = found.moments()
        return moments, max(self._error(found, moments, voxel_size) + self.uncertain, found.share), found.share

    def _error(self, found: Voted, moments: Moments, voxel_size: float) -> float:
        if self.closed is None:
            return 1.0
        signed = _known(found.signed_moments)
        overlapping = 1.0 if signed is None else mutual_error(moments, signed)
        if overlapping < SAME:
            return relative_error(moments, self.closed) + overlapping + self.overlap
        errors = []
        for factor in (1.0, *LARGER):
            try:
                other = found if factor == 1.0 else voted(self.surface, factor * voxel_size)
                truth = self.closed + other.moments() + -other.signed_moments()
                errors.append(mutual_error(moments, truth))
            except InertiaError:  # so large that every voxel misses the solid, or more columns are open than that
                errors.append(1.0)
        return MARGIN * max(errors)


def _known(work: Callable[[], Moments]) -> Moments | None:
    try:
        return work()
    except InertiaError:  # zero_volume
        return None
