# SPDX-License-Identifier: Apache-2.0
"""Parses SDFormat's texts as numbers, booleans, vectors and poses; refuses invalid ones with their place.

libsdformat reads numbers as C's ``strtod`` does, vectors as a C++ stream does, and silently drops what follows. Here
such a text is refused; whether libsdformat refuses it too decides only how it is reported. (Its Param.cc, version 16.)
"""

from __future__ import annotations

import re
from collections.abc import Callable
from math import hypot, isfinite, isinf
from typing import Literal, NamedTuple

import numpy as np

from ...body.pose import Pose
from ...errors import InertiaError
from ..codes import sdf_error
from ..xml.document import Document, Element, child_of, text_of
from .description import Slot
from .element_faults import IN_ATTRIBUTE, attribute_form, shown

UNIT = 1e-3
"""Maximum difference of a quaternion's length from 1: with three digits, as in 0.707, it is off by 2e-4.

libsdformat neither normalizes nor refuses others: it transforms positions by them, which is not a rotation."""

_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}

_DECIMAL = r"[+-]?(?:\d+\.?\d*|\.\d+)"
_HEX = r"[+-]?0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?\d+)?"
_HEXADECIMAL = re.compile(_HEX, re.ASCII)
_STRTOD = re.compile(rf"{_HEX}|[+-]?(?:inf(?:inity)?|nan)|{_DECIMAL}(?:[eE][+-]?\d+)?", re.IGNORECASE | re.ASCII)
_STREAM = re.compile(rf"\s*({_DECIMAL}(?:[eE][+-]?\d*)?)", re.ASCII)

_SMALLEST = 2.2250738585072014e-308
"""C reports a smaller number as out of range."""

Reading = Literal["whole", "partly", "not"]
"""How much libsdformat reads of a text: all, only the beginning, or nothing, which is an error there."""


def _read_number(text: str) -> Reading:
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
    if "n" not in word:  # neither inf nor nan
        mantissa = word.partition("p" if "x" in word else "e")[0]
        if isinf(value) or (value < _SMALLEST and re.search("[1-9a-f]", mantissa)):
            return "not"
    return "whole" if match.end() == len(text) else "partly"


def _read_boolean(text: str) -> Reading:
    return "whole" if text.lower() in _BOOLEANS else "not"


def _read_vector(text: str, size: int) -> Reading:
    place = 0
    for _ in range(size):
        match = _STREAM.match(text, place)
        if match is None or match[1].rstrip("+-")[-1] not in "0123456789." or isinf(float(match[1])):
            return "not"
        place = match.end()
    return "whole" if place == len(text) else "partly"


def _read_two(text: str) -> Reading:
    return _read_vector(text, 2)


def _read_three(text: str) -> Reading:
    return _read_vector(text, 3)


def _read_any(text: str) -> Reading:
    return "whole"


_SPACED = "write {} numbers with spaces between"


class Kind(NamedTuple):
    """A kind of texts of the table of SDF: in words, the error of an invalid one, and how libsdformat reads it."""

    noun: str
    error_code: str
    remedy: str
    read: Callable[[str], Reading]


KINDS = {
    "f": Kind("a number", error_code="bad_number", remedy="write a number, such as 1.5e-3", read=_read_number),
    "b": Kind("true or false", error_code="bad_boolean", remedy="write true or false", read=_read_boolean),
    "v": Kind("three numbers", error_code="bad_vector", remedy=_SPACED.format("three"), read=_read_three),
    "w": Kind("two numbers", error_code="bad_vector", remedy=_SPACED.format("two"), read=_read_two),
    "s": Kind("a text", error_code="bad_value", remedy="write one", read=_read_any),
}
"""The kinds of the table of SDF by letter."""


def in_slot(slot: Slot, text: str) -> Reading:
    """Return how much libsdformat reads of an attribute's or element's text; a blank one is an error if required."""
    if not text or text.isspace():
        return "not" if slot.required and slot.kind else "whole"
    return KINDS[slot.kind].read(text.strip()) if slot.kind else "whole"


def bad_text(document: Document, element: Element, slot: Slot, text: str, attribute: str = "") -> InertiaError:
    """Return the error for an invalid text, that of an attribute, else the element's own.

    If libsdformat still reads it, or its beginning, the error has none of libsdformat's numbers.
    """
    if not attribute and not text:
        form = attribute_form(document, element)
        if form is not None:
            return form
    kind = KINDS[slot.kind or "s"]
    codes = () if in_slot(slot, text) != "not" else IN_ATTRIBUTE if attribute else None
    values = {"tag": element.tag, "attribute": attribute, "text": shown(text), "noun": kind.noun}
    where = "attribute" if attribute else "element"
    return sdf_error(kind.error_code, document.place(element), where, codes=codes, **values, remedy=kind.remedy)


def _number(text: str) -> float:
    """Read a number as C does in every locale: decimal or hexadecimal, infinite or NaN; raises ValueError."""
    text = text.strip()
    if _HEXADECIMAL.fullmatch(text):
        try:
            return float.fromhex(text)
        except OverflowError:
            raise ValueError(text) from None
    if text.isascii() and "_" not in text:  # only Python accepts 1_000 and digits of other scripts
        return float(text)
    raise ValueError(text)


def number(document: Document, element: Element) -> float:
    """Return an element's number.

    Raises
    ------
    InertiaError
        ``bad_number``.
    """
    try:
        return _number(text_of(element))
    except ValueError:
        raise bad_text(document, element, Slot("f"), text_of(element)) from None


def child_number(document: Document, parent: Element | None, tag: str) -> float | None:
    """Return the number of a child, or None if there is no such child."""
    found = child_of(parent, tag)
    return None if found is None else number(document, found)


def vector(document: Document, element: Element, size: int) -> tuple[float, ...]:
    """Return an element's numbers.

    Raises
    ------
    InertiaError
        ``bad_vector``, unless there are `size` of them.
    """
    numbers = _numbers(text_of(element))
    if len(numbers) != size:
        raise bad_text(document, element, Slot({2: "w", 3: "v"}[size]), text_of(element))
    return tuple(numbers)


def _numbers(text: str) -> list[float]:
    """Return the numbers of a text; empty if one of its words is not a number."""
    try:
        return [_number(word) for word in text.split()]
    except ValueError:
        return []


def boolean(document: Document, element: Element, attribute: str = "") -> bool:
    """Return the boolean of an attribute, else of the element itself: true, false, 1 or 0; False without a text.

    Raises
    ------
    InertiaError
        ``bad_boolean``.
    """
    text = element.get(attribute, "").strip() if attribute else text_of(element)
    try:
        return _BOOLEANS[text.lower()] if text else False
    except KeyError:
        raise bad_text(document, element, Slot("b"), text, attribute) from None


def pose(document: Document, element: Element | None) -> Pose:
    """Return the pose of a ``<pose>``: identity if it is missing or empty; ``relative_to`` is ignored.

    Raises
    ------
    InertiaError
        ``bad_pose``: not six finite numbers (or position and quaternion), or an unknown ``rotation_format``;
        ``quaternion_length``.
    """
    if element is None:
        return Pose.identity
    place, text = document.at(element), text_of(element)
    degrees = boolean(document, element, "degrees")
    rotation_format = element.get("rotation_format", "").strip() or "euler_rpy"
    size = {"euler_rpy": 6, "quat_xyzw": 7}.get(rotation_format)
    if size is None:
        raise sdf_error("bad_pose", place, "rotation_format", text=rotation_format)
    if size == 7 and degrees:
        raise sdf_error("bad_pose", place, "degrees")
    if not text:
        return Pose.identity
    numbers = _numbers(text)
    if len(numbers) != size or not all(map(isfinite, numbers)):
        words = text.split()
        beginnings = len(words) == size and all(_read_number(word) == "partly" or _is_finite(word) for word in words)
        codes = () if beginnings else None
        raise sdf_error("bad_pose", place, codes=codes, text=shown(" ".join(words)), size=size)
    if size == 6:
        return Pose.from_sdf([*numbers[:3], *(np.radians(numbers[3:]) if degrees else numbers[3:])])
    length = hypot(*numbers[3:])
    if not abs(length - 1.0) <= UNIT:
        raise InertiaError.of("quaternion_length", str(place), length=length)
    return Pose.from_quaternion(numbers[:3], numbers[3:])


def _is_finite(word: str) -> bool:
    return all(map(isfinite, _numbers(word) or [np.nan]))
