# SPDX-License-Identifier: GPL-3.0-or-later
"""Mass properties by columns of voxels, without a grid in memory.

The bounding box is filled with columns of square section along its longest side. Wherever the centre line of a
column crosses a face, everything below the crossing is added (face looks up) or taken away (face looks down), in
closed form. So the memory is that of the crossings, and the height of a column is exact unless whole voxels are
asked for. Each voxel is a solid cube: its own second moment h²/12 counts, and a box whose sides are whole multiples
of the voxel size comes out exact wherever it stands, since the grid is centred on the bounding box.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import chain
from math import sqrt

import numpy as np
import numpy.typing as npt

from ..errors import InertiaError
from ..moments import Moments
from .columns import Columns, Progress
from .crossings import EXPANDED, Crossings
from .integrate import surface_moments
from .ordered import Ordered
from .surface import Surface, as_array

MAX_OPEN = 0.01
"""A mesh is refused if more than this share of its columns, of all three directions, do not close."""


SAME = 1e-9
"""Signed sum and union that differ by less differ by rounding: an overlap that small weighs nothing."""


def default_voxel_size(surface: Surface) -> float:
    """Return the voxel size [m] used where none is given: the longest side / 128."""
    return float(surface.extent().max()) / 128.0


def voxel_moments(
    vertices: npt.ArrayLike,
    triangles: npt.ArrayLike,
    voxel_size: float,
    union: bool = True,
    whole_voxels: bool = False,
) -> Moments:
    """Sum the columns of voxels inside a closed triangle mesh.

    Parameters
    ----------
    vertices : array_like, shape (n, 3), float
        Corners [m].
    triangles : array_like, shape (m, 3), int
        Vertex indices.
    voxel_size : float
        Side of a voxel [m].
    union : bool
        True: a point is inside where the winding is not zero, so overlapping shells count once.
        False: the winding is the weight, as in the exact integral.
    whole_voxels : bool
        True: a voxel counts if its centre is inside. False: columns end exactly on the surface, which costs
        nothing and is more accurate.

    Returns
    -------
    Moments
        In the mesh's frame.

    Raises
    ------
    InertiaError
        ``bad_voxel_size``, ``voxels_too_fine`` (before anything is allocated), ``open_columns``, ``zero_volume``,
        or what `Surface` raises.
    """
    surface = Surface(as_array(vertices), as_array(triangles))
    return surface_voxel_moments(surface, voxel_size, union, whole_voxels)


def surface_voxel_moments(
    surface: Surface,
    voxel_size: float,
    union: bool = True,
    whole_voxels: bool = False,
    progress: Progress | None = None,
) -> Moments:
    """Do the work of `voxel_moments` on a checked `Surface`.

    Parameters
    ----------
    progress : callable, optional
        Called now and then with the share of the faces done, 0 to 1. If it returns True, the work ends with the error
        ``cancelled``: ``lambda done: event.is_set()`` is enough to stop it.
    """
    columns = Columns.around(surface, voxel_size)
    if not union:
        return columns.moments_of(columns.signed_sums(surface.triangles, whole_voxels, progress))
    return columns.moments_of(columns.union_sums(surface.triangles, whole_voxels, progress)[0])


def estimated_voxel_moments(
    surface: Surface,
    voxel_size: float,
    union: bool = True,
    whole_voxels: bool = False,
    progress: Progress | None = None,
) -> tuple[Moments, float]:
    """Return what `surface_voxel_moments` does, and the estimated relative error.

    The signed sum of the very same columns is compared with the exact integral of the surface, which it approximates.
    Where nothing overlaps, the union is that sum and its error is known, not estimated. Where the two differ, the
    exact value of the union is not known: then voxels of 1.5 and of 2 times the size have a say too, and the largest
    of the three differences is taken.

    Returns
    -------
    moments : Moments
    error : float
        Of volume, centroid (relative to the radius of gyration) and covariance (to its trace), the worst. 1 where
        nothing vouches for a single digit.
    """
    columns = Columns.around(surface, voxel_size)
    united, sums = columns.union_sums(surface.triangles, whole_voxels, progress)
    moments = columns.moments_of(united if union else sums)
    differences = []
    with suppress(InertiaError):  # a surface whose signed volume is not positive: there is no such sum to compare
        signed = columns.moments_of(sums)
        differences.append(_difference(surface_moments(surface), signed))
        if _difference(signed, moments) < SAME:
            return moments, differences[0]
    for factor in (1.5, 2.0):
        try:
            coarse = surface_voxel_moments(surface, factor * voxel_size, union, whole_voxels)
            differences.append(_difference(coarse, moments))
        except InertiaError:  # so coarse that every voxel misses the solid
            differences.append(1.0)
    return moments, max(differences)


def _difference(other: Moments, moments: Moments) -> float:
    trace = float(np.trace(moments.covariance))
    radius = sqrt(trace / moments.volume)
    return max(
        abs(other.volume / moments.volume - 1.0),
        float(np.abs(other.centroid - moments.centroid).max()) / radius,
        float(np.abs(other.covariance - moments.covariance).max()) / trace,
    )


def settled_voxel_moments(
    surface: Surface, voxel_size: float, progress: Progress | None = None
) -> tuple[Moments, float]:
    """Sum the columns of voxels inside a mesh with small holes.

    Columns are laid along all three axes. Those of the direction with the fewest open columns are summed; in a column
    that does not close, each voxel is settled by the majority of the three directions through its centre.

    Parameters
    ----------
    surface : Surface
        Open, or closed.
    voxel_size : float
        Side of a voxel [m].
    progress : callable, optional
        As in `surface_voxel_moments`.

    Returns
    -------
    moments : Moments
        Of the union, in the mesh's frame.
    share : float
        Share of the columns crossed, of all three directions, that do not close.

    Raises
    ------
    InertiaError
        ``open_columns`` if that share is above `MAX_OPEN`, or what `voxel_moments` raises.
    """
    grids = [Columns.around(surface, voxel_size, axis) for axis in range(3)]
    ordered = []
    for number, grid in enumerate(grids):
        step = None if progress is None else lambda done, part=number: progress((part + done) / 3.0)
        ordered.append(grid.ordered(surface.triangles, progress=step))
    opened = [int(np.count_nonzero(one.net)) for one in ordered]
    crossed = [len(one.net) for one in ordered]
    share = sum(opened) / max(sum(crossed), 1)
    if share > MAX_OPEN:
        raise InertiaError(
            "open_columns",
            "",
            f"{share:.2%} of the columns of voxels enter the mesh and do not leave it, more than {MAX_OPEN:.0%}:"
            " its holes are too large to be settled by majority",
            "close the holes (Fill Holes), or choose the method hull or shell",
        )
    best = min(range(3), key=lambda axis: (opened[axis], -grids[axis].shape[2]))
    found = chain(ordered[best].closed().united(), _settled(grids, ordered, best))
    return grids[best].moments(found), share


def _settled(grids: list[Columns], ordered: list[Ordered], best: int) -> Crossings:
    """Yield bottom and top of each voxel in an open column that the three directions find inside."""
    grid = grids[best]
    height = np.arange(1, grid.shape[2] + 1)
    x, y = ordered[best].open_columns()
    step = max(EXPANDED // len(height), 1)
    for start in range(0, len(x), step):
        some = slice(start, start + step)
        voxel = np.stack(
            [np.repeat(x[some], len(height)), np.repeat(y[some], len(height)), np.tile(height, len(x[some]))]
        )
        own = np.roll(voxel, -grid.roll, axis=0)  # along the mesh's own axes
        votes = sum(one.votes(*np.roll(own, other.roll, axis=0)) for one, other in zip(ordered, grids, strict=True))
        inside = voxel[:, votes > 0].astype(np.float64)
        for side in (-0.5, 0.5):
            yield inside[0], inside[1], inside[2] + side, np.full(inside.shape[1], 2.0 * side)
