# SPDX-License-Identifier: GPL-3.0-or-later
"""The moments of the space where the winding number of a surface, open or not, is above a half."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from ...arrays import FloatArray, Ints
from ...body.compare import mutual_error
from ...body.moments import Moments
from ...errors import InertiaError
from ..progress import unless_unwanted
from ..surface import Surface
from ..topology.loops import Loops, boundary_loops
from ..voxels.columns import winding_volumes
from . import lines
from .holes import SURE, Holes, fan_triangles

CELLS = 48.0, 37.0
"""Cells along the longest side for the winding numbers of the fans; the difference of two grids gives the error."""

GLANCE, PLAINLY, ENOUGH = 16.0, 2.5, 100.0
"""Cells of an earlier, coarse grid. If the space above a quarter is this many times that above three quarters there,
and larger by this many cells, as in a soup of loose faces, the other grids are skipped."""

SURELY = 1.7
"""An inside is clear if, in the coarse grid, the space above a quarter is at most this many times that above three
quarters and that has at least `ENOUGH` cells. The full test allows twice; of 143 open meshes of robots, its quotient
was within 6 % of that of the coarse grid for all so large."""

GRAIN = 128.0
"""Columns along the longest side that measure how much is inside out."""

NOTHING = 2.0**-30
"""A volume below this share of the longest side cubed is the rounding of a sheet."""

BEYOND = 0.25
"""An inside is within the mesh. The winding number of a soup is high outside of it as well: from this share on there is
no inside."""

COARSER = 1.4
"""Ratio of the spacing of lines in another sample, which gives the error of lines."""

FINEST, MOST_CROSSINGS = 1024.0, 1 << 21
"""Maximum number of lines along the longest side, and of their crossings with faces along an axis."""

MOST_EDGES, MOST_LOOPS = 20_000, 1_000
"""Maximum boundary edges, and loops: more make a soup that would take too long."""

THRESHOLDS = 0.25, 0.5, 0.75

SAFETY = 2.0
"""The estimated error is this many times the observed difference: it held in 189 of 189 trials."""

ASKED = (0, 1.0), (1, 1.0), (2, 1.0), (2, COARSER)
"""Axes of the lines, and the ratio of their spacing."""

ALIKE = 0.05
"""If signed sum and union differ by less, they miss about the same between lines."""

SIDE, FEW = 8, 64
"""Cells per block along each axis: from most such cubes most holes are far. With fewer triangles over the holes than
this there is little to skip, and cubes of twice the side are faster."""


NOWHERE = "its faces enclose no volume"


@dataclass(frozen=True, eq=False)
class Inside:
    """The result for the inside of a surface.

    Parameters
    ----------
    moments : Moments
        Of the space where the winding number is above a half, or below minus a half.
    error : float
        Estimated, relative.
    ambiguity : float
        How much larger the volume is where it is above a quarter than where it is above three quarters, by the volume.
    """

    moments: Moments
    error: float
    ambiguity: float


def solid_moments(surface: Surface, voxel_size: float) -> Inside:
    """Measure the inside of a surface by its winding number.

    Parameters
    ----------
    surface : Surface
        Its triangles index merged vertices.
    voxel_size : float
        Spacing of lines [m].

    Raises
    ------
    InertiaError
        ``no_inside`` if the volume above a quarter is more than twice that above three quarters, or is zero.
    """
    return _inside(_glance(surface, voxel_size))


def refuse_without_inside(surface: Surface, voxel_size: float) -> None:
    """Raise what `solid_moments` raises, but measure nothing more if the coarse grid shows a clear inside."""
    seen = _glance(surface, voxel_size)
    v25, _, v75 = seen.volumes
    if not (v75 >= ENOUGH * (seen.longest / GLANCE) ** 3 and v25 <= SURELY * v75):
        _inside(seen)


@dataclass(frozen=True, eq=False)
class _Glance:
    """The lines through a surface and the coarse grid of its holes: enough to refuse most without an inside.

    Parameters
    ----------
    closed : Surface
        With fans over its holes, rotated so that its faces are oblique to the lines.
    back : callable
        Rotates moments back.
    longest : float
        The longest side [m].
    half : ndarray, shape (3,)
        Half of each side [m].
    size : float
        Spacing of the lines [m].
    samples : list of ndarray, shape (4, 4)
        The sums of the inside for each of `ASKED`.
    volumes : list of float
        Volumes above the thresholds [m³].
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
    # Holes smaller than the cells are missed there: the possible volume of a dome over them replaces them.
    loops = seen.loops
    off += float(loops.domes[loops.lengths < 2.0 * longest / min(CELLS)].sum()) / v50
    # Space that is inside out counts as filled, but need not be; for a mesh that is inside out as a whole, the rest.
    backwards = winding_volumes(seen.closed, max(seen.size, longest / GRAIN)).negative
    off += max(min(backwards, v50 - backwards), 0.0) / v50
    return Inside(seen.back(moments), SAFETY * (off + ambiguity), ambiguity)


def _volumes(sums: FloatArray, corrections: list[FloatArray]) -> list[float]:
    """Return the volumes above the thresholds."""
    volumes: list[float] = (sums[0, 0] + np.mean(corrections, axis=0)[:, 0, 0]).tolist()
    return volumes


def _closed(surface: Surface, loops: Loops) -> tuple[Surface, Holes | None]:
    """Return a surface with fans over its loops, and the fans."""
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
    """Return ∫ (1, p)(1, p)ᵀ dV over the space where the winding number of a closed surface is not zero.

    The lines' own integral of the winding number is compared with the exact one, which gives most of what is missing
    between lines if the winding number is one nearly everywhere.
    """
    united, own = lines.union(surface, axis, size)
    if signed is None:
        return united
    alike = abs(abs(own[0, 0]) - united[0, 0]) <= ALIKE * united[0, 0]
    return united + np.sign(own[0, 0]) * (signed - own) if alike else united


def _correction(surface: Surface, holes: Holes, size: float, half: FloatArray) -> tuple[FloatArray, float]:
    """Return for each threshold, shape (3, 4, 4), the difference of its space from that of the closed surface.

    Only the mesh's own bounding box counts, of half the sides `half`: in front of an open end, space has a winding
    number, too. The second is the volume outside of it where the winding number is above a half [m³].
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
        within = (np.abs(points[close] @ lines.OBLIQUE) <= half).all(axis=1)
        beyond += np.count_nonzero(~within & (own > 0.5)) * size**3
        rows = np.concatenate([np.ones((len(close), 1)), points[close]], axis=1)
        for threshold, sums in zip(THRESHOLDS, found, strict=True):
            weight = ((own > threshold).astype(np.float64) - (whole != 0)) * within * size**3
            sums += (rows * weight[:, None]).T @ rows
    return found, beyond


def _cubes(shape: tuple[int, int, int], side: int) -> Iterator[Ints]:
    """Yield all cells (3, n), numbered from 1, one cube of them at a time."""
    for corner in product(*(range(0, count, side) for count in shape)):
        sides = [np.arange(low + 1, min(low + side, count) + 1) for low, count in zip(corner, shape, strict=True)]
        yield np.stack(np.meshgrid(*sides, indexing="ij")).reshape(3, -1)


def _moments(sums: FloatArray) -> Moments:
    if not sums[0, 0] > 0.0:
        raise no_inside("what it goes round is too thin for these voxels")
    return lines.as_moments(sums)
