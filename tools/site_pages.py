# SPDX-License-Identifier: GPL-3.0-or-later
"""Collect the pages of the site: README and docs, each command's ``--help``, the Python interface.

python -m tools.site_pages build/site-pages
"""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
from contextlib import redirect_stdout, suppress
from functools import cache
from pathlib import Path

from core import __all__ as names
from core.cli.main import COMMANDS as VERBS
from core.cli.main import main as command_line
from core.findings.listed import REPOSITORY

CHECKOUT = Path(__file__).parents[1]
PAGES = {
    "CHANGELOG.md": "changes.md",
    "CONTRIBUTING.md": "contributing.md",
    "RELEASING.md": "releasing.md",
    "SECURITY.md": "reporting.md",
}
"""Pages outside of docs."""

SITE = "https://sdf-inertia.github.io/sdf-inertia/"
"""Address of the site: pages link by it to what only the site has."""

COMMANDS = (*VERBS, "batch mass", "batch repair", "batch export")

FINDINGS = CHECKOUT / "docs" / "findings.md"

NOTE = """
Each section has the meaning of a code, its fix, and its messages: words in italics stand for numbers and names, and the
fix of that message follows the arrow. [What is wrong with my robot?](what-is-wrong.md) starts from symptoms instead.
"""
"""What is above the sections of a page of findings."""

_CODE = re.compile(r"^### (\w+)\n\n\*\*(.+?)\*\*", re.MULTILINE)
_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")


def main(folder: Path) -> None:
    """Write all pages to a new folder."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(CHECKOUT / "docs", folder, ignore=shutil.ignore_patterns("*.md"))
    docs = {path: path.relative_to(CHECKOUT / "docs").as_posix() for path in (CHECKOUT / "docs").rglob("*.md")}
    for path, page in (docs | {CHECKOUT / name: page for name, page in PAGES.items()}).items():
        if path != FINDINGS:
            (folder / page).write_text(_moved(path, page), encoding="utf-8")
    for page, text in _findings().items():
        (folder / page).write_text(text, encoding="utf-8")
    (folder / "commands.md").write_text(_commands(), encoding="utf-8")
    lines = [f"::: sdf_inertia.{name}" for name in names]
    with (folder / "python.md").open("a", encoding="utf-8") as guide:
        guide.write("\n\n".join(["\n## All names", *lines]) + "\n")


def _moved(path: Path, page: str) -> str:
    """Return a page with its links adapted to the site; what is not on the site is linked in the repository."""

    def moved(link: re.Match[str]) -> str:
        mark, text, target = link.groups()
        if target.startswith(SITE):
            return f"[{text}]({target.removeprefix(SITE).replace('.html', '.md')})"
        if re.match(r"[a-z]+:|#", target):
            return link[0]
        file, _, anchor = target.partition("#")
        named = os.path.relpath(path.parent / file, CHECKOUT)
        there = PAGES.get(named, named.removeprefix("docs/"))
        if named == "docs/findings.md" and anchor:
            there = _page_of_code(anchor)
        elif named not in PAGES and (there == named or not (CHECKOUT / named).is_file()):
            return f"{mark}[{text}]({REPOSITORY}/tree/main/{named})"
        there = os.path.relpath(there, os.path.dirname(page) or ".")
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
        about, _, codes = body.partition("\n### ")
        pages[page] = f"# Findings: {title}\n{about}{NOTE}\n### {codes}".replace("\n### ", "\n## ")
        rows = [f"| [{code}]({page}#{code}) | {name} |" for code, name in _CODE.findall(body)]
        index.append("\n".join([f"## [{title}]({page})\n", "| code | name |", "|---|---|", *rows, ""]))
    return pages | {"findings.md": "\n".join(index)}


def _page_of_code(code: str) -> str:
    return next(page for page, text in _findings().items() if f"\n## {code}\n" in text)


def _commands() -> str:
    parts = ["# Commands\n\nWithout Blender: `sdf-inertia COMMAND`, or `python -m core COMMAND` in a checkout."]
    for name in COMMANDS:
        usage = io.StringIO()
        with redirect_stdout(usage), suppress(SystemExit):
            command_line([*name.split(), "--help"])
        parts.append(f"## {name}\n\n```text\n{usage.getvalue()}```")
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    os.environ["COLUMNS"] = "88"  # the width of a block on a page
    main(Path(sys.argv[1]))
