# SPDX-License-Identifier: GPL-3.0-or-later
"""How large the coordinates are that the rounding of a place comes from, by axis.

Blender multiplies float32 matrices along a chain of parents. Each coordinate of the product is rounded relative to its
own summands, so far from the origin along x, a small z is still exact. A rotation mixes its axes: then each has the
rounding of the largest.
"""

from __future__ import annotations

import bpy
import numpy as np
from mathutils import Matrix

from ...core.arrays import FloatArray


def sizes_of(matrix_world: Matrix, *objects: bpy.types.Object | None) -> FloatArray:
    """Return the largest coordinate (3,) by axis of the world, in Blender units, that rounds a place.

    Parameters
    ----------
    matrix_world : mathutils.Matrix
        The place.
    objects : bpy.types.Object or None
        It follows from the places of these, and of their parents.
    """
    matrices, is_mixed = [matrix_world], False
    for ob in objects:
        while ob is not None:
            matrices += [ob.matrix_world, ob.matrix_parent_inverse]
            is_mixed |= len(ob.constraints) > 0 or (ob.parent is not None and ob.parent_type != "OBJECT")
            ob = ob.parent
    maps = np.array(matrices, dtype=np.float64)
    sizes: FloatArray = np.abs(maps[:, :3, 3]).max(axis=0)
    return np.full(3, sizes.max()) if is_mixed else mixed(maps[:, :3, :3], sizes)


def mixed(maps: FloatArray, sizes: FloatArray) -> FloatArray:
    """Return the largest size (3,) of the axes that any of some maps (3, 3) mixes with each axis."""
    mixes = np.abs(maps).reshape(-1, 3, 3).max(axis=0) > 0.0
    together = np.linalg.matrix_power((mixes | mixes.T | np.eye(3, dtype=bool)).astype(np.int64), 2) > 0
    largest: FloatArray = np.where(together, sizes, 0.0).max(axis=1)
    return largest


def in_frame(R: FloatArray, sizes: FloatArray, p: FloatArray) -> FloatArray:
    """Return the sizes (3,) along the axes of a frame with rotation R, at a point `p` in it, of those in the world.

    The frame's axes are rounded too: that mixes the coordinates of the point, but not those of the world.
    """
    along: FloatArray = np.maximum(np.abs(R).T @ sizes, mixed(R, np.abs(p)))
    return along
