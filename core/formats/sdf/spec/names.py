# SPDX-License-Identifier: Apache-2.0
"""Names that SDFormat, file systems and topic names accept."""

from __future__ import annotations

import re

from ....errors import Finding, Severity

RESERVED = frozenset({"world"})
"""Reserved names in SDFormat, besides those like ``__this__``."""

HARMLESS = frozenset(". ")
"""Replacing these is only an info: Blender itself makes names such as ``Cube.001``."""


_DEVICE = re.compile("con|prn|aux|nul|(?:com|lpt)[0-9\u00b9\u00b2\u00b3]", re.IGNORECASE)


def is_device(name: str) -> bool:
    """Return True if Windows reserves a name of a file or folder for a device."""
    return _DEVICE.fullmatch(name) is not None


def is_reserved(name: str) -> bool:
    """Return True if libsdformat reserves a name."""
    return name in RESERVED or (len(name) >= 4 and name.startswith("__") and name.endswith("__"))


class UniqueNames:
    """Assigns valid names that are unique among siblings, and records the changes.

    Call it in the same order in every run: the first caller gets the unchanged name.
    """

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self.findings: list[Finding] = []

    def give(self, wanted: str) -> str:
        """Return a valid name as close to `wanted` as possible, with a finding ``renamed`` if it differs."""
        name = self._free(valid_name(wanted))
        if name != wanted:
            changed = {old for old in wanted if not _allowed(old)}
            harmless = changed <= HARMLESS and (changed or valid_name(wanted) == wanted)
            severity: Severity = "info" if harmless else "warning"
            subject, form = wanted.encode("utf-8", "replace").decode(), "harmless" if harmless else "valid"
            self.findings.append(Finding.of(severity, "renamed", subject, form, wanted=ascii(wanted), name=name))
        return name

    def take(self, name: str) -> None:
        """Reserve a name."""
        self._taken.add(name)

    def keep(self, wanted: str, subject: str = "") -> str:
        """Return a file's name, with a number if it is taken, and a finding ``renamed``."""
        name = self._free(wanted)
        if name != wanted:
            finding = Finding.of("warning", "renamed", subject or wanted, "object", wanted=wanted, name=name)
            self.findings.append(finding)
        return name

    def _free(self, wanted: str) -> str:
        """Take a name, with a number if it is taken."""
        name, number = wanted, 2
        while name in self._taken:
            name, number = f"{wanted}_{number}", number + 1
        self._taken.add(name)
        return name


def valid_name(wanted: str) -> str:
    """Return `wanted` with all but letters, digits, ``_`` and ``-`` replaced by ``_``, and never reserved."""
    name = "".join(character if _allowed(character) else "_" for character in wanted.strip())
    if not name.strip("_"):
        return "unnamed"
    if is_reserved(name):
        return f"{name.strip('_')}_"
    return name


def _allowed(character: str) -> bool:
    return character.isalnum() or character in "_-"
