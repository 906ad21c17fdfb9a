# SPDX-License-Identifier: GPL-3.0-or-later
"""What libsdformat makes of a text of each kind in spec.py: it reads all of it, only the beginning, or nothing.

It reads numbers as C's ``strtod`` does, vectors as a C++ stream does: what follows is dropped without a word. (Param.cc
of libsdformat 16.)
"""

from __future__ import annotations

import re
from collections.abc import Callable
from math import inf, isfinite, isinf
from typing import Literal

from .description import Slot

Reading = Literal["whole", "partly", "not"]

NOUNS = {
    "f": "a number",
    "e": "a number",
    "i": "a whole number",
    "u": "a whole number",
    "b": "true or false",
    "v": "three numbers",
    "w": "two numbers",
    "c": "a colour of three or four numbers from 0 to 1",
    "p": "a pose",
    "t": "a time of two whole numbers",
}
"""The kinds in words."""

_DECIMAL = r"[+-]?(?:\d+\.?\d*|\.\d+)"
_SHORT = r"[+-]?(?:\d{1,30}\.?\d{0,30}|\.\d{1,30})(?:[eE][+-]?\d)?"
"""A decimal number that no type is too small for."""

_SHARE = r"(?:0(?:\.\d{0,9})?|1(?:\.0{0,9})?)"
"""A number from 0 to 1."""

_PLAIN = {
    "f": re.compile(_SHORT, re.ASCII),
    "e": re.compile(_SHORT, re.ASCII),
    "i": re.compile(r"[+-]?\d{1,9}", re.ASCII),
    "u": re.compile(r"\+?\d{1,9}", re.ASCII),
    "v": re.compile(rf"{_SHORT}\s+{_SHORT}\s+{_SHORT}", re.ASCII),
    "w": re.compile(rf"{_SHORT}\s+{_SHORT}", re.ASCII),
    "b": re.compile("true|false|0|1", re.IGNORECASE),
    "c": re.compile(rf"{_SHARE}(?:\s+{_SHARE}){{2,3}}", re.ASCII),
}
"""What nearly all texts are: these are read whole."""

_HEX = r"0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?\d+)?"
_STRTOD = re.compile(rf"[+-]?(?:{_HEX}|inf(?:inity)?|nan)|{_DECIMAL}(?:[eE][+-]?\d+)?", re.IGNORECASE | re.ASCII)
_STREAM = re.compile(rf"\s*({_DECIMAL}(?:[eE][+-]?\d*)?)", re.ASCII)
_INTEGER = re.compile(r"[+-]?\d+", re.ASCII)
_HEX_INTEGER = re.compile(r"0x[0-9a-f]*", re.IGNORECASE)
_TIME = re.compile(r"[+-]?\d+\s+[+-]?\d+", re.ASCII)

_SMALLEST = {"f": 2.2250738585072014e-308, "e": 1.1754943508222875e-38}
_LARGEST = {"f": 1.7976931348623157e308, "e": 3.4028235677973366e38}
"""Below and above them C reports a number as out of range."""


def reading(kind: str, text: str) -> Reading:
    """Say how much libsdformat reads of a text of a kind, blank ones aside; ``not`` is an error there.

    A pose is no matter of its text alone; see `values.pose`.
    """
    text = text.strip()
    plain = _PLAIN.get(kind)
    if plain is not None and plain.fullmatch(text):
        return "whole"
    read = _SLOW.get(kind)
    return "whole" if read is None else read(text)


def in_slot(slot: Slot, text: str) -> Reading:
    """Say how much libsdformat reads of an attribute's or element's text: blank is an error where it must not be."""
    if not text or text.isspace():
        return "not" if slot.required and slot.kind else "whole"
    found = reading(slot.kind, text)
    if found != "not" and (slot.low > -inf or slot.high < inf):
        value = _value(text.strip(), slot.kind)
        return "not" if value < slot.low or value > slot.high else found
    return found


def _value(text: str, kind: str) -> float:
    text = {"true": "1", "false": "0"}.get(text.lower(), text)
    if kind in "iu":
        match = _HEX_INTEGER.match(text)
        return int(match[0][2:] or "0", 16) if match else int(_INTEGER.match(text)[0])  # type: ignore[index]
    match = _STRTOD.match(text)
    assert match is not None
    word = match[0]
    return float.fromhex(word) if "x" in word.lower() else float(word)


def _floating(kind: str) -> Callable[[str], Reading]:
    def read(text: str) -> Reading:
        lowered = text.lower()
        if lowered in ("true", "false"):
            return "whole"
        match = _STRTOD.match(text)
        if match is None:
            return "not"
        word = match[0].lower()
        try:
            value = abs(_value(word, kind))
        except OverflowError:
            return "not"
        if isfinite(value) or (isinf(value) and "i" not in word):
            mantissa = word.partition("p" if "x" in word else "e")[0]
            zero = not any(digit in "123456789abcdf" for digit in mantissa.lstrip("+-").removeprefix("0x"))
            if value > _LARGEST[kind] or (value < _SMALLEST[kind] and not zero):
                return "not"
        return "whole" if match.end() == len(text) else "partly"

    return read


def _integer(bits: int) -> Callable[[str], Reading]:
    def read(text: str) -> Reading:
        if text.lower() in ("true", "false"):
            return "whole"
        match = _HEX_INTEGER.match(text) or _INTEGER.match(text)
        if match is None or abs(int(_value(text, "i")) + 0.5) > 2**bits:
            return "not"
        rest = text[match.end() :]
        return "whole" if not rest.strip(".0") else "partly"

    return read


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


def _color(text: str) -> Reading:
    words = text.split()
    readings = [_floating("e")(word) for word in words]
    if len(words) not in (3, 4) or "not" in readings or any(word.lower() in ("true", "false") for word in words):
        return "not"
    if any(_value(word, "e") < 0.0 or _value(word, "e") > 1.0 for word in words):
        return "not"
    return "partly" if "partly" in readings else "whole"


def _time(text: str) -> Reading:
    match = _TIME.match(text)
    if match is None:
        return "not"
    return "whole" if match.end() == len(text) else "partly"


_SLOW: dict[str, Callable[[str], Reading]] = {
    "f": _floating("f"),
    "e": _floating("e"),
    "i": _integer(31),
    "u": _integer(64),
    "b": _boolean,
    "v": _vector(3),
    "w": _vector(2),
    "c": _color,
    "t": _time,
}
