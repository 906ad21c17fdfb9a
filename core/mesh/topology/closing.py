# SPDX-License-Identifier: GPL-3.0-or-later
"""An open surface with its holes closed by cones, to judge by what columns of voxels make of it."""

from __future__ import annotations

import numpy as np

from ...arrays import Ints
from ..surface import Surface
from .connected import connected
from .edges import merged_edges
from .junctions import cut_at_corners
from .merging import Merging


def closed_up(surface: Surface, merging: Merging) -> tuple[Surface, Surface]:
    """Join every boundary edge to one point for all boundary edges that hang together.

    What comes of it has no boundary. Where a hole is flat, so is its cone, and what is enclosed depends on no apex.
    Where it is not, the difference between two apexes tells what is not known.

    Parameters
    ----------
    surface : Surface
        Open, with each vertex at its point.
    merging : Merging
        Its points.

    Returns
    -------
    by_middle, by_corner : Surface
        With the mean of the corners of each hole for an apex, and with one of these corners.
    """
    start, end = _boundary(surface, merging)
    ends, number = np.unique(np.concatenate([start, end]), return_inverse=True)
    first, second = number.reshape(2, -1)
    hole, member = np.unique(connected(first, second, len(ends)), return_inverse=True)
    corners = surface.vertices[ends].astype(np.float64)
    middle = np.stack([np.bincount(member, row) for row in corners.T], axis=1) / np.bincount(member)[:, None]
    cones = np.stack([end, start, len(surface.vertices) + member[first]], axis=1)
    triangles = np.concatenate([surface.triangles, cones])
    by_middle, by_corner = (
        Surface(np.concatenate([surface.vertices.astype(np.float64), apex]), triangles)
        for apex in (middle, corners[hole])
    )
    return by_middle, by_corner


def _boundary(surface: Surface, merging: Merging) -> tuple[Ints, Ints]:
    """Return start and end of the edges that are not walked as often back as forth, once for each time."""
    _, _, edges = merged_edges(merging, surface)
    edges = cut_at_corners(surface, edges)
    net = np.bincount(edges.edge, edges.sign, minlength=len(edges.edge)).astype(np.int64)
    side = np.flatnonzero(net)
    low, high = np.minimum(edges.start, edges.end)[side], np.maximum(edges.start, edges.end)[side]
    up = net[side] > 0
    times = np.abs(net[side])
    return np.repeat(np.where(up, low, high), times), np.repeat(np.where(up, high, low), times)
