# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes docs/findings.md from the list in core/findings: `make docs`."""

from __future__ import annotations

from pathlib import Path

from core.findings.entry import Area, Entry
from core.findings.listed import PAGE, areas
from core.sdf.codes import SDF_CODES, told

CHECKOUT = Path(__file__).parents[1]

HEAD = """\
<!-- Made by tools/findings_page.py from core/findings: edit those, then `make docs`. -->

# Findings

What SDF Inertia says about meshes, robots and files: in the panel, in reports, and in brackets in each line
of `sdf-inertia check`. Each section is named by its code. An **error** leaves the body without a number, since a
simulator would refuse it or get it wrong; a **warning** is worth a look; an **info** needs nothing done.
"""


def page() -> str:
    """Return the page as Markdown."""
    contents = "".join(f"* [{area.title}](#{_anchor(area)})\n" for area in areas())
    return "\n".join((HEAD, contents, *(text for area in areas() for text in _chapter(area))))


def _anchor(area: Area) -> str:
    """Return what forges make of a heading."""
    return area.title.lower().replace(",", "").replace(" ", "-")


def _chapter(area: Area) -> list[str]:
    return [f"## {area.title}\n\n{area.introduction}\n", *map(_section, area.entries)]


def _section(entry: Entry) -> str:
    severities = " or ".join(entry.severities)
    codes = SDF_CODES.get(entry.code, ())
    number = f" libsdformat: {told(codes)}." if codes else ""
    return (
        f"### {entry.code}\n\n**{entry.title}** ({severities}). {_plain(entry.meaning)}{number}\n\n"
        f"*Remedy:* {_plain(entry.remedy)}\n"
    )


def _plain(text: str) -> str:
    """Return a text that Markdown shows as it is: none begins a line with a sign, none has pairs of * or `."""
    return text.replace("<", "\\<")


if __name__ == "__main__":
    (CHECKOUT / PAGE).write_text(page(), encoding="utf-8")
