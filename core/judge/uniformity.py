# SPDX-License-Identifier: Apache-2.0
"""The centre of mass in a file, compared with that of uniform density: it may show that the density is not uniform."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..arrays import FloatArray
from ..robot.extent import Extent, extent_of
from ..robot.model import Part, Unusable, Visual

INSIDE = 0.05
"""A centre of mass is kept if it is outside of the geometry's box by at most this share of its longest side."""

UNIFORM = 0.1
"""A link counts as uniform if its centre of mass is this near to that of its geometry, as a share of its longest
side."""


def is_inside(com: FloatArray, geometry: Sequence[Part | Visual]) -> bool:
    """Return True if a centre of mass is in the box around a geometry, all of which can be read."""
    return _is_inside(com, geometry, extent_of(geometry))


def _is_inside(com: FloatArray, geometry: Sequence[Part | Visual], extent: Extent | None) -> bool:
    if extent is None or any(isinstance(part.geometry, Unusable) for part in geometry):
        return False
    return bool(np.isfinite(com).all()) and extent.distance(com) <= INSIDE * extent.longest


def is_not_uniform(com: FloatArray, uniform: FloatArray, geometry: Sequence[Part | Visual]) -> bool:
    """Return True if a centre of mass is in the geometry, and plainly not the one of uniform density.

    Three zeros are the default of files and editors: that is not a stated centre.
    """
    if not np.any(com):
        return False
    extent = extent_of(geometry)
    apart = float(np.linalg.norm(uniform - com))
    return extent is not None and apart > UNIFORM * extent.longest and _is_inside(com, geometry, extent)
