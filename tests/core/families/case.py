# SPDX-License-Identifier: GPL-3.0-or-later
"""One generated mesh with its truth, and the exact placements that keep that truth exact."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ..exact import TOLERANCE, Exact
from .raw import fractions

UNION = Fraction(1, 10**9)
"""What the policy asks of a union of components that do not cross themselves."""

RIGHT, WARNED, STATED, REFUSED = "right", "right with warning", "within the stated error", "refused"


@dataclass(frozen=True)
class Generated:
    """A mesh, what it is, and what may come of it.

    Parameters
    ----------
    mesh : tuple
        Vertices (n, 3) and triangles (m, 3).
    truth : Exact, or None
        None where nothing but a refusal is right.
    may : set of str
        The outcomes that are right for it.
    expected : set of str
        Codes of findings; a number must come with one of them at least, where there are any.
    refusals : set of str
        The codes of a right refusal.
    tolerance : Fraction
        Up to where a number counts as right: relative to the volume, to the size, to the trace.
    """

    mesh: tuple
    truth: Exact | None
    may: frozenset = frozenset({RIGHT})
    expected: frozenset = frozenset()
    refusals: frozenset = frozenset()
    tolerance: Fraction = TOLERANCE


def refused(mesh, *codes):
    """Return a mesh that is no solid."""
    return Generated(mesh, None, frozenset({REFUSED}), refusals=frozenset(codes))


def warned(mesh, truth, *codes, tolerance=TOLERANCE, or_stated=False):
    """Return a mesh whose number is right, and comes with a warning of one of these codes."""
    may = {WARNED, STATED} if or_stated else {WARNED}
    return Generated(mesh, truth, frozenset(may), frozenset(codes), tolerance=tolerance)


def turn(rng):
    """Return an integer matrix that is a rotation times a whole number, of a random quaternion of whole numbers.

    So whole coordinates stay whole, and what is exact of a solid stays exact.
    """
    a, b, c, d = rng.integers(-3, 4, 4).tolist()
    if not (a or b or c or d):
        a = 1
    return np.array(
        [
            [a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)],
            [2 * (b * c + a * d), a * a - b * b + c * c - d * d, 2 * (c * d - a * b)],
            [2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d],
        ]
    )


def placed(rng, mesh, raw=None):
    """Return a mesh of coordinates of few digits in a random place, about a metre large, and its exact truth.

    Turned, scaled by a power of two and moved by whole steps, so that every coordinate is a float without rounding.
    """
    vertices, triangles = mesh
    A = turn(rng) if rng.random() < 0.6 else np.eye(3, dtype=int)
    vertices = np.asarray(vertices, dtype=np.float64) @ A.T
    size = float((vertices.max(axis=0) - vertices.min(axis=0)).max())
    scale = 2.0 ** -round(np.log2(size))
    t = rng.integers(-4, 5, 3) / 2.0 if rng.random() < 0.5 else np.zeros(3)
    vertices = vertices * scale + t
    if raw is None:
        return (vertices, triangles), None
    exact = raw.transformed(fractions(A) * Fraction(scale), t).exact(vertices)
    return (vertices, triangles), exact
