# SPDX-License-Identifier: GPL-3.0-or-later
"""Catalogues as gettext files: the template of all messages, and the update of each language."""

from __future__ import annotations

from pathlib import Path

import polib

from .message import Message, merged

WIDTH = 110
"""Maximum characters of a line in a file."""


def template(messages: list[Message]) -> polib.POFile:
    """Return the messages without any translation, in the order of their places."""
    file = polib.POFile(wrapwidth=WIDTH)
    file.metadata = {
        "Project-Id-Version": "SDF Inertia",
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
    }
    for (context, text), same in merged(messages).items():
        roles = dict.fromkeys(one.role for one in same if one.role)
        places = dict.fromkeys(one.place.partition(":")[0] for one in same)
        file.append(
            polib.POEntry(
                msgctxt=context or None,
                msgid=text,
                comment="; ".join(roles),
                occurrences=[(place, "") for place in places],
                flags=["python-brace-format"] if "{" in text else [],
            )
        )
    return file


def brought_up(path: Path, language: str, wanted: polib.POFile) -> polib.POFile:
    """Return a language's catalogue with all current messages; translations that are no longer used become obsolete."""
    known = polib.pofile(str(path)) if path.exists() else polib.POFile()
    known.wrapwidth = WIDTH
    known.metadata = {**wanted.metadata, **known.metadata, "Language": language}
    known.merge(wanted)
    order = {(entry.msgctxt, entry.msgid): number for number, entry in enumerate(wanted)}
    known.sort(key=lambda entry: (entry.obsolete, order.get((entry.msgctxt, entry.msgid), 0), entry.msgid))
    return known
