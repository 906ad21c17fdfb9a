# SPDX-License-Identifier: GPL-3.0-or-later
"""Edges of four faces and more: which way round the sheets that meet there go together, as walls of one solid.

Two readings are tried. One turns as few faces as a search finds. The other takes the faces around such an edge by
turns: where none passes through another, the space between two neighbours is by turns solid and empty, and no other
reading encloses nothing twice and nothing less than never. Where both balance and differ, what the faces say for the
first is weighed against the overlap, or the winding below zero, that it means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import log

import numpy as np
import numpy.typing as npt

from ...arrays import Bools, FloatArray, Ints
from ...errors import InertiaError
from ..geometry.probe import face_corners
from ..geometry.vectors import cross, dot
from ..surface import Surface
from .by_turns import by_turns
from .edges import Edges, connected, minority

MAX_FLIPS = 1000
"""Sheets that a search turns one by one before it gives up."""

UNSURE, SURE = log(20.0), log(1000.0)
"""Logarithms of the odds by which the reading that turns fewer faces is the likelier. Below the first, that says less
than the overlap that it means; above the second, it says more; in between, neither is plainly meant."""

SAME_MOMENTS = 2.0**-20
"""Two readings are one where the integrals over the faces in which they differ cancel to this share: walls that lie
back to back, to a welding cell, may be turned together."""


@dataclass(frozen=True, eq=False)
class Joints:
    """Where sheets meet that do not close by themselves: one item for each sheet at each edge of four faces and more.

    Parameters
    ----------
    edge : ndarray, shape (k,)
        The side that stands for the edge; ascending.
    sheet : ndarray, shape (k,)
        Its label.
    net : ndarray, shape (k,)
        How often more it walks the edge up than down; not 0.
    """

    edge: Ints
    sheet: Ints
    net: Ints

    def count(self) -> int:
        """Return the number of edges."""
        return int(np.count_nonzero(np.diff(self.edge, prepend=-1)))

    def unbalanced(self, flip: Bools) -> Ints:
        """Return the sheets at edges that do not balance with some sheets turned."""
        edge = np.cumsum(np.diff(self.edge, prepend=-1) > 0) - 1
        balance = np.bincount(edge, np.where(flip[self.sheet], -self.net, self.net))
        wrong: Ints = self.sheet[balance[edge] != 0.0]
        return wrong


@dataclass(frozen=True, eq=False)
class Reading:
    """One way to turn sheets.

    Parameters
    ----------
    turned : ndarray, shape (m,), bool
        Faces to turn round: in each shell the fewer.
    surprise : ndarray, shape (m,)
        By the label of the shell, minus the logarithm of how likely it is that so many of its faces are turned by
        chance; infinite where the shell does not balance.
    """

    turned: Bools
    surprise: FloatArray


def joints(edges: Edges, sheet: Ints, turned: Bools) -> Joints:
    """Find the edges of four faces and more where sheets meet that do not close by themselves.

    Parameters
    ----------
    edges : Edges
    sheet : ndarray, shape (m,), int64
        A label for each face.
    turned : ndarray, shape (m,), bool
        Faces that are turned round.
    """
    sides = np.flatnonzero(edges.count()[edges.edge] > 2)
    sign = edges.sign()[sides] * np.where(turned[edges.face[sides]], -1, 1)
    meeting, member = np.unique(
        np.stack([edges.edge[sides], sheet[edges.face[sides]]], axis=1), axis=0, return_inverse=True
    )
    net = np.bincount(member.ravel(), sign, minlength=len(meeting)).astype(np.int64)
    edge, part = meeting[net != 0].T
    return Joints(edge, part, net[net != 0])


def joined(surface: Surface, edges: Edges, sheet: Ints, turned: Bools) -> tuple[Ints, Bools]:
    """Join sheets along edges of four faces and more where they do not close by themselves.

    Parameters
    ----------
    surface : Surface
    edges : Edges
        Of a closed surface.
    sheet, turned : ndarray, shape (m,)
        A label for each face, and whether it is turned round for its sheet to be consistent: in each the fewer.

    Returns
    -------
    shell : ndarray, shape (m,), int64
        A label for each face, the same for all sheets that are joined.
    turned : ndarray, shape (m,), bool
        Faces to turn round: in each shell the fewer.

    Raises
    ------
    InertiaError
        ``inconsistent_winding``.
    """
    there = joints(edges, sheet, turned)
    if not len(there.edge):
        return sheet, turned
    count = len(sheet)
    following = np.flatnonzero(there.edge[1:] == there.edge[:-1])
    label = connected(there.sheet[following], there.sheet[following + 1], count)
    shell: Ints = label[sheet]
    size = np.bincount(shell, minlength=count)

    def reading(flip: Bools, wrong: Ints) -> Reading:
        faces = minority(shell, turned ^ flip[sheet])
        chance = surprise(np.bincount(shell, faces, minlength=count), size)
        chance[label[wrong]] = chance[label[there.unbalanced(flip)]] = np.inf
        return Reading(faces, chance)

    parity = reading(*by_turns(surface, edges, there.edge, there.sheet, sheet, turned))
    more = np.bincount(sheet, np.where(turned, -1, 1), minlength=count).astype(np.int64)
    one, other = (reading(_searched(there, more, best_of), there.sheet[:0]) for best_of in (np.argmax, _last_argmax))
    fewest = np.where((other.surprise < one.surprise)[shell], other.turned, one.turned)
    least = np.minimum(one.surprise, other.surprise)
    if np.isinf(np.minimum(least, parity.surprise)).any():
        raise _impossible(there)
    said = least > 0.0  # a shell that is consistent as it comes is left so
    plain = said & (parity.surprise <= least + UNSURE)
    for rival, within in ((parity, SURE), (one, 0.0), (other, 0.0)):
        balanced = said & ~plain & np.isfinite(rival.surprise)
        for faces in _differing(shell, balanced, fewest, rival.turned):
            which = shell[faces[0]]
            if rival is parity and _volume(surface, faces, fewest) < _volume(surface, faces, rival.turned):
                plain[which] = True  # less than by turns means less than never somewhere, which is no solid
            elif rival.surprise[which] <= least[which] + within and not _cancel(
                surface, faces[fewest[faces] != rival.turned[faces]], fewest
            ):
                raise _ambiguous(surface, faces, fewest, rival.turned)
    return shell, np.where(plain[shell], parity.turned, fewest)


def _differing(shell: Ints, some: Bools, one: Bools, other: Bools) -> Iterator[Ints]:
    """Yield the faces of each shell, of those that some labels stand for, in which two readings differ."""
    differing = np.zeros(len(shell), dtype=bool)
    differing[shell[one != other]] = True
    faces = np.flatnonzero((differing & some)[shell])
    faces = faces[np.argsort(shell[faces], kind="stable")]
    if len(faces):
        yield from np.split(faces, np.flatnonzero(np.diff(shell[faces])) + 1)


def surprise(turned: npt.ArrayLike, size: npt.ArrayLike) -> FloatArray:
    """Return -log of qᵏ (1 - q)ⁿ⁻ᵏ, the chance that just these k of n faces are turned, for the likeliest q = k / n."""
    faces = np.asarray(size, dtype=np.float64)
    share = np.asarray(turned) / np.maximum(faces, 1.0)
    result: FloatArray = -faces * sum(part * np.log(np.where(part > 0.0, part, 1.0)) for part in (share, 1.0 - share))
    return result


def _searched(there: Joints, more: Ints, best_of: Callable[[Ints], np.intp]) -> Bools:
    """Turn the sheet that balances the most, of these the one that takes the fewest faces, while that helps.

    Parameters
    ----------
    there : Joints
    more : ndarray, shape (m,)
        By the label of the sheet, how many more faces are turned when it is.
    best_of : function
        Gives the place of the highest of some numbers.

    Returns
    -------
    ndarray, shape (m,), bool
        By the label, the sheets to turn.
    """
    labels, part = np.unique(there.sheet, return_inverse=True)
    part, cost = part.ravel(), more[labels]
    flip = np.zeros(len(labels), dtype=bool)
    edge, net = np.cumsum(np.diff(there.edge, prepend=-1) > 0) - 1, there.net
    weight = 2 * int(np.abs(cost).max()) + 1
    for _ in range(MAX_FLIPS):
        balance = np.bincount(edge, net).astype(np.int64)
        if not balance.any():
            break
        gain = np.bincount(part, np.abs(balance[edge]) - np.abs(balance[edge] - 2 * net)).astype(np.int64)
        best = int(best_of(gain * weight - np.where(flip, -cost, cost)))
        if gain[best] <= 0:
            break
        flip[best] = not flip[best]
        net = np.where(part == best, -net, net)
    turned = np.zeros(len(more), dtype=bool)
    turned[labels] = flip
    return turned


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
    ways = ", or ".join(
        f"{np.count_nonzero(turned[faces])} faces turned, which makes it {_volume(surface, faces, turned):.6g}"
        for turned in (one, other)
    )
    return InertiaError(
        "inconsistent_winding",
        "",
        f"{len(faces)} faces meet at edges of four and more, and may be read in two ways: {ways} (in its own units);"
        " neither is plainly meant",
        "recalculate the normals (Mesh > Normals > Recalculate Outside), or remove the inner walls; or choose the"
        " method voxel",
    )


def _impossible(there: Joints) -> InertiaError:
    return InertiaError(
        "inconsistent_winding",
        "",
        f"along {there.count()} edges three or more sheets meet, and no choice of their normals was found that makes"
        " them walls of a solid",
        "remove the inner walls, or choose the method voxel",
    )
