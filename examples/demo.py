# SPDX-License-Identifier: GPL-3.0-or-later
"""What `make demo` shows: export the examples without a window, both ways, as a user would.

.venv/bin/python examples/demo.py build/demo [--no-preview]
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree

HERE = Path(__file__).resolve().parent
HEADLESS = HERE.parent / "sdf_inertia_addon" / "headless.py"
EXAMPLES = ("rover", "gripper")
MODES = ("auto", "filled")
NARROW = (
    ("part", "mass [kg]", "share", "com x y z [m]"),
    ("part", "Ixx", "Iyy", "Izz", "Ixx at link com", "Iyy at link com", "Izz at link com"),
)
"""The columns of the report that are shown, in tables of this many."""


def main(output: Path, preview: bool = True) -> int:
    """Export every example in every mode; return 0 if all went well."""
    summary, failed = [], False
    for example in EXAMPLES:
        for mode in MODES:
            folder = output / mode
            print(f"\n{'=' * 100}\n{example}, --inertia {mode}\n{'=' * 100}", flush=True)
            start = time.perf_counter()
            status = export(example, mode, folder, preview)
            seconds = time.perf_counter() - start
            failed |= status != 0
            if status == 0 and mode == "filled":  # once: the numbers that are written
                print("\n".join(tables((folder / f"{example}.md").read_text(encoding="utf-8"))))
            summary += [*outcome(example, mode, folder, status, seconds), ""]
    print(f"\n{'=' * 100}\nSummary\n{'=' * 100}")
    print("\n".join(summary))
    print("FAILED" if failed else f"All of it is in {output}")
    return int(failed)


def export(example: str, mode: str, folder: Path, preview: bool) -> int:
    """Run headless.py in a process of its own, with what an earlier run left removed; return its exit status."""
    report, picture = folder / f"{example}.json", folder / f"{example}.png"
    for old in (report, report.with_suffix(".md"), picture):
        old.unlink(missing_ok=True)
    arguments = ["--output", folder, "--inertia", mode, "--report", report]
    if preview:
        arguments += ["--preview", picture]
    command = [sys.executable, HEADLESS, HERE / f"{example}.blend", *arguments]
    shown = textwrap.wrap(shlex.join(map(str, command)), 100, break_long_words=False, break_on_hyphens=False)
    print(" \\\n    ".join(shown), flush=True)
    return subprocess.run(list(map(str, command)), check=False).returncode


def tables(markdown: str) -> Iterator[str]:
    """Say what a report's Markdown says of each link, in columns that fit a terminal."""
    for section in markdown.split("\n## ")[1:]:
        title, *lines = section.splitlines()
        cells = [[cell.strip(" *") for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
        if not cells:  # the findings: the run has said them already
            continue
        head, _rule, *rows = cells
        yield f"\n{title}"
        yield from (line for line in lines if line and not line.startswith("|"))
        for columns in NARROW:
            places = [head.index(column) for column in columns]
            short = [column.replace(" at link com", " link com") for column in columns]  # no wider than its numbers
            yield from aligned([short, *([row[place] for place in places] for row in rows)])


def aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Pad cells so that columns stand below each other: the first to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        first, *others = (
            cell.rjust(width) if number else cell.ljust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join(["  " + first, *others])


def outcome(example: str, mode: str, folder: Path, status: int, seconds: float) -> Iterator[str]:
    """Say what a run wrote, and what each link weighs."""
    if status:
        yield f"{example}, {mode}: FAILED with exit status {status}"
        return
    (model,) = json.loads((folder / f"{example}.json").read_text())["models"]
    links = model["links"]
    total = sum(link["mass"] for link in links)
    yield f"{example}, {mode}: {total:.4f} kg in {len(links)} links, {seconds:.1f} s"
    yield from (f"    {link['name']:<18} {link['mass']:>8.4f} kg  {link['inertia_mode']}" for link in links)
    yield from (f"  {file}" for file in written(example, folder))


def written(example: str, folder: Path) -> Iterator[str]:
    """Name the files of one run, its meshes by their number."""
    model = folder / example
    meshes = {uri.text for uri in ElementTree.parse(model / "model.sdf").iter("uri")}
    yield f"{model / 'model.sdf'} (and model.config, {len(meshes)} meshes)"
    for suffix in ("json", "md", "png"):
        file = folder / f"{example}.{suffix}"
        yield str(file) if file.is_file() else f"{file}: not drawn"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Export the examples without a window, with inertia auto and filled.")
    parser.add_argument("output", type=Path, metavar="OUTPUT_DIR")
    parser.add_argument("--no-preview", action="store_true", help="draw no pictures")
    options = parser.parse_args()
    sys.exit(main(options.output, not options.no_preview))
