# SPDX-License-Identifier: GPL-3.0-or-later
"""Where labels go: plain numpy, no GPU. The same input always gives the same places."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ...core.arrays import FloatArray

MARGIN = 6.0
"""Between labels, and between a label and the edge of the picture [interface px]."""

NEAREST, FARTHEST, STEP = 40.0, 480.0, 20.0
"""Distances from the anchor to the label's box that are tried [interface px]."""

DIRECTIONS = 24

CELL = 12.0
"""Side of the squares in which it is reckoned what a label covers [interface px]."""

COVERING, CROSSING, ANCHOR = 420.0, 320.0, 900.0
"""What hiding a body, crossing another leader, or touching another centre of mass costs, in pixels of distance."""

CLEAR = 12.0
"""A leader that comes this near to a centre of mass touches it [interface px]."""


def place_labels(
    anchors: FloatArray,
    sizes: FloatArray,
    width: float,
    height: float,
    occupied: npt.NDArray[np.bool_],
    scale: float = 1.0,
) -> FloatArray:
    """Return the lower left corners (n, 2) of the labels; NaN for one that has no room or no anchor.

    No label overlaps another or leaves the picture. Each takes the cheapest place left: near its anchor, not on a
    body, not on a centre of mass, its leader not across another.

    Parameters
    ----------
    anchors : ndarray, shape (n, 2)
        What the leaders point at [px]; NaN where there is nothing to point at.
    sizes : ndarray, shape (n, 2)
        Of the boxes [px].
    width, height : float
        Of the picture [px].
    occupied : ndarray of bool, shape (rows, columns)
        Where labels had better not be, as `occupancy` gives it.
    scale : float
        Pixels per interface pixel.
    """
    corners = np.full(np.shape(anchors), np.nan)
    summed = np.pad(occupied, ((1, 0), (1, 0))).cumsum(axis=0).cumsum(axis=1)
    margin = MARGIN * scale
    inside = np.all((anchors >= 0.0) & (anchors <= [width, height]), axis=1)  # False for NaN
    # From the top of the picture down; equal heights in the order given.
    for i in sorted(np.flatnonzero(inside), key=lambda k: (-round(float(anchors[k, 1])), k)):
        low = _candidates(anchors[i], sizes[i], scale)
        low = np.clip(low, margin, np.maximum([width, height] - sizes[i] - margin, margin))
        placed = np.flatnonzero(np.isfinite(corners[:, 0]))
        apart = _gap(low, sizes[i], corners[placed], sizes[placed]) >= margin
        fits = np.all(low + sizes[i] <= [width, height], axis=1) & apart.all(axis=1)
        low = low[fits]
        if not len(low):
            continue
        middle = low + sizes[i] / 2.0
        cost = _distance(anchors[i], low, low + sizes[i]) / scale
        cost += np.where(middle[:, 1] < anchors[i, 1], 12.0, 0.0) + np.where(middle[:, 0] < anchors[i, 0], 8.0, 0.0)
        ends = np.clip(anchors[i], low, low + sizes[i])
        cost += COVERING * _share_covered(low, sizes[i], summed, scale)
        others = np.array([k for k in np.flatnonzero(inside) if k != i], dtype=np.intp)
        cost += ANCHOR * _covers(low - margin, sizes[i] + 2 * margin, anchors[others]).sum(axis=1)
        cost += ANCHOR * _touches(anchors[i], ends, anchors[others], CLEAR * scale).sum(axis=1)
        leaders_from = anchors[placed]
        leaders_to = np.clip(leaders_from, corners[placed], corners[placed] + sizes[placed])
        cost += CROSSING * _crossings(anchors[i], ends, leaders_from, leaders_to).sum(axis=1)
        cost += CROSSING * _through(anchors[i], ends, corners[placed], sizes[placed]).sum(axis=1)
        corners[i] = low[int(np.argmin(cost.round(3)))]
    return corners


def occupancy(outlines: Sequence[FloatArray], width: float, height: float, scale: float = 1.0) -> npt.NDArray[np.bool_]:
    """Return which squares (rows from the bottom, columns) of a picture lie inside any of the outlines (3, 3)."""
    cell = CELL * scale
    y, x = np.meshgrid(np.arange(cell / 2.0, height, cell), np.arange(cell / 2.0, width, cell), indexing="ij")
    points = np.stack([x, y, np.ones_like(x)], axis=-1)
    inside = np.zeros(x.shape, dtype=bool)
    for outline in outlines:
        inside |= np.einsum("...i,ij,...j", points, outline, points) <= 0.0
    return inside


def leader_end(anchor: FloatArray, low: FloatArray, size: FloatArray) -> FloatArray:
    """Return the point (2,) of a label's box that is nearest to its anchor."""
    end: FloatArray = np.clip(anchor, low, low + size)
    return end


def _candidates(anchor: FloatArray, size: FloatArray, scale: float) -> FloatArray:
    angle = 2 * np.pi * (np.arange(DIRECTIONS) + 0.5) / DIRECTIONS
    direction = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    distance = scale * np.arange(NEAREST, FARTHEST + 1.0, STEP)
    # The box's nearest corner or side, not its middle, is what stands at the distance.
    middle = anchor + direction[:, None] * distance[None, :, None] + (direction * size / 2.0)[:, None]
    low: FloatArray = middle.reshape(-1, 2) - size / 2.0
    return low


def _gap(low: FloatArray, size: FloatArray, lows: FloatArray, sizes: FloatArray) -> FloatArray:
    """Return how far each box (k) is from each of the others (n): negative where they overlap."""
    right = lows[None] - (low + size)[:, None]
    left = low[:, None] - (lows + sizes)[None]
    gap: FloatArray = np.max(np.maximum(right, left), axis=2)
    return gap


def _distance(point: FloatArray, low: FloatArray, high: FloatArray) -> FloatArray:
    distance: FloatArray = np.linalg.norm(np.maximum(np.maximum(low - point, point - high), 0.0), axis=1)
    return distance


def _covers(low: FloatArray, size: FloatArray, points: FloatArray) -> FloatArray:
    inside = (points[None] >= low[:, None]) & (points[None] <= (low + size)[:, None])
    covered: FloatArray = np.all(inside, axis=2).astype(np.float64)
    return covered


def _share_covered(low: FloatArray, size: FloatArray, summed: npt.NDArray[np.int64], scale: float) -> FloatArray:
    """Return how much of each box lies on occupied squares, 0 to 1."""
    last = np.array(summed.shape[::-1]) - 1
    a = np.clip(np.floor(low / (CELL * scale)).astype(np.int64), 0, last)
    b = np.clip(np.ceil((low + size) / (CELL * scale)).astype(np.int64), 0, last)
    count = summed[b[:, 1], b[:, 0]] - summed[a[:, 1], b[:, 0]] - summed[b[:, 1], a[:, 0]] + summed[a[:, 1], a[:, 0]]
    share: FloatArray = count / np.maximum((b - a).prod(axis=1), 1)
    return share


def _touches(start: FloatArray, ends: FloatArray, points: FloatArray, radius: float) -> FloatArray:
    """Return 1 where the segment from `start` to each end (k) comes within `radius` of each point (n)."""
    along = (ends - start)[:, None]
    share = np.sum(along * (points - start)[None], axis=2) / np.maximum(np.sum(along * along, axis=2), 1e-12)
    nearest = start + np.clip(share, 0.0, 1.0)[..., None] * along
    touching: FloatArray = (np.linalg.norm(nearest - points[None], axis=2) < radius).astype(np.float64)
    return touching


def _crossings(start: FloatArray, ends: FloatArray, starts2: FloatArray, ends2: FloatArray) -> FloatArray:
    """Return 1 where the segment from `start` to each end (k) crosses each other segment (n)."""

    def side(a: FloatArray, b: FloatArray, c: FloatArray) -> FloatArray:
        return (b[..., 0] - a[..., 0]) * (c[..., 1] - a[..., 1]) - (b[..., 1] - a[..., 1]) * (c[..., 0] - a[..., 0])

    p, q = np.broadcast_to(start, ends.shape)[:, None], ends[:, None]
    r, s = starts2[None], ends2[None]
    crossing = (side(p, q, r) * side(p, q, s) < 0.0) & (side(r, s, p) * side(r, s, q) < 0.0)
    return crossing.astype(np.float64)


def _through(start: FloatArray, ends: FloatArray, lows: FloatArray, sizes: FloatArray) -> FloatArray:
    """Return 1 where the segment from `start` to each end (k) passes through each box (n)."""
    highs = lows + sizes
    falling = _crossings(start, ends, np.stack([lows[:, 0], highs[:, 1]], 1), np.stack([highs[:, 0], lows[:, 1]], 1))
    return np.maximum(falling, _crossings(start, ends, lows, highs))
