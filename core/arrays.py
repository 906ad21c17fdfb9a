# SPDX-License-Identifier: Apache-2.0
"""Array types, slices of large arrays, and read-only float64 arrays, which values are made of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

Numbers = npt.NDArray[np.integer[Any]]
"""Integers of any width."""

Indices = npt.NDArray[np.intp]
"""Positions in an array, as numpy's searches return them."""

VertexArray = npt.NDArray[np.floating[Any]]
"""Shape (n, 3): float64, or float32 as Blender's meshes are."""

TriangleArray = npt.NDArray[np.integer[Any]]
"""Shape (m, 3): vertex indices of any width."""

QuadArray = npt.NDArray[np.integer[Any]]
"""Shape (k, 4): vertex indices around each quad."""


IDENTITY: FloatArray = np.eye(3)
IDENTITY.flags.writeable = False


def blocks(count: int, size: int) -> Iterator[slice]:
    """Yield slices of `size` rows that together cover `count` rows; the last may be shorter."""
    for begin in range(0, count, size):
        yield slice(begin, min(begin + size, count))


def corner_blocks(faces: Numbers, size: int) -> Iterator[tuple[slice, Indices]]:
    """Yield slices of `size` faces, and their vertex indices with a row for each corner, contiguous for numpy's
    `take`."""
    for some in blocks(len(faces), size):
        yield some, np.array(faces[some].T, dtype=np.intp, order="C")


def ranges(first: npt.NDArray[Any] | float, count: Numbers, size: int) -> Iterator[tuple[Indices, npt.NDArray[Any]]]:
    """Yield all (i, first[i] + k) with k in 0..count[i] - 1, `size` at a time."""
    end = np.cumsum(count, dtype=np.intp)
    offset = first - (end - count)
    for some in blocks(int(end[-1]) if len(end) else 0, size):
        low, high = np.searchsorted(end, (some.start, some.stop - 1), side="right")
        here = count[low : high + 1].copy()
        here[-1] -= end[high] - some.stop
        here[0] -= some.start - (end[low] - count[low])
        i = np.repeat(np.arange(low, high + 1), here)
        number = np.arange(some.start, some.stop, dtype=offset.dtype)
        number += offset.take(i, mode="clip")
        yield i, number


def diagonal(x: float, y: float, z: float) -> FloatArray:
    """Return diag(x, y, z), several times faster than `numpy.diag`, which handles any size."""
    return readonly_of([[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]])


def readonly_of(numbers: list[float] | list[list[float]]) -> FloatArray:
    """Return numbers as a read-only array that `readonly` does not copy."""
    return made_readonly(np.array(numbers))


def made_readonly(array: FloatArray) -> FloatArray:
    """Return a new array made read-only; the caller holds the only reference to it."""
    array.flags.writeable = False
    return array


def determinant(A: FloatArray) -> float:
    """Return the determinant of a (3, 3) array, several times faster than `numpy.linalg.det`, which handles any
    size."""
    (a, b, c), (d, e, f), (g, h, i) = A.tolist()
    return float(a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g))


def _is_readonly(array: npt.NDArray[Any]) -> bool:
    # The owner of a writeable base array could still change what a view shows.
    owner = array if array.base is None else array.base
    whole = isinstance(owner, np.ndarray) and owner.base is None and not owner.flags.writeable
    plain = array.dtype == np.float64 and (owner is array or array.flags.c_contiguous)
    return whole and plain and not array.flags.writeable


def readonly(values: npt.ArrayLike, shape: tuple[int, ...]) -> FloatArray:
    """Return `values` as a read-only float64 array : a copy, unless they already are one or a row of one.

    Raises
    ------
    ValueError
        If `values` does not have the given shape.
    """
    if type(values) is np.ndarray and _is_readonly(values) and values.shape == shape:
        return values
    array = np.array(values, dtype=np.float64)
    if array.shape != shape:
        raise ValueError(f"expected an array of shape {shape}, got {array.shape}")
    array.flags.writeable = False
    return array
