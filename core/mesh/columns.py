# SPDX-License-Identifier: GPL-3.0-or-later
"""The engine below every voxel method: columns of voxels, and where their centre lines cross the faces of a mesh.

The bounding box is filled with columns of square section along one axis. No grid is kept in memory, only the
crossings. What lies between the crossings of one column, and how often the surface winds around it, follows from
their order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray, TriangleArray
from ..errors import InertiaError
from ..moments import Moments
from .surface import Surface

Ints = npt.NDArray[np.int64]

Crossings = Iterator[tuple[Ints, FloatArray, FloatArray]]
"""Blocks of crossings: the number of the column, the height in voxels above the grid's floor, and the weight of what
lies below (+1 where the face looks up, -1 where it looks down)."""

BLOCK = 1 << 17
"""Triangles, rows or crossings handled at a time: a few megabytes of temporaries."""

MAX_CROSSINGS = 50_000_000
"""More crossings than this are refused: their sorted keys and copies would take about 2 GB."""

MAX_COLUMNS = 2**30
"""Columns are numbered in the upper half of a sortable 64-bit integer; the lower holds a crossing's height."""

MAX_HEIGHT = 2**20
"""Voxels in a column: of the 30 bits of a height, nine or more stay below the point."""

SNAP = 1e-6
"""A side within this relative distance of a whole number of voxels is that whole number (float32 lengths are
rounded to 6e-8, and a user's 0.3 / 0.1 must be 3)."""


@dataclass(frozen=True, eq=False)
class WindingVolumes:
    """How often a surface winds around the space about it, by columns of voxels.

    Parameters
    ----------
    signed : float
        ∫ winding dV [m³].
    union : float
        Volume where the winding is not zero [m³].
    overlap : float
        Volume where the winding is above one [m³], whatever it is there.
    negative : float
        Volume where the winding is below zero [m³].
    open_columns : float
        Share of the columns crossed that do not go in as often as out. What lies between their crossings is counted,
        what lies above them is not.
    union_moments : Moments or None
        Of the space where the winding is not zero; None where there is none.
    """

    signed: float
    union: float
    overlap: float
    negative: float
    open_columns: float
    union_moments: Moments | None


def winding_volumes(surface: Surface, voxel_size: float) -> WindingVolumes:
    """Measure where a surface winds around space more than once, or backwards.

    Parameters
    ----------
    surface : Surface
        Open or closed.
    voxel_size : float
        Width of a column [m]. Heights inside a column are exact.

    Raises
    ------
    InertiaError
        ``bad_voxel_size``, ``voxels_too_fine``.
    """
    columns = Columns.around(surface, voxel_size)
    ordered = columns.ordered(columns.crossings(surface.triangles))
    length = np.diff(ordered.height, append=0.0)
    winding = ordered.winding - ordered.left_over
    length[winding == 0] = 0.0
    length[ordered.last] = 0.0
    cell = columns.voxel_size**3
    return WindingVolumes(
        float(winding @ length) * cell,
        float(length.sum()) * cell,
        float(length[winding > 1].sum()) * cell,
        float(length[winding < 0].sum()) * cell,
        np.count_nonzero(ordered.net) / max(len(ordered.last), 1),
        columns.moments(ordered.united()) if length.any() else None,
    )


@dataclass(frozen=True, eq=False)
class Ordered:
    """All crossings, sorted by column and height."""

    column: Ints
    height: FloatArray
    winding: Ints  # above the crossing, cumulated over all columns before it
    last: Ints  # index of the last crossing of each column
    net: Ints  # of each column: winding above its last crossing
    left_over: Ints  # at each crossing: the winding that columns before it left behind

    def united(self) -> Crossings:
        """Keep only the crossings between winding zero and any other: the surface of the union."""
        above = self.winding - self.left_over
        below = np.concatenate(([0], above[:-1]))
        below[self.last[:-1] + 1] = 0
        above[self.last] = 0
        enters, leaves = (below == 0) & (above != 0), (below != 0) & (above == 0)
        kept = np.flatnonzero(enters | leaves)
        for start in range(0, len(kept), BLOCK):
            at = kept[start : start + BLOCK]
            yield self.column[at], self.height[at], np.where(leaves[at], 1.0, -1.0)


@dataclass(frozen=True, eq=False)
class Columns:
    """The grid of columns: axes rolled so that columns run along the last one, lengths in voxels."""

    voxel_size: float
    roll: int
    centre: FloatArray  # of the grid, in the mesh's frame, rolled [m]
    shape: tuple[int, int, int]  # voxels along each rolled axis
    corners: FloatArray  # (3, n): vertices in voxels from the grid's low corner, rolled

    @classmethod
    def around(cls, surface: Surface, voxel_size: float, axis: int | None = None) -> Columns:
        """Fill the bounding box with columns along `axis`, or along its longest side.

        Raises
        ------
        InertiaError
            ``bad_voxel_size``, ``voxels_too_fine`` (before anything is allocated).
        """
        if not (np.isfinite(voxel_size) and voxel_size > 0.0):
            raise InertiaError(
                "bad_voxel_size", "", f"a voxel size of {voxel_size:g} m is impossible", "give one above 0"
            )
        low, high = surface.bounds()
        extent = high - low
        roll = 2 - (int(np.argmax(extent)) if axis is None else axis)  # rolling keeps the handedness: up stays up
        cells = np.maximum(np.ceil(np.roll(extent, roll) / voxel_size * (1.0 - SNAP)), 1.0)
        centre = np.roll(low + extent / 2.0, roll)
        corners = np.roll(surface.vertices.astype(np.float64).T, roll, axis=0)
        corners = (corners - centre[:, None]) / voxel_size + cells[:, None] / 2.0
        columns = cls(float(voxel_size), roll, centre, (int(cells[0]), int(cells[1]), int(cells[2])), corners)
        columns._check_size(columns._crossing_estimate(surface.triangles))
        return columns

    def _check_size(self, crossings: float) -> None:
        count = float(self.shape[0]) * float(self.shape[1])
        excess = max(sqrt(crossings / MAX_CROSSINGS), sqrt(count / MAX_COLUMNS), self.shape[2] / MAX_HEIGHT)
        if excess > 1.0:
            raise InertiaError(
                "voxels_too_fine",
                "",
                f"a voxel size of {self.voxel_size:g} m means {count:.2g} columns and about {crossings:.2g} crossings;"
                f" the limits are {MAX_COLUMNS:.2g} and {MAX_CROSSINGS:.2g}",
                f"choose a voxel size of {self.voxel_size * excess * 1.1:.2g} m or more",
            )

    def _crossing_estimate(self, triangles: TriangleArray) -> float:
        # Each face is crossed once per column under it: the sum of the areas projected along the columns.
        total = 0.0
        for start in range(0, len(triangles), BLOCK):
            x, y = self.corners[:2][:, triangles[start : start + BLOCK].T]
            area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0])
            total += float(np.abs(area).sum()) / 2.0
        return total

    def crossings(self, triangles: TriangleArray) -> Crossings:
        """Find where columns cross faces, row by row of columns.

        Ranges are half-open and both faces at an edge compute its crossing from the same two corners in the same
        order, so a column through a shared edge crosses it once.
        """
        for start in range(0, len(triangles), BLOCK):
            x, y, z = self.corners[:, triangles[start : start + BLOCK].T]
            order = np.argsort(y, axis=0, kind="stable")
            parity = np.sign((order[1] - order[0]) * (order[2] - order[0]) * (order[2] - order[1]))
            x, y, z = (np.take_along_axis(axis, order, axis=0) for axis in (x, y, z))
            first, end = _first_centre(y[0]), _first_centre(y[2])
            for face, row in _expand(first, end):
                yield from self._row_crossings(x[:, face], y[:, face], z[:, face], parity[face], row)

    def _row_crossings(self, x: FloatArray, y: FloatArray, z: FloatArray, parity: Ints, row: Ints) -> Crossings:
        """Cut each face (corners ascending in y) along the centre line of one row of columns."""
        line = row + 0.5
        x_long, z_long = _on_edge(line, x[0], y[0], z[0], x[2], y[2], z[2])
        lower = line < y[1]  # the short side is the lower edge here, else the upper one
        below, above = np.where(lower, 0, 1), np.where(lower, 1, 2)
        pick = np.arange(len(row))
        x_short, z_short = _on_edge(
            line, x[below, pick], y[below, pick], z[below, pick], x[above, pick], y[above, pick], z[above, pick]
        )
        long, short = _first_centre(x_long), _first_centre(x_short)
        # Corners ascending in y, the short side to the right of the long one: counter-clockwise, so it looks up.
        sign = (parity * np.sign(short - long)).astype(np.float64)
        span = np.where(x_short == x_long, 1.0, x_short - x_long)
        for cut, cell in _expand(np.minimum(long, short), np.maximum(long, short)):
            part = np.clip((cell + 0.5 - x_long[cut]) / span[cut], 0.0, 1.0)
            height = z_long[cut] + part * (z_short[cut] - z_long[cut])
            yield row[cut] * self.shape[0] + cell, height, sign[cut]

    def balanced(self, crossings: Crossings) -> Crossings:
        """Pass the crossings on, and refuse the mesh if a column does not go in as often as out."""
        net = np.zeros(self.shape[0] * self.shape[1])
        for column, height, sign in crossings:
            np.add.at(net, column, sign)
            yield column, height, sign
        self._check_closed(int(np.count_nonzero(net)))

    def ordered(self, crossings: Crossings) -> Ordered:
        """Sort all crossings by column and height."""
        # One sortable number per crossing: column, height in fixed point (whole voxels exactly), direction.
        bits = 30 - max(self.shape[2], 1).bit_length()
        keys = [
            (column << 32)
            | (np.rint(np.clip(height, 0.0, self.shape[2]) * 2.0**bits).astype(np.int64) << 1)
            | (sign > 0)
            for column, height, sign in crossings
        ]
        key = np.concatenate(keys) if keys else np.zeros(0, dtype=np.int64)
        keys.clear()
        key.sort()
        column = key >> 32
        winding = np.cumsum(1 - 2 * (key & 1))  # going up, a face that looks down is entered
        last = np.flatnonzero(np.diff(column, append=-1))
        left_over = np.concatenate(([0], winding[last[:-1]]))[: len(last)]
        counts = np.diff(last, prepend=-1)
        height = ((key & 0xFFFFFFFF) >> 1) / 2.0**bits
        net = winding[last] - left_over
        return Ordered(column, height, winding, last, net, np.repeat(left_over, counts))

    def united(self, crossings: Crossings) -> Crossings:
        """Keep only the crossings between winding zero and any other: the surface of the union."""
        ordered = self.ordered(crossings)
        self._check_closed(int(np.count_nonzero(ordered.net)))
        return ordered.united()

    def _check_closed(self, open_columns: int) -> None:
        if open_columns:
            share = open_columns / (self.shape[0] * self.shape[1])
            raise InertiaError(
                "open_columns",
                "",
                f"{open_columns} columns of voxels ({share:.2%}) enter the mesh and do not leave it: it has holes",
                "close the holes (Fill Holes), or fit a primitive",
            )

    def moments(self, crossings: Crossings) -> Moments:
        """Add up what lies below each crossing: 1, z, z² integrate to h, h²/2, h³/3."""
        volume, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
        for column, height, sign in crossings:
            x = column % self.shape[0] + (0.5 - self.shape[0] / 2.0)
            y = column // self.shape[0] + (0.5 - self.shape[1] / 2.0)
            h = height - self.shape[2] / 2.0  # from the grid's centre: columns are closed, so any floor will do
            w0 = sign * h
            w1, w2 = w0 * h / 2.0, w0 * h * h / 3.0
            volume += float(w0.sum())
            first += (w0 @ x, w0 @ y, w1.sum())
            xy, xz, yz = (w0 * x) @ y, w1 @ x, w1 @ y
            second += [[(w0 * x) @ x, xy, xz], [xy, (w0 * y) @ y, yz], [xz, yz, w2.sum()]]
        if not volume > 0.0:
            raise InertiaError(
                "zero_volume",
                "",
                f"no voxel of {self.voxel_size:g} m lies inside the mesh"
                if volume == 0.0
                else "the mesh is inside out",
                "choose a smaller voxel size" if volume == 0.0 else "recalculate the normals (Shift+N)",
            )
        second += volume / 12.0 * np.diag([1.0, 1.0, 0.0])  # the columns' own width
        centroid = first / volume
        size = self.voxel_size
        covariance = (second - volume * np.outer(centroid, centroid)) * size**5
        centroid = self.centre + centroid * size
        back = -self.roll
        return Moments(volume * size**3, np.roll(centroid, back), np.roll(covariance, (back, back), axis=(0, 1)))


def _first_centre(position: FloatArray) -> Ints:
    """Return the number of the first cell whose centre is not below `position`."""
    return np.asarray(np.ceil(position - 0.5), dtype=np.int64)


def _on_edge(
    line: FloatArray, xa: FloatArray, ya: FloatArray, za: FloatArray, xb: FloatArray, yb: FloatArray, zb: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return x and z where the edge a-b (ya < yb) meets y = `line`."""
    part = (line - ya) / np.where(yb == ya, 1.0, yb - ya)
    return xa + part * (xb - xa), za + part * (zb - za)


def _expand(first: Ints, end: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Yield pairs (i, k) for all k in first[i]..end[i], about `BLOCK` at a time."""
    count = np.maximum(end - first, 0)
    total = np.cumsum(count)
    done = 0
    while done < (total[-1] if len(total) else 0):
        stop = min(done + BLOCK, int(total[-1]))
        pair = np.arange(done, stop)
        i = np.searchsorted(total, pair, side="right")
        yield i, first[i] + (pair - (total[i] - count[i]))
        done = stop
