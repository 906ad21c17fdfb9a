# SPDX-License-Identifier: GPL-3.0-or-later
"""Run all comparisons and write results.md; or, with the names of parts, run those and write them again.

Each part is a module with ``table() -> str``, run in a process of its own, so that no library that another part has
loaded is in its way, and one that fails takes only itself along.
"""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from time import perf_counter

from . import figures
from .timing import machine  # first: it sets the number of threads

CHECKOUT = Path(__file__).parents[1]
RESULTS = Path(__file__).with_name("results.md")
BLENDER = str(CHECKOUT / ".venv" / "bin" / "python")

TABLE = "--table"
"""Before the name of a part: print it, and write nothing."""

PARTS = {
    "exact": ("Exact integral against trimesh and C", sys.executable),
    "peers": ("From arrays to mass properties, system by system", sys.executable),
    "accuracy": ("Accuracy far from the origin", sys.executable),
    "clean": ("The diagnosis of clean meshes", sys.executable),
    "awkward": ("Awkward meshes", sys.executable),
    "faulty": ("The time of faulty meshes", sys.executable),
    "wild": ("Real meshes that are not closed", sys.executable),
    "voxel": ("Voxels against trimesh and C", sys.executable),
    "union": ("The union of shells that overlap", sys.executable),
    "diagnosis": ("Checking a mesh against integrating it", sys.executable),
    "readers": ("Mesh files against trimesh", sys.executable),
    "scene": ("From an evaluated object to its Inertial, in Blender", BLENDER),
    "live": ("Following a scene that changes, in Blender", BLENDER),
    "overlay": ("Redrawing the overlay, in Blender", BLENDER),
    "batch": ("Batches, on two cores", BLENDER),
    "sdf": ("Filling SDF worlds against Drake's loading them", BLENDER),
}


def main() -> int:
    """Return the number of parts that failed, and of figures in the docs that results.md no longer gives."""
    if sys.argv[1:2] == [TABLE]:
        print(import_module(f"{__package__}.{sys.argv[2]}").table())
        return 0
    if unknown := set(sys.argv[1:]) - set(PARTS):
        sys.exit(f"there is no part {', '.join(sorted(unknown))}: there are {', '.join(PARTS)}")
    head = "# Benchmarks\n\nMedians of 7 interleaved rounds or more unless said otherwise, one BLAS thread."
    head += f" {machine()}. Made by `make bench`.\n"
    sections = _sections(head, partly=bool(sys.argv[1:]))
    failed = 0
    for part in sys.argv[1:] or PARTS:
        title, python = PARTS[part]
        start = perf_counter()
        command = [python, "-m", __spec__.name, TABLE, part]
        done = subprocess.run(command, cwd=CHECKOUT, stdout=subprocess.PIPE, text=True)
        print(f"{part}: {perf_counter() - start:.0f} s", file=sys.stderr)
        failed += done.returncode != 0
        sections[title] = done.stdout.strip() if done.returncode == 0 else "This part failed."
        print(f"## {title}\n\n{sections[title]}\n")
    titles = [title for title, _ in PARTS.values() if title in sections]
    titles += sections.keys() - set(titles)  # of what compares two checkouts
    there = [f"\n## {title}\n\n{sections[title]}\n" for title in titles]
    RESULTS.write_text(head + "".join(there), encoding="utf-8")
    outdated = figures.outdated()
    print(*outdated, sep="\n", file=sys.stderr)
    return failed + len(outdated)


def _sections(head: str, partly: bool) -> dict[str, str]:
    """Return what results.md has under each title; parts that stay must have been measured on this machine."""
    there, *sections = RESULTS.read_text(encoding="utf-8").split("\n## ")
    if partly and there != head:
        sys.exit("results.md was measured on another machine: run all parts")
    return {title: text.strip() for title, _, text in (section.partition("\n") for section in sections)}


if __name__ == "__main__":
    sys.exit(main())
