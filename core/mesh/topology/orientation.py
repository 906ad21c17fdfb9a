# SPDX-License-Identifier: Apache-2.0
"""Patches (faces connected across edges of two faces), and their consistent orientation where they meet at edges of
four or more faces, as walls of one solid.

A component whose patches balance there, each wound as most of its faces are, stays so. Otherwise the cells between its
patches decide: see `cells`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...arrays import Bools, Ints
from ...errors import InertiaError
from ..surface import Surface
from .cells import Bounds, bounds
from .connected import connected, two_sided
from .crossing_faces import face_pairs
from .edges import Edges, minority
from .merging import merging_size
from .vectors import face_corners


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
    # The other edges are traversed twice in one direction: the clusters at them must be wound differently.
    f, g = cluster[f[~alike]], cluster[g[~alike]]
    clusters, number = np.unique(np.concatenate([f, g]), return_inverse=True)
    f_number, g_number = number.reshape(2, -1)
    group, flip, contradictory = two_sided(f_number, g_number, np.zeros(len(f_number), dtype=bool), len(clusters))
    impossible = np.flatnonzero(np.isin(cluster, clusters[contradictory]))
    if len(impossible):
        raise InertiaError.of("not_orientable", count=len(impossible), first=impossible[0])
    # Each cluster gets the label of its group, and whether it is reversed against the lowest cluster there.
    lowest, flipped = np.arange(count), np.zeros(count, dtype=bool)
    lowest[clusters], flipped[clusters] = clusters[group], flip
    patch = lowest[cluster]
    return patch, minority(patch, flipped[cluster])


@dataclass(frozen=True, eq=False)
class NonManifoldEdges:
    """The patches at edges of three or more faces where one at least is not closed by itself.

    Parameters
    ----------
    edge : ndarray, shape (k,)
        The representative side of the edge; ascending.
    patch : ndarray, shape (k,)
        Its label.
    """

    edge: Ints
    patch: Ints

    def count(self) -> int:
        """Return the number of edges."""
        return int(np.count_nonzero(np.diff(self.edge, prepend=-1)))


def non_manifold_edges(edges: Edges, patch: Ints, turned: Bools) -> NonManifoldEdges:
    """Find the edges of three or more faces where patches meet that are not all closed by themselves.

    Parameters
    ----------
    patch : ndarray, shape (m,), int64
        A label for each face.
    turned : ndarray, shape (m,), bool
        Faces that are reversed.
    """
    if edges.plain:
        return NonManifoldEdges(patch[:0], patch[:0])
    # For each such edge and each patch there, how often the patch traverses it forward less back: 0 if it is closed
    # there.
    sides = np.flatnonzero(edges.count[edges.edge] > 2)
    sign = edges.sign[sides] * np.where(turned[edges.face[sides]], -1, 1)
    meeting, member = np.unique(
        np.stack([edges.edge[sides], patch[edges.face[sides]]], axis=1), axis=0, return_inverse=True
    )
    net = np.bincount(member.ravel(), sign, minlength=len(meeting)).astype(np.int64)
    return NonManifoldEdges(*meeting[np.isin(meeting[:, 0], meeting[net != 0, 0])].T)


def joined(
    surface: Surface, edges: Edges, patch: Ints, turned: Bools, torn: Bools | None = None
) -> tuple[Ints, Bounds]:
    """Join patches along edges where not all are closed by themselves, and find what they bound.

    Parameters
    ----------
    patch, turned : ndarray, shape (m,)
        A label for each face, and True if it is reversed to make its patch consistent: the fewer in each.
    torn : ndarray, shape (m,), bool, optional
        Faces at an open edge; other edges of one face are taken as closed.

    Returns
    -------
    component : ndarray, shape (m,), int64
        A label for each face, the same for all patches that are joined.
    Bounds
        The fewer faces of each component are reversed.

    Raises
    ------
    InertiaError
        ``inconsistent_winding``.
    """
    count, none = len(patch), np.zeros(len(patch), dtype=bool)
    torn = none if torn is None else torn
    there = non_manifold_edges(edges, patch, turned)
    if not len(there.edge) and not torn.any():
        return patch, Bounds(turned, none, none)
    # Patches that meet at such an edge are one component. It is doubtful if one of its edges does not balance, or is
    # torn.
    following = np.flatnonzero(there.edge[1:] == there.edge[:-1])
    component: Ints = connected(there.patch[following], there.patch[following + 1], count)[patch]
    doubtful = none.copy()
    doubtful[component[edges.face[edges.uneven(turned)]]] = True
    doubtful[component[torn]] = True
    doubtful = doubtful[component]
    if not doubtful.any():
        return component, Bounds(turned, none, none)
    bounded = bounds(surface, edges, patch, turned, component, there.edge, torn)
    # In the others the patches' own winding stays.
    wall, sheet = bounded.wall & doubtful, bounded.sheet & doubtful
    turned = np.where(doubtful, bounded.turned, turned)
    # Without walls and sheets the rest must balance, and may not pass through itself.
    bounding = np.flatnonzero(~(wall | sheet)[edges.face] & doubtful[edges.face])
    uneven = np.bincount(edges.edge[bounding], np.where(turned[edges.face], -edges.sign, edges.sign)[bounding]).any()
    meeting = np.isin(component, component[there.patch]) & doubtful & ~np.isin(patch, patch[torn])
    if (not torn.any() and (uneven or not len(bounding))) or _crossing(surface, component, np.flatnonzero(meeting)):
        raise InertiaError.of("inconsistent_winding", "", "walls", edges=there.count())
    return component, Bounds(np.where(doubtful, minority(component, turned), turned), wall, sheet, bounded.uncertain)


def _crossing(surface: Surface, component: Ints, faces: Ints) -> bool:
    """Return True if some faces pass through others of their component, which makes nonsense of cells."""
    try:
        pairs = face_pairs(face_corners(surface, faces), merging_size(surface))
        return any((component[faces[face]] == component[faces[other]]).any() for face, other in pairs)
    except InertiaError:  # too many to compare
        return True
