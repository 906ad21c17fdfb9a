# SPDX-License-Identifier: Apache-2.0
"""The components of a closed surface: the volume of each, and which is inside which.

A point is inside a component if a line from there leaves the component more often than it enters it. A few points of
each component are tested, and the majority decides.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...arrays import Bools, FloatArray, Ints, blocks
from ...errors import InertiaError
from ..surface import Surface
from .boxes import many_box_pairs
from .merging import MERGING_STEPS
from .vectors import Corners, compared, cross, crossings, dot, face_corners

FLAT = 64 * float(np.finfo(np.float64).eps)
"""A component whose volume is below this share of its bounding box, times √faces, is flat: it has no inside."""

POINTS, POINT_FACE_PAIRS = 1 << 11, 1 << 26
"""Maximum number of points to test in all, and of pairs of a point and a face of the mesh."""

MOST = 31
"""Maximum number of points to test of each component; at least one is."""

ON_SURFACE = 2.0**-20
"""A point nearer to a face than this share of the component's size is on the face, as when vertices are merged."""

ROUNDING = 2.0**-40
"""If all points are on another surface, they are tested again with this share, far above rounding: small enough to tell
the two sides of a thin wall apart."""

OBLIQUE = np.array([0.4142135623730951, 0.7320508075688772, 1.0])
"""A direction along which modelled points, often on a grid, have different heights: (√2 - 1, √3 - 1, 1)."""

OFF_CENTRE = np.array([0.4641016151377546, 0.3027756377319946, 0.2331227471302508])
"""Weights of a face's corners for a point on none of its lines of symmetry: 2√3 - 3, √13 - 3.3028, the rest of 1."""

BLOCK = 1 << 16
"""Faces per block: the temporaries stay in the cache."""

BOX_PAIRS = 10_000_000
"""Maximum pairs of components whose bounding boxes overlap."""

TESTED_PAIRS = 40_000_000
"""Maximum pairs of a point and a face to test if all components have the same sign; if there are more, nesting stays
unknown, and columns of voxels detect overlaps."""


@dataclass(frozen=True, eq=False)
class Nesting:
    """The components of a closed surface.

    All pairs are listed if `complete`; if not, none is, and all components have volumes of one sign.
    """

    volume: FloatArray  # signed, about a corner of each component (k,) [m³]; exactly 0 for a flat one
    low: FloatArray
    high: FloatArray  # bounding boxes (3, k) [m]
    inner: Ints
    outer: Ints  # pairs of components (j,): most of the first is inside the second, however that is wound
    complete: bool = True

    @classmethod
    def of(cls, surface: Surface, component: Ints) -> Nesting:
        """Measure the components that faces (m,) belong to, numbered from 0 on, and find which is inside which.

        Raises
        ------
        InertiaError
            ``inconsistent_winding`` if so many parts are so close together that cavities cannot be identified.
        """
        # The faces of each component in a row: `starts` are their first places.
        order = np.argsort(component, kind="stable")
        corners, owner = face_corners(surface, order), component[order]
        starts = np.flatnonzero(np.diff(owner, prepend=-1))
        low = np.minimum.reduceat(corners.min(axis=1), starts, axis=1)
        high = np.maximum.reduceat(corners.max(axis=1), starts, axis=1)
        volume = _volumes(corners, owner, starts, low, high)
        of_one_sign = not ((volume > 0.0).any() and (volume < 0.0).any())
        pairs, overlapping = None, _overlapping(low, high)
        if overlapping is not None:
            most = TESTED_PAIRS if of_one_sign else None
            pairs = _inside(surface, corners, owner, starts, (low, high), overlapping, volume, most)
        elif not of_one_sign:
            raise InertiaError.of("inconsistent_winding", "", "cavities", count=len(volume))
        inner, outer = np.zeros((2, 0), np.int64) if pairs is None else pairs
        return cls(volume, low, high, inner, outer, complete=pairs is not None)

    @property
    def sign(self) -> Ints:
        """+1 for a component wound outward, -1 for one wound inward, 0 for a flat one."""
        return np.sign(self.volume).astype(np.int64)

    def winding(self) -> Ints:
        """Return the winding number just inside each component, if no components overlap."""
        sign = self.sign
        return sign + np.bincount(self.inner, sign[self.outer], len(sign)).astype(np.int64)

    def inward(self) -> Bools:
        """Return the components to reverse: outermost ones that are wound inward, and those inside only of such."""
        # A component inside outermost ones goes with them: it is reversed if all of these are.
        outermost = np.ones(len(self.volume), dtype=bool)
        outermost[self.inner] = False
        wrong = outermost & (self.volume < 0.0)
        in_outermost = outermost[self.outer]
        inner, outer = self.inner[in_outermost], self.outer[in_outermost]
        in_any = np.bincount(inner, minlength=len(wrong)) > 0
        in_right = np.bincount(inner, ~wrong[outer], minlength=len(wrong)) > 0
        return wrong | (in_any & ~in_right)

    def flipped(self, which: Bools) -> Nesting:
        """Return the components with some of them (k,) reversed."""
        return replace(self, volume=np.where(which, -self.volume, self.volume))

    def depth(self) -> Ints:
        """Return the number of components around each."""
        return np.bincount(self.inner, minlength=len(self.volume))

    def solids(self) -> Ints:
        """Return for each component the solid that it bounds: itself, or for a cavity the next one around it."""
        depth, solid = self.depth(), np.arange(len(self.volume))
        cavity = (self.volume < 0.0)[self.inner] & (self.volume > 0.0)[self.outer]
        inner, outer = self.inner[cavity], self.outer[cavity]
        order = np.argsort(depth[outer], kind="stable")  # of several, the last write wins: the deepest
        solid[inner[order]] = outer[order]
        return solid


def _volumes(corners: Corners, owner: Ints, starts: Ints, low: FloatArray, high: FloatArray) -> FloatArray:
    """Return the signed volumes of components, 0 for flat ones; `owner` is the component of each face."""
    origin = corners[:, 0, starts]  # near each component, to avoid cancellation
    # Six times the volume, block by block: a component may continue from one block to the next.
    six = np.zeros(len(starts))
    for some in blocks(len(owner), BLOCK):
        here = owner[some]
        first = np.flatnonzero(np.diff(here, prepend=-1))
        a, b, c = (corners[:, :, some] - origin.take(here, axis=1)[:, None]).transpose(1, 0, 2)
        six[here[first]] += np.add.reduceat(dot(a, cross(b, c)), first)
    faces = np.diff(np.append(starts, len(owner)))
    # Roundings of m faces add up like √m.
    six[np.abs(six) <= 6.0 * FLAT * np.sqrt(faces) * np.prod(high - low, axis=0)] = 0.0
    return six / 6.0


def _overlapping(low: FloatArray, high: FloatArray) -> Ints | None:
    """Return the pairs (2, k) of boxes that overlap; None if they are more than `BOX_PAIRS`."""
    pairs, count = [np.zeros((2, 0), np.int64)], 0
    for pair in many_box_pairs(low, high):
        pairs.append(np.stack(pair))
        count += len(pair[0])
        if count > BOX_PAIRS:
            return None
    return np.concatenate(pairs, axis=1)


def _inside(
    surface: Surface,
    corners: Corners,
    owner: Ints,
    starts: Ints,
    boxes: tuple[FloatArray, FloatArray],
    overlapping: Ints,
    volume: FloatArray,
    most: int | None,
) -> tuple[Ints, Ints] | None:
    """Return the pairs of components (inner, outer); None if that would test more than `most` pairs."""
    (low, high), (box, other_box) = boxes, overlapping
    # Of components whose boxes overlap, the smaller may be in the larger, unless the larger is flat.
    size = np.prod(high - low, axis=0)
    swap = (size[box] > size[other_box]) | ((size[box] == size[other_box]) & (box > other_box))
    inner, outer = np.where(swap, [other_box, box], [box, other_box])[:, volume[np.where(swap, box, other_box)] != 0.0]
    if not len(inner):
        return inner, outer
    point, component, nearest_axis = _test_points(corners, starts, np.unique(inner), len(owner))
    if most is not None and sum(compared(corners, k, point[(k + 1) % 3, nearest_axis == k]) for k in range(3)) > most:
        return None
    # Count for each pair how many points of the inner one are inside the outer, and how many do not decide.
    longest = (high - low).max(axis=0)
    near = np.maximum(ON_SURFACE * longest, MERGING_STEPS * surface.step())
    count = len(volume)
    points = np.bincount(component, minlength=count)[inner]
    candidates = inner * count + outer
    votes = _votes(corners, owner, point, component, nearest_axis, near)
    inside, undecided = (_occurrences(candidates, voted) for voted in votes)
    if (undecided == points).any():
        # All points are nearer to the other component than a merging cell, as behind a thin wall: test more exactly.
        again = np.isin(component, inner[undecided == points])
        least = np.full(count, ROUNDING * float(np.abs(corners).max()))
        votes = _votes(corners, owner, point[:, again], component[again], nearest_axis[again], least)
        exact = (_occurrences(candidates, voted) for voted in votes)
        inside, undecided = (
            np.where(undecided == points, new, old) for new, old in zip(exact, (inside, undecided), strict=True)
        )
    within = (inside > 0) & (2 * inside >= points - undecided)  # half suffices: winding numbers decide
    return inner[within], outer[within]


def _occurrences(values: Ints, among: Ints) -> Ints:
    """Return how often each value occurs in another array."""
    among = np.sort(among)
    return np.searchsorted(among, values, side="right") - np.searchsorted(among, values, side="left")


def _test_points(corners: Corners, starts: Ints, components: Ints, count: int) -> tuple[FloatArray, Ints, Ints]:
    """Return points (3, j) on faces of some components, the component of each, and the axis nearest to its normal.

    Faces and corners are chosen by position, so that their order in the mesh does not matter.
    """
    # As many points of each component as the limits of all allow.
    each = int(np.clip(min(POINTS, POINT_FACE_PAIRS // count) // len(components), 1, MOST))
    ends = np.append(starts[1:], count)
    chosen, owners = [], []
    for component in components.tolist():
        faces = np.arange(starts[component], ends[component])
        if len(faces) > each:
            # Faces at evenly spaced ranks of their height: spread over the component.
            height = OBLIQUE @ corners[:, :, faces].sum(axis=1)
            spread = np.linspace(0, len(faces) - 1, each + 2)[1:-1].astype(np.intp)
            faces = faces[np.argpartition(height, spread)[spread]]
        chosen.append(faces)
        owners.append(np.full(len(faces), component))
    some = corners[:, :, np.concatenate(chosen)]
    # Sort the corners of each face by height, so that the point does not depend on where the face begins.
    rising = np.argsort(np.tensordot(OBLIQUE, some, 1), axis=0)
    some = np.take_along_axis(some, rising[None], axis=1)
    normal = cross(some[:, 1] - some[:, 0], some[:, 2] - some[:, 0])
    return some.transpose(0, 2, 1) @ OFF_CENTRE, np.concatenate(owners), np.argmax(np.abs(normal), axis=0)


def _votes(
    corners: Corners, owner: Ints, point: FloatArray, component: Ints, nearest_axis: Ints, near: FloatArray
) -> tuple[Ints, Ints]:
    """Return a pair of components for each point inside another component, and for each point that does not decide.

    A pair is the number inner * components + outer. A point does not decide if it is on the other component, or if its
    line along the axis meets an edge. A point at most `near` (k,) [m] from a component is on it.
    """
    count = len(near)
    pairs_inside, pairs_undecided = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for axis in range(3):
        tested = np.flatnonzero(nearest_axis == axis)
        place = point[:, tested]
        y, z = place[(axis + 1) % 3], place[(axis + 2) % 3]
        line, face, height, sign = crossings(corners, axis, y, z)
        # A component says nothing about its own points.
        apart = owner[face] != component[tested[line]]
        line, other, height, sign = line[apart], owner[face[apart]], height[apart], sign[apart]
        # The crossings of each line with each component. In all they cancel; those above the point do so, too, unless
        # it is inside.
        key, group = np.unique(line * count + other, return_inverse=True)
        off = height - place[axis, line]
        undecided = np.bincount(group, np.abs(off) <= near[other]) > 0.0
        undecided |= np.bincount(group, sign) != 0.0  # it met an edge
        inside = np.bincount(group, sign * (off > 0.0)) != 0.0
        pair = component[tested[key // count]] * count + key % count
        pairs_inside.append(pair[inside & ~undecided])
        pairs_undecided.append(pair[undecided])
    return np.concatenate(pairs_inside), np.concatenate(pairs_undecided)
