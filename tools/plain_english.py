# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints phrases that read like a translation, with plain ones to use instead: a step of `make lint`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

CHECKOUT = Path(__file__).parents[1]

BETTER = {
    r"\bSay whether\b": "Return True if",
    r"\b(?:is|are|was|were) told\b": "is reported",
    r"\b(?:is|are|was|were) said\b": "is reported",
    r"\banew\b": "again",
    r"\b[Mm]end(?:s|ed|ing)?\b": "fix",
    r"\bnought\b": "zero",
    r"\baskew\b": "rotated",
    r"\bsingly\b": "one by one",
    r"\bwhom\b": "that",
    r"\bwhere there (?:is|are) none\b": "if there is none",
    r"\bfor want of\b": "because there is no",
    r"\bcounts? for nothing\b": "is ignored",
    r"\bnothing vouches\b": "cannot be trusted",
    r"\bthe innocent\b": "sound links (false positives)",
    r"\bas often forth as back\b": "equally in both directions",
    r"\ba bug of ours\b": "an internal error",
    r"\bwherever it stands\b": "wherever it is",
    r"\bdefinite (?:space|inside)\b": "enclosed volume",
    r"(?<![Tt]here )\b(?:is|are) no (?:number|mesh|file|fault|name)\b": "is not a ...",
    r"\bhas its numbers at once\b": "shows its numbers immediately",
}
"""Phrases to avoid, each with a better one; see CONTRIBUTING.md."""

CLEAN = (
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "RELEASING.md",
    "docs",
    "core",
    "sdf_inertia_addon",
    "tools",
)
"""Files and folders that are checked."""

OURS = ("tools/plain_english.py", "docs/reliability.md")
"""Not checked: this list, and a page made of names of tests."""


def phrases(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the line, the phrase and a better one for each phrase to avoid in a text."""
    for number, line in enumerate(text.splitlines(), 1):
        for pattern, better in BETTER.items():
            yield from ((number, match[0], better) for match in re.finditer(pattern, line))


def files() -> Iterator[Path]:
    """Yield the files that are checked."""
    for name in CLEAN:
        path = CHECKOUT / name
        found = [path] if path.is_file() else sorted(one for kind in ("*.py", "*.md") for one in path.rglob(kind))
        yield from (one for one in found if one.relative_to(CHECKOUT).as_posix() not in OURS)


if __name__ == "__main__":
    wrong = [
        f"{path.relative_to(CHECKOUT)}:{line}: {phrase!r}: write {better!r}"
        for path in files()
        for line, phrase, better in phrases(path.read_text(encoding="utf-8"))
    ]
    print("\n".join(wrong))
    sys.exit(bool(wrong))
