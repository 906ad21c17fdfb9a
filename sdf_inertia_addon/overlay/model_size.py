# SPDX-License-Identifier: GPL-3.0-or-later
"""How large a model's geometry is: a solid that is larger must not hide it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from math import inf
from weakref import WeakKeyDictionary

import numpy as np

from ...core.arrays import FloatArray
from ...core.robot.extent import extent_of
from ...core.robot.model import Link
from ...core.robot.resolve import LinkBody

_corners: WeakKeyDictionary[Link, FloatArray | None] = WeakKeyDictionary()


def size_of(bodies: Iterable[LinkBody]) -> float:
    """Return the diagonal [m] of the box around the geometry of links, where they are; infinite without geometry."""
    placed = [(body.pose, corners) for body in bodies if (corners := _corners_of(body)) is not None]
    if not placed:
        return inf
    R, p = (np.stack([getattr(pose, name) for pose, _ in placed]) for name in "Rp")
    corners = np.stack([corners for _, corners in placed]) @ R.transpose(0, 2, 1) + p[:, None]
    return float(np.linalg.norm(np.ptp(corners.reshape(-1, 3), axis=0)))


def _corners_of(body: LinkBody) -> FloatArray | None:
    """Return the corners (8, 3) of the box around a link's geometry [m], in its frame; found once for each link."""
    link = body.link
    if link is None:
        return None
    if link not in _corners:
        extent = extent_of([*link.parts, *link.visuals])
        _corners[link] = None if extent is None else np.array(list(product(*zip(extent.low, extent.high, strict=True))))
    return _corners[link]
