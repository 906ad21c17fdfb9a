# SPDX-License-Identifier: Apache-2.0
"""Numbers as text: in the user's unit, with as many digits as are significant."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import isfinite
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

DIGITS = 4
"""Significant digits of a number that is read rather than copied."""

NOTHING = 1e-9
"""A component up to this share of the largest beside it is shown and written as 0: it is only rounding. Blender's
float32 resolves 6e-8."""

LEAST_PERCENT = 1e-3
"""A smaller estimated error is shown as this value: no mesh is that accurate."""

VOLUME_UNITS = ((1.0, "m³"), (1e3, "L"), (1e6, "cm³"), (1e9, "mm³"))
"""Units of volume, with how many of each make a cubic metre."""

Translate = Callable[[str], str]
"""Translates a text; `str` in English, the language of files and logs."""

_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Units:
    """Names of units, and how many of each make one SI unit.

    Parameters
    ----------
    mass, length, volume, inertia : str
        Such as kg, m, m³, kg·m².
    per_kilogram, per_metre, per_cubic_metre, per_kilogram_square_metre : float
    """

    mass: str
    length: str
    volume: str
    inertia: str
    per_kilogram: float
    per_metre: float
    per_cubic_metre: float
    per_kilogram_square_metre: float


SI = Units("kg", "m", "m³", "kg·m²", 1.0, 1.0, 1.0, 1.0)
GRAM = Units("g", "mm", "cm³", "g·mm²", 1e3, 1e3, 1e6, 1e9)

UNITS = MappingProxyType({"SI": SI, "GRAM": GRAM})
"""Unit systems by the identifier stored in preferences."""


def rounded(value: float, digits: int = DIGITS) -> float:
    """Return a number to `digits` significant digits.

    Choose units, powers of ten and phrases by this number, not by the raw one: the last bit of a float differs between
    processors, and then changes the text only where a printed digit is rounded.
    """
    return float(f"{value:.{digits - 1}e}")


def fewest_digits(value: float, tolerance: float) -> float:
    """Return the decimal with the fewest digits within a tolerance of a number; 0 if that is."""
    if abs(value) <= tolerance:
        return 0.0
    texts = (f"{value:.{digits}g}" for digits in range(1, 17))
    return next((float(text) for text in texts if abs(float(text) - value) <= tolerance), float(value))


def number_text(value: float, digits: int = DIGITS) -> str:
    """Write a number with `digits` significant digits: 12.40, 0.001240, 1.240·10⁻⁶, 12400."""
    value = float(value) + 0.0
    if value == 0.0 or not isfinite(value):
        return f"{value:g}"
    mantissa, _, power = f"{value:.{digits - 1}e}".partition("e")
    exponent = int(power)
    if -4 < exponent < 7:
        return f"{rounded(value, digits):.{max(digits - 1 - exponent, 0)}f}"
    return f"{mantissa}·10{_power(exponent)}"


def numbers_text(numbers: Iterable[float]) -> str:
    """Write a vector for a message: four digits for each component, separated by commas."""
    return ", ".join(f"{number + 0.0:.{DIGITS}g}" for number in numbers)


def few_text(items: Iterable[object], most: int = 8) -> str:
    """Write the first of some items, with "..." if there are more: base, arm, ..."""
    texts = [str(item) for item in items]
    return ", ".join(texts[:most]) + (", ..." if len(texts) > most else "")


def listed_text(items: Sequence[str], most: int) -> str:
    """Write the first of some items, and how many more there are: base, arm and 3 more."""
    more = f" and {len(items) - most} more" if len(items) > most else ""
    return ", ".join(items[:most]) + more


def mass_text(mass: float, units: Units = SI) -> str:
    """Write a mass given in kg: 12.40 kg, 12400 g."""
    if not isfinite(mass):
        return "no mass"
    return f"{number_text(mass * units.per_kilogram)} {units.mass}"


def volume_text(volume: float, units: Units = SI) -> str:
    """Write a volume given in m³."""
    return f"{number_text(volume * units.per_cubic_metre)} {units.volume}"


def fitting_volume_text(volume: float) -> str:
    """Write a volume given in m³ in m³, L, cm³ or mm³, whichever suits its size, without trailing zeros: 8 L."""
    if volume == 0.0:
        return "0 m³"
    values = ((rounded(volume * per), unit) for per, unit in VOLUME_UNITS)
    value, unit = next((value, unit) for value, unit in values if abs(value) >= 0.1 or unit == "mm³")
    plain = 1e-3 <= abs(value) < 10.0**DIGITS
    return f"{f'{value:.{DIGITS}g}' if plain else number_text(value)} {unit}".replace("-", "−")


def density_text(density: float) -> str:
    """Write a density in kg/m³, whatever the other units are."""
    return f"{density:.6g} kg/m³"


def error_text(error: float, say: Translate = str) -> str:
    """Write an estimated relative error: exact, ±0.1 %, or below 0.001 %."""
    return say("exact") if error == 0.0 else f"±{rounded(max(100.0 * error, LEAST_PERCENT), 2):g} %"


def share_text(share: float) -> str:
    """Write a share of a whole: 62 %, 4.2 %, < 0.1 %."""
    percent = 100.0 * share
    if 0.0 < rounded(percent, 2) < 0.1:
        return "< 0.1 %"
    return f"{percent:.0f} %" if round(percent, 1) >= 10.0 or percent == 0.0 else f"{percent:.1f} %"


def change_text(value: float, other: float, say: Translate = str) -> str:
    """Write how far `value` is from `other` as a relative difference: +12 %, −0.03 %, 10 times."""
    if other > 0.0 and rounded(value / other, 2) >= 2.0:
        return say("{number} times").format(number=number_text(value / other, 2))
    return f"{rounded(100.0 * (value - other) / other, 2):+g} %".replace("-", "−")


def point_text(point: npt.ArrayLike, units: Units = SI, digits: int = DIGITS) -> tuple[tuple[str, ...], str]:
    """Write a point given in metres, its largest coordinate with so many digits after the first.

    Returns
    -------
    texts : tuple of str
        One text for each coordinate, all with the same number of decimals, and the same power of ten if any.
    unit : str
        m or mm.
    """
    return _alike(np.asarray(point, dtype=np.float64).ravel().tolist(), units.per_metre, units.length, 1e-3, digits)


def inertia_text(moments: npt.ArrayLike, units: Units = SI) -> tuple[tuple[str, ...], str]:
    """Write moments given in kg·m², in an array of any shape, row by row.

    Returns
    -------
    texts : tuple of str
        All with the same power of ten, beside which the largest is between 1 and 1000: 12.340·10⁻⁶.
    unit : str
        kg·m² or g·mm².
    """
    values = np.asarray(moments, dtype=np.float64).ravel().tolist()
    return _alike(values, units.per_kilogram_square_metre, units.inertia, 1.0)


def _alike(
    values: Sequence[float], factor: float, unit: str, plain_from: float, digits: int = DIGITS
) -> tuple[tuple[str, ...], str]:
    largest = max((abs(value) * factor for value in values), default=0.0)
    if largest == 0.0 or not isfinite(largest):
        return tuple(number_text(value) for value in values), unit
    exponent = int(f"{largest:.{digits}e}".partition("e")[2])
    power = 0 if plain_from <= rounded(largest, digits + 1) < 1e5 else exponent - exponent % 3
    scaled = [value * factor / 10.0**power for value in values]
    decimals = max(digits - max(exponent - power, -1), 0)
    texts = tuple(_plain(value, decimals, largest / 10.0**power) for value in scaled)
    # A power of ten in a heading is overlooked: each number has its own.
    return tuple(f"{text}·10{_power(power)}" if power and float(text) else text for text in texts), unit


def _plain(value: float, decimals: int, largest: float) -> str:
    """Write one of several numbers: 0 if it is negligible, 0.000 if it is too small for their decimals."""
    if rounded(abs(value) / largest) <= NOTHING:
        return "0"
    return f"{round(value, decimals) + 0.0:.{decimals}f}"


def _power(exponent: int) -> str:
    return str(exponent).translate(_SUPERSCRIPT)
