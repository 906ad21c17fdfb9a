# SPDX-License-Identifier: GPL-3.0-or-later
"""The components of a closed surface: the volume of each, and which is inside which.

A point of a component is inside another if a line from there meets the other's faces more often on their backs than on
their fronts. A few points of each component are tested, all at once, and the majority decides.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...arrays import Bools, FloatArray, Ints, blocks
from ...errors import InertiaError
from ..progress import unless_unwanted
from ..surface import Surface
from .boxes import ManyBoxes
from .merging import MERGING_STEPS
from .vectors import Corners, compared, cross, dot, face_corners, hits, under_faces

FLAT = 64 * float(np.finfo(np.float64).eps)
"""A component whose volume is below this share of its bounding box, times √faces, is flat: it has no inside."""

ASKED, COMPARED = 1 << 12, 1 << 26
"""Number of points to test in all, fewer if each with each face makes more pairs than this."""

FEWEST, MOST = 1, 31
"""Minimum and maximum points of each component."""

ON_SURFACE = 2.0**-20
"""A point nearer to a face than this share of the size is on it, as for merging."""

ROUNDING = 2.0**-40
"""If all points are on another surface, test again with this share, far above rounding: it distinguishes a thin wall's
other side."""

ACROSS = np.array([0.4142135623730951, 0.7320508075688772, 1.0])
"""A direction along which no two points of a mesh made by people have equal heights: (√2 - 1, √3 - 1, 1)."""

WEIGHTS = np.array([0.4641016151377546, 0.3027756377319946, 0.2331227471302508])
"""A point inside a face, on none of its lines of symmetry: 2√3 - 3, √13 - 3.3028 and what is left of 1."""

SOME = 1 << 16
"""Faces per block: the temporaries stay in the cache."""

CROWDED, MOST_COMPARED = 10_000_000, 40_000_000
"""Maximum pairs of components whose boxes are compared, and of a point and a face if all components look the same way:
then columns detect overlaps."""


@dataclass(frozen=True, eq=False)
class Nesting:
    """The components of a closed surface.

    Parameters
    ----------
    volume : ndarray, shape (k,)
        Signed, about a corner of each component [m³]; exactly 0 for a flat one.
    low, high : ndarray, shape (3, k)
        Bounding boxes [m].
    inner, outer : ndarray, shape (j,), int64
        Pairs of components: most of the first is inside the second, for either winding of the second.
    complete : bool
        True if all such pairs are listed; otherwise none are, and all components look the same way.
    """

    volume: FloatArray
    low: FloatArray
    high: FloatArray
    inner: Ints
    outer: Ints
    complete: bool = True

    @classmethod
    def of(cls, surface: Surface, component: Ints) -> Nesting:
        """Measure components and find which is inside which.

        Parameters
        ----------
        component : ndarray, shape (m,), int64
            The number of each face's component, from 0 on.

        Raises
        ------
        InertiaError
            ``inconsistent_winding`` if so many parts are so close together that cavities cannot be identified.
        """
        order = np.argsort(component, kind="stable")
        corners, own = face_corners(surface, order), component[order]
        starts = np.flatnonzero(np.diff(own, prepend=-1))
        low = np.minimum.reduceat(corners.min(axis=1), starts, axis=1)
        high = np.maximum.reduceat(corners.max(axis=1), starts, axis=1)
        volume = _volumes(corners, own, starts, low, high)
        boxes = ManyBoxes(low, high)
        alike = not ((volume > 0.0).any() and (volume < 0.0).any())
        found = None
        if boxes.compared() <= CROWDED:
            found = _inside(surface, corners, own, starts, boxes, volume, MOST_COMPARED if alike else None)
        elif not alike:
            raise _crowded(len(volume))
        none = np.zeros(0, np.int64)
        inner, outer = (none, none) if found is None else found
        return cls(volume, low, high, inner, outer, complete=found is not None)

    @property
    def sign(self) -> Ints:
        """+1 for a component wound outward, -1 for one wound inward, 0 for a flat one."""
        return np.sign(self.volume).astype(np.int64)

    def winding(self) -> Ints:
        """Return the winding number just inside each component, as far as nesting determines it."""
        sign = self.sign
        return sign + np.bincount(self.inner, sign[self.outer], len(sign)).astype(np.int64)

    def inward(self) -> Bools:
        """Return the components to reverse: outermost ones wound inward, and all inside only such components."""
        outermost = np.ones(len(self.volume), dtype=bool)
        outermost[self.inner] = False
        roots = outermost & (self.volume < 0.0)
        around = outermost[self.outer]
        inside_some = np.bincount(self.inner[around], minlength=len(roots)) > 0
        better = np.bincount(self.inner[around], ~roots[self.outer[around]], minlength=len(roots)) > 0
        return roots | (inside_some & ~better)

    def flipped(self, which: Bools) -> Nesting:
        """Return the components with some of them (k,) reversed."""
        return replace(self, volume=np.where(which, -self.volume, self.volume))

    def depth(self) -> Ints:
        """Return the number of components around each."""
        return np.bincount(self.inner, minlength=len(self.volume))

    def solids(self) -> Ints:
        """Return for each component the one whose body it bounds: itself, or for a cavity the next one around it."""
        depth, solid = self.depth(), np.arange(len(self.volume))
        cavity = (self.volume < 0.0)[self.inner] & (self.volume > 0.0)[self.outer]
        inner, outer = self.inner[cavity], self.outer[cavity]
        order = np.argsort(depth[outer], kind="stable")  # of several, the last write wins: the deepest
        solid[inner[order]] = outer[order]
        return solid


def _volumes(corners: Corners, own: Ints, starts: Ints, low: FloatArray, high: FloatArray) -> FloatArray:
    origin = corners[:, 0, starts]  # near each component, to avoid cancellation
    six = np.zeros(len(starts))
    for some in blocks(len(own), SOME):
        here = own[some]
        first = np.flatnonzero(np.diff(here, prepend=-1))
        a, b, c = (corners[:, :, some] - origin.take(here, axis=1)[:, None]).transpose(1, 0, 2)
        six[here[first]] += np.add.reduceat(dot(a, cross(b, c)), first)
    faces = np.diff(np.append(starts, len(own)))
    six[np.abs(six) <= 6.0 * FLAT * np.sqrt(faces) * np.prod(high - low, axis=0)] = 0.0
    return six / 6.0


def _inside(
    surface: Surface,
    corners: Corners,
    own: Ints,
    starts: Ints,
    boxes: ManyBoxes,
    volume: FloatArray,
    most: int | None,
) -> tuple[Ints, Ints] | None:
    """Return the pairs of components (inner, outer); None if that needs too many comparisons."""
    low, high = boxes.low, boxes.high
    pairs = [np.stack(pair) for pair in boxes.pairs()]
    one, other = np.concatenate([np.zeros((2, 0), np.int64), *pairs], axis=1)
    size = np.prod(high - low, axis=0)
    swap = (size[one] > size[other]) | ((size[one] == size[other]) & (one > other))
    inner, outer = np.where(swap, other, one), np.where(swap, one, other)
    solid = volume[outer] != 0.0
    inner, outer = inner[solid], outer[solid]
    if not len(inner):
        return inner, outer
    asked = np.unique(inner)
    point, whose, along = _points(corners, starts, asked, len(own))
    if most is not None and sum(compared(corners, k, point[(k + 1) % 3, along == k]) for k in range(3)) > most:
        return None
    longest = (high - low).max(axis=0)
    near = np.maximum(ON_SURFACE * longest, MERGING_STEPS * surface.step())
    count = len(volume)
    points = np.bincount(whose, minlength=count)[inner]
    wanted = inner * count + outer
    inside, unknown = (_counted(wanted, found) for found in _votes(corners, own, point, whose, along, near))
    if (unknown == points).any():
        # All of it is nearer to the other than a merging cell, as behind a thin wall: test again, more exactly.
        again = np.isin(whose, inner[unknown == points])
        least = np.full(count, ROUNDING * float(np.abs(corners).max()))
        votes = _votes(corners, own, point[:, again], whose[again], along[again], least)
        nearer = (_counted(wanted, found) for found in votes)
        inside, unknown = (
            np.where(unknown == points, new, old) for new, old in zip(nearer, (inside, unknown), strict=True)
        )
    kept = (inside > 0) & (2 * inside >= points - unknown)  # half suffices: winding numbers decide
    return inner[kept], outer[kept]


def _crowded(count: int) -> InertiaError:
    return InertiaError.of("inconsistent_winding", "", "cavities", count=count)


def _counted(wanted: Ints, found: Ints) -> Ints:
    """Return how often each wanted number is in a list."""
    found = np.sort(found)
    return np.searchsorted(found, wanted, side="right") - np.searchsorted(found, wanted, side="left")


def _points(corners: Corners, starts: Ints, asked: Ints, count: int) -> tuple[FloatArray, Ints, Ints]:
    """Return points (3, j) on faces of some components, with the component and the face's main axis of each.

    Faces and corners are chosen by position, so that their order in the mesh does not matter.
    """
    each = int(np.clip(min(ASKED, COMPARED // count) // len(asked), FEWEST, MOST))
    ends = np.append(starts[1:], count)
    chosen, whose = [], []
    for component in asked.tolist():
        faces = np.arange(starts[component], ends[component])
        if len(faces) > each:
            height = ACROSS @ corners[:, :, faces].sum(axis=1)
            spread = np.linspace(0, len(faces) - 1, each + 2)[1:-1].astype(np.intp)
            faces = faces[np.argpartition(height, spread)[spread]]
        chosen.append(faces)
        whose.append(np.full(len(faces), component))
    some = corners[:, :, np.concatenate(chosen)]
    rising = np.argsort(np.tensordot(ACROSS, some, 1), axis=0)
    some = np.take_along_axis(some, rising[None], axis=1)
    normal = cross(some[:, 1] - some[:, 0], some[:, 2] - some[:, 0])
    return some.transpose(0, 2, 1) @ WEIGHTS, np.concatenate(whose), np.argmax(np.abs(normal), axis=0)


def _votes(
    corners: Corners, own: Ints, point: FloatArray, whose: Ints, along: Ints, near: FloatArray
) -> tuple[Ints, Ints]:
    """Return a number, inner * components + outer, for each point inside another component, and for each that is on it.

    A line that meets an edge does not decide either.
    """
    count = len(near)
    yes, unknown = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for axis in range(3):
        asked = np.flatnonzero(along == axis)
        place = point[:, asked]
        y, z = place[(axis + 1) % 3], place[(axis + 2) % 3]
        found = []
        for line, face in under_faces(corners, axis, y, z):
            unless_unwanted()
            others = np.flatnonzero(own[face] != whose[asked[line]])
            line, face = line[others], face[others]
            hit, height, sign = hits(corners[:, :, face], axis, y[line], z[line])
            found.append((line[hit], own[face[hit]], height, sign))
        if not found:
            continue
        line, other, height, sign = (np.concatenate(part) for part in zip(*found, strict=True))
        key, group = np.unique(line * count + other, return_inverse=True)
        off = height - place[axis, line]
        on = np.bincount(group, np.abs(off) <= near[other]) > 0.0
        on |= np.bincount(group, sign) != 0.0
        inside = np.bincount(group, sign * (off > 0.0)) != 0.0
        pair = whose[asked[key // count]] * count + key % count
        yes.append(pair[inside & ~on])
        unknown.append(pair[on])
    return np.concatenate(yes), np.concatenate(unknown)
