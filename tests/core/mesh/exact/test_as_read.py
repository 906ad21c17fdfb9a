# SPDX-License-Identifier: GPL-3.0-or-later
"""What is only noise beside a body's size is 0 to who reads it, and nothing else is."""

import numpy as np
import pytest

from core import Inertial


def cube(side, com=(0, 0, 0), products=(0, 0, 0)):
    """Return a cube of 2 kg, with products given as shares of its trace."""
    moment = 2 * side**2 / 6
    xy, xz, yz = 3 * moment * np.array(products)
    return Inertial(2, np.array(com) * side, [[moment, xy, xz], [xy, moment, yz], [xz, yz, moment]])


@pytest.mark.parametrize("side", [1e-3, 0.1, 1e3])
def test_a_coordinate_is_0_beside_the_size_of_the_body_whatever_that_is(side):
    com = cube(side, (7e-8, -1e-7, 1e-5)).as_read().com
    assert com.tolist() == [0, 0, 1e-5 * side]


def test_a_coordinate_is_0_beside_how_far_away_the_body_is():
    assert cube(0.1, (100, 5e-5, 2e-4)).as_read().com.tolist() == pytest.approx([10, 0, 2e-5], rel=1e-15, abs=0)


def test_a_product_is_0_beside_the_trace():
    read = cube(0.1, products=(9e-7, -9e-7, 2e-6)).as_read().inertia
    assert (read[0, 1], read[1, 0], read[0, 2]) == (0, 0, 0)
    assert read[1, 2] == read[2, 1] == cube(0.1, products=(0, 0, 2e-6)).inertia[1, 2] > 0


def test_a_moment_is_never_0_however_thin_the_body():
    needle = Inertial(1, [0, 0, 0], np.diag([1, 1, 1e-8]))
    np.testing.assert_array_equal(needle.as_read().inertia, needle.inertia)


@pytest.mark.parametrize("mass", [0.0, 1e-320, float("nan"), float("inf"), -1.0])
def test_an_impossible_body_is_read_as_it_is_without_a_complaint(mass):
    body = Inertial(mass, [1, 0, 0], np.zeros((3, 3)))
    assert body.as_read().com.tolist() == [1, 0, 0]
