# SPDX-License-Identifier: GPL-3.0-or-later
"""Closed forms as textbooks and SDFormat's documents print them, in mass and tensor; the code has none of them."""

from math import inf, nan, pi

import numpy as np
import pytest

from core import InertiaError
from core.body.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, Sphere

RHO = 1240.0
RELATIVE = 1e-14  # a dozen roundings


def ball(r):
    m = RHO * 4 / 3 * pi * r**3
    return m, 0.0, [0.4 * m * r * r] * 3


def box(x, y, z):
    m = RHO * x * y * z
    return m, 0.0, [m / 12 * (y * y + z * z), m / 12 * (x * x + z * z), m / 12 * (x * x + y * y)]


def ellipsoid(a, b, c):
    m = RHO * 4 / 3 * pi * a * b * c
    return m, 0.0, [m / 5 * (b * b + c * c), m / 5 * (a * a + c * c), m / 5 * (a * a + b * b)]


def cylinder(r, h):
    m = RHO * pi * r * r * h
    return m, 0.0, [m / 12 * (3 * r * r + h * h)] * 2 + [m * r * r / 2]


def cone(r, h):
    """Its base is below, its centre of mass a quarter up."""
    m = RHO * pi * r * r * h / 3
    return m, -h / 4, [3 / 80 * m * (4 * r * r + h * h)] * 2 + [0.3 * m * r * r]


def capsule(r, h):
    middle, cap = RHO * pi * r * r * h, RHO * 2 / 3 * pi * r**3
    axial = middle * r * r / 2 + 2 * (2 / 5 * cap * r * r)
    transverse = middle * (r * r / 4 + h * h / 12) + 2 * (2 / 5 * cap * r * r + cap * (h * h / 4 + 3 * h * r / 8))
    return middle + 2 * cap, 0.0, [transverse, transverse, axial]


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_closed_forms_agree_in_all_sizes(scale):
    a, b, c = 0.5 * scale, 2.0 * scale, 5.0 * scale
    for shape, (mass, height, moments) in (
        (Box((a, b, c)), box(a, b, c)),
        (Sphere(a), ball(a)),
        (Ellipsoid((a, b, c)), ellipsoid(a, b, c)),
        (Cylinder(a, b), cylinder(a, b)),
        (Cone(a, b), cone(a, b)),
        (Capsule(a, b), capsule(a, b)),
        (Capsule(0.2 * a, b), capsule(0.2 * a, b)),
        (Capsule(6 * a, 0.02 * a), capsule(6 * a, 0.02 * a)),
    ):
        body = shape.moments().inertial(RHO)
        assert body.mass == pytest.approx(mass, rel=RELATIVE)
        np.testing.assert_allclose(body.com, [0, 0, height], rtol=RELATIVE, atol=3e-16 * scale)
        np.testing.assert_allclose(body.inertia, np.diag(moments), rtol=0, atol=RELATIVE * sum(moments))
        assert body.findings() == ()


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
