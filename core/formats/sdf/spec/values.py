# SPDX-License-Identifier: Apache-2.0
"""Parses SDFormat's texts as numbers, booleans, vectors and poses; refuses invalid ones with their place.

libsdformat reads numbers as C's ``strtod`` does, vectors as a C++ stream does, and silently drops what follows. Here
such a text is refused; whether libsdformat refuses it too decides only how it is reported. (Its Param.cc, version 16.)
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from math import hypot, isfinite, isinf, nan, radians
from typing import Literal, NamedTuple

from ....body.pose import Pose
from ....document.element import Element, child_of, text_of
from ....errors import InertiaError
from .codes import sdf_error
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


def _read_vector(text: str, size: int) -> Reading:
    place = 0
    for _ in range(size):
        match = _STREAM.match(text, place)
        if match is None or match[1].rstrip("+-")[-1] not in "0123456789." or isinf(float(match[1])):
            return "not"
        place = match.end()
    return "whole" if place == len(text) else "partly"


_read_two, _read_three = partial(_read_vector, size=2), partial(_read_vector, size=3)


def _read_boolean(text: str) -> Reading:
    return "whole" if text.lower() in _BOOLEANS else "not"


class Kind(NamedTuple):
    """A kind of texts of the table of SDF: in words, the error of an invalid one, and how libsdformat reads it."""

    noun: str
    error_code: str
    remedy: str
    read: Callable[[str], Reading]


_SPACED = "write {} numbers with spaces between"

KINDS = {
    "f": Kind("a number", error_code="bad_number", remedy="write a number, such as 1.5e-3", read=_read_number),
    "b": Kind("true or false", error_code="bad_boolean", remedy="write true or false", read=_read_boolean),
    "v": Kind("three numbers", error_code="bad_vector", remedy=_SPACED.format("three"), read=_read_three),
    "w": Kind("two numbers", error_code="bad_vector", remedy=_SPACED.format("two"), read=_read_two),
    "s": Kind("a text", error_code="bad_value", remedy="write one", read=lambda text: "whole"),
}
"""The kinds of the table of SDF by letter."""


def in_slot(slot: Slot, text: str) -> Reading:
    """Return how much libsdformat reads of an attribute's or element's text; a blank one is an error if required."""
    if not text or text.isspace():
        return "not" if slot.required and slot.kind else "whole"
    return KINDS[slot.kind].read(text.strip()) if slot.kind else "whole"


def bad_text(element: Element, slot: Slot, text: str, attribute: str = "") -> InertiaError:
    """Return the error for an invalid text, that of an attribute, else the element's own.

    If libsdformat still reads it, or its beginning, the error has none of libsdformat's numbers.
    """
    if not attribute and not text:
        form = attribute_form(element)
        if form is not None:
            return form
    kind = KINDS[slot.kind or "s"]
    codes = () if in_slot(slot, text) != "not" else IN_ATTRIBUTE if attribute else None
    values = {"tag": element.tag, "attribute": attribute, "text": shown(text), "noun": kind.noun}
    where = "attribute" if attribute else "element"
    return sdf_error(kind.error_code, element, where, codes=codes, **values, remedy=kind.remedy)


def _numbers(text: str) -> list[float]:
    """Return the numbers of a text as C reads them in every locale: decimal or hexadecimal, infinite or NaN.

    Empty if a word is not a number: only Python accepts 1_000 and digits of other scripts.
    """
    words = text.split()
    try:
        if text.isascii() and "_" not in text:
            return [float.fromhex(word) if _HEXADECIMAL.fullmatch(word) else float(word) for word in words]
    except (ValueError, OverflowError):
        pass
    return []


def number(element: Element) -> float:
    """Return an element's number; raises InertiaError ``bad_number``."""
    numbers = _numbers(text_of(element))
    if len(numbers) != 1:
        raise bad_text(element, Slot("f"), text_of(element))
    return numbers[0]


def child_number(parent: Element | None, tag: str) -> float | None:
    """Return the number of a child, or None if there is no such child."""
    child = child_of(parent, tag)
    return None if child is None else number(child)


def vector(element: Element, size: int) -> tuple[float, ...]:
    """Return an element's numbers; raises InertiaError ``bad_vector``, unless there are `size` of them."""
    numbers = _numbers(text_of(element))
    if len(numbers) != size:
        raise bad_text(element, Slot({2: "w", 3: "v"}[size]), text_of(element))
    return tuple(numbers)


def boolean(element: Element, attribute: str = "") -> bool:
    """Return the boolean of an attribute, else of the element itself: true, false, 1 or 0; False without a text.

    Raises
    ------
    InertiaError
        ``bad_boolean``.
    """
    text = element.get(attribute, "").strip() if attribute else text_of(element)
    if text and text.lower() not in _BOOLEANS:
        raise bad_text(element, Slot("b"), text, attribute)
    return _BOOLEANS[text.lower()] if text else False


def pose(element: Element | None) -> Pose:
    """Return the pose of a ``<pose>``: identity if it is missing or empty; ``relative_to`` is ignored.

    Raises
    ------
    InertiaError
        ``bad_pose``: not six finite numbers (or position and quaternion), or an unknown ``rotation_format``;
        ``quaternion_length``.
    """
    if element is None:
        return Pose.identity
    degrees = boolean(element, "degrees")
    rotation_format = element.get("rotation_format", "").strip() or "euler_rpy"
    size = {"euler_rpy": 6, "quat_xyzw": 7}.get(rotation_format)
    if size is None:
        raise sdf_error("bad_pose", element, "rotation_format", text=rotation_format)
    if size == 7 and degrees:
        raise sdf_error("bad_pose", element, "degrees")
    words = text_of(element).split()
    if not words:
        return Pose.identity
    numbers = _numbers(" ".join(words))
    if len(numbers) != size or not all(map(isfinite, numbers)):
        begins = (_read_number(word) == "partly" or isfinite((_numbers(word) or [nan])[0]) for word in words)
        codes = () if len(words) == size and all(begins) else None  # libsdformat reads what it can of each word
        raise sdf_error("bad_pose", element, codes=codes, text=shown(" ".join(words)), size=size)
    if size == 6:
        return Pose.from_sdf([*numbers[:3], *(map(radians, numbers[3:]) if degrees else numbers[3:])])
    length = hypot(*numbers[3:])
    if not abs(length - 1.0) <= UNIT:
        raise InertiaError.of("quaternion_length", str(element), length=length)
    return Pose.from_quaternion(numbers[:3], numbers[3:])
