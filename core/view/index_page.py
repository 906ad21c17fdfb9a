# SPDX-License-Identifier: Apache-2.0
"""The index of the pages of many robots, with a small picture of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from urllib.parse import quote

from ..version import version
from .page import asset, digest, filled
from .tables import text


@dataclass(frozen=True)
class IndexEntry:
    """A robot of the index.

    Parameters
    ----------
    file : str
        As the user named it.
    page : str or None
        Its page, relative to the index, with slashes; None if it has none. Its picture has the suffix ``.png`` more.
    facts : str
        Such as its mass and number of links.
    verdict : str
    severity : str
        ``error``, ``warning`` or ``good``.
    """

    file: str
    page: str | None
    facts: str
    verdict: str
    severity: str


def index_html(entries: Sequence[IndexEntry]) -> str:
    """Return the index, by the names of the files."""
    style = asset("page.css")
    faulty = sum(entry.severity == "error" for entry in entries)
    doubtful = sum(entry.severity == "warning" for entry in entries)
    return filled(
        asset("index.html"),
        {
            "count": f"{len(entries)} robot{'s' * (len(entries) != 1)}",
            "summary": f"{faulty} with errors, {doubtful} with warnings only",
            "robots": "\n".join(_item(entry) for entry in sorted(entries, key=lambda entry: entry.file)),
            "version": text(version()),
            "style": style,
            "style_hash": digest(style),
        },
    )


def _item(entry: IndexEntry) -> str:
    name = text(entry.file)
    if entry.page is not None:
        link = quote(entry.page, errors="surrogateescape")
        image = escape(f"{link}.png")
        name = f'<a href="{escape(link)}"><img src="{image}" alt="" width="160" height="120" loading="lazy">{name}</a>'
    return f'<li>{name}<p>{text(entry.facts)}</p><p class="{entry.severity}">{text(entry.verdict)}</p></li>'
