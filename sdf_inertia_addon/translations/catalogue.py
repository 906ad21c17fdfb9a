# SPDX-License-Identifier: GPL-3.0-or-later
"""Catalogues: gettext's .po files in this folder, one for each language, read as they are when the add-on starts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bpy.app import translations

FOLDER = Path(__file__).parent

ANY = "*"
"""Blender's name of the context that all have."""

Texts = dict[tuple[str, str], str]


def read_po(text: str) -> Texts:
    """Return the translations of a .po file, by context and message; what is not translated, or fuzzy, is left out.

    Parameters
    ----------
    text : str
        Of the file, without plural forms: templates that depend on a number are two messages here.
    """
    texts: Texts = {}
    for block in text.split("\n\n"):
        entry, part, fuzzy = {"msgctxt": ANY, "msgid": "", "msgstr": ""}, "", False
        for line in block.splitlines():
            if line.startswith("#") or not line.strip():
                fuzzy = fuzzy or (line.startswith("#,") and "fuzzy" in line)
                continue
            keyword, _, quoted = line.rstrip().partition('"')
            if keyword:
                part = keyword.strip()
                entry[part] = ""
            # The escapes of C that gettext writes are JSON's too; most lines have none.
            entry[part] += json.loads(f'"{quoted}') if "\\" in quoted else quoted[:-1]
        if entry["msgid"] and entry["msgstr"] and not fuzzy:  # the header has no message
            texts[entry["msgctxt"], entry["msgid"]] = entry["msgstr"]
    return texts


def catalogues() -> dict[str, Texts]:
    """Return all translations by language, such as ``de_DE``."""
    return {path.stem: read_po(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.po"))}


def attach() -> None:
    texts: Any = catalogues()  # the stubs know no contexts
    translations.register(__name__, texts)


def detach() -> None:
    translations.unregister(__name__)
