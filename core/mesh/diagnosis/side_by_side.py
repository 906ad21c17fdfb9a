# SPDX-License-Identifier: GPL-3.0-or-later
"""Shells laid side by side, so that what is seen of each is seen of it alone."""

from __future__ import annotations

import numpy as np

from ...arrays import Ints
from ..surface import Surface
from ..topology.connected import numbered

SPREAD = 2.0**-4
"""All gaps together are at least that share of the longest side: the cells of a grid between shells shall be empty."""


def side_by_side(surface: Surface, label: Ints, gap: float) -> tuple[Surface, int]:
    """Move shells along one axis until none meets another.

    Parameters
    ----------
    surface : Surface
    label : ndarray, shape (m,), int64
        Of each face's shell, none below zero.
    gap : float
        How far apart they shall be at least [m].

    Returns
    -------
    surface : Surface
        In float64, its faces in the same order.
    axis : int
        The axis along which they lie: that with the shortest row.
    """
    vertices, triangles = surface.vertices.astype(np.float64), surface.triangles
    number = numbered(label).astype(np.int64)
    count = int(number.max()) + 1
    gap = max(gap, SPREAD * float(surface.extent().max()) / count)
    shell = np.full(len(vertices), count)  # of each vertex: the last is of those that no face uses
    corners = [corner.astype(np.intp) for corner in triangles.T]
    for corner in corners:
        shell[corner] = number
    if any((shell.take(corner) != number).any() for corner in corners):  # shells share vertices
        vertices, triangles = vertices[triangles].reshape(-1, 3), np.arange(triangles.size).reshape(-1, 3)
        shell = np.repeat(number, 3)
    low, extent = np.full((3, count + 1), np.inf), np.full((3, count + 1), -np.inf)
    for axis, row in enumerate(np.ascontiguousarray(vertices.T)):
        np.minimum.at(low[axis], shell, row)
        np.maximum.at(extent[axis], shell, row)
    low[:, count] = extent[:, count] = 0.0
    extent -= low
    axis = int(np.argmin(extent.sum(axis=1)))
    vertices[:, axis] += (np.cumsum(extent[axis] + gap) - extent[axis] - low[axis]).take(shell)
    return Surface(vertices, triangles), axis
