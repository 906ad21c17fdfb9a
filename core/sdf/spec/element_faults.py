# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wrong with an element's own text or attributes, as errors: one wording for all who meet it."""

from __future__ import annotations

from math import inf

from ...errors import InertiaError
from ..codes import sdf_error
from ..xml.document import Document, Element
from .description import Slot
from .kinds import NOUNS, in_slot

IN_ATTRIBUTE = (5, 9, 1)
"""libsdformat's numbers for an attribute that it cannot read."""

LONGEST = 40
"""Characters of a wrong text that a message repeats."""

_CODES = {"f": "bad_number", "e": "bad_number", "v": "bad_vector", "w": "bad_vector", "b": "bad_boolean"}

_REMEDIES = {
    "f": "write a number, such as 1.5e-3",
    "e": "write a number, such as 1.5e-3",
    "b": "write true or false",
    "v": "write three numbers with spaces between",
    "w": "write two numbers with spaces between",
    "s": "write one",
}


def bad_text(document: Document, element: Element, slot: Slot, text: str, attribute: str = "") -> InertiaError:
    """Return the error for a text that does not fit: that of an attribute, else the element's own.

    Where libsdformat reads it after all, or the beginning of it, it has no number of libsdformat's.
    """
    what = f"{attribute}={shown(text)} of <{element.tag}>" if attribute else f"<{element.tag}> is {shown(text)}, which"
    noun = NOUNS.get(slot.kind, "a text")
    if slot.low > -inf or slot.high < inf:
        noun += f" from {slot.low:g} to {slot.high:g}"
    codes = () if in_slot(slot, text) != "not" else IN_ATTRIBUTE if attribute else None
    remedy = _REMEDIES.get(slot.kind, f"write {noun}")
    return sdf_error(
        _CODES.get(slot.kind, "bad_value"), document.place(element), f"{what} is not {noun}", remedy, codes
    )


def no_attribute(document: Document, element: Element, attribute: str) -> InertiaError:
    """Return the error for an attribute that is missing, or is blank where it must not be."""
    code = "no_name" if attribute == "name" else "missing_attribute"
    what = "name" if attribute == "name" else f"attribute '{attribute}'"
    codes = None if element.get(attribute) is None else IN_ATTRIBUTE
    message = f"a <{element.tag}> has no {what}"
    return sdf_error(code, document.place(element), message, "give it one", codes)


def shown(text: str) -> str:
    """Return a text as messages show it."""
    if not text.strip():
        return "blank"
    return ascii(text if len(text) <= LONGEST else text[:LONGEST] + "...")
