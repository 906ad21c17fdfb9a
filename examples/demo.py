# SPDX-License-Identifier: GPL-3.0-or-later
"""What `make demo` shows: export the examples without a window, both ways, as a user would.

.venv/bin/python examples/demo.py build/demo [--no-preview]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from xml.etree import ElementTree

HERE = Path(__file__).resolve().parent
HEADLESS = HERE.parent / "sdf_inertia_addon" / "headless.py"
EXAMPLES = ("rover", "gripper")
MODES = ("auto", "filled")


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
            if status == 0:
                print("\n".join(aligned((folder / f"{example}.md").read_text().splitlines())))
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
    print(" ".join(map(str, command)), flush=True)
    return subprocess.run(list(map(str, command)), check=False).returncode


def aligned(lines: Iterable[str]) -> Iterator[str]:
    """Pad the cells of Markdown tables, so that columns stand below each other in a terminal too."""
    for is_table, group in groupby(lines, lambda line: line.startswith("|")):
        if not is_table:
            yield from group
            continue
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in group]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            cells = (
                cell[0] + "-" * (width - 2) + cell[-1]
                if cell.startswith("--")
                else (cell.ljust if column < 2 else cell.rjust)(width)
                for column, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            yield f"| {' | '.join(cells)} |"


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
