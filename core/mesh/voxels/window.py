# SPDX-License-Identifier: GPL-3.0-or-later
"""The window that columns look into, along their own axes, and what of a surface they can meet there."""

from __future__ import annotations

from itertools import product

import numpy as np

from ...arrays import FloatArray, Ints
from ..surface import Surface
from .grid import Window

SLACK = 2.0**-10
"""Lines stand within a window, but for rounding: faces farther off than this share of its longest side are left out."""


def turned(window: Window, R: FloatArray, centre: FloatArray, bounds: Window) -> Window:
    """Return the box around a window under x → R (x - centre), as far as it lies within `bounds`."""
    corners = (np.array(list(product(*zip(*window, strict=True)))) - centre) @ R.T
    return np.maximum(corners.min(axis=0), bounds[0]), np.minimum(corners.max(axis=0), bounds[1])


def in_line(surface: Surface, window: Window) -> Surface:
    """Return what of a surface lines along the longest side of a window can meet: the rest only takes time."""
    low, high = window
    extent = high - low
    faces = in_line_with(surface, int(np.argmax(extent)), low, high, SLACK * float(extent.max()))
    if 2 * len(faces) > len(surface.triangles):  # for so few the others are not copied
        return surface
    return surface.part(faces)


def in_line_with(surface: Surface, along: int, low: FloatArray, high: FloatArray, room: float) -> Ints:
    """Return the faces that lines along an axis may meet which run through a box, or nearer to it than `room` [m]."""
    beside = np.zeros(len(surface.vertices), dtype=np.uint8)  # a bit for each side that a vertex lies beyond
    for axis, (below, above) in zip([axis for axis in range(3) if axis != along], ((1, 2), (4, 8)), strict=True):
        row = np.ascontiguousarray(surface.vertices[:, axis])
        beside |= np.where(row < low[axis] - room, np.uint8(below), np.uint8(0))
        beside |= np.where(row > high[axis] + room, np.uint8(above), np.uint8(0))
    a, b, c = (beside.take(corner) for corner in surface.triangles.T)
    return np.flatnonzero((a & b & c) == 0)
