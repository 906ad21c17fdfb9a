# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a closed surface winds around space more than once, or backwards: by coarse columns, and by lines between
shells that come close."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import isfinite, sqrt

import numpy as np

from ..arrays import FloatArray
from ..errors import InertiaError
from ..moments import Moments
from ..pose import Pose
from .components import Shells, box_pairs
from .probe import LINES, crossings, face_corners, look
from .surface import Surface
from .voxel import surface_voxel_moments
from .weld import Ints, weld_size
from .windings import winding_volumes

COARSE = (64, 61, 59)
"""Columns along the longest side in the first look, which costs about as much as the exact integral; the next where a
column runs into an edge that other edges meet only in part."""

ASIDE = np.array([0.4641016151377546, 0.6180339887498949, 0.5857864376269049])
"""Where in a window a line is put that shall meet no edge: 2√3 - 3, (√5 - 1)/2 and 2 - √2 of its sides."""

MAX_PAIRS = 4096
"""Pairs of shells looked at one by one, the largest windows first."""

UNION_ERROR = 1e-4
"""The columns are made finer until the estimated error of the union, relative to volume and tensor, is below this."""

UNION_COLUMNS = (64, 128, 256, 512, 1024)
"""Columns along the longest side, tried in turn."""

UNION_STEPS = (1.0, 1.0905077326652577, 1.1892071150027210)
"""Each resolution is tried thrice, 2^(1/8) apart: edges fall differently among the columns, so the mean is better than
any, and the spread says how good it is."""

ASKEW = Pose.from_quaternion(np.zeros(3), [sqrt(5.0) - 2.0, sqrt(2.0) - 1.0, sqrt(3.0) - 1.0, 1.0]).R
"""The columns of a union stand askew, so that faces along the axes, which are the most common, do not run along them:
there columns are of first order, elsewhere of second."""


@dataclass(frozen=True)
class Windings:
    """What was found.

    Parameters
    ----------
    overlap, negative : float
        Volume where the winding is above one, and below zero [m³]; 0 where that is no more than touching.
    touching : int
        Pairs of shells that touch.
    unseen : int
        Pairs of shells that were too many to look at.
    near : frozenset of int
        Shells that are not known to be apart from every other.
    """

    overlap: float = 0.0
    negative: float = 0.0
    touching: int = 0
    unseen: int = 0
    near: frozenset[int] = frozenset()


def coarse_look(surface: Surface) -> Windings:
    """Look at the whole surface with columns of 1/64 of its longest side.

    What the columns see is no more than touching where it is less than a welding cell deep all over the bounding box.
    """
    low, high = surface.bounds()
    extent = high - low
    longest = float(extent.max())
    x, y, z = extent
    touching = weld_size(surface) * float(x * y + y * z + z * x)
    if not isfinite(touching):  # beyond floating point, which the integral says
        return Windings()
    best = None
    for columns in COARSE:
        seen = winding_volumes(surface, longest / columns)
        if best is None or seen.open_columns < best.open_columns:
            best = seen
        if best.open_columns == 0.0:
            break
    assert best is not None
    return Windings(
        best.overlap if best.overlap > touching else 0.0, best.negative if best.negative > touching else 0.0
    )


def close_look(surface: Surface, shells: Shells) -> Windings:
    """Look between all shells whose bounding boxes meet, in a window drawn close around what may overlap."""
    first, second = box_pairs(shells.low, shells.high)
    window = np.prod(
        np.minimum(shells.high[first], shells.high[second]) - np.maximum(shells.low[first], shells.low[second]), axis=1
    )
    order = np.argsort(-window, kind="stable")
    overlap = negative = 0.0
    touching = 0
    depth = weld_size(surface)
    near = {int(shell) for pair in order[MAX_PAIRS:] for shell in (first[pair], second[pair])}

    @cache
    def boxes(shell: int) -> tuple[FloatArray, FloatArray]:
        corners = face_corners(surface, shells.faces[shell])
        return corners.min(axis=1), corners.max(axis=1)

    for pair in order[:MAX_PAIRS].tolist():
        a, b = int(first[pair]), int(second[pair])
        low = np.maximum(shells.low[a], shells.low[b])
        high = np.minimum(shells.high[a], shells.high[b])
        tight = _tightened(boxes(a), boxes(b), low, high, depth)
        if tight is None:
            continue
        near |= {a, b}
        if (high - low).min() <= depth:
            touching += 1
            continue
        meets = np.flatnonzero((shells.low <= high).all(axis=1) & (shells.high >= low).all(axis=1)).tolist()
        there = [c for c in meets if c in (a, b) or not _elsewhere(surface, shells.faces[c], boxes(c), low, high)]
        corners = face_corners(surface, np.concatenate([shells.faces[c] for c in there]))
        seen = look(corners, low, high, *tight)
        if not (np.array_equal(tight[0], low) and np.array_equal(tight[1], high)):
            seen |= look(corners, low, high, low, high)
        if seen.overlap_depth > depth:
            overlap += seen.overlap
        if seen.negative_depth > depth:
            negative += seen.negative
        if max(seen.overlap_depth, seen.negative_depth) <= depth and _share_points(surface, shells, a, b):
            touching += 1
    return Windings(overlap, negative, touching, max(len(order) - MAX_PAIRS, 0), frozenset(near))


def _elsewhere(
    surface: Surface, faces: Ints, boxes: tuple[FloatArray, FloatArray], low: FloatArray, high: FloatArray
) -> bool:
    """Say whether a closed shell has neither faces in a window nor the window inside it: lines may do without it."""
    lows, highs = boxes
    if ((lows <= high[:, None]) & (highs >= low[:, None])).all(axis=0).any():
        return False
    x, y, z = low + ASIDE * (high - low)
    _, _, height, sign = crossings(face_corners(surface, faces), 0, np.array([y]), np.array([z]))
    return bool(sign.sum() == 0.0 and sign[height > x].sum() == 0.0)


def _share_points(surface: Surface, shells: Shells, a: int, b: int) -> bool:
    corners = (surface.vertices[np.unique(surface.triangles[shells.faces[shell]])] for shell in (a, b))
    one, other = ({tuple(point) for point in points.tolist()} for points in corners)
    return not one.isdisjoint(other)


def _tightened(
    one: tuple[FloatArray, FloatArray],
    other: tuple[FloatArray, FloatArray],
    low: FloatArray,
    high: FloatArray,
    margin: float,
) -> tuple[FloatArray, FloatArray] | None:
    """Shrink a window to where faces of both shells are; None if there is no such place, so the shells are apart.

    Where shells cut each other both have faces, and the overlap begins there.
    """
    room = (high - low) / LINES
    outer = low, high
    for _ in range(8):
        before = low, high
        for lows, highs in (one, other):
            near = ((lows <= high[:, None] + margin) & (highs >= low[:, None] - margin)).all(axis=0)
            if not near.any():
                return None
            low = np.maximum(low, lows[:, near].min(axis=1))
            high = np.minimum(high, highs[:, near].max(axis=1))
        if np.array_equal(before[0], low) and np.array_equal(before[1], high):
            break
    return np.maximum(low - room, outer[0]), np.minimum(high + room, outer[1])


def union(surface: Surface, exact: Moments, overlap: float) -> tuple[Moments, float, float]:
    """Measure the space where the winding is not zero, by columns.

    The columns are asked only for what the union lacks of the signed sum, which is known exactly: what they miss of
    the rest of the surface cancels.

    Parameters
    ----------
    surface : Surface
        Closed, with no winding below zero.
    exact : Moments
        Its signed integral.
    overlap : float
        Volume of the overlap as lines saw it, which may be thinner than a column [m³].

    Returns
    -------
    moments : Moments
    error : float
        Estimated, relative: the spread over like resolutions and from the coarser ones, or the overlap where the
        columns see none of it.
    seen : float
        Volume of the overlap [m³].
    """
    low, high = surface.bounds()
    centre = low + (high - low) / 2.0
    askew = Surface((surface.vertices - centre) @ ASKEW.T, surface.triangles)
    longest = float(askew.extent().max())
    best = exact, 1.0
    coarser: Moments | None = None
    for columns in UNION_COLUMNS:
        found, seen = [], []
        for step in UNION_STEPS:
            try:
                signed = surface_voxel_moments(askew, longest / (columns * step), union=False)
                united = surface_voxel_moments(askew, longest / (columns * step), union=True)
            except InertiaError:  # too fine; or the columns miss the solid, or run into an edge
                continue
            found.append(exact + united.transformed(ASKEW.T, centre) + -signed.transformed(ASKEW.T, centre))
            seen.append(signed.volume - united.volume)
        if len(found) < 2:
            continue
        mean = Moments(
            float(np.mean([moments.volume for moments in found])),
            np.mean([moments.centroid for moments in found], axis=0),
            np.mean([moments.covariance for moments in found], axis=0),
        )
        missed = 0.0 if min(seen) > 0.0 else overlap / mean.volume
        if coarser is not None:
            error = max(*(difference(moments, mean) for moments in (*found, coarser)), missed)
            if error < best[1]:
                best = mean, error
            if error < UNION_ERROR:
                break
        coarser = mean
    return best[0], best[1], exact.volume - best[0].volume


def difference(a: Moments, b: Moments) -> float:
    """Return how far two results for one solid are apart, relative to the first: volume or covariance, the worse."""
    volume = abs(a.volume - b.volume) / a.volume
    spread = float(np.abs(a.covariance - b.covariance).max() / np.trace(a.covariance))
    return max(volume, spread)
