# SPDX-License-Identifier: Apache-2.0
"""The summary of a batch: counts by outcome and by finding, the slowest inputs, the index of its pages."""

from __future__ import annotations

import heapq
import os
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...errors import PART_REFUSED, Finding, counts_text
from ...escapes import for_markdown
from ...files.whole_files import write_atomic
from ...robot.report import Json
from ...units import mass_text
from ...view.index_page import IndexEntry, index_html
from ..finding_text import sentence_of

SLOWEST = 10
"""Inputs that the summary lists by the time they took."""

NAMED = 20
"""Failures that the summary lists; the report has all."""


class Summary:
    """Counts that grow line by line, whatever the number of lines."""

    def __init__(self) -> None:
        self.outcomes: Counter[str] = Counter()
        self.codes: Counter[str] = Counter()
        self._slowest: list[tuple[float, str]] = []
        self._failed: list[Json] = []
        self.resumed = 0

    def add(self, line: Json) -> None:
        """Count one line of the report."""
        self.outcomes[line["outcome"]] += 1
        codes = {finding["code"] for finding in findings_of(line["result"])}
        self.codes.update(codes)
        timed = (line["seconds"], line["input"])
        (heapq.heappush if len(self._slowest) < SLOWEST else heapq.heappushpop)(self._slowest, timed)
        if line["outcome"] != "done" and len(self._failed) < NAMED:
            self._failed.append({key: line[key] for key in ("input", "outcome", "message")})

    @property
    def count(self) -> int:
        """Number of inputs so far."""
        return self.outcomes.total()

    @property
    def failed(self) -> int:
        """Number of inputs that failed."""
        return self.count - self.outcomes["done"]

    def json(self, seconds: float) -> Json:
        """Return the summary as JSON; `seconds` is the duration of the batch."""
        return {
            "inputs": self.count,
            "resumed": self.resumed,
            "seconds": seconds,
            "outcomes": dict(sorted(self.outcomes.items())),
            "codes": dict(self.codes.most_common()),
            "slowest": [{"input": name, "seconds": duration} for duration, name in sorted(self._slowest, reverse=True)],
            "failed": self._failed,
        }

    def markdown(self, seconds: float) -> str:
        """Return the summary as Markdown."""
        totals = self.json(seconds)
        rate = f", {self.count / seconds:.1f} per second" if seconds > 0.0 else ""
        done_before = f", {self.resumed} of them before" if self.resumed else ""
        inputs = "input" if self.count == 1 else "inputs"
        lines = [f"{self.count} {inputs}{done_before}, in {seconds:.1f} s{rate}", ""]
        lines += ["| outcome | inputs |", "|---|---|"]
        lines += [f"| {name} | {count} |" for name, count in totals["outcomes"].items()]
        if totals["codes"]:
            lines += ["", "| finding | inputs |", "|---|---|"]
            lines += [f"| {name} | {count} |" for name, count in totals["codes"].items()]
        if totals["failed"]:
            lines += ["", "| not done | outcome | why |", "|---|---|---|"]
            lines += [
                "| " + " | ".join(for_markdown(failed[key]) for key in ("input", "outcome", "message")) + " |"
                for failed in totals["failed"]
            ]
            if self.failed > NAMED:
                lines.append(f"| and {self.failed - NAMED} more | | |")
        lines += ["", "| slowest | seconds |", "|---|---|"]
        lines += [f"| {for_markdown(slow['input'])} | {slow['seconds']:.3f} |" for slow in totals["slowest"]]
        return "\n".join(lines) + "\n"


class Pages:
    """The entries of the index, which grow line by line."""

    def __init__(self) -> None:
        self._entries: list[IndexEntry] = []

    def add(self, line: Json, folder: Path) -> None:
        """Add one line of the report."""
        page = None if line["output"] is None else Path(line["output"]).relative_to(folder).as_posix()
        self._entries.append(entry_of(line, page))

    def write(self, folder: Path) -> None:
        """Write the index into the folder."""
        parents = [Path(entry.file).parent for entry in self._entries]
        if parents and all(parent.is_absolute() for parent in parents):  # no folder of this machine is published
            common = os.path.commonpath(parents)
            self._entries = [replace(entry, file=os.path.relpath(entry.file, common)) for entry in self._entries]
        write_atomic(folder / "index.html", index_html(self._entries).encode(errors="backslashreplace"))


def entry_of(line: Json, page: str | None) -> IndexEntry:
    """Return the entry for a line of the report of ``batch report``; `page` is its page, relative to the index."""
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
    return IndexEntry(line["input"], page, " · ".join(facts), verdict, severity)


def findings_of(value: Any) -> list[Json]:
    """Return all findings in a command's JSON, at any depth."""
    if isinstance(value, dict):
        listed = value.get("findings") or ()
        findings = [finding for finding in listed if isinstance(finding, dict) and "code" in finding]
        rest = (child for key, child in value.items() if key != "findings")
        return findings + [finding for child in rest for finding in findings_of(child)]
    if isinstance(value, list):
        return [finding for child in value for finding in findings_of(child)]
    return []


def first_message(value: Json) -> str:
    """Return the first error in a command's JSON as other commands print it: place, message and fix; a part's error
    comes before its link's, which refers to it."""
    findings = [finding for finding in findings_of(value) if finding["severity"] != "info"]
    findings.sort(key=lambda finding: (finding["severity"] != "error", finding["code"] == PART_REFUSED))
    names = ("severity", "code", "subject", "message", "remedy")
    return next((sentence_of(Finding(*(finding.get(name, "") for name in names))) for finding in findings), "")
