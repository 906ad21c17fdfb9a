# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference for mesh integrals: the divergence theorem in exact rational arithmetic.

The product sums tetrahedra in floating point; here ∫ f dV becomes ∮ F n_x dA over the faces as given, where
f = ∂F/∂x, in integers. So neither formula nor rounding is shared. A float is an integer over a power of two; with one
power for all vertices the sums are sums of integers.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

TOLERANCE = Fraction(1, 10**12)
"""What the product promises: relative to the volume, to the size of the mesh, to the trace."""


@dataclass(frozen=True)
class Exact:
    """Volume, centroid and central second moment as fractions; `size` is the longest side of the bounding box."""

    volume: Fraction
    centroid: list
    covariance: list
    size: Fraction


def integrate(vertices, triangles):
    """Integrate a closed mesh exactly, for the very vertices given."""
    points = np.asarray(vertices)
    ratios = [number.as_integer_ratio() for number in points.astype(np.float64).ravel().tolist()]
    unit = max(denominator for _, denominator in ratios)
    whole = np.array([n * (unit // d) for n, d in ratios], dtype=object).reshape(points.shape)
    a, b, c = whole[np.asarray(triangles)].transpose(1, 2, 0)
    u, v = b - a, c - a
    normal = np.array([u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3] for i in range(3)])
    # (k + 2)! ∫ x_i x_i, or x_i x_i x_j, over the unit triangle. In barycentric coordinates ∫ λ^α = α! / (|α| + 2)!, so
    # of all products of corners' coordinates those of two equal corners count twice, of three six times.
    total = a + b + c
    squares = normal * (total * total + a * a + b * b + c * c)
    volume = Fraction(int((normal[0] * total[0]).sum()), 6 * unit**3)
    first = [Fraction(int(squares[i].sum()), 48 * unit**4) for i in range(3)]
    p, q, r = (normal * corner * (total + corner) for corner in (a, b, c))
    second = [[Fraction(0)] * 3 for _ in range(3)]
    for i, j in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)):  # the other half is the same, on a closed mesh
        raw = squares[i] @ total[j] + 2 * (p[i] @ a[j] + q[i] @ b[j] + r[i] @ c[j])
        second[i][j] = second[j][i] = Fraction(int(raw), (360 if i == j else 240) * unit**5)
    centroid = [moment / volume for moment in first]
    covariance = [[second[i][j] - volume * centroid[i] * centroid[j] for j in range(3)] for i in range(3)]
    used = whole[np.unique(triangles)]
    size = Fraction(int(max(used.max(axis=0) - used.min(axis=0))), unit)
    return Exact(volume, centroid, covariance, size)


def assert_exact(moments, exact, tolerance=TOLERANCE):
    """Compare without any rounding of the comparison itself."""
    assert abs(Fraction(moments.volume) - exact.volume) <= tolerance * abs(exact.volume)
    trace = sum(abs(exact.covariance[i][i]) for i in range(3))
    for i in range(3):
        # Half an ulp is what it costs to write a coordinate down at all.
        half_ulp = Fraction(float(np.spacing(abs(float(exact.centroid[i]))))) / 2
        assert abs(Fraction(float(moments.centroid[i])) - exact.centroid[i]) <= tolerance * exact.size + half_ulp
        for j in range(3):
            assert abs(Fraction(float(moments.covariance[i, j])) - exact.covariance[i][j]) <= tolerance * trace


def assert_same(moments, other, tolerance=1e-12):
    """Compare two `Moments`, each quantity relative to what is measured."""
    size = np.sqrt(np.trace(other.covariance) / other.volume)
    assert abs(moments.volume - other.volume) <= tolerance * abs(other.volume)
    assert np.abs(moments.centroid - other.centroid).max() <= tolerance * (size + np.abs(other.centroid).max())
    assert np.abs(moments.covariance - other.covariance).max() <= tolerance * abs(np.trace(other.covariance))


def true_error(found, exact):
    """Return the largest relative error of some `Moments`."""
    trace = np.trace(exact.covariance)
    return max(
        abs(found.volume / exact.volume - 1),
        np.abs(found.covariance - exact.covariance).max() / trace,
        np.abs(found.centroid - exact.centroid).max() / np.sqrt(trace / exact.volume),
    )
