# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers are shown in the chosen unit, to four digits."""

import math

import numpy as np
import pytest

from core.units import (
    GRAM,
    SI,
    UNITS,
    change_text,
    density_text,
    error_text,
    fitting_volume_text,
    inertia_text,
    mass_text,
    number_text,
    point_text,
    rounded,
    share_text,
    volume_text,
)

DIGITS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def read(text):
    """Return the number that a text stands for."""
    mantissa, _, power = text.partition("·10")
    return float(mantissa) * 10.0 ** int(power.translate(DIGITS) or 0) if power else float(mantissa)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (12.4, "12.40"),
        (3.17194, "3.172"),
        (0.0123456, "0.01235"),
        (999.96, "1000"),
        (123456.0, "123500"),
        (0.0, "0"),
        (-0.0, "0"),
        (1.24e-6, "1.240·10⁻⁶"),
        (-9.9996e-5, "-1.000·10⁻⁴"),
        (5e9, "5.000·10⁹"),
        (math.inf, "inf"),
    ],
)
def test_a_number_has_four_significant_digits(value, text):
    assert number_text(value) == text


def test_any_number_reads_back_to_four_digits():
    rng = np.random.default_rng(1)
    for value in rng.standard_normal(2000) * 10.0 ** rng.integers(-20, 20, 2000):
        assert read(number_text(value)) == pytest.approx(value, rel=5.0001e-4)


def test_masses_and_volumes_are_in_the_chosen_unit():
    assert (mass_text(0.0124), mass_text(0.0124, GRAM)) == ("0.01240 kg", "12.40 g")
    assert (volume_text(0.0002), volume_text(0.0002, GRAM)) == ("2.000·10⁻⁴ m³", "200.0 cm³")
    assert mass_text(math.nan) == "no mass"
    assert density_text(7850.0) == "7850 kg/m³"
    assert (UNITS["SI"], UNITS["GRAM"]) == (SI, GRAM)


def test_a_gram_square_millimetre_is_a_thousandth_of_a_millionth():
    (text,), unit = inertia_text([2.5e-9], GRAM)
    assert (read(text), unit) == (2.5, "g·mm²")


@pytest.mark.parametrize("units", [SI, GRAM])
def test_moments_share_one_power_of_ten_with_each_and_read_back(units):
    rng = np.random.default_rng(2)
    for scale in 10.0 ** np.arange(-12.0, 6.0):
        tensor = rng.standard_normal((3, 3)) * scale
        texts, unit = inertia_text(tensor, units)
        assert unit == units.inertia
        assert len({text.partition("·10")[2] for text in texts if float(text.partition("·")[0])}) == 1
        largest = np.abs(tensor).max()
        for text, value in zip(texts, tensor.ravel(), strict=True):
            shown = read(text) / units.per_kilogram_square_metre
            assert abs(shown - value) <= 5e-4 * largest  # four digits of the largest
        assert max(len(text.partition("·10")[0]) for text in texts) <= 8  # three of them fit side by side


def test_a_product_too_small_to_show_differs_from_none():
    assert inertia_text([1.0, 3e-7, -3e-7, -3e-12, 0.0]) == (("1.0000", "0.0000", "0.0000", "0", "0"), "kg·m²")


def test_a_point_has_as_many_decimals_in_each_coordinate():
    assert point_text([-0.0312, 0.10049, 1e-17]) == (("-0.03120", "0.10049", "0"), "m")
    assert point_text([-0.0312, 0.10049, 0.0], GRAM) == (("-31.20", "100.49", "0"), "mm")
    assert point_text([2e-6, 0.0, -1e-6]) == (("2.0000·10⁻⁶", "0", "-1.0000·10⁻⁶"), "m")
    assert point_text([-0.0312, 0.10049, 1e-17], digits=2) == (("-0.031", "0.100", "0"), "m")
    assert point_text([0.0, 0.0, 0.0]) == (("0", "0", "0"), "m")


@pytest.mark.fault(226)
def test_a_point_near_the_origin_does_not_read_as_far_away():
    texts, unit = point_text([0.0, 0.0, 1.79e-7], digits=2)
    assert unit == "m" and [read(text) for text in texts] == pytest.approx([0.0, 0.0, 1.79e-7], rel=1e-12)
    assert point_text([0.0, 2e-9, 1.79e-7], digits=2)[0] == ("0", "2·10⁻⁹", "179·10⁻⁹")


def test_shares_and_differences_say_no_more_than_they_know():
    assert [share_text(share) for share in (1.0, 0.624, 0.0996, 0.042, 1e-5, 0.0)] == [
        "100 %",
        "62 %",
        "10 %",
        "4.2 %",
        "< 0.1 %",
        "0 %",
    ]
    assert [error_text(error) for error in (0.0, 0.001, 0.0123)] == ["exact", "±0.1 %", "±1.2 %"]
    assert error_text(4.3e-10) == "±0.001 %"  # a bound, as any other
    assert [change_text(value, 1.0) for value in (1.12, 0.9997, 10.0)] == ["+12 %", "−0.03 %", "10 times"]


@pytest.mark.parametrize(
    ("volume", "text"),
    [
        (8.0, "8 m³"),
        (-0.125, "−0.125 m³"),
        (0.008, "8 L"),
        (0.00033, "0.33 L"),
        (1.2345678e-5, "12.35 cm³"),
        (5e-10, "0.5 mm³"),
        (1.5e-15, "1.500·10⁻⁶ mm³"),
        (9999.7, "10000 m³"),
        (123456.0, "123500 m³"),
        (0.0, "0 m³"),
    ],
)
def test_a_volume_is_reported_in_the_unit_that_fits_it(volume, text):
    assert fitting_volume_text(volume) == text


RATIOS = {2.0: "2.0 times", 10.0: "10 times", 1.5: "+50 %", 0.5: "−50 %"}


def neighbours(value):
    """Return a number, and those one and eight bits away from it."""
    return [value, *(value + side * count * np.spacing(value) for side in (-1, 1) for count in (1, 8))]


@pytest.mark.parametrize("value", [1e-4, 1e-3, 0.1, 1.0, 1000.0, 1e7, 1e-6, 1e-22, 1e23])
def test_the_last_bit_chooses_no_power_of_ten(value):
    assert len({number_text(near) for near in neighbours(value)}) == 1
    assert len({inertia_text([near, 0.0]) for near in neighbours(value)}) == 1
    assert len({point_text([near, 0.0]) for near in neighbours(value)}) == 1


@pytest.mark.parametrize("largest", [1.0, 1e5, 1e-3, 7.0])
def test_the_last_bit_does_not_make_a_small_component_vanish(largest):
    assert len({inertia_text([largest, near]) for near in neighbours(1e-9 * largest)}) == 1


@pytest.mark.parametrize(
    ("write", "rows"),
    [
        (fitting_volume_text, {0.1: "0.1 m³", 1e-4: "0.1 L", 1e-7: "0.1 cm³", 1e-12: "0.001 mm³", 1e-3: "1 L"}),
        (fitting_volume_text, {1e4: "10000 m³"}),
        (share_text, {1e-3: "0.1 %", 0.1: "10 %", 0.5: "50 %", 1.0: "100 %"}),
        (error_text, {1e-5: "±0.001 %", 0.1: "±10 %", 1.0: "±100 %"}),
        *((lambda ratio, other=other: change_text(ratio * other, other), RATIOS) for other in (1.0, 0.1, 3.0)),
    ],
)
def test_the_last_bit_chooses_no_unit_and_no_phrase(write, rows):
    for value, text in rows.items():
        assert {write(near) for near in neighbours(value)} == {text}


def test_a_number_is_rounded_to_significant_digits():
    assert [rounded(value, 2) for value in (0.0996, -1449.0, 0.0, math.inf)] == [0.1, -1400.0, 0.0, math.inf]
