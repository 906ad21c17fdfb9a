# SPDX-License-Identifier: GPL-3.0-or-later
"""Labels from one redraw to the next: they travel with their bodies, and find new places when all has come to rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from ...core.arrays import FloatArray
from .layout import Bounds, kept, place_labels


class Placement:
    """Where the labels of one viewport were, from their anchors."""

    def __init__(self) -> None:
        self._offsets: dict[str, FloatArray] = {}
        self.rested = False
        """The next call may take its time: nothing moves any more."""
        self.settled = True
        """No label would stand elsewhere if there were more time."""

    def place(
        self,
        names: Sequence[str],
        anchors: FloatArray,
        sizes: FloatArray,
        bounds: Bounds,
        rank: npt.NDArray[np.int64],
        occupied: Callable[[], npt.NDArray[np.bool_]],
        scale: float,
    ) -> FloatArray:
        """Return the corners (n, 2) of the labels: where they were if they were anywhere, else as `place_labels`.

        Parameters
        ----------
        names : sequence of str
            By which a label is known again.
        anchors, sizes, bounds, rank, scale
            As for `place_labels`.
        occupied : callable
            Asked for the bodies' `occupancy` only if places have to be found.
        """
        nowhere = np.full(2, np.nan)
        offsets = np.array([self._offsets.get(name, nowhere) for name in names]).reshape(-1, 2)
        fresh = not np.isfinite(offsets).any()
        if fresh or self.rested:
            corners = place_labels(anchors, sizes, bounds, occupied(), scale, rank, None if fresh else offsets)
            self._offsets = dict(zip(names, corners - anchors, strict=True))
        else:
            seen = np.all((anchors >= bounds[:2]) & (anchors <= bounds[2:]), axis=1)
            corners = kept(np.where(seen[:, None], anchors + offsets, np.nan), sizes, bounds, rank)
        self.settled = fresh or self.rested
        self.rested = False
        return corners
