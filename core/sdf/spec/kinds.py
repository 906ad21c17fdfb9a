# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks how much libsdformat reads of a text of each kind in description.py: all, only the beginning, or nothing.

It reads numbers as C's ``strtod`` does, vectors as a C++ stream does: what follows is silently dropped. (Param.cc
of libsdformat 16.)
"""

from __future__ import annotations

import re
from collections.abc import Callable
from math import isfinite, isinf
from typing import Literal

from .description import Slot

Reading = Literal["whole", "partly", "not"]

NOUNS = {
    "f": "a number",
    "b": "true or false",
    "v": "three numbers",
    "w": "two numbers",
    "p": "a pose",
}
"""The kinds in words."""

_DECIMAL = r"[+-]?(?:\d+\.?\d*|\.\d+)"
_SHORT = r"[+-]?(?:\d{1,30}\.?\d{0,30}|\.\d{1,30})(?:[eE][+-]?\d)?"
"""A decimal number that fits into every type."""

_PLAIN = {
    "f": re.compile(_SHORT, re.ASCII),
    "v": re.compile(rf"{_SHORT}\s+{_SHORT}\s+{_SHORT}", re.ASCII),
    "w": re.compile(rf"{_SHORT}\s+{_SHORT}", re.ASCII),
    "b": re.compile("true|false|0|1", re.IGNORECASE),
}
"""The form of nearly all texts, which are read whole."""

_HEX = r"0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?\d+)?"
_STRTOD = re.compile(rf"[+-]?(?:{_HEX}|inf(?:inity)?|nan)|{_DECIMAL}(?:[eE][+-]?\d+)?", re.IGNORECASE | re.ASCII)
_STREAM = re.compile(rf"\s*({_DECIMAL}(?:[eE][+-]?\d*)?)", re.ASCII)

_SMALLEST, _LARGEST = 2.2250738585072014e-308, 1.7976931348623157e308
"""C reports a smaller or larger number as out of range."""


def reading(kind: str, text: str) -> Reading:
    """Return how much libsdformat reads of a text that is not blank; ``not`` is an error there.

    A pose depends on more than its text; see `values.pose`.
    """
    text = text.strip()
    plain = _PLAIN.get(kind)
    if plain is not None and plain.fullmatch(text):
        return "whole"
    read = _SLOW.get(kind)
    return "whole" if read is None else read(text)


def in_slot(slot: Slot, text: str) -> Reading:
    """Return how much libsdformat reads of an attribute's or element's text; a blank one is an error if required."""
    if not text or text.isspace():
        return "not" if slot.required and slot.kind else "whole"
    return reading(slot.kind, text)


def _floating(text: str) -> Reading:
    if text.lower() in ("true", "false"):
        return "whole"
    match = _STRTOD.match(text)
    if match is None:
        return "not"
    word = match[0].lower()
    try:
        value = abs(float.fromhex(word) if "x" in word else float(word))
    except OverflowError:
        return "not"
    if isfinite(value) or (isinf(value) and "i" not in word):
        mantissa = word.partition("p" if "x" in word else "e")[0]
        zero = not any(digit in "123456789abcdf" for digit in mantissa.lstrip("+-").removeprefix("0x"))
        if value > _LARGEST or (value < _SMALLEST and not zero):
            return "not"
    return "whole" if match.end() == len(text) else "partly"


def _boolean(text: str) -> Reading:
    return "whole" if text.lower() in ("true", "false", "0", "1") else "not"


def _vector(size: int) -> Callable[[str], Reading]:
    def read(text: str) -> Reading:
        place = 0
        for _ in range(size):
            match = _STREAM.match(text, place)
            if match is None or match[1][-1] in "eE" or match[1][-2:-1] in ("e", "E") and match[1][-1] in "+-":
                return "not"
            if isinf(float(match[1])):
                return "not"
            place = match.end()
        return "whole" if place == len(text) else "partly"

    return read


_SLOW: dict[str, Callable[[str], Reading]] = {
    "f": _floating,
    "b": _boolean,
    "v": _vector(3),
    "w": _vector(2),
}
