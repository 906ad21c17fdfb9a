# SPDX-License-Identifier: GPL-3.0-or-later
"""The union of components that overlap: where a surface winds at all, by lines that stand ever closer."""

from __future__ import annotations

from math import sqrt

import numpy as np

from ...arrays import FloatArray
from ...body.moments import Moments
from ...errors import InertiaError
from ..surface import Surface
from ..voxels.differences import UP
from . import lines

UNION_ERROR = 1e-4
"""Lines are laid closer until the estimated error of the union, relative to volume and tensor, is below this."""

ACROSS = tuple(48.0 * 2.0 ** (step / 2.0) for step in range(10))
"""Lines along the longest side, tried in turn, up to 1086."""

SAFETY = 3.0
"""The error told is so many times the largest difference of a sample, of the closest two grids along each axis, from
the mean of the closest; those of the grid before halved, as errors are of second order. In 1,500 unions of boxes,
prisms, balls and tori, Manifold's for truth, the true error was at most 0.6 of that, in the median 0.12."""


def union_moments(surface: Surface, exact: Moments, overlap: float) -> tuple[Moments, float]:
    """Measure the space where the winding is not zero.

    Lines are asked only for what the union lacks of the signed sum, which is known exactly.

    Parameters
    ----------
    surface : Surface
        Closed, with no winding below zero.
    exact : Moments
        Its signed integral.
    overlap : float
        Volume of the overlap as it was seen before, which may be thinner than lines are apart [m³].

    Returns
    -------
    moments : Moments
    error : float
        Estimated, relative, as `SAFETY` says; no less than the overlap, where lines see none of it.
    """
    turned, back = lines.askew(surface)
    signed, longest = lines.exact(turned), float(turned.extent().max())
    best: tuple[Moments, float] = exact, 1.0
    before: list[FloatArray] = []
    if signed is None:
        return best
    for across in ACROSS:
        try:
            samples = [lines.union(turned, axis, longest / across) for axis in range(3)]
        except InertiaError as wrong:
            if wrong.code != "voxels_too_fine":
                raise
            break
        found = [signed + united - own for united, own in samples]
        mean: FloatArray = np.mean(found, axis=0)
        if mean[0, 0] > 0.0 and before:
            error = SAFETY * _spread(mean, before, found)
            if max(one[0, 0] for one in found) >= signed[0, 0]:  # a sample saw none of it
                error = max(error, overlap / mean[0, 0])
            if error < best[1]:
                best = back(_moments(mean)), UP * error
            if error < UNION_ERROR:
                break
        before = found
    return best


def _spread(mean: FloatArray, coarser: list[FloatArray], finer: list[FloatArray]) -> float:
    """Return how far samples are from their mean, relative, those of the grid before brought down by second order."""
    centre = _moments(mean).centroid
    place = np.eye(4)
    place[1:, 0] = -centre
    about = [place @ sums @ place.T for sums in (mean, *coarser, *finer)]
    volume, trace = about[0][0, 0], float(np.trace(about[0][1:, 1:]))
    scale = np.full((4, 4), trace)
    scale[0], scale[:, 0] = sqrt(trace * volume), sqrt(trace * volume)
    scale[0, 0] = volume
    off = [float(np.abs((one - about[0]) / scale).max()) for one in about[1:]]
    half = len(coarser)
    return max(max(off[:half]) / 2.0, max(off[half:]))


def _moments(sums: FloatArray) -> Moments:
    moments = lines.as_moments(sums)
    assert moments is not None
    return moments
