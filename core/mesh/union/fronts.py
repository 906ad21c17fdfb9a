# SPDX-License-Identifier: GPL-3.0-or-later
"""How often a surface winds around what is in front of its own faces: 0 where they are seen, more where buried.

From corner to corner along the sides of faces that changes only where a side goes through another face. So all of it is
known but for one number for each part of the surface that hangs together, and one straight line gives that.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...arrays import FloatArray, Ints
from ..geometry.probe import hits
from ..topology.components import joined_points
from ..topology.connected import connected
from .placed import Placed, Undecided
from .traces import NEXT, Piercings

PLACES = np.array(
    [
        [0.2928932188134524, 0.2360679774997897, 0.1729377233869345, 0.1414213562373095],
        [0.1622776601683795, 0.3166247903553998, 0.2915026221291812, 0.2679491924311227],
        [0.2679491924311227, 0.1458980337503154, 0.3819660112501051, 0.2426406871192851],
    ]
)
PLACES = np.vstack([PLACES, 1.0 - PLACES.sum(axis=0)])
"""Of four corners, the shares of them in a place between: some places on no line of symmetry."""

SAME = 2.0**-44
"""Faces nearer to each other than that share of the longest side cannot be told apart."""


@dataclass(frozen=True, eq=False)
class Fronts:
    """How often a surface winds around what is in front of its faces.

    Parameters
    ----------
    at : ndarray, shape (n,), int64
        At each node, but for the same number in each part.
    part : ndarray, shape (n,), int64
        A node that stands for the part of the surface that each hangs together with.
    """

    at: Ints
    part: Ints


def fronts(whole: Ints, crossed: Ints, piercings: Piercings, count: int) -> Fronts:
    """Follow the surface from corner to corner.

    Parameters
    ----------
    whole, crossed : ndarray, shapes (m, 3) and (k, 3), int64
        Faces that no other passes through, and the others, as numbers of nodes.
    piercings : Piercings
        Of the crossed ones, numbered as they are here.
    count : int
        The number of nodes.
    """
    steps, pierced = piercings.sums(len(crossed))
    start, end = crossed.T, crossed.T[NEXT]
    uncut = ~pierced
    part = joined_points(whole, count)
    part = connected(part[start[uncut]], part[end[uncut]], count, part)
    # What a side that is pierced joins is another part so far, and the step from one to the other is known.
    a, b, step = part[start[pierced]], part[end[pierced]], steps[pierced]
    a, b, step = np.concatenate([a, b]), np.concatenate([b, a]), np.concatenate([step, -step])
    joined = connected(a, b, count, part.copy())
    at = np.zeros(count, dtype=np.int64)
    known = joined == part
    while True:  # from the parts known so far to their neighbours
        new = np.flatnonzero(known[a] & ~known[b])
        if not len(new):
            break
        at[b[new]] = at[a[new]] + step[new]
        known[b[new]] = True
    return Fronts(at[part], joined)


def winding_in_front(placed: Placed, face: int, corners: FloatArray) -> int | None:
    """Return how often a closed surface winds around what is in front of a piece of one of its faces.

    Parameters
    ----------
    placed : Placed
    face : int
    corners : ndarray, shape (3, 4)
        Of the piece, which may be a triangle with one corner twice.

    Returns
    -------
    int or None
        None where no line tells: those tried run through an edge of some other face, or another face is right there.

    Raises
    ------
    Undecided
        If the face's own component is in front of it, which is said to enclose nothing twice.
    """
    a, b, c = placed.corners(np.array([face]))[:, :, 0].T
    normal = np.cross(b - a, c - a)
    axis = int(np.argmax(np.abs(normal)))
    second, third = (axis + 1) % 3, (axis + 2) % 3
    looks = 1 if normal[axis] > 0.0 else -1
    for place in (corners @ PLACES).T:
        met = placed.met_by_line(axis, place)
        met = met[met != face]
        others = placed.corners(met)
        lines = np.ones((2, others.shape[2])) * place[[second, third], None]
        which, height, sign = hits(others, axis, *lines)
        if int(sign.sum()) + looks == 0 and not (np.abs(height - place[axis]) <= SAME).any():
            sign[height < place[axis]] = 0.0
            below = 0 if looks > 0 else 1  # of a face that looks down, the front is below it
            if placed.apart is not None and placed.apart.ndim == 1:
                own = placed.apart[met[which]] == placed.apart[face]
                if int(sign[own].sum()) - below not in (0, -1):
                    raise Undecided
            return int(sign.sum()) - below
    return None
