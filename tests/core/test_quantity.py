# SPDX-License-Identifier: GPL-3.0-or-later
"""A number with a unit has one reading, or is refused."""

import pytest

from core.quantity import DENSITIES, LENGTHS, MASSES, QuantityError, quantity

UNITS = MASSES | LENGTHS | DENSITIES


@pytest.mark.parametrize(
    ("text", "value"),
    (
        ("0.3 kg", 0.3),
        ("0,25 kg", 0.25),
        ("1.234,5 g", 1.2345),
        ("1,234.5 g", 1.2345),
        ("1'234.5 g", 1.2345),
        ("1\u00a0234,5 g", 1.2345),
        ("12 345 g", 12.345),
        ("1.234.567 g", 1234.567),
        ("1,234,567.5 g", 1234.5675),
        (".5 kg", 0.5),
        ("5.", 5.0),
        ("1,2e-3 kg", 0.0012),
        ("-3,5 mm", -0.0035),
        ("7.85 g/cm³", 7850.0),
        ("7.85 g / cm^3", 7850.0),
        ("0.284 lb/in3", 0.284 * 0.45359237 / 0.0254**3),
        ("2 Pounds", 0.90718474),
        ("1.234", 1.234),
    ),
)
def test_a_number_in_any_countrys_writing_is_read(text, value):
    read = quantity(text, UNITS)
    assert read is not None and read.value == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize("text", ("", "-", "- None -", "No value", "N/A", " "))
def test_a_cell_without_a_value_is_nothing(text):
    assert quantity(text, MASSES) is None


@pytest.mark.parametrize("text", ("2.5 stone", "1,234", "12,34,56", "1'2345", "5 g extra", "1 2 3", "abc", "--5"))
def test_what_has_no_single_reading_is_refused(text):
    with pytest.raises(QuantityError):
        quantity(text, UNITS)


def test_the_rest_of_a_file_decides_what_a_comma_is():
    readings = {mark: quantity("1,234 g", MASSES, decimal=mark).value for mark in (".", ",")}
    assert readings == {".": pytest.approx(1.234), ",": pytest.approx(0.001234)}


def test_the_error_is_half_a_digit():
    assert quantity("0.30 kg", MASSES).error == pytest.approx(0.005)
    assert quantity("120 g", MASSES).error == pytest.approx(0.0005)
