# SPDX-License-Identifier: GPL-3.0-or-later
"""Which way round patches go together that meet at edges of four faces and more, as walls of one solid.

Two readings are tried. One turns as few faces as a search finds. The other takes the faces around such an edge by
turns: where none passes through another, the space between two neighbours is by turns solid and empty, and no other
reading encloses nothing twice and nothing less than never. Where both balance and differ, what the faces say for the
first is weighed against the overlap, or the winding below zero, that it means.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import log

import numpy as np
import numpy.typing as npt

from ...arrays import Bools, FloatArray, Ints
from ...errors import InertiaError
from ...remedies import Remedy
from ..geometry.face_corners import face_corners
from ..geometry.vectors import cross, dot
from ..surface import Surface
from ..volume_message import VolumeMessage
from .by_turns import by_turns
from .connected import connected
from .edges import Edges, minority
from .nesting import Nesting
from .non_manifold import NonManifoldEdges, non_manifold_edges, searched

UNSURE, SURE = log(20.0), log(1000.0)
"""Logarithms of the odds by which the reading that turns fewer faces is the likelier. Below the first, that says less
than the overlap that it means; above the second, it says more; in between, neither is plainly meant."""

SAME_MOMENTS = 2.0**-20
"""Two readings are one where the integrals over the faces in which they differ cancel to this share: walls that lie
back to back, to a merging cell, may be turned together."""


@dataclass(frozen=True, eq=False)
class Turning:
    """One way to read patches: which of their faces to turn.

    Parameters
    ----------
    turned : ndarray, shape (m,), bool
        Faces to turn round: in each component the fewer.
    surprise : ndarray, shape (m,)
        By the label of the component, minus the logarithm of how likely it is that so many of its faces are turned by
        chance; infinite where the component does not balance.
    """

    turned: Bools
    surprise: FloatArray


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
    if edges.plain:
        return patch, turned
    there = non_manifold_edges(edges, patch, turned)
    if not len(there.edge):
        return patch, turned
    count = len(patch)
    following = np.flatnonzero(there.edge[1:] == there.edge[:-1])
    label = connected(there.patch[following], there.patch[following + 1], count)
    component: Ints = label[patch]
    size = np.bincount(component, minlength=count)

    def turning(flip: Bools, wrong: Ints) -> Turning:
        faces = minority(component, turned ^ flip[patch])
        chance = surprise(np.bincount(component, faces, minlength=count), size)
        chance[label[wrong]] = chance[label[there.unbalanced(flip)]] = np.inf
        return Turning(faces, chance)

    parity = turning(*by_turns(surface, edges, there.edge, there.patch, patch, turned))
    more = np.bincount(patch, np.where(turned, -1, 1), minlength=count).astype(np.int64)
    one, other = (turning(searched(there, more, best_of), there.patch[:0]) for best_of in (np.argmax, _last_argmax))
    fewest = np.where((other.surprise < one.surprise)[component], other.turned, one.turned)
    least = np.minimum(one.surprise, other.surprise)
    if np.isinf(np.minimum(least, parity.surprise)).any():
        raise _impossible(there)
    said = least > 0.0  # a component that is consistent as it comes is left so
    plain = said & (parity.surprise <= least + UNSURE)
    for rival, within in ((parity, SURE), (one, 0.0), (other, 0.0)):
        balanced = said & ~plain & np.isfinite(rival.surprise)
        for faces in _differing(component, balanced, fewest, rival.turned):
            which = component[faces[0]]
            if rival is parity and _volume(surface, faces, fewest) < _volume(surface, faces, rival.turned):
                plain[which] = True  # less than by turns means less than never somewhere, which is no solid
            elif rival.surprise[which] <= least[which] + within and not _cancel(
                surface, faces[fewest[faces] != rival.turned[faces]], fewest
            ):
                raise _ambiguous(surface, faces, fewest, rival.turned)
    return component, np.where(plain[component], parity.turned, fewest)


def _differing(component: Ints, some: Bools, one: Bools, other: Bools) -> Iterator[Ints]:
    """Yield the faces of each component, of those that some labels stand for, in which two readings differ."""
    differing = np.zeros(len(component), dtype=bool)
    differing[component[one != other]] = True
    faces = np.flatnonzero((differing & some)[component])
    faces = faces[np.argsort(component[faces], kind="stable")]
    if len(faces):
        yield from np.split(faces, np.flatnonzero(np.diff(component[faces])) + 1)


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


def _last_argmax(score: Ints) -> np.intp:
    return np.intp(len(score) - 1 - np.argmax(score[::-1]))


def _cancel(surface: Surface, faces: Ints, turned: Bools) -> bool:
    """Say whether what a closed surface encloses, some faces turned, cancels up to second moments."""
    corners = face_corners(surface, faces)
    low, high = corners.min(axis=(1, 2)), corners.max(axis=(1, 2))
    corners = (corners - ((low + high) / 2.0)[:, None, None]) / (float((high - low).max()) or 1.0)
    a, b, c = corners.transpose(1, 0, 2)
    six = dot(a, cross(b, c)) * np.where(turned[faces], -1.0, 1.0)
    points = np.stack([a, b, c, a + b + c])
    sums = [six.sum(), *(points[3] @ six), *np.einsum("pik,pjk,k->ij", points, points, six).ravel()]
    return bool(np.abs(sums).max() <= SAME_MOMENTS * np.abs(six).sum())


def _volume(surface: Surface, faces: Ints, turned: Bools) -> float:
    """Return what faces that make a closed surface enclose, some of them turned, whichever way they look [m³]."""
    a, b, c = face_corners(surface, faces).transpose(1, 0, 2)
    a, b, c = a - c[:, :1], b - c[:, :1], c - c[:, :1]
    return abs(float(dot(a, cross(b, c)) @ np.where(turned[faces], -1.0, 1.0))) / 6.0


def _ambiguous(surface: Surface, faces: Ints, one: Bools, other: Bools) -> InertiaError:
    ways = " or ".join(f"by flipping {np.count_nonzero(turned[faces])} faces ({{}})" for turned in (one, other))
    message = f"{len(faces)} faces meet at edges of four faces or more, and their normals can be corrected in two ways:"
    volumes = (_volume(surface, faces, turned) for turned in (one, other))
    return InertiaError(
        "inconsistent_winding",
        "",
        VolumeMessage(f"{message} {ways}", *volumes),
        Remedy("{outside}", "remove the inner walls", "{voxel}"),
    )


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
