# SPDX-License-Identifier: GPL-3.0-or-later
"""Where shells may enclose something more than once: the window that a union is asked for in.

Where each shell by itself winds at most once around anything, what counts twice lies in two shells that look outwards,
so in both of their boxes. Of two such shells that are apart, one may lie in the other; then nesting tells the winding
all over the inner one, unless the wall of a cavity passes through it.
"""

from __future__ import annotations

import numpy as np

from ...arrays import Bools, Ints
from ...errors import InertiaError
from ..geometry.boxes import box_pairs
from ..surface import Surface
from ..topology.components import Shells
from ..topology.merging import weld_size
from ..voxels.grid import Window
from .overlap import COARSE, Near, seen_by_columns, touching_volume
from .side_by_side import each_alone


def doubled(surface: Surface, shells: Shells, winding: Ints, near: Near, kept: Bools) -> Window | None:
    """Return a box that holds all that is enclosed more than once, or None where that is not known.

    Parameters
    ----------
    surface : Surface
        Its corners merged to points.
    shells : Shells
        Its shells.
    winding : ndarray, shape (k,), int64
        In each shell, as far as nesting tells.
    near : frozenset of tuple of int
        Pairs of shells that are not known to be apart.
    kept : ndarray, shape (k,), bool
        Shells that count: without those swallowed by others.
    """
    if not _each_once(surface, shells):
        return None
    outward = shells.volume > 0.0
    cut = {shell for pair in near if outward[list(pair)].any() and not outward[list(pair)].all() for shell in pair}
    depth = weld_size(surface)
    lows, highs = [], []
    for a, b in zip(*(side.tolist() for side in box_pairs(shells.low, shells.high)), strict=True):
        if not (outward[a] and outward[b] and kept[a] and kept[b]):
            continue
        if (a, b) not in near and (b, a) not in near:
            inner = a if b in shells.within[a] else b if a in shells.within[b] else None
            if inner is None or (winding[inner] <= 1 and inner not in cut):
                continue
        low, high = np.maximum(shells.low[a], shells.low[b]), np.minimum(shells.high[a], shells.high[b])
        if (high - low).min() > depth:  # less is just touching
            lows.append(low)
            highs.append(high)
    return (np.min(lows, axis=0), np.max(highs, axis=0)) if lows else None


def _each_once(surface: Surface, shells: Shells) -> bool:
    """Say whether coarse columns through each shell alone see nothing twice, nor anything inside out."""
    longest = float(surface.extent().max())
    faces = np.concatenate(shells.faces)
    label = np.repeat(np.arange(len(shells.faces)), [len(own) for own in shells.faces])
    triangles = surface.triangles.take(faces, axis=0)
    if (shells.volume < 0.0).any():
        inward = shells.volume[label] < 0.0
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
