# SPDX-License-Identifier: GPL-3.0-or-later
"""Which labels are shown, and where from one redraw to the next: they travel with their bodies, and find new places
when all has come to rest. Plain numpy, no GPU."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from ....core.arrays import FloatArray
from .layout import MARGIN, Bounds, kept_inside, place_labels

COVERED = 0.2
"""How much of the view labels may cover: with more of them it is hard to see which belongs to what."""

FEWEST = 8
"""Labels that are shown in however small a view, if there is room."""


class Placement:
    """Where the labels of one viewport were, from their anchors."""

    def __init__(self) -> None:
        self._offsets: dict[str, FloatArray] = {}
        self._seen: object = None
        self.still = False
        """The next call may take its time: nothing moves any more."""
        self.final = True
        """With more time, no label would have another place."""

    def place(
        self,
        names: Sequence[str],
        anchors: FloatArray,
        sizes: FloatArray,
        bounds: Bounds,
        rank: npt.NDArray[np.int64],
        occupied: Callable[[], npt.NDArray[np.bool_]],
        scale: float,
        guests: npt.NDArray[np.bool_] | None = None,
        taken: Sequence[Bounds] = (),
        chosen: npt.NDArray[np.bool_] | None = None,
    ) -> FloatArray:
        """Return the corners (n, 2) of the labels: where they were if they were anywhere, else as `place_labels`.

        Parameters
        ----------
        names : sequence of str
            By which a label is known again.
        anchors, sizes, bounds, rank, scale, taken
            As for `place_labels`.
        occupied : callable
            Asked for the bodies' `occupancy` only if places have to be found.
        guests : ndarray of bool, shape (n,), optional
            Labels that come and go with the selection; they do not change the places of the others.
        chosen : ndarray of bool, shape (n,), optional
            Labels that others make room for; the guests, if not given.
        """
        guests = np.zeros(len(names), dtype=bool) if guests is None else guests
        nowhere = np.full(2, np.nan)
        offsets = np.array([self._offsets.get(name, nowhere) for name in names]).reshape(-1, 2)
        alone = np.where(guests[:, None], np.nan, anchors)
        residents = tuple(name for name, guest in zip(names, guests, strict=True) if not guest)
        seen = (residents, alone[~guests].tobytes(), sizes[~guests].tobytes(), bounds, tuple(taken))
        fresh = not np.isfinite(offsets[~guests]).any()
        if seen == self._seen:
            corners = alone + offsets
        elif fresh or self.still:
            before = None if fresh else offsets
            corners = place_labels(alone, sizes, bounds, occupied(), scale, rank, before, taken)
            self._seen = seen
        else:
            inside = np.all((anchors >= bounds[:2]) & (anchors <= bounds[2:]), axis=1)
            self._seen, self.final = None, False
            there = np.where(inside[:, None], anchors + offsets, np.nan)
            return kept_inside(there, sizes, bounds, rank + 9 * guests, taken)
        asked = (guests if chosen is None else chosen | guests) & np.isnan(corners[:, 0]) & np.isfinite(anchors[:, 0])
        placed = self._beside(corners, anchors, sizes, bounds, rank, occupied, scale, asked, taken, offsets)
        self._offsets = dict(zip(names, np.where(guests[:, None], placed, corners) - anchors, strict=True))
        self.final, self.still = True, False
        return placed

    @staticmethod
    def _beside(
        hosts: FloatArray,
        anchors: FloatArray,
        sizes: FloatArray,
        bounds: Bounds,
        rank: npt.NDArray[np.int64],
        occupied: Callable[[], npt.NDArray[np.bool_]],
        scale: float,
        asked: npt.NDArray[np.bool_],
        taken: Sequence[Bounds],
        offsets: FloatArray,
    ) -> FloatArray:
        """Return the corners with those that are asked for too: others go where there is no room beside them."""
        if not asked.any():
            return hosts
        before = offsets if np.isfinite(offsets[asked]).any() else None
        grid = occupied()
        corners = place_labels(anchors, sizes, bounds, grid, scale, rank, before, taken, hosts)
        if np.isfinite(corners[asked, 0]).all():
            return corners
        alone = place_labels(np.where(asked[:, None], anchors, np.nan), sizes, bounds, grid, scale, rank, before, taken)
        return kept_inside(np.where(asked[:, None], alone, hosts), sizes, bounds, rank - 9 * asked, taken)


def label_limit(sizes: FloatArray, bounds: Bounds, scale: float, fewest: int = FEWEST) -> int:
    """Return how many labels of such sizes (n, 2) a view takes [px], at least the fewest."""
    left, bottom, right, top = bounds
    each = float(np.prod(sizes + 2.0 * MARGIN * scale, axis=1).mean()) if len(sizes) else 1.0
    return max(fewest, int(COVERED * (right - left) * (top - bottom) / each))


def foremost_labels(
    rank: npt.NDArray[np.int64], mass: FloatArray, visible: npt.NDArray[np.bool_], count: int
) -> npt.NDArray[np.bool_]:
    """Return which `count` of the labels to see come first: by rank, then by mass, whatever is selected."""
    order = np.lexsort((-mass, rank, ~visible))[:count]
    chosen = np.zeros(len(rank), dtype=bool)
    chosen[order] = True
    return chosen & visible
