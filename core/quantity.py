# SPDX-License-Identifier: Apache-2.0
"""Numbers with units, as people and programs write them, as SI values: ``0,25 kg``, ``1.234,5 g``, ``7.85 g/cm³``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal as ExactDecimal
from math import isfinite
from types import MappingProxyType
from typing import Literal, NamedTuple

Decimal = Literal[".", ","]
"""What separates the decimals of a number."""

_GRAM, _POUND, _INCH = 1e-3, 0.45359237, 0.0254

MASSES: Mapping[str, float] = MappingProxyType(
    dict.fromkeys(("kg", "kilogram", "kilograms", "kilogramm"), 1.0)
    | dict.fromkeys(("g", "gram", "grams", "gramm"), _GRAM)
    | dict.fromkeys(("mg", "milligram", "milligrams"), 1e-6)
    | dict.fromkeys(("t", "tonne", "tonnes"), 1e3)
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

SHARES: Mapping[str, float] = MappingProxyType({"%": 0.01})
"""Units of a share of a whole."""

DENSITIES: Mapping[str, float] = MappingProxyType(
    {
        f"{mass}/{volume}": kilograms / metres**3
        for mass, kilograms in MASSES.items()
        for length, metres in LENGTHS.items()
        for volume in (f"{length}3", f"cubic{length}", f"cu{length}")
    }
    | dict.fromkeys(("g/cc", "g/ml", "kg/l", "kg/dm3", "grams/cc", "g/ccm"), 1e3)
    | {"g/l": 1.0, "mg/ml": 1.0}
)
"""Units of density as `unit_word` writes them, in kg/m³: each unit of mass per cube of a unit of length, and others."""

NOTHING = frozenset(
    (
        *("", "-", "--", "---", "–", "—", "n/a", "n.a.", "na", "null", "none", "- none -", "<none>", "no value"),
        *("*varies*", "not specified", "<not specified>", "not available"),
        *("keine", "kein wert", "ohne", "nicht angegeben", "entf."),
    )
)
"""Cells without a value, in lower case."""

_NUMBER = re.compile(r"([-+]?(?:\d[\d.,' ]*\d|\d|[.,]\d+)[.,]?(?:[eE][-+]?\d+)?(?!\d))\s*(\D.*)?", re.ASCII)
_EXPONENT = r"(?:[eE][-+]?\d{1,3})?"


def _pattern(mark: Decimal, other: Decimal) -> re.Pattern[str]:
    grouped = rf"[1-9]\d{{0,2}}([{other}' ])\d{{3}}(?:\1\d{{3}})*(?:[{mark}]\d*)?"
    return re.compile(rf"[-+]?(?:{grouped}|(?:\d+[{mark}]?\d*|[{mark}]\d+){_EXPONENT})", re.ASCII)


_READINGS: Mapping[Decimal, re.Pattern[str]] = MappingProxyType({".": _pattern(".", ","), ",": _pattern(",", ".")})
"""A number by what separates its decimals: with thousands in groups of three, or without any and with an exponent."""


LONGEST = 200
"""Most characters of a number with its unit: a longer text is none, and would take long to find out."""


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
        If it is not a number or too large, has two readings, or an unknown unit.
    """
    plain = " ".join(text.translate(_PLAIN).split()).strip("= ")
    if plain.lower() in NOTHING:
        return None
    match = _NUMBER.fullmatch(plain) if len(plain) <= LONGEST else None
    if match is None:
        raise QuantityError(f"'{plain[:40]}' is not a number")
    word = unit_word(match[2] or unit)
    if word and word not in units:
        raise QuantityError(f"'{plain[:40]}' has the unknown unit '{word[:20]}'")
    digits = decimal_number(match[1], decimal)
    factor = units[word] if word else 1.0
    mantissa, _, exponent = digits.lower().partition("e")
    half = float(f"5e{int(exponent or 0) - len(mantissa.partition('.')[2]) - 1}")
    # As decimals, so that 43.721 g is 0.043721 kg, and not a number that needs 17 digits.
    value = float(ExactDecimal(digits) * ExactDecimal(repr(factor)))
    result = Quantity(value, half * factor, bool(match[2]))
    if not (isfinite(result.value) and isfinite(result.error)):
        raise QuantityError(f"'{plain[:40]}' is too large")
    return result


def unit_word(text: str) -> str:
    """Return a unit as the tables have it: lower case, no brackets, no spaces about its slash."""
    word = text.translate(_PLAIN).strip(" ()[].").lower().replace("^", "").replace("**", "")
    word = re.sub(r"\s*/\s*|\s+per\s+", "/", word)
    return re.sub(r"\s+", "" if "/" in word else " ", word).replace("³", "3").replace("²", "2")


def readings(text: str) -> Mapping[Decimal, str]:
    """Return what a number can mean, as Python reads it, by what separates its decimals; empty for none."""
    return {
        mark: re.sub(rf"[^-+\deE{mark}]", "", text).replace(",", ".")
        for mark, reading in _READINGS.items()
        if reading.fullmatch(text)
    }


def decimal_number(text: str, decimal: Decimal | None = None) -> str:
    """Return a number as Python reads it, without the separators of its thousands.

    Raises
    ------
    QuantityError
        For a number that has two readings, such as 1,234, unless `decimal` decides.
    """
    numbers = readings(text)
    if not numbers:
        raise QuantityError(f"'{text[:40]}' is not a number")
    if decimal is not None and decimal in numbers:
        return numbers[decimal]
    # A point is one of decimals unless the file shows otherwise; a comma can be either.
    if "," in text and len({*numbers.values()}) > 1:
        raise QuantityError(f"'{text[:40]}' has two readings, {numbers[',']} and {numbers['.']}")
    return next(iter(numbers.values()))


_PLAIN = str.maketrans({"\u00a0": " ", "\u202f": " ", "\u2009": " ", "\u2212": "-", "\u2019": "'", "\u2032": "'"})
