# SPDX-License-Identifier: GPL-3.0-or-later
"""Collect the pages of the site: README and docs, each command's ``--help``, the Python interface.

python -m tools.site_pages build/site-pages
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from core import __all__ as names

CHECKOUT = Path(__file__).parents[1]
PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changes.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "reporting.md",
}
"""Pages outside of docs."""

COMMANDS = ("mass", "check", "repair", "fill", "report", "view", "diff", "explain", "batch")
COMMANDS += ("batch mass", "batch repair", "batch export")

FINDINGS = CHECKOUT / "docs" / "findings.md"

_CODE = re.compile(r"^### (\w+)\n\n\*\*(.+?)\*\*", re.MULTILINE)
_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")


def main(folder: Path) -> None:
    """Write all pages to a new folder."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(CHECKOUT / "docs", folder, ignore=shutil.ignore_patterns("*.md", "adr"))
    for path in {*(CHECKOUT / "docs").glob("*.md")} - {FINDINGS}:
        (folder / path.name).write_text(_moved(path, folder), encoding="utf-8")
    for name, page in PAGES.items():
        (folder / page).write_text(_moved(CHECKOUT / name, folder), encoding="utf-8")
    for page, text in _findings().items():
        (folder / page).write_text(text, encoding="utf-8")
    (folder / "commands.md").write_text(_commands(), encoding="utf-8")
    lines = [f"::: sdf_inertia.{name}" for name in names]
    head = "# From Python\n\nInstalled, `from sdf_inertia import ...`; in a checkout, `from core import ...`."
    (folder / "python.md").write_text("\n\n".join([head, *lines]) + "\n", encoding="utf-8")


def _moved(path: Path, folder: Path) -> str:
    """Return a page with its links adapted to the site; a link to anything but a page becomes its name."""

    def moved(found: re.Match[str]) -> str:
        mark, text, target = found.groups()
        if re.match(r"[a-z]+:|#", target):
            return found[0]
        file, _, anchor = target.partition("#")
        named = os.path.relpath(path.parent / file, CHECKOUT)
        inside = named.removeprefix("docs/")
        if named == "docs/findings.md" and anchor:
            return f"[{text}]({_page_of_code(anchor)}#{anchor})"
        there = PAGES.get(named, inside if inside != named and (CHECKOUT / named).is_file() else "")
        if not there or inside.startswith("adr/"):
            return text
        return f"{mark}[{text}]({there}{'#' + anchor if anchor else ''})"

    return _LINK.sub(moved, path.read_text(encoding="utf-8"))


@cache
def _findings() -> dict[str, str]:
    """Return the pages of findings by their names: one per area, and ``findings.md``, which lists the codes."""
    head, *sections = FINDINGS.read_text(encoding="utf-8").split("\n## ")
    pages, index = {}, [head.partition("\n* [")[0]]
    for section in sections:
        title, _, body = section.partition("\n")
        page = f"findings-{title.lower().replace(',', '').replace(' ', '-')}.md"
        pages[page] = f"# {title}\n{body}".replace("\n### ", "\n## ")
        rows = [f"| [{code}]({page}#{code}) | {name} |" for code, name in _CODE.findall(body)]
        index.append("\n".join([f"## [{title}]({page})\n", "| code | |", "|---|---|", *rows, ""]))
    return pages | {"findings.md": "\n".join(index)}


def _page_of_code(code: str) -> str:
    return next(page for page, text in _findings().items() if f"\n## {code}\n" in text)


def _commands() -> str:
    parts = ["# Commands\n\nWithout Blender: `sdf-inertia COMMAND`, or `python -m core COMMAND` in a checkout."]
    for name in COMMANDS:
        usage = subprocess.run(
            [sys.executable, "-m", "core", *name.split(), "--help"],
            cwd=CHECKOUT,
            env=os.environ | {"COLUMNS": "100"},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout
        parts.append(f"## {name}\n\n```text\n{usage}```")
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
