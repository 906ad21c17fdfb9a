# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers with units as people and programs write them, each with one reading or refused."""

from fractions import Fraction

import pytest

from core.quantity import DENSITIES, LENGTHS, MASSES, QuantityError, decimal_number, quantity, unit_word

POUND, INCH = Fraction(45359237, 10**8), Fraction(254, 10**4)


@pytest.mark.parametrize(
    ("text", "kilograms"),
    [
        ("0.3 kg", 0.3),
        ("0,25 kg", 0.25),
        ("1.234,5 g", 1.2345),
        ("1,234.5 g", 1.2345),
        ("1'234.5 g", 1.2345),
        ("1’234.5 g", 1.2345),
        ("1 234,5 g", 1.2345),
        ("1\u00a0234,5\u00a0g", 1.2345),
        ("1\u202f234\u202f567 mg", 1.234567),
        ("1,234,567 mg", 1.234567),
        ("1.234.567 mg", 1.234567),
        ("1e-3", 1e-3),
        ("1.5E+2g", 0.15),
        (".5e1 g", 5e-3),
        ("5. kg", 5.0),
        ("0,234 kg", 0.234),
        ("1.234 kg", 1.234),
        ("12,5", 12.5),
        ("1234,567", 1234.567),
        ("= 2 LB.", 2 * float(POUND)),
        ("8 oz", float(POUND) / 2),
        ("2 t", 2000.0),
        ("\u22125 kg", -5.0),
        ("250 Grams", 0.25),
    ],
)
def test_a_mass_is_read_however_it_is_written(text, kilograms):
    assert quantity(text, MASSES).value == pytest.approx(kilograms, rel=1e-15)


@pytest.mark.parametrize("text", ["", "  ", "-", "—", "n/a", "N/A", "- None -", "No value", "*Varies*", "\u00a0"])
def test_words_for_nothing_are_not_numbers(text):
    assert quantity(text, MASSES) is None


@pytest.mark.parametrize("text", ["1,234", "1,234 kg", "-12,345 g", "999,999"])
def test_a_comma_before_three_digits_has_two_readings(text):
    with pytest.raises(QuantityError, match="has two readings, "):
        quantity(text, MASSES)


def test_the_files_own_separator_decides_between_two_readings():
    assert quantity("1,234", MASSES, decimal=",").value == 1.234
    assert quantity("1,234", MASSES, decimal=".").value == 1234.0
    assert quantity("1.234", MASSES, decimal=",").value == 1234.0
    assert quantity("1.234", MASSES, decimal=".").value == quantity("1.234", MASSES).value == 1.234


def test_a_number_with_one_reading_does_not_ask_the_file():
    for mark in (".", ",", None):
        assert decimal_number("2.5", mark) == decimal_number("2,5", mark) == "2.5"
        assert decimal_number("1.234,5", mark) == decimal_number("1,234.5", mark) == "1234.5"


@pytest.mark.parametrize(
    "text",
    [
        *("1,2.3", "12,34.5", "1.2345,6", "1234 567", "1 23", "1'23", "12,34,567", "1,234.567,8", "1,234,56", "0 123"),
        *("kg", "kg 5", "abc", "1-2", "--5", "1e", "1e5e5", "5 5", "1,234e2 x", "NaN", "inf", "0x10", "1e1000", "½"),
    ],
)
def test_what_is_not_a_number_is_refused(text):
    with pytest.raises(QuantityError):
        quantity(text, MASSES)


@pytest.mark.parametrize("text", ["1e999", "9" * 400, "1e308 t", "1" * 5000 + "e1", "1e" + "1" * 5000])
def test_a_number_too_large_for_a_float_is_refused(text):
    with pytest.raises(QuantityError):
        quantity(text, MASSES)


@pytest.mark.parametrize("text", ["2.5 stone", "3 gr", "1 ton", "5 kgf", "5 N", "5 kg/m", "5 %", "5 mm"])
def test_an_unknown_unit_is_refused_by_its_word(text):
    with pytest.raises(QuantityError, match=f"unknown unit '{text.split()[1]}'".lower()):
        quantity(text, MASSES)


def test_the_head_lines_unit_is_that_of_cells_without_one():
    assert quantity("120.5", MASSES, "g")[::2] == (pytest.approx(0.1205, rel=1e-15), False)
    assert quantity("2 kg", MASSES, "g")[::2] == (2.0, True)
    assert quantity("2", MASSES)[::2] == (2.0, False)
    with pytest.raises(QuantityError, match="unknown unit 'stone'"):
        quantity("2", MASSES, "stone")


@pytest.mark.parametrize(
    ("text", "half"),
    [
        ("0.3", 0.05),
        ("120.5", 0.05),
        ("7850", 0.5),
        ("1.234,5", 0.05),
        ("1e-3", 5e-4),
        ("1.50e2", 0.5),
        ("0,2500", 5e-5),
    ],
)
def test_the_error_is_half_a_digit_of_the_last_place(text, half):
    assert quantity(text, MASSES).error == pytest.approx(half, rel=1e-12)
    assert quantity(text, MASSES, "g").error == pytest.approx(half / 1000, rel=1e-12)


@pytest.mark.parametrize(
    ("text", "density"),
    [
        ("7850 kg/m³", 7850),
        ("7850 kg/m^3", 7850),
        ("7850 kg / m3", 7850),
        ("7.85 g/cm³", 7850),
        ("7.85 g/cm^3", 7850),
        ("0.00785 g/mm3", 7850),
        ("7.85e-6 kg/mm³", 7850),
        ("7.85e-9 t/mm^3", 7850),
        ("7.85 g/ml", 7850),
        ("7.85 t/m³", 7850),
        ("7.85 kg/dm³", 7850),
        ("7850.00 kilograms per cubic meter", 7850),
        ("7.85 grams per cubic centimeter", 7850),
        ("0.1 lb/in³", POUND / 10 / INCH**3),
        ("0.1 pounds per cubic inch", POUND / 10 / INCH**3),
        ("0.1 lbmass/in^3", POUND / 10 / INCH**3),
        ("100 lb/ft3", 100 * POUND / (12 * INCH) ** 3),
    ],
)
def test_a_density_is_read_in_each_systems_unit(text, density):
    assert quantity(text, DENSITIES).value == pytest.approx(float(density), rel=1e-14)


def test_the_digits_stay_those_that_were_written():
    for number in range(1, 2000):
        assert quantity(f"{number} g", MASSES).value == float(f"{number}e-3")


def test_lengths_are_metres():
    inches = {"25.4 mm", "2.54 cm", "0.0254 m", "1 inch", "1 in", "1 Zoll"}
    assert {round(quantity(text, LENGTHS).value, 15) for text in inches} == {float(INCH)}


def test_units_are_written_alike_before_they_are_looked_up():
    assert unit_word("(Kg / M^3)") == unit_word("kg/m³") == unit_word("KG per m**3") == "kg/m3"
    for units in (MASSES, LENGTHS, DENSITIES):
        assert {unit_word(word) for word in units} == set(units)
