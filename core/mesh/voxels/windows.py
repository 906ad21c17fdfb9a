# SPDX-License-Identifier: GPL-3.0-or-later
"""The windows that columns look into: few, apart from each other, along the columns' own axes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product

import numpy as np

from ...arrays import FloatArray
from ..surface import Surface
from .grid import Window

MOST = 4
"""Windows looked into one by one; where there are more, those that lie close share one."""

MANY = 64
"""So many more share a single one: to find out which lie close would take longer."""

MARGIN = 1.0 / 16.0
"""Windows keep apart by so much of their longest sides: more than half a column, by which a grid may exceed them."""

SLACK = 2.0**-10
"""Lines stand within a window, but for rounding: faces farther off than this share of its longest side are left out."""


def turned(window: Window, R: FloatArray, centre: FloatArray, bounds: Window) -> Window:
    """Return the box around a window under x → R (x - centre), as far as it lies within `bounds`."""
    corners = (np.array(list(product(*zip(*window, strict=True)))) - centre) @ R.T
    return np.maximum(corners.min(axis=0), bounds[0]), np.minimum(corners.max(axis=0), bounds[1])


def few_apart(windows: Sequence[Window]) -> list[Window]:
    """Return windows around all of these that keep apart from each other, at most `MOST`."""
    left = list(windows)
    if len(left) > MANY:
        return [_around(left)]
    while len(left) > 1:
        pairs = list(combinations(range(len(left)), 2))
        more = [_more(left[i], left[j]) for i, j in pairs]
        nearest = int(np.argmin(more))
        if more[nearest] > 0.0 and len(left) <= MOST:
            break
        i, j = pairs[nearest]
        left = [*(window for k, window in enumerate(left) if k not in (i, j)), _around([left[i], left[j]])]
    return left


def in_line(surface: Surface, window: Window) -> Surface:
    """Return what of a surface lines along the longest side of a window can meet: the rest only takes time."""
    low, high = window
    extent = high - low
    along, room = int(np.argmax(extent)), SLACK * float(extent.max())
    beside = np.zeros(len(surface.vertices), dtype=np.uint8)  # a bit for each side that a vertex lies beyond
    for axis, (below, above) in zip([axis for axis in range(3) if axis != along], ((1, 2), (4, 8)), strict=True):
        row = np.ascontiguousarray(surface.vertices[:, axis])
        beside |= np.where(row < low[axis] - room, np.uint8(below), np.uint8(0))
        beside |= np.where(row > high[axis] + room, np.uint8(above), np.uint8(0))
    a, b, c = (beside.take(corner) for corner in surface.triangles.T)
    faces = np.flatnonzero((a & b & c) == 0)
    if 2 * len(faces) > len(surface.triangles):  # for so few the others are not copied
        return surface
    triangles = surface.triangles[faces]
    kept = np.zeros(len(surface.vertices), dtype=bool)
    kept[triangles] = True
    return Surface(surface.vertices[kept], (np.cumsum(kept) - 1)[triangles])


def _around(windows: Sequence[Window]) -> Window:
    return np.min([low for low, _ in windows], axis=0), np.max([high for _, high in windows], axis=0)


def _more(one: Window, other: Window) -> float:
    """Return how much larger a window around both is than the two; none where they come close."""
    margin = MARGIN * max(float((high - low).max()) for low, high in (one, other))
    if ((one[0] <= other[1] + margin) & (other[0] <= one[1] + margin)).all():
        return 0.0
    low, high = _around([one, other])
    return max(float(np.prod(high - low) - sum(np.prod(top - bottom) for bottom, top in (one, other))), 1e-300)
