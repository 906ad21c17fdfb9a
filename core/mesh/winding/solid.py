# SPDX-License-Identifier: GPL-3.0-or-later
"""The moments of the space that a surface winds around by more than a half, open or not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from ...arrays import FloatArray, Ints
from ...body.moments import Moments
from ...errors import InertiaError
from ..progress import unless_unwanted
from ..surface import Surface
from ..topology.loops import Loops, boundary_loops
from ..voxels.columns import winding_volumes
from ..voxels.differences import mutual_error
from . import lines
from .holes import SURE, Holes, fan_triangles

CELLS = 48.0, 37.0
"""Cells along the longest side in which the fans are weighed; two grids tell how much that can be trusted."""

GLANCE, PLAINLY, ENOUGH = 16.0, 2.5, 100.0
"""Cells of a grid before these two. Where the space above a quarter is so many times that above three quarters there,
and larger by so many cells, as in a soup of loose faces, the others are not asked."""

SURELY = 1.7
"""An inside is plain where, at a glance, the space above a quarter is at most so many times that above three quarters
and that has at least `ENOUGH` cells. The full look allows twice; of 143 open meshes of robots, its quotient was within
6 % of that of the glance for all so large."""

GRAIN = 128.0
"""Columns along the longest side that measure how much is inside out."""

NOTHING = 2.0**-30
"""A volume of less than this share of the longest side cubed is what rounding leaves of a sheet."""

BEYOND = 0.25
"""An inside lies within the mesh. A soup winds around space beside it as well: from that share on there is none."""

COARSER = 1.4
"""How much wider apart the lines of another sample are, which tells what lines are worth."""

FINEST, MOST_CROSSINGS = 1024.0, 1 << 21
"""More lines than this along the longest side are not asked, nor any that cross faces more often along an axis."""

MOST_EDGES, MOST_LOOPS = 20_000, 1_000
"""Boundary edges, and loops of them: more make a soup that would take too long."""

THRESHOLDS = 0.25, 0.5, 0.75

SAFETY = 2.0
"""The error told is so many times what was seen: it held in 189 of 189 trials."""

ASKED = (0, 1.0), (1, 1.0), (2, 1.0), (2, COARSER)
"""Axes that lines run along, and how much wider apart."""

ALIKE = 0.05
"""Signed sum and union that differ by less miss about the same between lines."""

SIDE, FEW = 8, 64
"""Cells at a time, along each axis: from most such cubes most holes are far. With fewer triangles over the holes than
this there is little to be left out, and cubes of twice the side are quicker."""


NOWHERE = "its faces enclose no volume"


@dataclass(frozen=True, eq=False)
class Inside:
    """What was found.

    Parameters
    ----------
    moments : Moments
        Of where the winding number is above a half, or below minus a half.
    error : float
        Estimated, relative.
    ambiguity : float
        How much larger the volume is where it is above a quarter than where it is above three quarters, by the volume.
    """

    moments: Moments
    error: float
    ambiguity: float


def solid_moments(surface: Surface, voxel_size: float) -> Inside:
    """Measure what a surface winds around.

    Parameters
    ----------
    surface : Surface
        Its triangles index merged vertices.
    voxel_size : float
        How far apart lines stand [m].

    Raises
    ------
    InertiaError
        ``no_inside`` where the volume above a quarter is more than twice that above three quarters, or is nothing.
    """
    return _inside(_glance(surface, voxel_size))


def refuse_without_inside(surface: Surface, voxel_size: float) -> None:
    """Raise what `solid_moments` raises, but measure nothing more where a glance shows a plain inside."""
    seen = _glance(surface, voxel_size)
    v25, _, v75 = seen.volumes
    if not (v75 >= ENOUGH * (seen.longest / GLANCE) ** 3 and v25 <= SURELY * v75):
        _inside(seen)


@dataclass(frozen=True, eq=False)
class _Glance:
    """What the lines tell of a surface and the coarse grid of its holes: enough to refuse most that have no inside.

    Parameters
    ----------
    closed : Surface
        With fans over its holes, turned so that its faces are oblique to the lines.
    back : callable
        Turns moments back.
    longest : float
        The longest side [m].
    half : ndarray, shape (3,)
        Half of each side [m].
    size : float
        How far apart the lines stand [m].
    samples : list of ndarray, shape (4, 4)
        What each of `ASKED` finds inside.
    volumes : list of float
        Of the spaces of the thresholds [m³].
    """

    loops: Loops
    closed: Surface
    holes: Holes | None
    back: Callable[[Moments], Moments]
    longest: float
    half: FloatArray
    size: float
    samples: list[FloatArray]
    volumes: list[float]


def _glance(surface: Surface, voxel_size: float) -> _Glance:
    loops = boundary_loops(surface)
    longest = float(surface.extent().max())
    if len(loops.vertices) > MOST_EDGES or len(loops) > MOST_LOOPS or not longest > 0.0:
        raise no_inside(f"its {len(loops)} loose patches are too many to look into")
    half = surface.extent() / 2.0
    turned, back = lines.oblique(surface)
    closed, holes = _closed(turned, Loops(loops.vertices, loops.starts, turned.vertices[loops.vertices]))
    signed = lines.exact_sums(closed)
    size = max(voxel_size, longest / FINEST, lines.finest(closed, MOST_CROSSINGS))
    samples = [_union(closed, axis, size * factor, signed) for axis, factor in ASKED]
    sums = np.mean(samples, axis=0)
    volumes = _volumes(sums, [np.zeros((3, 4, 4))])
    if holes:
        cell = longest / GLANCE
        coarse, beyond = _correction(closed, holes, cell, half)
        v25, v50, v75 = volumes = _volumes(sums, [coarse])
        if v25 - max(PLAINLY * v75, 0.0) > ENOUGH * cell**3 or beyond > max(BEYOND * v50, ENOUGH * cell**3):
            raise no_inside(NOWHERE)
    return _Glance(loops, closed, holes, back, longest, half, size, samples, volumes)


def _inside(seen: _Glance) -> Inside:
    longest, sums = seen.longest, np.mean(seen.samples, axis=0)
    corrections = [np.zeros((3, 4, 4))]
    if seen.holes:
        corrections = [_correction(seen.closed, seen.holes, longest / cells, seen.half)[0] for cells in CELLS]
    v25, v50, v75 = _volumes(sums, corrections)
    if not (v75 > NOTHING * longest**3 and v25 <= 2.0 * v75):
        raise no_inside(NOWHERE)
    found = [sums + one[1] for one in corrections]
    result = np.mean(found, axis=0)
    moments = _moments(result)
    off = max(mutual_error(_moments(result - sums + one), moments) for one in seen.samples)
    off += max(mutual_error(_moments(one), moments) for one in found)
    ambiguity = max(v25 - v75, 0.0) / v50
    # Holes smaller than the cells go unseen there: what a dome over them could hold stands for them.
    loops = seen.loops
    off += float(loops.domes[loops.lengths < 2.0 * longest / min(CELLS)].sum()) / v50
    # What is inside out counts as filled, and need not be: of a mesh that is so as a whole, what is not.
    backwards = winding_volumes(seen.closed, max(seen.size, longest / GRAIN)).negative
    off += max(min(backwards, v50 - backwards), 0.0) / v50
    return Inside(seen.back(moments), SAFETY * (off + ambiguity), ambiguity)


def _volumes(sums: FloatArray, corrections: list[FloatArray]) -> list[float]:
    """Return the volumes of the spaces of the thresholds."""
    volumes: list[float] = (sums[0, 0] + np.mean(corrections, axis=0)[:, 0, 0]).tolist()
    return volumes


def _closed(surface: Surface, loops: Loops) -> tuple[Surface, Holes | None]:
    """Return a surface with fans over its loops, and these."""
    if not len(loops):
        return surface, None
    fans, apexes, counts = fan_triangles(loops)
    fans = np.where(fans < 0, len(surface.vertices) - 1 - fans, fans)
    vertices = np.concatenate([surface.vertices, apexes])
    closed = Surface(vertices, np.concatenate([surface.triangles.astype(np.int64), fans]))
    return closed, Holes.of(vertices[fans], counts)


def no_inside(why: str) -> InertiaError:
    """Return the error that a surface has no inside."""
    return InertiaError.of("no_inside", why=why)


def _union(surface: Surface, axis: int, size: float, signed: FloatArray | None) -> FloatArray:
    """Return ∫ (1, p)(1, p)ᵀ dV over where a closed surface winds at all.

    The lines' own integral of the winding number is compared with the exact one, which tells most of what is missing
    between lines where the surface winds once around nearly everything.
    """
    united, own = lines.union(surface, axis, size)
    if signed is None:
        return united
    alike = abs(abs(own[0, 0]) - united[0, 0]) <= ALIKE * united[0, 0]
    return united + np.sign(own[0, 0]) * (signed - own) if alike else united


def _correction(surface: Surface, holes: Holes, size: float, half: FloatArray) -> tuple[FloatArray, float]:
    """Return for each threshold, shape (3, 4, 4), what its space has more than that of the closed surface.

    Only the mesh's own bounding box counts, of half the sides `half`: beside an open end, space is wound around too.
    The second is the volume outside of it that is wound around by more than a half [m³].
    """
    grid = lines.grid(surface, 2, size)
    ordered = grid.ordered(surface.triangles)
    found, beyond = np.zeros((len(THRESHOLDS), 4, 4)), 0.0
    for cell in _cubes(grid.shape, SIDE if len(holes.corners) > FEW else 2 * SIDE):
        unless_unwanted()
        points = grid.centre + (cell.T - (np.array(grid.shape) + 1.0) / 2.0) * size
        fans = holes.winding(points)
        close = np.flatnonzero(np.abs(fans) >= min(THRESHOLDS) - SURE)
        if not len(close):
            continue
        whole = ordered.winding(*cell[:, close])
        own = np.abs(whole - fans[close])
        within = (np.abs(points[close] @ lines.ASKEW) <= half).all(axis=1)
        beyond += np.count_nonzero(~within & (own > 0.5)) * size**3
        rows = np.concatenate([np.ones((len(close), 1)), points[close]], axis=1)
        for threshold, sums in zip(THRESHOLDS, found, strict=True):
            weight = ((own > threshold).astype(np.float64) - (whole != 0)) * within * size**3
            sums += (rows * weight[:, None]).T @ rows
    return found, beyond


def _cubes(shape: tuple[int, int, int], side: int) -> Iterator[Ints]:
    """Yield all cells (3, n), numbered from 1, a cube of them at a time."""
    for corner in product(*(range(0, count, side) for count in shape)):
        sides = [np.arange(low + 1, min(low + side, count) + 1) for low, count in zip(corner, shape, strict=True)]
        yield np.stack(np.meshgrid(*sides, indexing="ij")).reshape(3, -1)


def _moments(sums: FloatArray) -> Moments:
    if not sums[0, 0] > 0.0:
        raise no_inside("what it goes round is too thin for these voxels")
    return lines.as_moments(sums)
