# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a closed surface winds around space more than once, or backwards: by coarse columns, and by lines between
components that come close."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import isfinite

import numpy as np

from ...arrays import FloatArray
from ..geometry.boxes import box_pairs, boxes_meeting
from ..geometry.crossing_faces import face_pairs
from ..geometry.probe import LINES, BoxedFaces, crossings, sample_window
from ..progress import unless_unwanted
from ..surface import Surface
from ..topology.components import Components
from ..topology.merging import merging_size
from ..voxels.windings import winding_volumes

COARSE = (64, 61, 59)
"""Columns along the longest side in the first sample, which costs about as much as the exact integral; the next where a
column runs into an edge that other edges meet only in part."""

ASIDE = np.array([0.4641016151377546, 0.6180339887498949, 0.5857864376269049])
"""Where in a window a line is put that shall meet no edge: 2√3 - 3, (√5 - 1)/2 and 2 - √2 of its sides."""

MAX_PAIRS = 4096
"""Pairs of components looked at one by one, the largest windows first."""

MOST_FACES = 1 << 15
"""Faces of two components in a window that are compared one by one, a fraction of a second; else only lines tell."""

Near = frozenset[tuple[int, int]]
"""Pairs of components."""


@dataclass(frozen=True)
class Windings:
    """What was found.

    Parameters
    ----------
    overlap, negative : float
        Volume where the winding is above one, and below zero [m³]; 0 where that is no more than touching.
    touching : int
        Pairs of components that touch.
    unseen : int
        Pairs of components that were too many to look at.
    near : frozenset of tuple of int
        Pairs of components that are not known to be apart.
    """

    overlap: float = 0.0
    negative: float = 0.0
    touching: int = 0
    unseen: int = 0
    near: Near = frozenset()


def sample_coarsely(surface: Surface) -> Windings:
    """Sample the whole surface with columns of 1/64 of its longest side.

    What the columns see is no more than touching where it is less than a merging cell deep all over the bounding box.
    """
    return seen_by_columns(surface, float(surface.extent().max()), touching_volume(surface))


def seen_by_columns(surface: Surface, longest: float, touching: float, axis: int | None = None) -> Windings:
    """Return what columns of 1/64 of a length along an axis see, where it is more than `touching` [m³]."""
    if not (isfinite(touching) and longest > 0.0):  # beyond floating point, or one point, which the integral says
        return Windings()
    best = None
    for columns in COARSE:
        seen = winding_volumes(surface, longest / columns, axis)
        if best is None or seen.open_columns < best.open_columns:
            best = seen
        if best.open_columns == 0.0:
            break
    assert best is not None
    return Windings(
        best.overlap if best.overlap > touching else 0.0, best.negative if best.negative > touching else 0.0
    )


def touching_volume(surface: Surface) -> float:
    """Return the volume of a layer one merging cell deep all over the bounding box [m³]: less is just touching."""
    x, y, z = surface.extent()
    return merging_size(surface) * float(x * y + y * z + z * x)


def sample_closely(surface: Surface, components: Components, seen: float = 0.0) -> Windings:
    """Sample between all components whose faces come close, in a window drawn around what may overlap.

    Components no face of which comes close to one of the other are apart. Where all look outwards, faces that pass
    through each other enclose something more than once and nothing less than never, so lines through them would only
    tell how much, or that two components of very many faces only touch: that is not asked where columns have `seen`
    more already [m³].
    """
    first, second = box_pairs(components.low, components.high)
    window = np.prod(
        np.minimum(components.high[first], components.high[second])
        - np.maximum(components.low[first], components.low[second]),
        axis=1,
    )
    order = np.argsort(-window, kind="stable")
    overlap = negative = 0.0
    touching = 0
    depth = merging_size(surface)
    near = {(int(first[pair]), int(second[pair])) for pair in order[MAX_PAIRS:]}
    told = seen > 0.0 and not (components.volume < 0.0).any()  # by columns, so lines are not asked

    @cache
    def points_of(component: int) -> frozenset[tuple[float, ...]]:
        corners = surface.vertices[np.unique(surface.triangles[components.faces[component]])]
        return frozenset(map(tuple, corners.tolist()))

    for pair in order[:MAX_PAIRS].tolist():
        unless_unwanted()
        a, b = int(first[pair]), int(second[pair])
        low = np.maximum(components.low[a], components.low[b])
        high = np.minimum(components.high[a], components.high[b])
        tight = _tightened(components.shapes[a], components.shapes[b], low, high, depth)
        if tight is None:
            continue
        meeting = _meeting(components.shapes[a], components.shapes[b], *tight, depth, told)
        if meeting is None:
            continue
        near.add((a, b))
        if (high - low).min() <= depth:
            touching += 1
            continue
        if meeting and told:
            continue
        if components.volume[a] * components.volume[b] < 0.0:  # what sticks out of a cavity is not where both boxes are
            low = np.minimum(components.low[a], components.low[b])
            high = np.maximum(components.high[a], components.high[b])
            room = (tight[1] - tight[0]) / LINES
            tight = tight[0] - room, tight[1] + room
        meets = np.flatnonzero((components.low <= high).all(axis=1) & (components.high >= low).all(axis=1)).tolist()
        there = [c for c in meets if c in (a, b) or not _elsewhere(components.shapes[c], low, high)]
        corners = np.concatenate([components.shapes[c].corners for c in there], axis=2)
        seen_there = sample_window(corners, low, high, *tight)
        if not (np.array_equal(tight[0], low) and np.array_equal(tight[1], high)):
            seen_there |= sample_window(corners, low, high, low, high)
        if seen_there.overlap_depth > depth:
            overlap += seen_there.overlap
        if seen_there.negative_depth > depth:
            negative += seen_there.negative
        if max(seen_there.overlap_depth, seen_there.negative_depth) <= depth:
            touching += not points_of(a).isdisjoint(points_of(b))
    return Windings(overlap, negative, touching, max(len(order) - MAX_PAIRS, 0), frozenset(near))


def _meeting(
    one: BoxedFaces, other: BoxedFaces, low: FloatArray, high: FloatArray, depth: float, if_too_many: bool
) -> bool | None:
    """Say whether faces of two components are known to pass through each other in a window; None if none come close.

    `if_too_many` is what is said where there are too many to be compared.
    """
    here, there = (boxes_meeting(shape.low, shape.high, low - depth, high + depth) for shape in (one, other))
    if len(here) + len(there) > MOST_FACES:
        return if_too_many
    corners = np.concatenate([one.corners[:, :, here], other.corners[:, :, there]], axis=2)
    side = np.arange(corners.shape[2]) < len(here)
    if any(True for _ in face_pairs(corners, depth, side)):
        return True
    return False if any(True for _ in face_pairs(corners, -depth, side)) else None


def _elsewhere(component: BoxedFaces, low: FloatArray, high: FloatArray) -> bool:
    """Say whether a closed component has no faces in a window, nor the window inside it: lines may do without it."""
    if len(boxes_meeting(component.low, component.high, low, high)):
        return False
    x, y, z = low + ASIDE * (high - low)
    _, _, height, sign = crossings(component.corners, 0, np.array([y]), np.array([z]))
    return bool(sign.sum() == 0.0 and sign[height > x].sum() == 0.0)


def _tightened(
    one: BoxedFaces, other: BoxedFaces, low: FloatArray, high: FloatArray, margin: float
) -> tuple[FloatArray, FloatArray] | None:
    """Shrink a window to where faces of both components are; None if there is no such place: they are apart.

    Where components cut each other both have faces, and the overlap begins there.
    """
    room = (high - low) / LINES
    outer = low, high
    left = [(one.low, one.high), (other.low, other.high)]
    for _ in range(8):
        before = low, high
        for side, (lows, highs) in enumerate(left):
            near = boxes_meeting(lows, highs, low - margin, high + margin)
            if not len(near):
                return None
            # The others come no nearer. Row by row, or all of a part of longer rows would be copied first.
            lows, highs = left[side] = tuple(np.stack([row.take(near) for row in rows]) for rows in (lows, highs))
            low = np.maximum(low, lows.min(axis=1))
            high = np.minimum(high, highs.max(axis=1))
        if np.array_equal(before[0], low) and np.array_equal(before[1], high):
            break
    return np.maximum(low - room, outer[0]), np.minimum(high + room, outer[1])
