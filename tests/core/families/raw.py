# SPDX-License-Identifier: GPL-3.0-or-later
"""Moments about the origin in rational arithmetic: sums, differences and affine maps of solids lose nothing."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ..exact import Exact, integrate


def fractions(numbers):
    """Return numbers of any shape as an array of fractions, each exactly what the float is."""
    array = np.asarray(numbers)
    found = [one if isinstance(one, Fraction) else Fraction(one) for one in array.ravel().tolist()]
    exact = np.empty(len(found), dtype=object)
    exact[:] = found
    return exact.reshape(array.shape)


@dataclass(frozen=True, eq=False)
class Raw:
    """Volume, ∫ x dV (3,) and ∫ x xᵀ dV (3, 3) of a solid, or of a signed sum of solids."""

    volume: Fraction
    first: np.ndarray
    second: np.ndarray

    def __add__(self, other):
        return Raw(self.volume + other.volume, self.first + other.first, self.second + other.second)

    def __neg__(self):
        return Raw(-self.volume, -self.first, -self.second)

    def __sub__(self, other):
        return self + -other

    def transformed(self, A, t):
        """Return the moments under x → A x + t, A without a mirror."""
        A, t = fractions(A), fractions(t)
        factor = A[0] @ np.cross(A[1], A[2])
        first = A @ self.first
        beside = np.outer(first, t)
        second = A @ self.second @ A.T + beside + beside.T + self.volume * np.outer(t, t)
        return Raw(factor * self.volume, factor * (first + self.volume * t), factor * second)

    def exact(self, vertices):
        """Return volume, centroid and central second moment, of a mesh with these vertices."""
        centroid = self.first / self.volume
        covariance = self.second - self.volume * np.outer(centroid, centroid)
        points = np.asarray(vertices, dtype=np.float64)
        size = max(Fraction(high) - Fraction(low) for low, high in zip(points.min(0), points.max(0), strict=True))
        return Exact(self.volume, list(centroid), [list(row) for row in covariance], size)


NOTHING = Raw(Fraction(0), fractions(np.zeros(3)), fractions(np.zeros((3, 3))))


def of_mesh(mesh):
    """Return the moments of a sound mesh, for the very vertices given."""
    exact = integrate(*mesh)
    centroid = np.array(exact.centroid, dtype=object)
    raw = np.array(exact.covariance, dtype=object) + exact.volume * np.outer(centroid, centroid)
    return Raw(exact.volume, exact.volume * centroid, raw)


def of_triangles(triangles):
    """Return the moments of the solid that triangles of rational corners (m, 3, 3) enclose, by tetrahedra."""
    total = NOTHING
    for a, b, c in triangles:
        six = a @ np.cross(b, c)
        three = a + b + c
        squares = sum(np.outer(p, p) for p in (a, b, c)) + np.outer(three, three)
        total += Raw(six / 6, six * three / 24, six * squares / 120)
    return total


def of_cells(low, high):
    """Return the moments of all cells together: corners (n, 3) of whole numbers up to a few hundred, none overlapping.

    All in int64: a volume times two squares of a thousand is far below 2**63.
    """
    low, high = np.asarray(low, dtype=np.int64), np.asarray(high, dtype=np.int64)
    volume, twice = (high - low).prod(axis=1), low + high
    second = np.einsum("n,ni,nj->ij", 3 * volume, twice, twice)  # 12 times the integral; the diagonal is another
    second[np.diag_indices(3)] = 4 * (volume[:, None] * (low * low + low * high + high * high)).sum(axis=0)
    first = (volume[:, None] * twice).sum(axis=0)
    return Raw(Fraction(int(volume.sum())), fractions(first.tolist()) / 2, fractions(second.tolist()) / 12)
