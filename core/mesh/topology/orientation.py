# SPDX-License-Identifier: GPL-3.0-or-later
"""Patches (faces connected across edges of two faces), and their consistent orientation where they meet at edges of
four or more faces, as walls of one solid.

A component whose patches balance there, each wound as most of its faces are, stays so. Otherwise the faces around such
an edge must alternate: if none passes through another, the space between two neighbours is alternately solid and empty,
and no other reading has winding numbers of only 0 and 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...arrays import Bools, Ints
from ...errors import InertiaError
from ..surface import Surface
from .by_turns import by_turns
from .connected import connected, two_sided
from .edges import Edges, minority
from .nesting import Nesting

UNDECIDED = 0.25
"""A component inside another may be a solid or a cavity. If at most this share of its faces is reversed, the rest
decide; after a failed Boolean, or with random normals, nothing does."""


def patches(edges: Edges, count: int) -> tuple[Ints, Bools]:
    """Split the surface where more than two faces meet, and wind each patch consistently.

    Parameters
    ----------
    count : int
        Number of faces of the mesh.

    Returns
    -------
    patch : ndarray, shape (m,), int64
        A label for each face.
    turned : ndarray, shape (m,), bool
        Faces to reverse: the fewer in each patch.

    Raises
    ------
    InertiaError
        ``not_orientable``.
    """
    first, second = edges.pairs
    f, g = edges.face.take(first), edges.face.take(second)
    if edges.plain:
        return connected(f, g, count), np.zeros(count, dtype=bool)
    alike = edges.sign[first] != edges.sign[second]  # traversed in both directions
    cluster = connected(f[alike], g[alike], count)
    if alike.all():
        return cluster, np.zeros(count, dtype=bool)
    f, g = cluster[f[~alike]], cluster[g[~alike]]
    clusters, number = np.unique(np.concatenate([f, g]), return_inverse=True)
    one, other = number.reshape(2, -1)
    group, flip, contradictory = two_sided(one, other, np.zeros(len(one), dtype=bool), len(clusters))
    impossible = np.flatnonzero(np.isin(cluster, clusters[contradictory]))
    if len(impossible):
        raise InertiaError.of("not_orientable", count=len(impossible), first=impossible[0])
    lowest, flipped = np.arange(count), np.zeros(count, dtype=bool)
    lowest[clusters], flipped[clusters] = clusters[group], flip
    patch = lowest[cluster]
    return patch, minority(patch, flipped[cluster])


@dataclass(frozen=True, eq=False)
class NonManifoldEdges:
    """Meetings of patches that are not closed by themselves: one for each patch at each edge of four or more faces.

    Parameters
    ----------
    edge : ndarray, shape (k,)
        The representative side of the edge; ascending.
    patch : ndarray, shape (k,)
        Its label.
    net : ndarray, shape (k,)
        How much more often it traverses the edge up than down; not 0.
    """

    edge: Ints
    patch: Ints
    net: Ints

    def count(self) -> int:
        """Return the number of edges."""
        return int(np.count_nonzero(np.diff(self.edge, prepend=-1)))

    def unbalanced(self, flip: Bools) -> Ints:
        """Return the patches at edges that do not balance with some patches reversed, given by label."""
        edge = np.cumsum(np.diff(self.edge, prepend=-1) > 0) - 1
        balance = np.bincount(edge, np.where(flip[self.patch], -self.net, self.net))
        wrong: Ints = self.patch[balance[edge] != 0.0]
        return wrong


def non_manifold_edges(edges: Edges, patch: Ints, turned: Bools) -> NonManifoldEdges:
    """Find the edges of four or more faces where patches meet that are not closed by themselves.

    Parameters
    ----------
    patch : ndarray, shape (m,), int64
        A label for each face.
    turned : ndarray, shape (m,), bool
        Faces that are reversed.
    """
    if edges.plain:
        return NonManifoldEdges(patch[:0], patch[:0], patch[:0])
    sides = np.flatnonzero(edges.count[edges.edge] > 2)
    sign = edges.sign[sides] * np.where(turned[edges.face[sides]], -1, 1)
    meeting, member = np.unique(
        np.stack([edges.edge[sides], patch[edges.face[sides]]], axis=1), axis=0, return_inverse=True
    )
    net = np.bincount(member.ravel(), sign, minlength=len(meeting)).astype(np.int64)
    edge, part = meeting[net != 0].T
    return NonManifoldEdges(edge, part, net[net != 0])


def joined(surface: Surface, edges: Edges, patch: Ints, turned: Bools) -> tuple[Ints, Bools]:
    """Join patches along edges of four or more faces where they are not closed by themselves.

    Parameters
    ----------
    edges : Edges
        Of a closed surface.
    patch, turned : ndarray, shape (m,)
        A label for each face, and True if it is reversed to make its patch consistent: the fewer in each.

    Returns
    -------
    component : ndarray, shape (m,), int64
        A label for each face, the same for all patches that are joined.
    turned : ndarray, shape (m,), bool
        Faces to reverse: the fewer in each component.

    Raises
    ------
    InertiaError
        ``inconsistent_winding``.
    """
    there = non_manifold_edges(edges, patch, turned)
    if not len(there.edge):
        return patch, turned
    count = len(patch)
    following = np.flatnonzero(there.edge[1:] == there.edge[:-1])
    label = connected(there.patch[following], there.patch[following + 1], count)
    component: Ints = label[patch]
    open_ones = np.zeros(count, dtype=bool)
    open_ones[label[there.unbalanced(np.zeros(count, dtype=bool))]] = True
    if not open_ones.any():
        return component, turned
    flip, impossible = by_turns(surface, edges, there.edge, there.patch, patch, turned)
    flip &= open_ones[label]
    wrong = np.concatenate([there.unbalanced(flip), impossible])
    if open_ones[label[wrong]].any():
        raise InertiaError.of("inconsistent_winding", "", "walls", edges=there.count())
    return component, np.where(open_ones[component], minority(component, turned ^ flip[patch]), turned)


def refuse_undecided(nesting: Nesting, component: Ints, turned: Bools) -> None:
    """Check that components inside others had few enough faces reversed to be identified as solid or cavity.

    Parameters
    ----------
    nesting : Nesting
        With `turned` faces (m,) reversed.
    component : ndarray, shape (m,), int64
        The number of each face's component.

    Raises
    ------
    InertiaError
        ``inconsistent_winding``.
    """
    size, against = np.bincount(component), np.bincount(component, turned).astype(np.int64)
    doubtful = np.flatnonzero((against > UNDECIDED * size) & (nesting.depth() > 0))
    if not len(doubtful):
        return
    one = doubtful[0]
    faces, volume = int(size[one]), float(nesting.volume[one])
    to_solid = int(against[one]) if volume > 0.0 else faces - int(against[one])
    counts = {"faces": faces, "to_solid": to_solid, "others": faces - to_solid}
    raise InertiaError.of("inconsistent_winding", "", "nested", **counts, volume=abs(volume))
