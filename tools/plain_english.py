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
    r"\bwherever (?:it|they) stands?\b": "wherever it is",
    r"\bdefinite (?:space|inside)\b": "enclosed volume",
    r"(?<![Tt]here )\b(?:is|are) no (?:number|mesh|file|fault|name|links?|collisions?|density)\b": "is not a ...",
    r"\bpassed through unread\b": "ignored, and kept unchanged",
    r"\bdiffer\w* by (?:\d|\{)\S* times\b": "by a factor of",
    r"\bjudged by\b": "checked against",
    r"\bbut for (?:its|their)\b": "except for",
    r"\brobot that exists\b": "existing robot",
    r"\bRemedy: ": "Fix: ",
    r"\bpublished (?:numbers?|inertias?|inertials?|tensors?)\b": "the ... in the file",
    r"\bcompute it: ": "run `sdf-inertia repair FILE`",
    r"\bfindings more\b": "more findings",
    r"\b(?:is|are) there twice\b": "is a duplicate, is repeated",
    r"\bwithout margins\b": "with stricter limits",
    r"\bthe unit of that\b": "its unit",
    r"\bhas its numbers at once\b": "shows its numbers immediately",
}
"""Phrases to avoid, each with a better one; see CONTRIBUTING.md."""

BETTER_CODE = {
    r'"""(?:Say|Tell|Heed|Whether|Note|Let|Do)\b': "Return, Compute, Read, Write, Check, Raise or Yield",
    r"\b(?:told|doubts_of|wish_of|seen_of|looked_for)\s*[:=|](?!=)": "the name of what it holds",
    r"\b(?i:whoever)\b": "the user, the caller",
    r"\b(?:is|are|was|were) looked (?:at|for|into|up at)\b": "is checked, is searched for",
    r"\bby turns\b": "alternately",
    r"\bforth and back\b": "in both directions",
    r"\ball the same\b": "still",
    r"\ball else\b": "anything else",
    r"\bhangs? together\b": "is connected",
    r"\b(?:what|which) came of\b": "the result of",
    r"\bwithout a word\b": "silently",
    r"\bmutters?\b": "warns",
    r"\b[Hh]eed(?:s|ed)?\b": "follow",
    r"\ba (?:bug|fault) of our own\b": "an internal error",
    r"\blets? go of\b": "release, close",
    r"\bas (?:it|they) stands?\b": "unchanged",
    r"\bis nothing to who\b": "is negligible",
    r"\b(?:is|are) (?:there )?once more\b": "is repeated",
    r"\bboth ways round\b|\bthe other way round\b": "in both windings, reversed",
}
"""The same for docstrings, comments and names of `CLEAN_CODE`."""

TEST = re.compile(r"(?<=\bdef )test_\w+")
"""The name of a test, which is read as words."""

CLEAN_CODE = ("core", "tools", "sdf_inertia_addon", "tests")
"""Folders whose .py files are also checked for `BETTER_CODE`."""

CLEAN = (
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "RELEASING.md",
    "pyproject.toml",
    "blender_manifest.toml",
    "requirements",
    "docs",
    "core",
    "sdf_inertia_addon",
    "tests",
    "tools",
)
"""Files and folders that are checked."""

OURS = ("tools/plain_english.py", "tests/core/test_plain_english.py", "tests/core/test_placeholder_names.py")
"""Not checked: this list, its tests, and the names that are counted."""


def phrases(text: str, code: bool = False) -> Iterator[tuple[int, str, str]]:
    """Yield the line, the phrase and a better one for each phrase to avoid in a text.

    For `code`, `BETTER_CODE` counts too, and names of tests are read as words.
    """
    better = BETTER | BETTER_CODE if code else BETTER
    for number, line in enumerate(text.splitlines(), 1):
        if code:
            line = TEST.sub(lambda name: name[0].replace("_", " "), line)
        for pattern, instead in better.items():
            yield from ((number, match[0], instead) for match in re.finditer(pattern, line))


def files() -> Iterator[Path]:
    """Yield the files that are checked."""
    for name in CLEAN:
        path = CHECKOUT / name
        inside = (file for kind in ("*.py", "*.md", "*.toml") for file in path.rglob(kind))
        for file in [path] if path.is_file() else sorted(inside):
            if file.relative_to(CHECKOUT).as_posix() not in OURS:
                yield file


def is_code(path: Path) -> bool:
    """Return True if a file is also checked for `BETTER_CODE`."""
    return path.suffix == ".py" and path.relative_to(CHECKOUT).parts[0] in CLEAN_CODE


if __name__ == "__main__":
    wrong = [
        f"{path.relative_to(CHECKOUT)}:{line}: {phrase!r}: write {better!r}"
        for path in files()
        for line, phrase, better in phrases(path.read_text(encoding="utf-8"), is_code(path))
    ]
    print("\n".join(wrong))
    sys.exit(bool(wrong))
