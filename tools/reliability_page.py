# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes docs/reliability.md from the tests' own markers: `make docs`."""

from __future__ import annotations

from tests.faults import NOT_TESTED, ROWS
from tools.faults import CHECKOUT, Holder, holders

PAGE = "docs/reliability.md"

HEAD = """\
<!-- Made by tools/reliability_page.py from the markers of the tests: edit those, then `make docs`. -->

# What is held by which test

Bad inputs and faults that SDF Inertia was built against, and the tests that fail if it no longer stands up to one.
What each gets is what [Findings](findings.md) and the tests' names say: an exact number, a number with a warning, or
an error that names what is wrong. `make faults` prints the same with how each test last ended on this machine, in which
Python and which Blender; see [What runs where](testing.md).
"""


def page() -> str:
    """Return the page as Markdown."""
    held = holders()
    parts = [HEAD]
    for chapter, rows in ROWS.items():
        parts.append(f"## {chapter}\n\n| | fault | held by | needs |\n|---|---|---|---|")
        parts[-1] += "".join("\n" + _row(number, title, held.get(number, [])) for number, title in rows.items())
        parts[-1] += "\n"
    return "\n".join(parts)


def _row(number: str, title: str, tests: list[Holder]) -> str:
    cases: dict[tuple[str, str], list[str]] = {}
    for one in tests:
        cases.setdefault((one.path, one.name), []).append(one.case)
    listed = (
        "<br>".join(_test(*one, named) for one, named in cases.items()) or f"not tested: {NOT_TESTED.get(number, '')}"
    )
    return f"| {number} | {title} | {listed} | {', '.join(sorted({one.where for one in tests}))} |"


def _test(path: str, name: str, cases: list[str]) -> str:
    words = name.removeprefix("test_").replace("_", " ") or "all of it"
    named = "" if "" in cases else f": {', '.join(cases)}".replace("|", "\\|")
    return f"{words}{named} ([{path.rpartition('/')[2]}](../{path}))"


if __name__ == "__main__":
    (CHECKOUT / PAGE).write_text(page(), encoding="utf-8")
