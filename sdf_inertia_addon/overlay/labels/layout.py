# SPDX-License-Identifier: GPL-3.0-or-later
"""Where labels go: plain numpy, no GPU. The same input always gives the same places.

What a place costs by itself is reckoned for all labels and places at once; what it costs beside the labels placed
before, only for the cheapest few.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ....core.arrays import FloatArray
from ..camera import adjugate

MARGIN = 6.0
"""Between labels, and between a label and the edge of the picture [interface px]."""

DISTANCES = (40.0, 60.0, 85.0, 115.0, 150.0, 200.0, 270.0, 360.0, 480.0)
"""From the anchor to the label's box, as tried [interface px]."""

DIRECTIONS = 24

COLUMNS, ROWS = 5, 10
"""Places all over the picture, for a label that finds none around its anchor."""

LAST = 1e4
"""What such a place costs more, in pixels of distance."""

CELL = 12.0
"""Side of the squares in which it is reckoned what a label covers [interface px]."""

COVERING, CROSSING, ANCHOR, STAYING = 420.0, 320.0, 900.0, 60.0
"""What hiding a body, crossing another leader, or touching another centre of mass costs, and what it is worth to stay
where it was, in pixels of distance."""

CLEAR = 12.0
"""A leader that comes this near to a centre of mass touches it [interface px]."""

AT_ONCE = 20
"""Places, from the cheapest on, that are compared with the labels placed before."""

Bounds = tuple[float, float, float, float]
"""Left, bottom, right, top [px]."""


def place_labels(
    anchors: FloatArray,
    sizes: FloatArray,
    bounds: Bounds,
    occupied: npt.NDArray[np.bool_],
    scale: float = 1.0,
    rank: npt.NDArray[np.int64] | None = None,
    offsets: FloatArray | None = None,
    taken: Sequence[Bounds] = (),
    given: FloatArray | None = None,
) -> FloatArray:
    """Return the lower left corners (n, 2) of the labels; NaN for one that has no room or no anchor.

    No label overlaps another or what is taken, or leaves the bounds. Each takes the cheapest place left: near its
    anchor, not on a body, not on a centre of mass, its leader not across another.

    Parameters
    ----------
    anchors : ndarray, shape (n, 2)
        What the leaders point at [px]; NaN where there is nothing to point at.
    sizes : ndarray, shape (n, 2)
        Of the boxes [px].
    bounds : Bounds
        Of the picture, less what covers its edges.
    occupied : ndarray of bool, shape (rows, columns)
        Where labels had better not be, as `occupancy` gives it.
    scale : float
        Pixels per interface pixel.
    rank : ndarray of int, shape (n,), optional
        Who is placed first: the lowest; among equals, from the top of the picture down.
    offsets : ndarray, shape (n, 2), optional
        Where the corners were, from their anchors [px]; NaN where there was none.
    taken : sequence of Bounds
        Where no label may be.
    given : ndarray, shape (n, 2), optional
        Corners that are found already; NaN for those to find.
    """
    count = len(anchors)
    corners = np.full((count, 2), np.nan) if given is None else given.copy()
    left, bottom, right, top = bounds
    inside = np.all((anchors >= [left, bottom]) & (anchors <= [right, top]), axis=1)  # False for NaN
    if not inside.any():
        return corners
    margin = MARGIN * scale
    room = np.array([right, top])
    least, most = np.array([left, bottom]) + margin, np.maximum(room - sizes - margin, margin)[:, None]
    shares = np.stack(np.meshgrid(np.linspace(0.0, 1.0, COLUMNS), np.linspace(0.0, 1.0, ROWS)), axis=-1).reshape(-1, 2)
    low = np.clip(_candidates(anchors, sizes, scale, offsets), least, most)
    low = np.concatenate([low, least + shares * (most - least)], axis=1)
    cost = _cost(low, anchors, sizes, _weights(occupied, anchors[inside], scale), scale)
    cost[:, -len(shares) :] += LAST
    if offsets is not None:
        cost[:, 0] = np.where(np.isfinite(offsets[:, 0]), cost[:, 0] - STAYING, np.inf)
    cost[np.any(low + sizes[:, None] > room, axis=2) | _on_any(low, sizes[:, None], taken)] = np.inf
    order = np.argsort(cost.round(3), axis=1, kind="stable")
    placed: list[int] = np.flatnonzero(np.isfinite(corners[:, 0])).tolist()
    first = np.zeros(count) if rank is None else rank
    for i in sorted(
        np.flatnonzero(inside & np.isnan(corners[:, 0])).tolist(),
        key=lambda k: (first[k], -round(float(anchors[k, 1])), k),
    ):
        for start in range(0, order.shape[1], AT_ONCE):
            some = order[i, start : start + AT_ONCE]
            if not np.isfinite(cost[i, some[0]]):
                break
            tried = low[i, some]
            gap = _gap(tried, sizes[i], corners[placed], sizes[placed])
            fits = np.isfinite(cost[i, some]) & (gap >= margin).all(axis=1)
            if fits.any():
                tried = tried[fits]
                costs = cost[i, some][fits] + _beside(i, tried, anchors, sizes, corners, placed, inside, scale)
                corners[i] = tried[int(np.argmin(costs.round(3)))]
                placed.append(i)
                break
    return corners


def kept_inside(
    corners: FloatArray, sizes: FloatArray, bounds: Bounds, rank: npt.NDArray[np.int64], taken: Sequence[Bounds] = ()
) -> FloatArray:
    """Return corners (n, 2) moved into the bounds; NaN for those that would overlap what is taken or a lower rank's."""
    left, bottom, right, top = bounds
    moved = np.clip(corners, (left, bottom), np.maximum(np.array([right, top]) - sizes, (left, bottom)))
    high = moved + sizes
    (x0, y0), (x1, y1) = moved.T, high.T
    apart = (x0[:, None] >= x1) | (x1[:, None] <= x0) | (y0[:, None] >= y1) | (y1[:, None] <= y0)
    free = np.isfinite(moved[:, 0]) & ~_on_any(moved, sizes, taken)
    for i in np.argsort(rank, kind="stable"):
        if free[i]:
            overlapped = free & ~apart[i]
            overlapped[i] = False
            free &= ~overlapped
    return np.where(free[:, None], moved, np.nan)


def _on_any(low: FloatArray, sizes: FloatArray, taken: Sequence[Bounds]) -> npt.NDArray[np.bool_]:
    """Return which boxes (..., 2) overlap what is taken."""
    on = np.zeros(low.shape[:-1], dtype=bool)
    high = low + sizes
    for left, bottom, right, top in taken:
        on |= np.all((low < (right, top)) & (high > (left, bottom)), axis=-1)
    return on


def occupancy(outlines: FloatArray, width: float, height: float, scale: float = 1.0) -> npt.NDArray[np.bool_]:
    """Return which squares (rows from the bottom, columns) of a picture are inside outlines (n, 3, 3)."""
    cell = CELL * scale
    x, y = np.arange(cell / 2.0, width, cell), np.arange(cell / 2.0, height, cell)
    inside = np.zeros((len(y), len(x)), dtype=bool)
    if not len(outlines):
        return inside
    dual = adjugate(outlines)
    middle = dual[:, :2, 2] / dual[:, 2:, 2]
    half = np.sqrt(np.maximum(middle**2 - dual[:, (0, 1), (0, 1)] / dual[:, 2:, 2], 0.0))
    first = np.clip((middle - half) / cell, 0, (len(x), len(y))).astype(int)
    end = np.clip((middle + half) / cell + 1.0, 0, (len(x), len(y))).astype(int)
    for conic, (i0, j0), (i1, j1) in zip(outlines.tolist(), first.tolist(), end.tolist(), strict=True):
        u, v = x[None, i0:i1], y[j0:j1, None]
        (a, b, d), (_, c, e), (_, _, f) = conic
        inside[j0:j1, i0:i1] |= a * u * u + c * v * v + f + 2.0 * (b * u * v + d * u + e * v) <= 0.0
    return inside


def leader_ends(anchors: FloatArray, low: FloatArray, sizes: FloatArray) -> FloatArray:
    """Return the points (n, 2) of labels' boxes that are nearest to their anchors."""
    ends: FloatArray = np.clip(anchors, low, low + sizes)
    return ends


def _candidates(anchors: FloatArray, sizes: FloatArray, scale: float, offsets: FloatArray | None) -> FloatArray:
    """Return places (n, k, 2) around the anchors; the first is where it was, if that is known."""
    angle = 2 * np.pi * (np.arange(DIRECTIONS) + 0.5) / DIRECTIONS
    direction = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    away = scale * np.array(DISTANCES)[None, :, None] * direction[:, None]
    # The box's nearest corner or side, not its middle, is what stands at the distance.
    beside = (direction[None] - 1.0) * sizes[:, None] / 2.0
    low: FloatArray = (anchors[:, None, None] + away[None] + beside[:, :, None]).reshape(len(anchors), -1, 2)
    return low if offsets is None else np.concatenate([(anchors + offsets)[:, None], low], axis=1)


def _weights(occupied: npt.NDArray[np.bool_], anchors: FloatArray, scale: float) -> tuple[FloatArray, FloatArray]:
    """Return the sums, over all squares left of and below, of those occupied and of the anchors in them."""
    points = np.zeros(occupied.shape)
    cell = np.clip((anchors / (CELL * scale)).astype(int), 0, np.array(occupied.shape[::-1]) - 1)
    np.add.at(points, (cell[:, 1], cell[:, 0]), 1.0)
    bodies, marks = (
        np.pad(weight, ((1, 0), (1, 0))).cumsum(axis=0).cumsum(axis=1) for weight in (occupied.astype(float), points)
    )
    return bodies, marks


def _cost(
    low: FloatArray, anchors: FloatArray, sizes: FloatArray, weights: tuple[FloatArray, FloatArray], scale: float
) -> FloatArray:
    """Return what each place (n, k) costs by itself."""
    high = low + sizes[:, None]
    anchor = anchors[:, None]
    away = np.maximum(np.maximum(low - anchor, anchor - high), 0.0)
    cost = np.sqrt(np.sum(away * away, axis=2)) / scale
    below = (low + high) / 2.0 < anchor
    cost += 12.0 * below[:, :, 1] + 8.0 * below[:, :, 0]
    bodies, marks = weights
    limit = np.array(bodies.shape[::-1]) - 1
    cell = CELL * scale

    def total(sums: FloatArray, a: npt.NDArray[np.int64], b: npt.NDArray[np.int64]) -> FloatArray:
        ax, ay, bx, by = a[..., 0], a[..., 1], b[..., 0], b[..., 1]
        sum_of_box: FloatArray = sums[by, bx] - sums[ay, bx] - sums[by, ax] + sums[ay, ax]
        return sum_of_box

    finite = np.isfinite(low)
    a = np.clip(np.floor(np.where(finite, low, 0.0) / cell).astype(np.int64), 0, limit)
    b = np.clip(np.ceil(np.where(finite, high, 0.0) / cell).astype(np.int64), 0, limit)
    cost += COVERING * total(bodies, a, b) / np.maximum((b - a).prod(axis=2), 1)
    cost += ANCHOR * total(marks, np.maximum(a - 1, 0), np.minimum(b + 1, limit))
    return np.where(finite.all(axis=2), cost, np.inf)


def _beside(
    i: int, low: FloatArray, anchors: FloatArray, sizes: FloatArray, corners: FloatArray, placed: list[int],
    inside: npt.NDArray[np.bool_], scale: float,
) -> FloatArray:  # fmt: skip
    """Return what places (k, 2) of label i cost for the labels placed, and for the anchors that its leader touches."""
    ends = np.clip(anchors[i], low, low + sizes[i])
    others = inside.copy()
    others[i] = False
    cost = ANCHOR * _touches(anchors[i], ends, anchors[others], CLEAR * scale).sum(axis=1)
    if placed:
        starts, lows, boxes = anchors[placed], corners[placed], sizes[placed]
        leaders = np.clip(starts, lows, lows + boxes)
        cost += CROSSING * _crossings(anchors[i], ends, starts, leaders).sum(axis=1)
        cost += CROSSING * _through(anchors[i], ends, lows, boxes).sum(axis=1)
    total: FloatArray = cost
    return total


def _gap(low: FloatArray, size: FloatArray, lows: FloatArray, sizes: FloatArray) -> FloatArray:
    """Return how far each box (k) is from each of the others (n): negative where they overlap."""
    # x and y one by one: numpy is slow where the last axis is short.
    across, up = (
        np.maximum(lows[:, i] - (low[:, i] + size[i])[:, None], low[:, i, None] - (lows + sizes)[:, i]) for i in (0, 1)
    )
    gap: FloatArray = np.maximum(across, up)
    return gap


def _touches(start: FloatArray, ends: FloatArray, points: FloatArray, radius: float) -> FloatArray:
    """Return 1 where the segment from `start` to each end (k) comes within `radius` of each point (n)."""
    dx, dy = (ends - start).T[:, :, None]
    px, py = (points - start).T[:, None]
    share = np.clip((dx * px + dy * py) / np.maximum(dx * dx + dy * dy, 1e-12), 0.0, 1.0)
    touching: FloatArray = ((share * dx - px) ** 2 + (share * dy - py) ** 2 < radius * radius).astype(np.float64)
    return touching


def _crossings(start: FloatArray, ends: FloatArray, starts2: FloatArray, ends2: FloatArray) -> FloatArray:
    """Return 1 where the segment from `start` to each end (k) crosses each other segment (n)."""

    def side(ax: FloatArray, ay: FloatArray, bx: FloatArray, by: FloatArray, c: FloatArray) -> FloatArray:
        return (bx - ax) * (c[..., 1] - ay) - (by - ay) * (c[..., 0] - ax)

    px, py = start
    qx, qy = ends.T[:, :, None]
    (rx, ry), (sx, sy) = starts2.T, ends2.T
    crossing = side(px, py, qx, qy, starts2) * side(px, py, qx, qy, ends2) < 0.0
    crossing &= side(rx, ry, sx, sy, start) * side(rx, ry, sx, sy, ends[:, None]) < 0.0
    return crossing.astype(np.float64)


def _through(start: FloatArray, ends: FloatArray, lows: FloatArray, sizes: FloatArray) -> FloatArray:
    """Return 1 where the segment from `start` to each end (k) passes through each box (n)."""
    highs = lows + sizes
    falling = _crossings(start, ends, np.stack([lows[:, 0], highs[:, 1]], 1), np.stack([highs[:, 0], lows[:, 1]], 1))
    through: FloatArray = np.maximum(falling, _crossings(start, ends, lows, highs))
    return through
