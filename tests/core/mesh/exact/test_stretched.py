# SPDX-License-Identifier: GPL-3.0-or-later
"""A mesh under a stretch is measured as the stretched mesh, however often and in whatever order it is asked for."""

import numpy as np
import pytest

from core.mesh.surface import Surface
from core.robot.model import Mesh
from core.robot.part import known_outcome, measure

from ....thorough import THOROUGH
from ...solids import box, joined, polygon, prism

FIRST, SECOND = ((0.0, 0.0, 0.0), (0.01, 1.0, 1.0)), ((0.007, 0.5, 0.2), (0.013, 1.3, 0.9))


def mesh_of(*boxes):
    return joined(*(box(np.subtract(high, low), low) for low, high in boxes))


def truth(factor):
    """Volume, centroid and covariance of the union of both boxes, stretched along x: their sum less what they share."""
    volume, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
    shared = tuple(np.maximum(FIRST[0], SECOND[0])), tuple(np.minimum(FIRST[1], SECOND[1]))
    for sign, (low, high) in ((1, FIRST), (1, SECOND), (-1, shared)):
        low, high = np.multiply(low, (factor, 1, 1)), np.multiply(high, (factor, 1, 1))  # type: ignore[assignment]
        v, c = sign * np.prod(high - low), (low + high) / 2  # type: ignore[operator]
        volume, first = volume + v, first + v * c  # type: ignore[assignment]
        second += v * (np.outer(c, c) + np.diag((high - low) ** 2) / 12)  # type: ignore[operator]
    return volume, first / volume, second - np.outer(first, first) / volume


@pytest.mark.parametrize("factors", [(1, 100, 3, 1000), (1000, 1, 100)] if THOROUGH else [(1, 1000), (1000, 30, 1)])
def test_the_error_of_a_union_is_that_of_the_stretched_one(factors):
    surface = Surface(*mesh_of(FIRST, SECOND))
    for factor in (*factors, *factors):
        mesh = Mesh(surface, np.diag([factor, 1.0, 1.0]))
        measured = measure(mesh, {})
        volume, centroid, covariance = truth(factor)
        assert measured.method == "union"
        assert measured.error == 0.0
        assert abs(measured.moments.volume / volume - 1) <= 1e-12
        assert np.abs(measured.moments.covariance - covariance).max() <= 1e-12 * np.trace(covariance)
        np.testing.assert_allclose(measured.moments.centroid, centroid, rtol=1e-3)
        assert known_outcome(mesh, {}) is not None


def test_an_exact_integral_is_taken_once_for_every_stretch():
    surface = Surface(*prism(polygon(5)))
    measure(Mesh(surface, np.eye(3)), {})
    assert known_outcome(Mesh(surface, np.diag([1.0, 1.0, 2.0])), {}) is not None
