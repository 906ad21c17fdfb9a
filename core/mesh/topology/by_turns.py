# SPDX-License-Identifier: GPL-3.0-or-later
"""The order of faces around an edge: between two neighbours the space is alternately solid and empty."""

from __future__ import annotations

from math import pi

import numpy as np

from ...arrays import Bools, FloatArray, Ints, Numbers
from ..surface import Surface
from .connected import two_sided
from .edges import Edges
from .vectors import face_corners

SAME_ANGLE = 2.0**-20
"""Faces around an edge whose angles differ by less [rad] may come in any order."""

NO_AREA = 2.0**-40
"""A face whose area is below this share of its longest side squared has no direction around an edge."""


def by_turns(surface: Surface, edges: Edges, edge: Ints, part: Ints, patch: Ints, turned: Bools) -> tuple[Bools, Ints]:
    """Find which patches to reverse so that the faces around an edge traverse it alternately in both directions.

    If nothing else decides, the fewer faces are reversed.

    Parameters
    ----------
    edge, part : ndarray, shape (k,)
        The patches that are not closed by themselves at an edge, and the edge's representative side.
    patch, turned : ndarray, shape (m,)
        A label for each face, and True if it is reversed to make its patch consistent.

    Returns
    -------
    flip : ndarray, shape (m,), bool
        By label, True if the patch is to be reversed.
    impossible : ndarray
        Labels of patches without a solution, since some pass through others.
    """
    count = len(patch)
    f, g, same = _links(surface, edges, edge, part, patch, turned)
    group, flip, impossible = two_sided(f, g, same, count)
    votes = np.bincount(group[patch], np.where(turned ^ flip[patch], 1, -1), minlength=count)
    return flip ^ (votes > 0)[group], np.flatnonzero(impossible)


def _links(
    surface: Surface, edges: Edges, edge: Ints, part: Ints, patch: Ints, turned: Bools
) -> tuple[Ints, Ints, Bools]:
    """Return pairs of patches that follow each other around an edge, and True if both are right or both wrong."""
    here = np.zeros(len(edges.edge), dtype=bool)
    here[edge] = True
    side = np.flatnonzero(here[edges.edge])
    place, face = edges.edge[side], edges.face[side]
    sign = edges.sign[side]
    angle, order = _around(*_directions(surface, edges, side, sign), place)
    side, place, face, angle = side[order], place[order], face[order], angle[order]
    sign = sign[order] * np.where(turned[face], -1, 1)
    # Nearly equal angles make a group: of two faces, one goes each way; of more, nothing is known.
    new = (np.diff(place, prepend=-1) != 0) | ~(np.diff(angle, prepend=0.0) <= SAME_ANGLE)
    group = np.cumsum(new) - 1
    alike = np.bincount(group)[group]
    takes_part = np.isin(place * len(patch) + patch[face], edge * len(patch) + part) & np.isfinite(angle)
    single = np.flatnonzero(takes_part & (alike == 1))
    pair = np.flatnonzero(takes_part & (alike == 2))
    i = np.concatenate([single[:-1], pair[:-1]])
    j = np.concatenate([single[1:], pair[1:]])
    linked = np.concatenate([place[single[1:]] == place[single[:-1]], group[pair[1:]] == group[pair[:-1]]])
    i, j = i[linked], j[linked]
    opposite = (j - i) % 2 == 1
    return patch[face[i]], patch[face[j]], opposite == (sign[i] != sign[j])


def _directions(surface: Surface, edges: Edges, side: Ints, sign: Numbers) -> tuple[FloatArray, FloatArray]:
    """Return unit vectors along each side's edge (k, 3), and from it into the side's face; not finite if unknown."""
    size = float(surface.extent().max()) or 1.0
    along = (surface.vertices[edges.end[side]].astype(np.float64) - surface.vertices[edges.start[side]]) / size
    a, b, c = (face_corners(surface, edges.face[side]) / size).transpose(1, 2, 0)
    u, v = b - a, c - a
    normal = np.cross(u, v)
    longest = np.maximum((u * u).sum(axis=1), (v * v).sum(axis=1))
    normal[np.linalg.norm(normal, axis=1) <= NO_AREA * longest] = np.nan
    with np.errstate(divide="ignore", invalid="ignore"):
        along /= np.linalg.norm(along, axis=1)[:, None]
        normal /= np.linalg.norm(normal, axis=1)[:, None]
    return along * sign[:, None], np.cross(normal, along)


def _around(up: FloatArray, inward: FloatArray, place: Ints) -> tuple[FloatArray, Ints]:
    """Return the angle of each side's face around its edge, the widest gap before the first, and their order.

    NaN for all sides of an edge if one is unknown; by edges, then by angle.
    """
    _, first, which = np.unique(place, return_index=True, return_inverse=True)
    which = which.ravel()
    base = inward[first[which]]
    across = np.cross(up, base)
    angle = np.arctan2((inward * across).sum(axis=1), (inward * base).sum(axis=1))
    unknown = np.zeros(len(first), dtype=bool)
    unknown[which[~np.isfinite(angle)]] = True
    angle[unknown[which]] = np.nan
    order = np.lexsort((angle, place))
    ends = np.cumsum(np.bincount(which))
    starts = np.concatenate([[0], ends[:-1]])
    in_order, edge = angle[order], which[order]
    gap = np.diff(in_order, append=0.0)
    gap[ends - 1] = in_order[starts] + 2.0 * pi - in_order[ends - 1]
    widest = np.lexsort((gap, edge))[ends - 1]
    following = np.where(widest == ends - 1, starts, widest + 1)
    angle = (angle - in_order[following][which]) % (2.0 * pi)
    return angle, np.lexsort((angle, place))
