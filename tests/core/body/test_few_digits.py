# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers are written with the fewest digits that keep 1e-9 of their size, and bodies stay possible."""

import numpy as np
import pytest

from core import Inertial, Pose
from core.body.few_digits import shortened
from core.body.gz_validity import gz_accepts
from core.sdf.write.numbers import few, few_texts, pose_texts
from core.units import fewest_digits


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.1 + 0.2, "0.3"),
        (1 / 3, "0.3333333333"),
        (-2.5e-7 * (1 + 1e-12), "-2.5e-07"),
        (123456.78901234, "123456.789"),
        (0.0, "0"),
        (1e16, "1e+16"),
    ],
)
def test_a_number_keeps_1e_9_of_itself(value, text):
    assert few(value) == text


def test_a_number_that_is_none_stays_none():
    assert str(fewest_digits(float("nan"), 1.0)) == "nan"
    assert fewest_digits(float("inf"), 1.0) == float("inf")


def test_what_is_nothing_beside_its_vector_is_0():
    assert few_texts((0.14, -5.35e-20, 1e-6)) == ["0.14", "0", "1e-06"]


def test_an_angle_by_rounding_is_0():
    assert pose_texts(Pose.from_sdf([0, 0, 2e-17, 1e-10, 0, np.pi / 2])) == ["0", "0", "2e-17", "0", "0", "1.570796327"]


@pytest.mark.parametrize("seed", range(200))
def test_a_plate_along_the_axes_keeps_few_digits_and_is_possible(seed):
    rng = np.random.default_rng(seed)
    a, b = 10.0 ** rng.uniform(-8, 2, 2)
    moments = rng.permutation([a, b, a + b])
    body = shortened(Inertial(1.0, np.zeros(3), np.diag(moments)))
    assert gz_accepts(body.inertia) and not body.findings()
    np.testing.assert_allclose(np.diag(body.inertia), moments, rtol=1e-9)
    assert all(float(f"{moment:.11g}") == moment for moment in np.diag(body.inertia))


def test_a_thin_rod_keeps_its_smallest_moment():
    body = shortened(Inertial(1.0, np.zeros(3), np.diag([1 / 3, 1 / 3, 1e-9 / 7])))
    assert body.inertia[2, 2] == pytest.approx(1e-9 / 7, rel=1e-9)


def test_products_by_rounding_are_0():
    inertia = np.diag([1e-5, 2e-5, 2.5e-5])
    inertia[0, 1] = inertia[1, 0] = -5.35e-20
    assert shortened(Inertial(0.1, np.array([1e-19, 0.0, 0.0]), inertia)).inertia[0, 1] == 0.0


def test_a_centre_by_rounding_is_0_beside_the_body():
    assert shortened(Inertial(1.0, np.array([-5e-20, 0.0, 0.1]), np.eye(3))).com.tolist() == [0.0, 0.0, 0.1]
    assert shortened(Inertial(1.0, np.array([-5e-20, 0.0, 0.0]), np.eye(3))).com.tolist() == [0.0, 0.0, 0.0]


def test_what_no_body_can_have_is_left_as_it_is():
    impossible = Inertial(1.0, np.zeros(3), np.diag([-1.0, 1 / 3, 1.0]))
    assert shortened(impossible) is impossible
