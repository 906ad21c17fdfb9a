# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of many rows of numbers are equal, by one sort."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ...arrays import Ints, Numbers

Hashes = npt.NDArray[np.uint64]

BITS = 63
"""Of a sortable number: what rows are told by, and in its lower part their number."""

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""2⁶⁴ over the golden ratio: the step of SplitMix64."""

MIX = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
"""Its factors (Steele, Lea & Flood 2014, Fast splittable pseudorandom number generators)."""


def alike(*columns: Numbers) -> Ints:
    """Return for each row of some columns (n,) the lowest row that is equal to it.

    A row and its number are packed into one integer, since numpy sorts integers many times faster than rows. Where
    they do not fit, a hash of the row is packed, and rows of one hash are compared.
    """
    count = len(columns[0])
    place = max(count - 1, 1).bit_length()
    widths = [int(column.max(initial=0)).bit_length() for column in columns]
    exact = sum(widths) + place <= BITS and all(int(column.min(initial=0)) >= 0 for column in columns)
    if exact:
        key = np.zeros(count, dtype=np.int64)
        for column, width in zip(columns, widths, strict=True):
            key <<= width
            key |= column.astype(np.int64, copy=False)
    else:
        key = (_hashed(columns) >> np.uint64(place + 1)).view(np.int64)
    key <<= place
    key |= np.arange(count)
    key.sort()
    row = key & ((1 << place) - 1)
    key >>= place
    first = np.concatenate([np.ones(min(count, 1), dtype=bool), key[1:] != key[:-1]])
    lowest = row[first][np.cumsum(first) - 1]
    if not exact and any((column[row] != column[lowest]).any() for column in columns):
        return _one_by_one(columns)
    result = np.empty(count, dtype=np.int64)
    result[row] = lowest
    return result


def _hashed(columns: tuple[Numbers, ...]) -> Hashes:
    result = np.zeros(len(columns[0]), dtype=np.uint64)
    for column in columns:
        result += GOLDEN
        result ^= column.astype(np.int64, copy=False).view(np.uint64)
        for shift, factor in zip((30, 27), MIX, strict=True):
            result ^= result >> np.uint64(shift)
            result *= factor
        result ^= result >> np.uint64(31)
    return result


def _one_by_one(columns: tuple[Numbers, ...]) -> Ints:
    """Do the same by a sort of rows: different rows have one hash once in some 10⁵ meshes."""
    order = np.lexsort(columns)
    new = np.zeros(len(order), dtype=bool)
    new[:1] = True
    for column in columns:
        new[1:] |= column[order[1:]] != column[order[:-1]]
    result = np.empty(len(order), dtype=np.int64)
    result[order] = order[new][np.cumsum(new) - 1]
    return result
