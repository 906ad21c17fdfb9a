# SPDX-License-Identifier: GPL-3.0-or-later
"""What reading clean meshes takes, against another checkout: ``python -m benchmarks.budget FOLDER``.

Two processes, one for each checkout, measure in turn; the ratio is that of the medians of the processor's time.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

CHECKOUT = Path(__file__).parents[1]
SIZES = (1_000, 10_000, 100_000, 1_000_000)
ROUNDS = 9


def _meshes(size: int) -> dict[str, Any]:
    """Return clean meshes of about so many faces, float32 as Blender's are."""
    import numpy as np

    from tests.core.solids import polygon, prism, torus

    n = round((size / 2) ** 0.5)
    ring, faces = torus(n, n)
    u, v = np.meshgrid(np.arange(n) * 2 * np.pi / n, np.arange(n) * 2 * np.pi / n, indexing="ij")
    waves = 1 + 0.03 * np.cos(5 * u) * np.sin(7 * v)
    bumpy = ring * waves.reshape(-1, 1)
    teeth = max(size // 4, 8)
    gear = prism(polygon(teeth) * np.where(np.arange(teeth) % 16 < 8, 1.0, 0.8)[:, None], -0.2, 0.2)
    meshes = {"torus": (ring, faces), "bumpy ring": (bumpy, faces), "gear": gear}
    return {name: (vertices.astype(np.float32), triangles) for name, (vertices, triangles) in meshes.items()}


def _worker() -> None:
    """For each line, "size name way", measure once and print the seconds."""
    from core import check_mesh, measure_mesh, mesh_moments

    ways = {
        "mesh_moments": mesh_moments,
        "quick": lambda v, t: measure_mesh(v, t, quick=True),
        "full": check_mesh,
    }
    made: dict[str, Any] = {}
    for line in sys.stdin:
        size, name, way = line.split("|")
        if size not in made:
            made = {size: _meshes(int(size))}
        vertices, triangles = made[size][name]
        start = process_time()
        ways[way.strip()](vertices, triangles)
        print(process_time() - start, flush=True)


def _start(checkout: Path) -> subprocess.Popen[str]:
    program = (
        f"import sys; sys.path[:0] = [{str(checkout)!r}, {str(CHECKOUT)!r}]\n"
        "import core, tests, benchmarks\n"  # the core of the one, the meshes of the other
        f"tests.__path__, benchmarks.__path__ = [{str(CHECKOUT / 'tests')!r}], [{str(CHECKOUT / 'benchmarks')!r}]\n"
        "from benchmarks.budget import _worker\n"
        "_worker()"
    )
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **threads},
    )


def compare(other: Path) -> str:
    """Return the times of both as a Markdown table."""
    text = "| faces | mesh | way | before ms | now ms | ratio |\n|---:|---|---|---:|---:|---:|\n"
    workers = [_start(other), _start(CHECKOUT)]
    for size in SIZES:
        for name in ("torus", "bumpy ring", "gear"):
            for way in ("mesh_moments", "quick", "full"):
                times: list[list[float]] = [[], []]
                for number in range(ROUNDS + 1 if size < 1_000_000 else 4):
                    for worker, found in zip(workers, times, strict=True):
                        assert worker.stdin is not None
                        assert worker.stdout is not None
                        worker.stdin.write(f"{size}|{name}|{way}\n")
                        worker.stdin.flush()
                        seconds = float(worker.stdout.readline())
                        if number:
                            found.append(seconds)
                before, now = (median(found) * 1e3 for found in times)
                text += f"| {size:,} | {name} | {way} | {before:.2f} | {now:.2f} | {now / before:.2f} |\n"
    for worker in workers:
        worker.communicate()
    return text


if __name__ == "__main__":
    print(compare(Path(sys.argv[1])))
