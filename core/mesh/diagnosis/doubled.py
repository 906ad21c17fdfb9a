# SPDX-License-Identifier: GPL-3.0-or-later
"""Where components may enclose something more than once: the window that a union is asked for in.

Where each component by itself winds at most once around anything, what counts twice lies in two components that look
outwards, so in both of their boxes. Of two such components that are apart, one may lie in the other; then nesting tells
the winding all over the inner one, unless the wall of a cavity passes through it.
"""

from __future__ import annotations

import numpy as np

from ...arrays import Bools, Ints
from ...errors import InertiaError
from ..geometry.boxes import box_pairs
from ..surface import Surface
from ..topology.components import Components
from ..topology.merging import merging_size
from ..voxels.grid import Window
from .overlap import COARSE, Near, seen_by_columns, touching_volume
from .side_by_side import each_alone


def doubled(surface: Surface, components: Components, winding: Ints, near: Near, kept: Bools) -> Window | None:
    """Return a box that holds all that is enclosed more than once, or None where that is not known.

    Parameters
    ----------
    surface : Surface
        Its corners merged to points.
    components : Components
        Its components.
    winding : ndarray, shape (k,), int64
        In each component, as far as nesting tells.
    near : frozenset of tuple of int
        Pairs of components that are not known to be apart.
    kept : ndarray, shape (k,), bool
        Components that count: without those swallowed by others.
    """
    if not _each_once(surface, components):
        return None
    outward = components.volume > 0.0
    through = [pair for pair in near if outward[list(pair)].any() and not outward[list(pair)].all()]
    cut = {component for pair in through for component in pair}
    depth = merging_size(surface)
    lows, highs = [], []
    for a, b in zip(*(side.tolist() for side in box_pairs(components.low, components.high)), strict=True):
        if not (outward[a] and outward[b] and kept[a] and kept[b]):
            continue
        if (a, b) not in near and (b, a) not in near:
            inner = a if b in components.within[a] else b if a in components.within[b] else None
            if inner is None or (winding[inner] <= 1 and inner not in cut):
                continue
        low, high = np.maximum(components.low[a], components.low[b]), np.minimum(components.high[a], components.high[b])
        if (high - low).min() > depth:  # less is just touching
            lows.append(low)
            highs.append(high)
    return (np.min(lows, axis=0), np.max(highs, axis=0)) if lows else None


def _each_once(surface: Surface, components: Components) -> bool:
    """Say whether coarse columns through each component alone see nothing twice, nor anything inside out."""
    longest = float(surface.extent().max())
    faces = np.concatenate(components.faces)
    label = np.repeat(np.arange(len(components.faces)), [len(own) for own in components.faces])
    triangles = surface.triangles.take(faces, axis=0)
    if (components.volume < 0.0).any():
        inward = components.volume[label] < 0.0
        triangles[inward] = triangles[inward, ::-1]
    touching = touching_volume(surface)
    try:
        for alone, _ in each_alone(Surface(surface.vertices, triangles), label, longest / min(COARSE)):
            seen = seen_by_columns(alone, longest, touching)
            if seen.overlap > 0.0 or seen.negative > 0.0:
                return False
    except InertiaError:  # more columns than fit
        return False
    return True
