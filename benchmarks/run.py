# SPDX-License-Identifier: GPL-3.0-or-later
"""Run all comparisons and write results.md; or, with the names of parts, run those and print them.

Each part is a module with ``table() -> str``, run in a process of its own, so that no library that another part has
loaded is in its way, and one that fails takes only itself along.
"""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from time import perf_counter

from .timing import machine  # first: it sets the number of threads

CHECKOUT = Path(__file__).parents[1]
RESULTS = Path(__file__).with_name("results.md")
BLENDER = str(CHECKOUT / ".venv" / "bin" / "python")

PARTS = {
    "exact": ("Exact integral against trimesh and C", sys.executable),
    "peers": ("From arrays to mass properties, system by system", sys.executable),
    "accuracy": ("Accuracy far from the origin", sys.executable),
    "awkward": ("Awkward meshes", sys.executable),
    "voxel": ("Voxels against trimesh and C", sys.executable),
    "union": ("The union of shells that overlap", sys.executable),
    "diagnosis": ("Checking a mesh against integrating it", sys.executable),
    "scene": ("From an evaluated object to its Inertial, in Blender", BLENDER),
    "live": ("Following a scene that changes, in Blender", BLENDER),
    "overlay": ("Redrawing the overlay, in Blender", BLENDER),
    "sdf": ("Filling SDF worlds against Drake's loading them", BLENDER),
}


def main() -> int:
    """Return the number of parts that failed."""
    if sys.argv[1:]:
        for part in sys.argv[1:]:
            print(import_module(f"{__package__}.{part}").table())
        return 0
    text = "# Benchmarks\n\nMedians of 7 interleaved rounds or more, one BLAS thread."
    text += f" {machine()}. Made by `make bench`.\n"
    failed = 0
    for part, (title, python) in PARTS.items():
        start = perf_counter()
        done = subprocess.run([python, "-m", "benchmarks.run", part], cwd=CHECKOUT, stdout=subprocess.PIPE, text=True)
        print(f"{part}: {perf_counter() - start:.0f} s", file=sys.stderr)
        failed += done.returncode != 0
        text += f"\n## {title}\n\n{done.stdout.strip() if done.returncode == 0 else 'This part failed.'}\n"
    RESULTS.write_text(text, encoding="utf-8")
    print(text)
    return failed


if __name__ == "__main__":
    sys.exit(main())
