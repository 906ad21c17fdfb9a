# SPDX-License-Identifier: Apache-2.0
"""The index of the pages that a batch writes."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from ...errors import counts_text
from ...files.whole_files import write_atomic
from ...robot.report import Json
from ...units import mass_text
from ...view.index_page import IndexEntry, index_html
from .summary import findings_of


class Pages:
    """The entries of the index, which grow line by line."""

    def __init__(self) -> None:
        self._entries: list[IndexEntry] = []

    def add(self, line: Json, folder: Path) -> None:
        """Add one line of the report."""
        models = line["result"].get("models") or []
        totals = [model["total"] for model in models if model["total"] is not None]
        links = sum(len(model["links"]) for model in models)
        facts = [f"{links} link{'s' * (links != 1)}"] if models else []
        facts += [mass_text(sum(total["mass"] for total in totals))] if totals else []
        listed = {"findings": line["result"].get("findings")}  # of the links too, each once
        severities = [finding["severity"] for finding in findings_of(listed)]
        verdict = counts_text(severities) or "good"
        severity = next((level for level in ("error", "warning") if level in severities), "good")
        if not models:
            verdict, severity = line["message"] or "no links", "warning" if line["outcome"] == "done" else "error"
        page = None if line["output"] is None else Path(line["output"]).relative_to(folder).as_posix()
        self._entries.append(IndexEntry(line["input"], page, " · ".join(facts), verdict, severity))

    def write(self, folder: Path) -> None:
        """Write the index into the folder."""
        parents = [Path(entry.file).parent for entry in self._entries]
        if parents and all(parent.is_absolute() for parent in parents):  # no folder of this machine is published
            common = os.path.commonpath(parents)
            self._entries = [replace(entry, file=os.path.relpath(entry.file, common)) for entry in self._entries]
        write_atomic(folder / "index.html", index_html(self._entries).encode(errors="backslashreplace"))
