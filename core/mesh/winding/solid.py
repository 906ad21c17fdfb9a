# SPDX-License-Identifier: GPL-3.0-or-later
"""The moments of the space that a surface winds around by more than a half, open or not."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from ...arrays import FloatArray, Ints, blocks
from ...body.moments import Moments
from ...body.pose import Pose
from ...errors import InertiaError
from ...remedies import Remedy
from ..integrate import surface_moments
from ..progress import unless_unwanted
from ..surface import Surface
from ..topology.loops import Loops, boundary_loops
from ..voxels.differences import mutual_error
from .holes import Holes, fan_triangles
from .lines import Lines

ASKEW = Pose.from_quaternion(np.zeros(3), [sqrt(5.0) - 2.0, sqrt(2.0) - 1.0, sqrt(3.0) - 1.0, 1.0]).R
"""Lines stand askew, since most faces stand along the axes: there lines are of first order, elsewhere of second."""

CELLS = 48.0, 37.0
"""Cells along the longest side in which the fans are weighed; two grids tell how much that can be trusted."""

COARSER = 1.4
"""How much wider apart the lines of another sample are, which tells what lines are worth."""

FINEST = 1024.0
"""More lines than this along the longest side are not asked."""

FAR = 3.0
"""Beyond so many radii a group of fans is as good as its dipoles."""

SURE = 0.05
"""Where no group of fans can wind more than that, it is left out."""

MOST_EDGES, MOST_LOOPS = 20_000, 1_000
"""Boundary edges, and loops of them: more make a soup that would take too long."""

THRESHOLDS = 0.25, 0.5, 0.75

SAFETY = 2.0
"""The error told is so many times what was seen: it held in 189 of 189 trials."""

ASKED = (0, 1.0), (1, 1.0), (2, 1.0), (2, COARSER)
"""Axes that lines run along, and how much wider apart."""

ALIKE = 0.05
"""Signed sum and union that differ by less miss about the same between lines."""

SOME = 1 << 12
"""Cells at a time."""


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
    loops = boundary_loops(surface)
    longest = float(surface.extent().max())
    if len(loops.vertices) > MOST_EDGES or len(loops) > MOST_LOOPS or not longest > 0.0:
        raise no_inside(f"its {len(loops)} loose patches are too many to look into")
    low, high = surface.bounds()
    centre = low + (high - low) / 2.0
    vertices = (surface.vertices.astype(np.float64) - centre) @ ASKEW.T
    triangles, holes = surface.triangles.astype(np.int64), None
    if len(loops):
        turned = Loops(loops.vertices, loops.starts, vertices[loops.vertices])
        fans, apexes, counts = fan_triangles(turned)
        fans = np.where(fans < 0, len(vertices) - 1 - fans, fans)
        vertices = np.concatenate([vertices, apexes])
        triangles = np.concatenate([triangles, fans])
        holes = Holes.of(vertices[fans], counts, longest)
    size = max(voxel_size, longest / FINEST)
    signed = _signed(vertices, triangles)
    samples = [_by_lines(vertices, triangles, axis, size * factor, signed) for axis, factor in ASKED]
    corrections = [_correction(vertices, triangles, holes, longest / cells) for cells in CELLS] if holes else []
    sums = np.mean(samples, axis=0)
    volumes = np.full(3, sums[0, 0])
    found = [sums] * 2
    if corrections:
        found = [sums + more[1] for more, _ in corrections]
        volumes += np.mean([[more[k][0, 0] for k in range(3)] for more, _ in corrections], axis=0)
    v25, v50, v75 = volumes.tolist()
    if not (v75 > 0.0 and v25 <= 2.0 * v75):
        raise no_inside("its faces go round no definite space")
    result = np.mean(found, axis=0)
    moments = _moments(result)
    off = max(mutual_error(_moments(result - sums + one), moments) for one in samples)
    off += max(mutual_error(_moments(one), moments) for one in found)
    ambiguity = max(v25 - v75, 0.0) / v50
    # Holes smaller than the cells go unseen there: what a dome over them could hold stands for them.
    off += float(loops.domes[loops.lengths < 2.0 * longest / min(CELLS)].sum()) / v50
    return Inside(moments.transformed(ASKEW.T, centre), SAFETY * (off + ambiguity), ambiguity)


def no_inside(why: str) -> InertiaError:
    """Return the error that a surface has no inside."""
    message = f"the mesh is open and has no definite inside: {why}"
    return InertiaError("no_inside", "", message, Remedy("{shell}", "{close_holes}", "{fit}"))


def _signed(vertices: FloatArray, triangles: Ints) -> FloatArray | None:
    """Return the exact integral of the winding number of a closed surface, as sums; None where that is nothing."""
    try:
        moments = surface_moments(Surface(vertices, triangles))
    except InertiaError:  # zero_volume
        return None
    sums = np.zeros((4, 4))
    first = moments.volume * moments.centroid
    sums[0, 0], sums[0, 1:], sums[1:, 0] = moments.volume, first, first
    sums[1:, 1:] = moments.covariance + np.outer(first, moments.centroid)
    return sums


def _by_lines(vertices: FloatArray, triangles: Ints, axis: int, size: float, signed: FloatArray | None) -> FloatArray:
    """Return ∫ (1, p)(1, p)ᵀ over where a closed surface winds at all.

    The lines' own integral of the winding number is compared with the exact one, which tells most of what is missing
    between lines where the surface winds once around nearly everything.
    """
    unless_unwanted()
    lines = Lines.through(vertices, triangles, axis, size)
    inside = (lines.above != 0).astype(np.int64)
    union = lines.sums(np.diff(inside, prepend=0))
    if signed is None:
        return union
    own = lines.sums(lines.step)
    sign = np.sign(own[0, 0])
    alike = abs(abs(own[0, 0]) - union[0, 0]) <= ALIKE * union[0, 0]
    return union + sign * (signed - own) if alike else union


def _correction(vertices: FloatArray, triangles: Ints, holes: Holes, size: float) -> tuple[list[FloatArray], int]:
    """Return for each threshold what its space has more than that of the closed surface, and how many cells differ."""
    lines = Lines.through(vertices, triangles, 2, size)
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    count = np.ceil((high - low) / size).astype(np.int64) + 3
    index = np.stack(np.meshgrid(*(np.arange(side) for side in count), indexing="ij"), axis=-1).reshape(-1, 3)
    found = [np.zeros((4, 4)) for _ in THRESHOLDS]
    differ = 0
    for some in blocks(len(index), SOME):
        unless_unwanted()
        points = lines.points(index[some])
        fans = _fans(holes, points)
        close = np.flatnonzero(np.abs(fans) >= min(THRESHOLDS) - SURE)
        if not len(close):
            continue
        whole = lines.winding(index[some][close])
        own, p = np.abs(whole - fans[close]), points[close]
        rows = np.concatenate([np.ones((len(close), 1)), p], axis=1)
        for threshold, sums in zip(THRESHOLDS, found, strict=True):
            weight = ((own > threshold).astype(np.float64) - (whole != 0)) * size**3
            differ += int(np.count_nonzero(weight))
            sums += (rows * weight[:, None]).T @ rows
    return found, differ


def _fans(holes: Holes, points: FloatArray) -> FloatArray:
    """Return how often the fans wind around points (n, 3)."""
    total = np.zeros(len(points))
    middle = points.mean(axis=0)
    reach = float(np.linalg.norm(points - middle, axis=1).max())
    area = np.add.reduceat(np.linalg.norm(holes.area, axis=1), holes.fan_starts[:-1])
    distance = np.maximum(np.linalg.norm(holes.centre - middle, axis=1) - reach, 0.0)
    with np.errstate(divide="ignore"):
        most = area / (4.0 * np.pi * distance**2)
    order = np.argsort(most)
    kept = order[np.cumsum(most[order]) > SURE]  # the others together wind no more than that
    for group in kept.tolist():
        far = np.linalg.norm(points - holes.centre[group], axis=1) > FAR * holes.radius[group]
        near = np.flatnonzero(~far)
        if len(near):
            total[near] += holes.near(group, points[near])
        some = np.flatnonzero(far)
        fans = slice(holes.fan_starts[group], holes.fan_starts[group + 1])
        for place, vector in zip(holes.place[fans], holes.area[fans], strict=True):
            arm = place - points[some]
            total[some] += arm @ vector / (4.0 * np.pi * np.linalg.norm(arm, axis=1) ** 3)
    return total


def _moments(sums: FloatArray) -> Moments:
    volume = float(sums[0, 0])
    if not volume > 0.0:
        raise no_inside("what it goes round is too thin for these voxels")
    centroid = sums[0, 1:] / volume
    covariance = sums[1:, 1:] - volume * np.outer(centroid, centroid)
    return Moments(volume, centroid, (covariance + covariance.T) / 2.0)
