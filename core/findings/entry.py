# SPDX-License-Identifier: GPL-3.0-or-later
"""What the list says of one code, and of those that belong together."""

from __future__ import annotations

from typing import NamedTuple

from ..errors import Severity


class Entry(NamedTuple):
    """One code of findings and errors.

    Parameters
    ----------
    code : str
        Stable identifier, such as ``open_mesh``; the name of its section in docs/findings.md.
    title : str
        What it is called where there is no room for its message.
    severities : tuple of {"error", "warning", "info"}
        Those that it can have. An `InertiaError` stands for ``error``.
    meaning : str
        What is wrong, and why a simulator cares, in sentences.
    remedy : str
        What to do about it, in sentences.
    """

    code: str
    title: str
    severities: tuple[Severity, ...]
    meaning: str
    remedy: str


class Area(NamedTuple):
    """Entries that belong together, in the order in which they are read; a chapter of docs/findings.md."""

    title: str
    introduction: str
    entries: tuple[Entry, ...]
