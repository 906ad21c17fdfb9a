# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes docs/findings.md from the list in core/findings: `make docs`."""

from __future__ import annotations

import re
from pathlib import Path

from core.findings.listed import PAGE, Area, areas, error_codes_text
from core.findings.message import readable
from core.formats.sdf.spec.codes import SDF_CODES

CHECKOUT = Path(__file__).parents[1]

HEAD = """\
<!-- Made by tools/findings_page.py from core/findings: edit those, then `make docs`. -->

# Findings

What SDF Inertia says about meshes, robots and files: in the panel, in reports, and in brackets in each line
of `sdf-inertia check`. Each section is named by its code. An **error** leaves the body without a number, since a
simulator would refuse it or get it wrong; a **warning** is worth a look; an **info** needs no action.
"""

MEANING = re.compile(r"^### (\w+)\n\n.+", re.MULTILINE)
"""A code's section up to its remedy."""

MESSAGE = re.compile(r"^\* (?:`\w+` )?(.+)", re.MULTILINE)


def page() -> str:
    """Return the page as Markdown: the files of the areas, with libsdformat's numbers."""
    contents = "".join(f"* [{area.title}](#{_anchor(area)})\n" for area in areas())
    return "\n".join((HEAD, contents, *(_readable(MEANING.sub(_with_numbers, area.text)) for area in areas())))


def _readable(text: str) -> str:
    """Return an area with the names of the values in its messages in italics, not as templates."""
    return MESSAGE.sub(_line, text).replace("\\<", "&lt;")


def _line(found: re.Match[str]) -> str:
    message, arrow, remedy = found[1].partition(" → ")
    return f"* {readable(message, '*{}*')}{arrow}{readable(remedy, '*{}*', is_remedy=True)}"


def _anchor(area: Area) -> str:
    """Return what forges make of a heading."""
    return area.title.lower().replace(",", "").replace(" ", "-")


def _with_numbers(meaning: re.Match[str]) -> str:
    codes = SDF_CODES.get(meaning[1], ())
    return f"{meaning[0]} libsdformat: {error_codes_text(codes)}." if codes else meaning[0]


if __name__ == "__main__":
    (CHECKOUT / PAGE).write_text(page(), encoding="utf-8")
