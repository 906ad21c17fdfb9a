# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers know the digits that they are written with."""

import numpy as np
import pytest

from core.body.inertial import Inertial
from core.judge.geometry.written import as_written, written

pytestmark = pytest.mark.fault(111)


def of(*texts, mass="1.00"):
    return written(dict(zip(("ixx", "iyy", "izz", "ixy", "ixz", "iyz"), texts, strict=False)), mass)


@pytest.mark.parametrize(
    ("text", "half"),
    [
        ("0.0123", 5e-5),
        ("100", 0.5),
        ("1.20e-05", 5e-8),
        ("7.0", 0.05),
        (" .5 ", 0.05),
        ("0x1p-3", 0),
        ("5.47e-9223372036854775808", 0),
    ],
)
def test_the_last_digit_is_half_a_unit_off_at_most(text, half):
    np.testing.assert_allclose(of(text).rounding[0], half)


def test_a_zero_is_as_coarse_as_the_coarsest_other_number():
    np.testing.assert_allclose(of("0.0123", "0.01234", "0", "0.000000").rounding, [5e-5, 5e-6, *[5e-5] * 4])


@pytest.mark.parametrize(
    ("texts", "distinctive"),
    [
        (("0.0123", "0.0234", "0.0345"), True),
        (("0.0123", "0.0123", "0.0123"), False),
        (("0.0123", "0.01235", "0.01229"), False),
        (("0.012", "0.023", "0.034"), False),
        (("0.0123", "0.023", "0.034"), False),
        (("0.0123", "0", "0", "0.0234"), True),
    ],
)
def test_two_numbers_of_three_digits_that_differ_are_distinctive(texts, distinctive):
    assert of(*texts).is_distinctive == distinctive


def test_a_number_of_blenders_has_the_digits_that_were_entered():
    entered = np.float32([0.0325, 0.025, 0.0125]).astype(float)
    numbers = as_written(Inertial(1.0, np.zeros(3), np.diag(entered)))
    np.testing.assert_allclose(numbers.rounding[:3], [5e-5, 5e-4, 5e-5])


def test_a_mass_that_was_rounded_or_cut_still_fits():
    numbers = of("0.0123", "0.0234", "0.0345", mass="2")
    six = np.array([0.0123, 0.0234, 0.0345, 0.0, 0.0, 0.0])
    assert numbers.fits(six / 1.2) and numbers.fits(six / 1.4) and not numbers.fits(six / 1.6)
    assert numbers.proves(six) and not of("0.0123", "0.023", "0.034").proves(six)
