# SPDX-License-Identifier: Apache-2.0
"""The catalogue of findings by area and by code, read from the Markdown files of this folder, one for each area."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

Severity = Literal["info", "warning", "error"]

WORST_FIRST: tuple[Severity, ...] = ("error", "warning", "info")

REPOSITORY = "https://github.com/sdf-inertia/sdf-inertia"

PAGE = "docs/findings.md"
"""The list as a page; each code is the name of its section."""

AREAS = (
    "mesh",
    "method",
    "body",
    "doubt",
    "scene",
    "simulator",
    "engine",
    "mjcf",
    "usd",
    "cad",
    "printed",
    "sample",
    "file",
    "batch",
    "element",
    "frame",
    "statics",
)
"""The files in the order in which they are read."""

_SECTION = r"(\w+)\n\n\*\*(.+)\*\* \(([a-z ]+)\)\. (.+)\n\n\*Fix:\* (.+)\n(?:\n((?:\* .+\n)+))?\n*"
"""Code, title, severities, meaning, remedy and messages."""

_MESSAGE = re.compile(r"\* (?:`(\w+)` )?(.+?)(?: → (.+))?\n")
"""A message's name, if the section has several, its text, and what helps."""

_SEVERITIES: Mapping[str, Severity] = {severity: severity for severity in WORST_FIRST}


ERROR_CODES = {
    1: "FILE_READ",
    2: "DUPLICATE_NAME",
    3: "RESERVED_NAME",
    4: "ATTRIBUTE_MISSING",
    5: "ATTRIBUTE_INVALID",
    7: "ATTRIBUTE_INCORRECT_TYPE",
    8: "ELEMENT_MISSING",
    9: "ELEMENT_INVALID",
    11: "ELEMENT_INCORRECT_TYPE",
    14: "URI_LOOKUP",
    16: "MODEL_CANONICAL_LINK_INVALID",
    17: "MODEL_WITHOUT_LINK",
    19: "LINK_INERTIA_INVALID",
    20: "JOINT_CHILD_LINK_INVALID",
    21: "JOINT_PARENT_LINK_INVALID",
    22: "JOINT_PARENT_SAME_AS_CHILD",
    23: "FRAME_ATTACHED_TO_INVALID",
    24: "FRAME_ATTACHED_TO_CYCLE",
    26: "POSE_RELATIVE_TO_INVALID",
    27: "POSE_RELATIVE_TO_CYCLE",
    31: "MODEL_PLACEMENT_FRAME_INVALID",
    33: "MERGE_INCLUDE_UNSUPPORTED",
    37: "WARNING",
    38: "JOINT_AXIS_EXPRESSED_IN_INVALID",
    39: "CONVERSION_ERROR",
    40: "PARSING_ERROR",
    41: "JOINT_AXIS_MIMIC_INVALID",
}
"""sdf::ErrorCode of libsdformat 16, as far as it is used here."""


class Template(NamedTuple):
    """A message of the catalogue, with the names of its values in braces: see `message.filled`.

    Parameters
    ----------
    text : str
        What is wrong, with the number seen.
    remedy : str
        What to do about it, in the imperative; names of `ACTIONS` in braces. Empty if nothing needs doing.
    """

    text: str
    remedy: str


class Entry(NamedTuple):
    """One code of findings and errors.

    Parameters
    ----------
    code : str
        Stable identifier, such as ``open_mesh``; the name of its section.
    title : str
        Its name where a message does not fit.
    severities : tuple of {"error", "warning", "info"}
        The severities that its findings can have. An `InertiaError` stands for ``error``.
    meaning : str
        What is wrong, and why a simulator cares, in sentences.
    remedy : str
        What to do about it, in sentences.
    messages : mapping of str to Template
        By name; the only or first one may have none.
    """

    code: str
    title: str
    severities: tuple[Severity, ...]
    meaning: str
    remedy: str
    messages: Mapping[str, Template]


class Area(NamedTuple):
    """Entries that belong together, in the order in which they are read; a chapter of `PAGE`."""

    title: str
    text: str
    entries: tuple[Entry, ...]


@cache
def areas() -> tuple[Area, ...]:
    """Return the list by area. The files are read on the first call: a start does not need them."""
    return tuple(_area(Path(__file__).with_name(f"{name}.md").read_text(encoding="utf-8")) for name in AREAS)


@cache
def listed() -> Mapping[str, Entry]:
    """Return the list by code. A user's calculator may give findings with codes that are not in it."""
    return {entry.code: entry for area in areas() for entry in area.entries}


def title_of(code: str) -> str:
    """Return the title of a code; for one that is not listed, the code in words."""
    entry = listed().get(code)
    return code.replace("_", " ").capitalize() if entry is None else entry.title


def section_url(code: str) -> str:
    """Return the address of a code's section."""
    return f"{REPOSITORY}/blob/main/{PAGE}#{code}"


def error_codes_text(codes: Iterable[int]) -> str:
    """Return libsdformat's codes in words, such as ``37 WARNING, 19 LINK_INERTIA_INVALID``."""
    return ", ".join(f"{number} {ERROR_CODES[number]}" for number in codes)


def _area(text: str) -> Area:
    head, *parts = text.split("\n### ")
    return Area(head.partition("\n")[0].removeprefix("## "), text, tuple(map(_entry, parts)))


def _entry(section: str) -> Entry:
    match = re.fullmatch(_SECTION, section.replace("\\<", "<") + "\n")
    if match is None:
        raise ValueError(f"not the section of a code: {section!r}")
    code, title, severities, meaning, remedy, messages = match.groups(default="")
    named = [(message[1] or "", Template(message[2], message[3] or "")) for message in _MESSAGE.finditer(messages)]
    of_name = dict(named)
    if len(of_name) < len(named):
        raise ValueError(f"two messages of {code} have the same name")
    allowed = tuple(_SEVERITIES[severity] for severity in severities.split(" or "))
    return Entry(code, title, allowed, meaning, remedy, of_name)
