# SPDX-License-Identifier: GPL-3.0-or-later
"""Which way round patches go together that meet at edges of four faces and more, as walls of one solid.

A component whose patches balance there, each wound as most of its faces are, is left so. Else its faces are taken by
turns around such an edge: where none passes through another, the space between two neighbours is by turns solid and
empty, and no other reading encloses nothing twice and nothing less than never.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np
import numpy.typing as npt

from ...arrays import Bools, FloatArray, Ints
from ...errors import InertiaError
from ...remedies import Remedy
from ..surface import Surface
from ..volume_message import VolumeMessage
from .by_turns import by_turns
from .connected import connected
from .edges import Edges, minority
from .nesting import Nesting

UNSURE, SURE = log(20.0), log(1000.0)
"""Logarithms of the odds by which a component inside another is what its faces say it is. Below the first, its place
says more; above the second, its faces do; in between, neither is plainly meant."""


@dataclass(frozen=True, eq=False)
class NonManifoldEdges:
    """Where patches meet that do not close by themselves: one item for each patch at each edge of four faces and more.

    Parameters
    ----------
    edge : ndarray, shape (k,)
        The side that stands for the edge; ascending.
    patch : ndarray, shape (k,)
        Its label.
    net : ndarray, shape (k,)
        How often more it walks the edge up than down; not 0.
    """

    edge: Ints
    patch: Ints
    net: Ints

    def count(self) -> int:
        """Return the number of edges."""
        return int(np.count_nonzero(np.diff(self.edge, prepend=-1)))

    def unbalanced(self, flip: Bools) -> Ints:
        """Return the patches at edges that do not balance with some patches turned, those by the label."""
        edge = np.cumsum(np.diff(self.edge, prepend=-1) > 0) - 1
        balance = np.bincount(edge, np.where(flip[self.patch], -self.net, self.net))
        wrong: Ints = self.patch[balance[edge] != 0.0]
        return wrong


def non_manifold_edges(edges: Edges, patch: Ints, turned: Bools) -> NonManifoldEdges:
    """Find the edges of four faces and more where patches meet that do not close by themselves.

    Parameters
    ----------
    edges : Edges
    patch : ndarray, shape (m,), int64
        A label for each face.
    turned : ndarray, shape (m,), bool
        Faces that are turned round.
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
    """Join patches along edges of four faces and more where they do not close by themselves.

    Parameters
    ----------
    surface : Surface
    edges : Edges
        Of a closed surface.
    patch, turned : ndarray, shape (m,)
        A label for each face, and whether it is turned round for its patch to be consistent: in each the fewer.

    Returns
    -------
    component : ndarray, shape (m,), int64
        A label for each face, the same for all patches that are joined.
    turned : ndarray, shape (m,), bool
        Faces to turn round: in each component the fewer.

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
        raise _impossible(there)
    return component, np.where(open_ones[component], minority(component, turned ^ flip[patch]), turned)


def against_nesting(nesting: Nesting, component: Ints, turned: Bools) -> Bools:
    """Return the faces of components that had better look the other way: hardly more say what they do now.

    By its place, a component inside another is a cavity, and one in a cavity is solid.

    Parameters
    ----------
    nesting : Nesting
        With `turned` faces (m,) turned.
    component : ndarray, shape (m,), int64
        The number of each face's component.

    Raises
    ------
    InertiaError
        ``inconsistent_winding`` where neither is plainly meant.
    """
    depth, count = nesting.depth(), len(nesting.volume)
    size, against = np.bincount(component, minlength=count), np.bincount(component, turned, minlength=count).astype(int)
    looks = nesting.sign * np.where(nesting.inward() ^ (depth % 2 == 1), -1, 1)
    odd = np.flatnonzero((looks < 0) & (depth > 0))
    so_far, whole = np.count_nonzero(turned), len(turned)
    instead = np.minimum(so_far + size[odd] - 2 * against[odd], whole / 2)
    odds = surprise(instead, whole) - surprise(so_far, whole)
    for one in odd[(against[odd] > 0) & (odds > UNSURE) & (odds <= SURE)].tolist():
        to_solid = int(against[one] if depth[one] % 2 else size[one] - against[one])
        raise _solid_or_cavity(int(size[one]), to_solid, abs(float(nesting.volume[one])))
    return np.isin(component, odd[odds <= UNSURE])


def surprise(turned: npt.ArrayLike, size: npt.ArrayLike) -> FloatArray:
    """Return -log of qᵏ (1 - q)ⁿ⁻ᵏ, the chance that just these k of n faces are turned, for the likeliest q = k / n."""
    faces = np.asarray(size, dtype=np.float64)
    share = np.asarray(turned) / np.maximum(faces, 1.0)
    result: FloatArray = -faces * sum(part * np.log(np.where(part > 0.0, part, 1.0)) for part in (share, 1.0 - share))
    return result


def _impossible(there: NonManifoldEdges) -> InertiaError:
    return InertiaError(
        "inconsistent_winding",
        "",
        f"at {there.count()} non-manifold edges three or more surfaces meet, and flipping normals was not found to make"
        " walls of a solid of them",
        Remedy("remove the inner walls", "{voxel}"),
    )


def _solid_or_cavity(faces: int, to_solid: int, volume: float) -> InertiaError:
    """A component inside another has faces that look either way, too many of either."""
    return InertiaError(
        "inconsistent_winding",
        "",
        VolumeMessage(
            f"a loose part of {faces} faces ({{}}) lies inside another, and its normals disagree: with {to_solid} of"
            f" them flipped it is solid, with the other {faces - to_solid} flipped a cavity",
            volume,
        ),
        Remedy("{outside}"),
    )
