# SPDX-License-Identifier: Apache-2.0
"""Numbers with units, as people and programs write them, as SI values: ``0,25 kg``, ``1.234,5 g``, ``7.85 g/cm³``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

Decimal = Literal[".", ","]
"""What separates the decimals of a number."""

_GRAM, _POUND, _INCH = 1e-3, 0.45359237, 0.0254

MASSES: Mapping[str, float] = MappingProxyType(
    dict.fromkeys(("kg", "kilogram", "kilograms", "kilogramm"), 1.0)
    | dict.fromkeys(("g", "gram", "grams", "gramm", "gr"), _GRAM)
    | dict.fromkeys(("mg", "milligram", "milligrams"), 1e-6)
    | dict.fromkeys(("t", "tonne", "tonnes", "ton metric"), 1e3)
    | dict.fromkeys(("lb", "lbs", "lbm", "lbmass", "pound", "pounds"), _POUND)
    | dict.fromkeys(("oz", "ounce", "ounces"), _POUND / 16.0)
    | {"slug": 14.593902937206}
)
"""Units of mass by their words in lower case, in kilograms."""

LENGTHS: Mapping[str, float] = MappingProxyType(
    dict.fromkeys(("m", "meter", "meters", "metre", "metres"), 1.0)
    | dict.fromkeys(("cm", "centimeter", "centimeters", "centimetre", "centimetres", "zentimeter"), 1e-2)
    | dict.fromkeys(("mm", "millimeter", "millimeters", "millimetre", "millimetres"), 1e-3)
    | dict.fromkeys(("in", "inch", "inches", "zoll"), _INCH)
    | dict.fromkeys(("ft", "foot", "feet"), 12.0 * _INCH)
)
"""Units of length by their words in lower case, in metres."""

DENSITIES: Mapping[str, float] = MappingProxyType(
    {
        **dict.fromkeys(("kg/m3", "g/l", "kilogram/cubicmeter"), 1.0),
        **dict.fromkeys(("g/cm3", "g/cc", "g/ml", "kg/l", "kg/dm3", "t/m3", "gram/cubiccentimeter"), 1e3),
        "g/mm3": 1e6,
        "kg/cm3": 1e6,
        "kg/mm3": 1e9,
        "t/mm3": 1e12,
        **dict.fromkeys(("lb/in3", "lbs/in3", "lbm/in3", "lbmass/in3"), _POUND / _INCH**3),
        **dict.fromkeys(("lb/ft3", "lbs/ft3", "lbm/ft3"), _POUND / (12.0 * _INCH) ** 3),
    }
)
"""Units of density by their words in lower case, in kg/m³."""

NOTHING = frozenset(
    ("", "-", "--", "n/a", "na", "none", "- none -", "no value", "not specified", "<not specified>", "null", "*varies*")
)
"""Cells without a value, in lower case."""

_NUMBER = re.compile(r"([-+]?(?:\d[\d.,' ]*)?\d(?:[.,]?(?:[eE][-+]?\d+)?)|[-+]?[.,]\d+)\s*(\D.*)?")
_GROUPED = re.compile(r"[-+]?\d{1,3}([.,])\d{3}(?:\1\d{3})*")


class QuantityError(ValueError):
    """A text is not a number with a known unit; the message is the reason, for a person."""


class Quantity(NamedTuple):
    """A number in SI, half a digit of its last place as written, and whether the text had a unit."""

    value: float
    error: float
    has_unit: bool


def quantity(text: str, units: Mapping[str, float], unit: str = "", decimal: Decimal | None = None) -> Quantity | None:
    """Return a number with its unit; None for a text that means no value.

    Parameters
    ----------
    text : str
    units : mapping of str to float
        The known units, such as `MASSES`.
    unit : str
        That of a number without one; without both, the number is taken as SI.
    decimal : {".", ","}, optional
        What separates decimals, where a text has two readings.

    Raises
    ------
    QuantityError
        If it is not a number, has two readings, or an unknown unit.
    """
    plain = " ".join(text.translate(_PLAIN).split()).strip("= ")
    if plain.lower() in NOTHING:
        return None
    match = _NUMBER.fullmatch(plain)
    if match is None:
        raise QuantityError(f"'{plain[:40]}' is not a number")
    word = unit_word(match[2] or unit)
    if word and word not in units:
        raise QuantityError(f"'{plain[:40]}' has the unknown unit '{word[:20]}'")
    digits = decimal_number(match[1], decimal)
    factor = units[word] if word else 1.0
    mantissa, _, exponent = digits.lower().partition("e")
    half = 0.5 * 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
    return Quantity(float(digits) * factor, half * factor, bool(match[2]))


def unit_word(text: str) -> str:
    """Return a unit as the tables have it: lower case, no brackets, no spaces about its slash."""
    word = text.translate(_PLAIN).strip(" ()[].").lower().replace("^", "").replace("**", "")
    word = re.sub(r"\s*/\s*|\s+per\s+", "/", word)
    return re.sub(r"\s+", "" if "/" in word else " ", word).replace("³", "3").replace("²", "2")


def decimal_number(text: str, decimal: Decimal | None = None) -> str:
    """Return a number as Python reads it, without the separators of its thousands.

    Raises
    ------
    QuantityError
        For a number that has two readings, such as 1,234, unless `decimal` decides.
    """
    digits = re.sub(r"[' ](?=\d{3}(?!\d))", "", text)
    points, commas, spaced = digits.count("."), digits.count(","), digits != text
    if re.search(r"[' ]", digits) or (points > 1 and commas > 1) or (spaced and points + commas > 1):
        raise QuantityError(f"'{text}' is not a number")
    if points and commas:
        mark = digits[max(digits.rfind("."), digits.rfind(","))]
        if digits.count(mark) > 1:
            raise QuantityError(f"'{text}' is not a number")
        return digits.replace("," if mark == "." else ".", "").replace(",", ".")
    grouped = _GROUPED.fullmatch(digits) is not None and not digits.lstrip("+-").startswith("0")
    if max(points, commas) > 1:
        if not grouped:
            raise QuantityError(f"'{text}' is not a number")
        return digits.replace(",", "").replace(".", "")
    grouped = grouped and not spaced
    if not commas:  # a point is one of decimals unless the text shows otherwise
        return digits.replace(".", "") if decimal == "," and grouped else digits
    if decimal is None and grouped:
        raise QuantityError(f"'{text}' has two readings, {digits.replace(',', '.')} and {digits.replace(',', '')}")
    return digits.replace(",", "") if decimal == "." and grouped else digits.replace(",", ".")


_PLAIN = str.maketrans({"\u00a0": " ", "\u202f": " ", "\u2009": " ", "\u2212": "-", "\u2019": "'", "\u2032": "'"})
