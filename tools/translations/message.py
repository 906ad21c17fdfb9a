# SPDX-License-Identifier: GPL-3.0-or-later
"""A text of the interface, as in a catalogue."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

CONTEXT = "SDF Inertia"
"""Context of all texts but tooltips: as in sdf_inertia_addon/translations/words.py, which needs Blender."""

TOOLTIP = ""
"""Tooltips have no context: Blender looks for them in the one that all add-ons share."""


class Message(NamedTuple):
    """A text, with its place and a hint for translators.

    Parameters
    ----------
    context : str
        `CONTEXT`, or `TOOLTIP`.
    text : str
        In English.
    place : str
        File of the checkout, such as ``sdf_inertia_addon/panels/tags.py``.
    role : str
        Such as ``button``; may be empty.
    """

    context: str
    text: str
    place: str
    role: str = ""

    @property
    def key(self) -> tuple[str, str]:
        return self.context, self.text


def merged(messages: Iterable[Message]) -> dict[tuple[str, str], list[Message]]:
    """Return messages with those of equal context and text joined, in order."""
    found: dict[tuple[str, str], list[Message]] = {}
    for message in messages:
        found.setdefault(message.key, []).append(message)
    return found
