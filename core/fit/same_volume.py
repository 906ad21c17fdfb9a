# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes of a given orientation with the volume, the centroid and the proportions of a solid.

The proportions are those of the second moments, so that mass, centre of mass and inertia come out nearly the same.
"""

from __future__ import annotations

import numpy as np

from ..arrays import FloatArray
from ..body.moments import Moments
from ..body.shapes import Shape

Placed = tuple[Shape, FloatArray]
"""A shape and its centre (3,), both in one frame."""


def same_volume(kind: type[Shape], moments: Moments, frame: FloatArray) -> Placed | None:
    """Return a shape with z along the frame's, and its centre in the frame; None where there is none of that kind.

    Parameters
    ----------
    moments : Moments
        Of the solid; its volume is positive.
    frame : ndarray, shape (3, 3)
        A rotation whose columns are the axes.
    """
    x, y, z = (np.maximum(np.diag(frame.T @ moments.covariance @ frame), 0.0) / moments.volume).tolist()
    shape = kind.proportioned(x, y, z) if min(x, y, z) > 0.0 else None
    if shape is None:
        return None
    own = shape.moments()
    factor = float((moments.volume / own.volume) ** (1.0 / 3.0))
    return shape.scaled(factor), moments.centroid @ frame - factor * own.centroid
