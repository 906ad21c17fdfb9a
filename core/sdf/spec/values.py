# SPDX-License-Identifier: GPL-3.0-or-later
"""Parses SDFormat's texts as numbers, booleans, vectors and poses; refuses invalid ones with their place."""

from __future__ import annotations

import re
from math import hypot, isfinite

import numpy as np

from ...body.pose import Pose
from ...errors import InertiaError
from ..codes import sdf_error
from ..xml.document import Document, Element, child_of
from .description import slot_of
from .element_faults import bad_text, shown
from .kinds import reading

_HEXADECIMAL = re.compile(r"[+-]?0[xX]([0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)([pP][+-]?\d+)?", re.ASCII)

UNIT = 1e-3
"""Maximum difference of a quaternion's length from 1: with three digits, as in 0.707, it is off by 2e-4.

libsdformat neither normalizes nor refuses others: it transforms positions by them, which is not a rotation."""

_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}


def text_of(element: Element) -> str:
    """Return an element's value as libsdformat sees it: its first text, without surrounding space."""
    text: str = element.text or ""
    return text.strip()


def to_number(text: str) -> float:
    """Read a number as C does in every locale: decimal or hexadecimal, infinite or NaN.

    libsdformat would also read the beginning of ``1,5`` or ``2kg`` and drop the rest.

    Raises
    ------
    ValueError
        If the text is anything else.
    """
    text = text.strip()
    if text.isascii() and "_" not in text:  # only Python accepts 1_000 and digits of other scripts
        try:
            return float(text)
        except ValueError:
            pass
    if _HEXADECIMAL.fullmatch(text):
        return float.fromhex(text)
    raise ValueError(text)


def number(document: Document, element: Element) -> float:
    """Return an element's number.

    Raises
    ------
    InertiaError
        ``bad_number``.
    """
    try:
        return to_number(text_of(element))
    except ValueError:
        raise bad_text(document, element, slot_of("f"), text_of(element)) from None


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
        raise bad_text(document, element, slot_of({2: "w", 3: "v"}[size]), text_of(element))
    return tuple(numbers)


def _numbers(text: str) -> list[float]:
    """Return the numbers of a text; empty if one of its words is not a number."""
    try:
        return [to_number(word) for word in text.split()]
    except ValueError:
        return []


def boolean(document: Document, element: Element, attribute: str = "") -> bool:
    """Return the boolean of an attribute, else of the element itself: true, false, 1 or 0; False without a text.

    Raises
    ------
    InertiaError
        ``bad_boolean``.
    """
    text = element.get(attribute, "") if attribute else text_of(element)
    text = text.strip()
    try:
        return _BOOLEANS[text.lower()] if text else False
    except KeyError:
        raise bad_text(document, element, slot_of("b"), text, attribute) from None


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
    place, text = document.place(element), text_of(element)
    degrees = boolean(document, element, "degrees")
    rotation_format = element.get("rotation_format", "euler_rpy")
    rotation_format = rotation_format.strip() or "euler_rpy"
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
        beginnings = len(words) == size and all(reading("f", word) == "partly" or _is_finite(word) for word in words)
        codes = () if beginnings else None
        raise sdf_error("bad_pose", place, codes=codes, text=shown(" ".join(words)), size=size)
    if size == 6:
        return Pose.from_sdf([*numbers[:3], *(np.radians(numbers[3:]) if degrees else numbers[3:])])
    length = hypot(*numbers[3:])
    if not abs(length - 1.0) <= UNIT:
        raise InertiaError.of("quaternion_length", document.place(element), length=length)
    return Pose.from_quaternion(numbers[:3], numbers[3:])


def _is_finite(word: str) -> bool:
    try:
        return isfinite(to_number(word))
    except ValueError:
        return False
