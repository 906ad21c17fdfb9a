# SPDX-License-Identifier: GPL-3.0-or-later
"""Closed forms as textbooks and SDFormat's documents print them, in mass and tensor; the code has none of them."""

from math import inf, nan, pi

import numpy as np
import pytest

from core import InertiaError
from core.body.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, Sphere

RHO = 1240.0
RELATIVE = 1e-14  # a dozen roundings


def check(moments, mass, com, diagonal):
    body = moments.inertial(RHO)
    assert body.mass == pytest.approx(mass, rel=RELATIVE)
    np.testing.assert_allclose(body.com, com, rtol=RELATIVE, atol=1e-16)
    np.testing.assert_allclose(body.inertia, np.diag(diagonal), rtol=0, atol=RELATIVE * sum(diagonal))
    assert body.findings() == ()


def test_a_box_is_a_twelfth_of_the_squares():
    x, y, z = 0.3, 2.0, 5.0
    m = RHO * x * y * z
    check(
        Box((x, y, z)).moments(),
        m,
        [0, 0, 0],
        [m / 12 * (y * y + z * z), m / 12 * (x * x + z * z), m / 12 * (x * x + y * y)],
    )


def test_a_sphere_is_two_fifths():
    r = 0.7
    m = RHO * 4 / 3 * pi * r**3
    check(Sphere(r).moments(), m, [0, 0, 0], [0.4 * m * r * r] * 3)


def test_an_ellipsoid_is_a_fifth_of_the_squares():
    a, b, c = 0.5, 1.0, 1.5
    m = RHO * 4 / 3 * pi * a * b * c
    check(
        Ellipsoid((a, b, c)).moments(),
        m,
        [0, 0, 0],
        [m / 5 * (b * b + c * c), m / 5 * (a * a + c * c), m / 5 * (a * a + b * b)],
    )


def test_a_cylinder_has_its_axis_along_z():
    r, h = 0.5, 2.0
    m = RHO * pi * r * r * h
    check(Cylinder(r, h).moments(), m, [0, 0, 0], [m / 12 * (3 * r * r + h * h)] * 2 + [m * r * r / 2])


def test_a_cone_has_its_base_below_and_its_centre_of_mass_a_quarter_up():
    r, h = 0.5, 2.0
    m = RHO * pi * r * r * h / 3
    check(Cone(r, h).moments(), m, [0, 0, -h / 4], [3 / 80 * m * (4 * r * r + h * h)] * 2 + [0.3 * m * r * r])


@pytest.mark.parametrize(("r", "h"), [(0.5, 2.0), (0.1, 2.0), (3.0, 0.01)])
def test_a_capsule_is_a_cylinder_and_two_half_balls(r, h):
    cylinder, cap = RHO * pi * r * r * h, RHO * 2 / 3 * pi * r**3
    axial = cylinder * r * r / 2 + 2 * (2 / 5 * cap * r * r)
    transverse = cylinder * (r * r / 4 + h * h / 12) + 2 * (2 / 5 * cap * r * r + cap * (h * h / 4 + 3 * h * r / 8))
    check(Capsule(r, h).moments(), cylinder + 2 * cap, [0, 0, 0], [transverse, transverse, axial])


def test_the_axis_is_z_and_nothing_else():
    for moments in (Cylinder(0.1, 2).moments(), Cone(0.1, 2).moments(), Capsule(0.1, 2).moments()):
        slender = moments.inertial(RHO).inertia
        assert slender[2, 2] < 0.1 * slender[0, 0] == 0.1 * slender[1, 1]


@pytest.mark.parametrize("bad", [0.0, -1.0, nan, inf, -inf])
@pytest.mark.parametrize(
    ("shape", "sizes"),
    [(Box, 3), (Ellipsoid, 3), (Sphere, 1), (Cylinder, 2), (Cone, 2), (Capsule, 2)],
)
def test_a_size_that_is_not_a_positive_length_is_refused(shape, sizes, bad):
    for position in range(sizes):
        numbers = [1.0] * sizes
        numbers[position] = bad
        geometry = shape(tuple(numbers)) if sizes == 3 else shape(*numbers)
        with pytest.raises(InertiaError) as error:
            geometry.moments()
        assert error.value.code == "bad_size"
        assert f"{bad:g} m" in error.value.message
        assert shape.kind in error.value.message
        assert error.value.remedy


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_no_size_is_too_small_or_too_large(scale):
    m = RHO * scale**3
    check(Box((scale, scale, scale)).moments(), m, [0, 0, 0], [m * scale**2 / 6] * 3)
