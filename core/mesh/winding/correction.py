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
from ..voxels.ordered import Ordered
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


def correction(
    surface: Surface, holes: Holes, size: float, half_sides: FloatArray, negligible: float, levels: int = LEVELS
) -> Correction:
    """Compare the winding number with that of the closed surface, at the centres of cells of one `size` [m].

    Only the mesh's own bounding box counts, which is rotated against the grid and has half the sides `half_sides` (3,)
    [m]: in front of an open end, space has a winding number, too. Small fans with domes of less than the volume
    `negligible` in all are not resolved, nor those that need cells of more `levels`.
    """
    # All levels share the box of the first grid.
    grid = lines.grid(surface, 2, size)
    reach = np.array(grid.shape) * size / 2.0
    window = grid.centre - reach, grid.centre + reach
    sums, beyond, variance, inverted = np.zeros((len(THRESHOLDS), 4, 4)), 0.0, 0.0, 0.0
    domes = DOME * holes.size**1.5
    order = np.argsort(domes)
    # Domes smaller than cells are met at random, n cells of m in all: the deviation of n is √n.
    all_domes = float(domes.sum())
    random = min(1.0, HITS * sqrt(size**3 / all_domes)) if all_domes > 0.0 else 1.0
    # The smallest domes that together matter less than `negligible` are not resolved, only added to what is hidden.
    matters = np.zeros(len(domes), dtype=bool)
    matters[order] = np.cumsum(domes[order]) * random > negligible
    hidden = ~matters
    most = MOST_CUBES * min(MANY / len(holes.corners), 1.0)
    cubes: Ints = np.array(list(product(*(range(1, count + 1, SIDE) for count in grid.shape))))
    for level in range(levels):
        if level:
            size /= 2.0
            grid = Columns.around(surface, size, 2, window)
        ordered = grid.ordered(surface.triangles)
        # Fans that have too few cells at this level, and their places in cells. Their cubes are divided, or if there
        # are too many, they are hidden.
        small = np.flatnonzero(matters & (holes.size < (RESOLVED * size) ** 2))
        place = (holes.place[small] - window[0]) / size
        finer: list[Ints] = []
        for cube in cubes:  # by the numbers of its lowest cell
            unless_unwanted()
            here = ((place >= cube - 1.0) & (place < cube - 1.0 + SIDE)).all(axis=1)
            if here.any():
                if level + 1 < levels and 8 * len(finer) < most:
                    finer.append(2 * cube - 1 + SIDE * CORNERS)
                    continue
                hidden[small[here]] = True
            cells = [np.arange(first, min(first + SIDE, end + 1)) for first, end in zip(cube, grid.shape, strict=True)]
            points, closed, opened = _near_fans(ordered, holes, cells, window[0], size)
            if not len(points):
                continue
            within = (np.abs(points @ lines.OBLIQUE) <= half_sides).all(axis=1)
            winding = np.abs(opened)
            beyond += np.count_nonzero(~within & (winding > 0.5)) * size**3
            inverted += float((((opened < -0.5) * 1.0 - (closed < 0)) * within).sum()) * size**3
            # Sum (1, p)(1, p)ᵀ over cells that are inside one of the two only: +1 where the open surface has more, else
            # -1.
            rows = np.concatenate([np.ones((len(points), 1)), points], axis=1)
            weights = [((winding > threshold) * 1.0 - (closed != 0)) * within for threshold in THRESHOLDS]
            for weight, integral in zip(weights, sums, strict=True):
                integral += (rows * (weight * size**3)[:, None]).T @ rows
            variance += np.count_nonzero(np.any(weights, axis=0)) * size**6
        if not finer:
            break
        # Of eight halves some may begin beyond the grid.
        cubes = np.concatenate(finer)
        cubes = cubes[(cubes <= 2 * np.array(grid.shape)).all(axis=1)]
    grain = (variance * size**3) ** (1.0 / 3.0)  # of n cells some n^(2/3) are at the surface
    rows = np.concatenate([np.ones((len(domes), 1)), holes.place], axis=1)[hidden]
    return Correction(sums, (rows * domes[hidden, None]).T @ rows * random, beyond, sqrt(variance), grain, inverted)


def _near_fans(
    ordered: Ordered, holes: Holes, cells: list[Ints], corner: FloatArray, size: float
) -> tuple[FloatArray, Ints, FloatArray]:
    """Return where the winding number of the open surface may differ from that of the closed one by a threshold.

    Parameters
    ----------
    ordered : Ordered
        The crossings of the closed surface.
    cells : list of ndarray
        The numbers of the cells of a cube along each axis.
    corner : ndarray, shape (3,)
        The lowest corner of the grid [m], whose cells have one `size` [m].

    Returns
    -------
    points : ndarray, shape (k, 3)
        Centres of cells [m].
    closed, opened : ndarray, shape (k,)
        The winding number there of the closed surface, and of the open one: that less the fans'.
    """
    axes = [corner[axis] + (numbers - 0.5) * size for axis, numbers in enumerate(cells)]
    fans = holes.winding(axes)
    # Elsewhere the winding number of all fans, also of those left out, is below the lowest threshold.
    close = np.flatnonzero(np.abs(fans) >= min(THRESHOLDS) - SURE)
    at = np.unravel_index(close, [len(numbers) for numbers in cells])
    points = np.stack([centres[number] for centres, number in zip(axes, at, strict=True)], axis=1)
    closed = ordered.winding(*(numbers[number] for numbers, number in zip(cells, at, strict=True)))
    return points, closed, closed - fans[close]
