# SPDX-License-Identifier: Apache-2.0
"""The space that the winding number of an open surface adds to that of the surface closed by fans, or removes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import sqrt

import numpy as np

from ...arrays import FloatArray, Ints
from ..progress import unless_unwanted
from ..surface import Surface
from ..topology.loops import DOME
from ..voxels.columns import Columns
from . import lines
from .holes import SURE, Holes

THRESHOLDS = 0.25, 0.5, 0.75

SIDE, MANY = 8, 600
"""Cells of a cube along each axis: from most such cubes most holes are far; and triangles over the holes, above which
there are fewer cells in proportion."""

RESOLVED, LEVELS, MOST_CUBES = 2.0, 4, 256
"""A fan whose side has fewer cells than this gets cells of half the size, up to so many levels and cubes."""

HITS = 3.0
"""Standard deviations of what small domes add by chance."""

CORNERS: Ints = np.array(list(product((0, 1), repeat=3)))


@dataclass(frozen=True, eq=False)
class Correction:
    """What a grid of cells finds near the holes of a surface.

    `sums` (3, 4, 4) is for each threshold ∫ (1, p)(1, p)ᵀ dV over its space, less that of the closed surface; `hidden`
    (4, 4) the same of what domes over the fans that are smaller than the cells could hold. `beyond` is the volume
    outside of the mesh's bounding box where the winding number is above a half; `deviation` and `grain` are deviations
    of volumes, if all cells that differ are random, and if only those at the surface of that space are; `inverted` is
    what it has more where the winding number is below minus a half [m³].
    """

    sums: FloatArray
    hidden: FloatArray
    beyond: float = 0.0
    deviation: float = 0.0
    grain: float = 0.0
    inverted: float = 0.0


def correction(surface: Surface, holes: Holes, size: float, half: FloatArray, negligible: float) -> Correction:
    """Compare the winding number with that of the closed surface, at the centres of cells.

    Only the mesh's own bounding box counts, of half the sides `half`: in front of an open end, space has a winding
    number, too. Small fans with domes of less than the volume `negligible` in all are not resolved.
    """
    # All levels share the box of the first grid.
    grid = lines.grid(surface, 2, size)
    reach = np.array(grid.shape) * size / 2.0
    window = grid.centre - reach, grid.centre + reach
    sums, beyond, variance, inverted = np.zeros((len(THRESHOLDS), 4, 4)), 0.0, 0.0, 0.0
    domes = DOME * holes.size**1.5
    order = np.argsort(domes)
    # Domes smaller than cells are met at random, n cells of m in all: the deviation of n is √n.
    total = float(domes.sum())
    random = min(1.0, HITS * sqrt(size**3 / total)) if total > 0.0 else 1.0
    # The smallest domes that together matter less than `negligible` are not resolved, only added to what is hidden.
    matters = np.zeros(len(domes), dtype=bool)
    matters[order] = np.cumsum(domes[order]) * random > negligible
    hidden = ~matters
    most = MOST_CUBES * min(MANY / len(holes.corners), 1.0)
    cubes: Ints = np.array(list(product(*(range(1, count + 1, SIDE) for count in grid.shape))))
    for level in range(LEVELS):
        if level:
            size /= 2.0
            grid = Columns.around(surface, size, 2, window)
        ordered = grid.ordered(surface.triangles)
        # Fans that have too few cells at this level: their cubes are divided, or if there are too many, they are
        # hidden.
        small = np.flatnonzero(matters & (holes.size < (RESOLVED * size) ** 2))
        inside = (holes.place[small] - window[0]) / size
        finer: list[Ints] = []
        for low in cubes:
            unless_unwanted()
            sides = [
                np.arange(start, min(start + SIDE, count + 1)) for start, count in zip(low, grid.shape, strict=True)
            ]
            here = ((inside >= low - 1.0) & (inside < low - 1.0 + SIDE)).all(axis=1)
            if here.any():
                if level + 1 < LEVELS and 8 * len(finer) < most:
                    finer.append(2 * low - 1 + SIDE * CORNERS)
                    continue
                hidden[small[here]] = True
            axes = [window[0][axis] + (cells - 0.5) * size for axis, cells in enumerate(sides)]
            # Only where the winding number of the fans reaches the lowest threshold, less that of the fans left out,
            # can that of the open surface be on the other side of one.
            fans = holes.winding(axes)
            close = np.flatnonzero(np.abs(fans) >= min(THRESHOLDS) - SURE)
            if not len(close):
                continue
            places = np.unravel_index(close, [len(cells) for cells in sides])
            whole = ordered.winding(*(cells[at] for cells, at in zip(sides, places, strict=True)))
            points = np.stack([axis[at] for axis, at in zip(axes, places, strict=True)], axis=1)
            # The open surface's winding number is that of the closed one less that of the fans.
            winding = np.abs(whole - fans[close])
            # Points in the mesh's own box; the grid is rotated against it.
            within = (np.abs(points @ lines.OBLIQUE) <= half).all(axis=1)
            beyond += np.count_nonzero(~within & (winding > 0.5)) * size**3
            inverted += float((((whole - fans[close] < -0.5) * 1.0 - (whole < 0)) * within).sum()) * size**3
            # Sum (1, p)(1, p)ᵀ over cells that are inside one of the two only: +1 where the open surface has more, else
            # -1.
            rows = np.concatenate([np.ones((len(close), 1)), points], axis=1)
            weights = [((winding > threshold) * 1.0 - (whole != 0)) * within for threshold in THRESHOLDS]
            for weight, total in zip(weights, sums, strict=True):
                total += (rows * (weight * size**3)[:, None]).T @ rows
            variance += np.count_nonzero(np.any(weights, axis=0)) * size**6
        if not finer:
            break
        # Of eight halves some may begin beyond the grid.
        cubes = np.concatenate(finer)
        cubes = cubes[(cubes <= 2 * np.array(grid.shape)).all(axis=1)]
    grain = (variance * size**3) ** (1.0 / 3.0)  # of n cells some n^(2/3) are at the surface
    rows = np.concatenate([np.ones((len(domes), 1)), holes.place], axis=1)[hidden]
    return Correction(sums, (rows * domes[hidden, None]).T @ rows * random, beyond, sqrt(variance), grain, inverted)
