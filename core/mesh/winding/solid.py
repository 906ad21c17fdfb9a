# SPDX-License-Identifier: Apache-2.0
"""The moments of the space where the winding number of a surface, open or not, is above a half."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...arrays import FloatArray, Ints
from ...body.compare import difference
from ...body.moments import Moments
from ...errors import InertiaError
from ..surface import Surface
from ..topology.connected import numbered
from ..topology.edges import Edges
from ..topology.loops import Loops, boundary_loops
from ..topology.nesting import Nesting
from ..voxels.columns import winding_volumes
from . import lines
from .correction import LEVELS, MANY, Correction, correction
from .holes import Holes, fan_triangles

GLANCE, CELLS = 16.0, (40.0, 31.0)
"""Cells along the longest side for the winding numbers of the fans: those of a coarse grid, which refuses most of what
has no inside, and of two others, whose difference gives the error."""

GLANCES, FEW, ROUGH = (GLANCE, 24.0), 32.0, 0.05
"""A trial looks for an inside by such coarse grids, and by so many lines along the longest side to that accuracy; only
if it stays uncertain, the inside is measured in full."""

CLEAR, SURE, PLAIN = 0.75, 0.9, 2.0
"""A coarse grid finds an inside if at most the first is in doubt, and its volumes differ by at most the second of what
is allowed; and none by so many deviations."""

DEVIATIONS = 4.0
"""By how many deviations of its counted cells a coarse grid must find no inside."""

GRAIN = 128.0
"""Columns along the longest side that measure how much is inside out."""

NOTHING = 2.0**-30
"""A volume below this share of the longest side cubed is the rounding of a sheet."""

SAME = 1.02
"""Volumes above a quarter and above a half that differ by less than this factor are the same: so are those of a cup,
which has an inside however shallow it is, with an error."""

SURELY = 4.0
"""The winding number within a hemisphere is above three quarters in half of its volume, and of that within a sheet that
is bent by up to a right angle nowhere."""

BEYOND = 0.25
"""An inside is within the mesh. The winding number of a soup is high outside of it as well: from this share on there is
no inside."""

COARSER = 1.4
"""Ratio of the spacing of lines in another sample, which gives the error of lines."""

FINEST, MOST_CROSSINGS = 1024.0, 1 << 21
"""Maximum number of lines along the longest side, and of their crossings with faces along an axis."""

MOST_EDGES, MOST_LOOPS = 20_000, 4_000
"""Maximum boundary edges, and loops: more make a soup that would take too long."""

FINE, HIDDEN = 1e-3, 1e-2
"""Lines are made denser if they differ by more than the first share of the volume, cells at holes
if the domes that they miss are more than the second, or than the first if a cell is as large."""

SAFETY = 2.0
"""The estimated error is this many times the observed difference: it held in 189 of 189 trials."""

SAMPLED = (0, 1.0), (1, 1.0), (2, 1.0), (2, COARSER)
"""Axis of the lines of each sample, and their spacing relative to the one that is asked for."""

NOWHERE, IN_DOUBT = "", "its holes leave all of the volume in doubt"


@dataclass(frozen=True, eq=False)
class Inside:
    """The result for the inside of a surface.

    Parameters
    ----------
    moments : Moments
        Of the space where the winding number is above a half, or below minus a half.
    error, error_inertia : float
        Estimated, relative: of the volume, and of tensor and centroid. At most 1.
    ambiguity : float
        How much larger the volume is where it is above a quarter than where it is above three quarters, by the volume.
    """

    moments: Moments
    error: float
    error_inertia: float
    ambiguity: float


def solid_moments(surface: Surface, voxel_size: float) -> Inside:
    """Measure the inside of a surface by its winding number.

    Parameters
    ----------
    surface : Surface
        Its triangles index merged vertices.
    voxel_size : float
        Maximum spacing of lines [m].

    Raises
    ------
    InertiaError
        ``no_inside`` if the volume above a quarter is more than twice that above three quarters and more than that
        above a half, or if a volume is zero; or if the estimated error of the volume is above one.
    """
    inside, doubt = _estimated(surface, voxel_size, (GLANCE, *CELLS), FINE)
    if inside is None or doubt > 1.0:
        raise no_inside(NOWHERE if inside is None else IN_DOUBT)
    return inside


def room_of_sheets(surface: Surface) -> Moments:
    """Measure the room that open sheets could enclose: the space where their winding number is above a half, or less of
    it, in proportion, if that above three quarters is less than 1 / `SURELY` of it, as for bent sheets.

    Parameters
    ----------
    surface : Surface
        Its triangles index merged vertices.

    Raises
    ------
    InertiaError
        ``no_inside`` if there are too many loops.
    """
    closed, counts, back = _closed(surface)
    holes = Holes.of(closed.vertices[closed.triangles[-counts.sum() :]], counts)
    size = float(surface.extent().max()) / (GLANCES[-1] * _fewer(holes))
    change = correction(closed, holes, size, surface.extent() / 2.0, 0.0, 1)
    # Of all that is inside, and of what is more or less than that, the same cells are counted.
    cells = lines.grid(closed, 2, size)
    _, half, most = cells.integrals(cells.union_sums(closed.triangles, True)[0]) + change.sums
    sure = SURELY * (max(float(most[0, 0]), 0.0) + float(change.hidden[0, 0]))
    if not (half[0, 0] > 0.0 and sure > 0.0):
        return Moments.zero
    return back(lines.as_moments(half * min(sure / float(half[0, 0]), 1.0)))


def has_inside(surface: Surface) -> bool | None:
    """Return True if `solid_moments` would measure a surface, False if not, and None if only it can decide that."""
    for glance in GLANCES:
        try:
            _, doubt = _estimated(surface, float(surface.extent().max()) / FEW, (glance,), ROUGH, PLAIN, SURE)
        except InertiaError:  # no_inside
            return False
        if doubt <= CLEAR:
            return True
    return None


def _estimated(
    surface: Surface,
    voxel_size: float,
    cells: tuple[float, ...],
    fine: float,
    deviations: float = DEVIATIONS,
    most: float = 1.0,
) -> tuple[Inside | None, float]:
    """Estimate the inside of a surface, if it has one, and how much of it is in doubt.

    Its holes are sampled by grids of so many `cells`, the first a coarse one: if one finds none by so many
    `deviations`, ``no_inside`` is raised. Lines elsewhere may differ by the share `fine` of the volume, and the volumes
    of several winding numbers by `most` of what is allowed.
    """
    closed, counts, back = _closed(surface)
    longest = float(surface.extent().max())
    finest = max(longest / FINEST, lines.finest(closed, MOST_CROSSINGS))
    size = max(voxel_size, finest)
    # `samples` are the integrals over the space where the closed surface's winding number is not zero; near the holes
    # the open surface's own winding number differs: `corrections` are the effect.
    samples = _samples(closed, size)
    corrections = _corrections(closed, counts, surface.extent(), _mean(samples)[0, 0], cells, deviations)
    corrected = _mean([correction.sums for correction in corrections])  # (3, 4, 4): one for each of `THRESHOLDS`
    # The volumes above 1/4, 1/2 and 3/4: of an inside they are nearly equal, of a loose sheet they are not.
    v25, v50, v75 = (_mean(samples) + corrected)[:, 0, 0].tolist()
    if not (v75 > NOTHING * longest**3 and v25 <= max(2.0 * most * v75, SAME**most * v50)):
        return None, np.inf
    while _spread(samples) > fine * v50 and size > finest:
        size = max(size / 2.0, finest)
        samples = _samples(closed, size)
    sums = _mean(samples)
    outer, moments, inner = (_moments(sums + correction) for correction in corrected)
    v50 = moments.volume
    # Errors in pairs: of the volume, and of tensor and centroid. First how far single samples, and single grids of
    # cells, are from their means; then how much the choice of 1/2 matters; last what no sample can see.
    off = np.max([_apart(_moments(sample + corrected[1]), moments) for sample in samples], axis=0)
    off += np.max([_apart(_moments(sums + correction.sums[1]), moments) for correction in corrections], axis=0)
    ambiguous = np.maximum(_apart(outer, moments), _apart(inner, moments))
    ambiguous[0] = ambiguity = max(outer.volume - inner.volume, 0.0) / v50
    bound = _unseen(closed, corrections, moments, max(size, longest / GRAIN))
    error, error_inertia = np.minimum(SAFETY * (off + ambiguous) + bound, 1.0).tolist()
    return Inside(back(moments), error, error_inertia, ambiguity), float(SAFETY * off[0] + ambiguity + bound[0])


def _unseen(closed: Surface, corrections: list[Correction], moments: Moments, size: float) -> FloatArray:
    """Return the relative errors (2,) of volume and second moment by what samples cannot see: parts that are inside
    out, by columns as wide as `size` [m], the grain of the cells, and domes over small fans."""
    inverted = float(np.mean([correction.inverted for correction in corrections]))
    doubt = _inside_out(closed, size, inverted) + max(correction.grain for correction in corrections)
    # That volume may be anywhere: its second moment is at most that at the farthest corner.
    corners = closed.vertices[closed.triangles.ravel()] - moments.centroid
    second = doubt * float(np.einsum("ij,ij->i", corners, corners).max())
    # The integrals of the domes, moved from the origin to the centroid.
    about = np.eye(4)
    about[1:, 0] = -moments.centroid
    hidden = np.max([about @ correction.hidden @ about.T for correction in corrections], axis=0)
    bound: FloatArray = np.array([doubt + hidden[0, 0], second + np.trace(hidden[1:, 1:])])
    bound /= moments.volume, float(np.trace(moments.covariance))
    return bound


def _mean(arrays: list[FloatArray]) -> FloatArray:
    mean: FloatArray = np.mean(arrays, axis=0)
    return mean


def _corrections(
    closed: Surface, counts: Ints, extent: FloatArray, volume: float, cells: tuple[float, ...], deviations: float
) -> list[Correction]:
    """Return the corrections of grids of so many `cells`, whose difference is their error; raise ``no_inside`` if one
    finds none by so many `deviations`. The first, a coarse grid, only counts if it is the only one.

    `counts` are the triangles of each fan, the last of the closed surface, and `volume` [m³] is what that encloses.
    `extent` (3,) are the sides of the surface's own bounding box [m], along its axes before it was rotated.
    """
    if not len(counts):
        return [Correction(np.zeros((3, 4, 4)), np.zeros((4, 4)))]
    longest = float(extent.max())
    holes = Holes.of(closed.vertices[closed.triangles[-counts.sum() :]], counts)
    corrections = []
    fewer = _fewer(holes)
    for number, levels in zip(cells, (1, LEVELS, LEVELS), strict=False):
        # Domes that are too small for the cells are left in doubt, up to this share of the volume.
        share = HIDDEN if (longest / (fewer * number)) ** 3 < FINE * volume else FINE
        change = correction(closed, holes, longest / (fewer * number), extent / 2.0, share * volume, levels)
        v25, v50, v75 = (volume + change.sums[:, 0, 0]).tolist()
        # How much it is above what an inside allows, compared with what the counting of cells may be off by chance.
        excess = max(v25 - max(2.0 * v75, SAME * v50, 0.0), change.beyond - max(BEYOND * v50, 0.0))
        if excess > deviations * change.deviation:
            raise no_inside(NOWHERE)
        corrections.append(change)
    return corrections[1:] or corrections


def _inside_out(closed: Surface, size: float, at_holes: float) -> float:
    """Return the volume that is inside out, so that it counts as filled and need not be [m³].

    Columns as wide as `size` [m] measure it in the closed surface; `at_holes` is what the open one has more, or less.
    If outermost pieces are wound inward, that alone leaves nothing in doubt but what they share with others.
    """
    before = winding_volumes(closed, size)
    if before.negative + at_holes <= 0.0 or before.negative == 0.0:  # only between fans and the mesh
        return 0.0
    # Turn outermost pieces outward: what is then still inside out, or overlaps more, is in doubt.
    piece = numbered(Edges.around(closed.triangles.astype(np.int64)).parts(len(closed.triangles)))
    share = min(1.0 + at_holes / before.negative, 1.0)
    try:
        inward = Nesting.of(closed, piece).inward()[piece]
    except InertiaError:  # so many pieces that they cannot be nested
        return share * before.negative
    triangles = np.where(inward[:, None], closed.triangles[:, ::-1], closed.triangles)
    after = winding_volumes(Surface(closed.vertices, triangles), size)
    return share * (after.negative + max(after.overlap - before.overlap, 0.0))


def _samples(closed: Surface, size: float) -> list[FloatArray]:
    """Return ∫ (1, p)(1, p)ᵀ dV over the space where the winding number of a closed surface is not zero, by lines.

    The lines' own integral of the winding number is compared with the exact one, which gives most of what is missing
    between lines if the winding number is one nearly everywhere.
    """
    exact = lines.exact_sums(closed)
    pairs = [lines.union(closed, axis, size * factor) for axis, factor in SAMPLED]
    plain = [union for union, _ in pairs]
    if exact is None:
        return plain
    sign = np.sign(exact[0, 0])
    # Use whichever differs less from sample to sample.
    return min(plain, [union + sign * (exact - sampled) for union, sampled in pairs], key=_spread)


def _spread(samples: list[FloatArray]) -> float:
    return float(np.ptp([sums[0, 0] for sums in samples]))


def _apart(moments: Moments, other: Moments) -> FloatArray:
    """Return how far apart moments are, relative to the smaller: the volume; tensor or centroid, the larger."""
    both_ways = [difference(moments, other, true) for true in (moments, other)]
    apart: FloatArray = np.max([(each.mass, max(each.com, each.inertia)) for each in both_ways], axis=0)
    return apart


def _closed(surface: Surface) -> tuple[Surface, Ints, Callable[[Moments], Moments]]:
    """Return a surface rotated and with fans over its loops, the number of triangles of each fan, and a function that
    rotates moments back; raise ``no_inside`` if there are too many loops."""
    loops = boundary_loops(surface)
    if len(loops.vertices) > MOST_EDGES or len(loops) > MOST_LOOPS or not surface.extent().any():
        raise no_inside(f"its {len(loops)} loose patches are too many to look into")
    turned, back = lines.oblique(surface)
    if not len(loops):
        return turned, loops.starts, back
    fans, apexes, counts = fan_triangles(Loops(loops.vertices, loops.starts, turned.vertices[loops.vertices]))
    fans = np.where(fans < 0, len(turned.vertices) - 1 - fans, fans)
    vertices = np.concatenate([turned.vertices, apexes])
    return Surface(vertices, np.concatenate([turned.triangles.astype(np.int64), fans])), counts, back


def _fewer(holes: Holes) -> float:
    """Return the factor of the number of cells: many triangles over the holes would take long in small ones."""
    return float(min((MANY / len(holes.corners)) ** (1.0 / 3.0), 1.0))


def no_inside(why: str = NOWHERE) -> InertiaError:
    """Return the error that a surface has no inside."""
    return InertiaError.of("no_inside", why=why)


def _moments(sums: FloatArray) -> Moments:
    if not sums[0, 0] > 0.0:
        raise no_inside("what it goes round is too thin for these voxels")
    return lines.as_moments(sums)
