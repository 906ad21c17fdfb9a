# SPDX-License-Identifier: GPL-3.0-or-later
"""Each component by itself, or several of them laid side by side, so that what is seen of each is seen of it alone."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...arrays import Ints
from ..surface import Surface
from ..topology.components import with_own_vertices
from ..topology.connected import numbered
from ..topology.merging import merging_size
from ..topology.single_patches import perhaps_crossing
from ..two_threads import shared
from .self_crossing import passing_pairs, without_walls

SPREAD = 2.0**-4
"""All gaps together are at least that share of the longest side: cells of a grid between components shall be empty."""

MOST = 2.0**-3
"""A component that has more than that share of all faces is taken by itself."""

LARGE = 1 << 17
"""Faces from which on another thread helps."""


def each_alone(surface: Surface, label: Ints, gap: float) -> Iterator[tuple[Surface, Ints]]:
    """Yield surfaces in which no component meets another, and which faces these are.

    The parameters are those of `side_by_side`.
    """
    size = np.bincount(label)
    large = size > MOST * len(label)
    for component in np.flatnonzero(large):
        own = np.flatnonzero(label == component)
        in_a_row = own[-1] - own[0] == len(own) - 1
        triangles = surface.triangles[own[0] : own[-1] + 1] if in_a_row else surface.triangles.take(own, axis=0)
        first, last = int(triangles.min()), int(triangles.max())  # mostly few others have vertices in between
        yield Surface(surface.vertices[first : last + 1], triangles - first), own
    if size[~large].any():
        rest = np.flatnonzero(~large[label])
        yield side_by_side(Surface(surface.vertices, surface.triangles.take(rest, axis=0)), label[rest], gap), rest


def passing_pairs_alone(surface: Surface, label: Ints) -> tuple[Ints, Ints]:
    """Return the pairs of faces of one component that pass through each other, but for walls that are there both ways.

    The surface is closed and consistent; the parameters are those of `side_by_side`.
    """
    depth = merging_size(surface)
    apart = list(each_alone(surface, label, depth))
    found = [(np.zeros(0, np.int64), np.zeros(0, np.int64))]

    def find(numbers: Iterator[int]) -> None:
        for number in numbers:
            components, own = apart[number]
            one, other = without_walls(components, *passing_pairs(components, perhaps_crossing(components), depth))
            found.append((own[one], own[other]))

    if len(label) > LARGE:
        shared(find, len(apart))
    else:
        find(iter(range(len(apart))))
    one, other = (np.concatenate(side) for side in zip(*found, strict=True))
    order = np.lexsort((other, one))
    return one[order], other[order]


def side_by_side(surface: Surface, label: Ints, gap: float) -> Surface:
    """Move components along one axis until none meets another.

    Parameters
    ----------
    surface : Surface
    label : ndarray, shape (m,), int64
        Of each face's component, none below zero.
    gap : float
        How far apart they shall be at least [m].

    Returns
    -------
    Surface
        In float64, its faces in the same order; the row lies along the axis where it is the shortest.
    """
    number = numbered(label).astype(np.int64)
    count = int(number.max()) + 1
    gap = max(gap, SPREAD * float(surface.extent().max()) / count)
    surface = with_own_vertices(surface, number)
    vertices, triangles = surface.vertices.astype(np.float64), surface.triangles
    component = np.full(len(vertices), count)  # of each vertex: the last is of those that no face uses
    for corner in triangles.T:
        component[corner.astype(np.intp)] = number
    low, extent = np.full((3, count + 1), np.inf), np.full((3, count + 1), -np.inf)
    for axis, row in enumerate(np.ascontiguousarray(vertices.T)):
        np.minimum.at(low[axis], component, row)
        np.maximum.at(extent[axis], component, row)
    low[:, count] = extent[:, count] = 0.0
    extent -= low
    axis = int(np.argmin(extent.sum(axis=1)))
    vertices[:, axis] += (np.cumsum(extent[axis] + gap) - extent[axis] - low[axis]).take(component)
    return Surface(vertices, triangles)
