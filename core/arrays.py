# SPDX-License-Identifier: GPL-3.0-or-later
"""Read-only float64 arrays, the stuff that values are made of."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

VertexArray = npt.NDArray[np.floating[Any]]
"""Shape (n, 3): float64, or float32 as Blender's meshes are."""

TriangleArray = npt.NDArray[np.integer[Any]]
"""Shape (m, 3): vertex indices of any width."""


IDENTITY: FloatArray = np.eye(3)
IDENTITY.flags.writeable = False


def diagonal(x: float, y: float, z: float) -> FloatArray:
    """Return diag(x, y, z); several times faster than numpy's way, which minds any size."""
    return np.array([[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]])


def determinant(A: FloatArray) -> float:
    """Return the determinant of a (3, 3) array; several times faster than numpy's way, which minds any size."""
    (a, b, c), (d, e, f), (g, h, i) = A.tolist()
    return float(a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g))


def readonly(values: npt.ArrayLike, shape: tuple[int, ...]) -> FloatArray:
    """Return a private, read-only float64 copy of `values`.

    Raises
    ------
    ValueError
        If `values` does not have the given shape.
    """
    array = np.array(values, dtype=np.float64)
    if array.shape != shape:
        raise ValueError(f"expected an array of shape {shape}, got {array.shape}")
    array.flags.writeable = False
    return array
