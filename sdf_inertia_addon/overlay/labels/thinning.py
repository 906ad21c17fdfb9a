# SPDX-License-Identifier: GPL-3.0-or-later
"""Which labels are shown where there are too many: plain numpy, no GPU. It does not depend on what is selected."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ....core.arrays import FloatArray
from .layout import MARGIN, Bounds

COVERED = 0.2
"""How much of the view labels may cover: with more of them it is hard to see which belongs to what."""

FEWEST = 8
"""Labels that are shown in however small a view, if there is room."""


def label_limit(sizes: FloatArray, bounds: Bounds, scale: float) -> int:
    """Return how many labels of such sizes (n, 2) a view takes [px]."""
    left, bottom, right, top = bounds
    each = float(np.prod(sizes + 2.0 * MARGIN * scale, axis=1).mean()) if len(sizes) else 1.0
    return max(FEWEST, int(COVERED * (right - left) * (top - bottom) / each))


def foremost_labels(
    rank: npt.NDArray[np.int64], mass: FloatArray, visible: npt.NDArray[np.bool_], count: int
) -> npt.NDArray[np.bool_]:
    """Return which `count` of the labels to see come first: by rank, then by mass."""
    order = np.lexsort((-mass, rank, ~visible))[:count]
    chosen = np.zeros(len(rank), dtype=bool)
    chosen[order] = True
    return chosen & visible
