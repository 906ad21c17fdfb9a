# SPDX-License-Identifier: GPL-3.0-or-later
"""The winding numbers of the fans over holes, against closed forms of solid angles."""

import numpy as np
import pytest

from core.mesh.winding.holes import Holes

WIDTH, DEPTH = 2.0, 3.0


def rectangle(points):
    """Return the winding number around points (n, 3) of a rectangle that looks up, from (0, 0, 0) to (2, 3, 0).

    A rectangle x by y with a corner straight above the point, at the height h, has the solid angle
    atan(x y / (h √(x² + y² + h²))): four of them, with signs, make any other.
    """
    (east, north), height = (np.array([WIDTH, DEPTH]) - points[:, :2]).T, -points[:, 2]

    def above(x, y):
        return np.arctan(x * y / (height * np.sqrt(x**2 + y**2 + height**2)))

    west, south = east - WIDTH, north - DEPTH
    return (above(east, north) - above(west, north) - above(east, south) + above(west, south)) / (4.0 * np.pi)


def test_a_fan_over_a_rectangle_has_the_closed_forms_winding_number():
    lid = np.array([[(0, 0, 0), (WIDTH, 0, 0), (WIDTH, DEPTH, 0)], [(0, 0, 0), (WIDTH, DEPTH, 0), (0, DEPTH, 0)]])
    axes = [np.array(axis) for axis in ([-0.5, 0.4, 1.0], [0.3, 2.0, 3.6], [-1.2, -0.1, 0.7])]
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    expected = rectangle(points)
    assert expected.max() > 0.4 and expected.min() < -0.2  # from below and from above
    # All are below a half, of which this is 90 roundings.
    assert Holes.of(lid, np.array([2])).winding(axes) == pytest.approx(expected, abs=1e-14)
