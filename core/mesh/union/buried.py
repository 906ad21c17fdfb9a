# SPDX-License-Identifier: GPL-3.0-or-later
"""What a surface encloses more than once, exactly: a solid whose own surface is made of the buried parts of faces.

Where a face is buried, the surface winds around what is in front of it already. So of two components that overlap, what
is buried of either encloses what they have in common, and that is integrated as any closed mesh. Faces that no other
passes through are buried or not as a whole; the others are cut up where they are crossed. (For the same sum by
neighbourhoods of vertices, see Franklin & Kankanhalli 1993, Volumes from overlaying 3-D triangulations in parallel.)

If something went wrong on the way, as where faces fold over at a corner that they share, what is left is not closed.
What the lines say of a closed part is not seen in that: so they take only what is plain.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...arrays import FloatArray, Ints
from ..geometry.vectors import cross, dot
from ..surface import Surface
from ..topology.connected import connected, numbered
from ..topology.edges import Edges, degenerate
from ..topology.single_patches import perhaps_crossing
from .between import near_other_components
from .fronts import Fronts, fronts, winding_in_front
from .pieces import Pieces, cut_up
from .placed import Placed, TooMuch, Undecided
from .traces import NEXT, traced

TRIED = 4
"""So many pieces, and whole faces, of a part are tried for a line that tells."""

MOST_PARTS = 1 << 10
"""Parts of a surface, each of which takes a line, a millisecond or so: columns are quicker where there are more."""


def buried(surface: Surface, component: Ints | None = None, near: Ints | None = None) -> Surface | None:
    """Return the surface of what another surface encloses more than once, as often as that is too often.

    Parameters
    ----------
    surface : Surface
        Faces that meet have the same vertices there.
    component : ndarray, shape (m,), int64, optional
        A label for each face's component, where no component by itself encloses anything more than once, as far as is
        known: then faces of it are not compared with each other. No two components share a vertex.
    near : ndarray, shape (k,), int64, optional
        Faces among which are all that meet those of other components, where that is known.

    Returns
    -------
    Surface or None
        Closed if all went well; None where nothing is buried.

    Raises
    ------
    Undecided, TooMuch
    """
    points = surface.triangles.astype(np.int64)
    solid = ~degenerate(points)
    if component is None:
        number, nodes, near = None, _by_edges(points, np.flatnonzero(solid)), perhaps_crossing(surface)
        placed = Placed(surface, nodes)
    else:
        # What winds around the front of a component that encloses nothing twice is of others only: the same wherever
        # its faces share a point.
        number, nodes = numbered(component), points
        near = near_other_components(surface, number) if near is None else near
        placed = Placed(surface, number)
    near = near[solid[near]]
    own = nodes.take(near, axis=0).T
    crossed, traces, piercings = traced(placed.corners(near), own, None if number is None else number.take(near))
    crossed = near[crossed]
    solid[crossed] = False
    whole = np.flatnonzero(solid)
    corners = nodes.take(whole, axis=0)
    front = fronts(corners, nodes[crossed], piercings, int(nodes.max()) + 1)
    pieces = cut_up(traces, piercings, front.at[nodes[crossed, 0]])
    known = _known(placed, front, nodes, whole, crossed, pieces)
    times = _too_often(front.at + known).take(corners[:, 0])
    pieces = pieces.raised(known[nodes[crossed, 0]])
    pieces = pieces.some(np.repeat(np.arange(len(pieces.front)), _too_often(pieces.front)))
    quads = placed.back(pieces.corners(placed.corners(crossed)).reshape(3, -1, order="F"))
    cut = len(surface.vertices) + np.arange(len(quads)).reshape(-1, 4)
    triangles = np.concatenate([points.take(np.repeat(whole, times), axis=0), cut[:, [0, 1, 2]], cut[:, [0, 2, 3]]])
    return Surface(np.concatenate([surface.vertices, quads]), triangles) if len(triangles) else None


def _too_often(front: Ints) -> Ints:
    """Return how much more often than the union a winding counts what is behind faces, than what is in front."""
    return np.where(front == 0, 0, np.where(front == -1, 2, 1))


def _by_edges(points: Ints, faces: Ints) -> Ints:
    """Return nodes (m, 3), corners of some faces that hang together by sides where two meet."""
    edges = Edges.around(points, faces)
    first, second = edges.pairs
    start, end = (np.repeat(corner, len(faces)) * len(points) + edges.face for corner in ((0, 1, 2), NEXT))
    nodes = connected(
        np.concatenate([start[first], end[first]]), np.concatenate([end[second], start[second]]), points.size
    )
    return nodes.reshape(3, -1).T


def _known(placed: Placed, front: Fronts, nodes: Ints, whole: Ints, crossed: Ints, pieces: Pieces) -> Ints:
    """Return for each node what is to be added to the windings in front of its part.

    A line is put through one face of each part: through a large piece of one, or else through one that is whole.
    """
    part = front.part.take(nodes[:, 0])
    faces = placed.corners(crossed)
    a, b, c = faces.transpose(1, 0, 2)
    normal = cross(b - a, c - a)
    size = pieces.area() * np.sqrt(dot(normal, normal))[pieces.face]
    order = np.lexsort((-size, part[crossed[pieces.face]]))
    of_part = part[crossed[pieces.face[order]]]
    more = np.zeros(len(front.part), dtype=np.int64)
    there = np.zeros(len(front.part), dtype=bool)
    there[part[whole]] = there[of_part] = True
    parts = np.flatnonzero(there)
    if len(parts) > MOST_PARTS:
        raise TooMuch

    def seen(number: int) -> Iterator[tuple[int, FloatArray, int]]:
        # A face, the corners of a piece of it, and what the winding in front of that is so far.
        first, last = np.searchsorted(of_part, (number, number + 1))
        largest = pieces.some(order[first : min(last, first + TRIED)])
        for k, corners in enumerate(largest.corners(faces).transpose(2, 0, 1)):
            yield int(crossed[largest.face[k]]), corners, int(largest.front[k])
        others = whole[part[whole] == number]
        for face in others[np.linspace(0, len(others) - 1, min(TRIED, len(others))).astype(np.intp)].tolist():
            yield face, placed.corners(np.array([face]))[:, [0, 1, 2, 2], 0], int(front.at[nodes[face, 0]])

    for number in parts.tolist():
        for face, corners, so_far in seen(number):
            winding = winding_in_front(placed, face, corners)
            if winding is not None:
                more[number] = winding - so_far
                break
        else:
            raise Undecided
    return more[front.part]
