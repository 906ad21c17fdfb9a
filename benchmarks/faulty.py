# SPDX-License-Identifier: GPL-3.0-or-later
"""How long faulty meshes of up to 100,000 faces take at most: each gets an answer or a refusal, which takes how long?

``python -m benchmarks.faulty 200`` takes that many random ones instead of all; a folder after the number is the
checkout whose core is measured.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from collections import Counter
from pathlib import Path
from time import process_time
from typing import Any

from . import refusals

CHECKOUT = Path(__file__).parents[1]
COUNT = 2000
LIMIT = 20.0
"""Seconds by the clock for one mesh; what takes longer is ended."""

LONG, LARGE = 5.0, 1000.0
"""What no mesh should take: seconds of the processor for one answer, MB."""


def _worker(first: int, last: int) -> None:
    """Measure meshes by number, the listed ones below 0, each on a line of its own."""
    from .faulty_meshes import listed, random_mesh

    named = list(listed().items())
    for number in range(first, last):
        name, mesh = named[number + len(named)] if number < 0 else random_mesh(number)
        print(json.dumps({"number": number, "name": name, "faces": len(mesh[1])}), flush=True)
        print(json.dumps(_measured(*mesh)), flush=True)


def _measured(vertices: Any, triangles: Any) -> dict[str, Any]:
    from core import InertiaError, check_mesh, measure_mesh

    before = _forget_peak()
    found: dict[str, Any] = {}
    for way, method in (("exact", "exact"), ("voxel", "voxel"), ("check", "")):
        if way == "voxel" and found["exact verdict"] in ("exact", "union", "voxel"):
            continue
        start = process_time()
        try:
            if method:
                found[f"{way} verdict"] = measure_mesh(vertices, triangles, method=method).method
            else:
                check_mesh(vertices, triangles)
        except InertiaError as error:
            found[f"{way} verdict"] = error.code
        except Exception as error:  # of any kind: it is listed
            found[f"{way} verdict"] = f"crashed: {error!r}"[:80]
        found[way] = process_time() - start
    found["MB"] = _peak() - before
    return found


def _forget_peak() -> float:
    """Return what the process holds [MB], and count its peak from here."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:  # not Linux: the peak of the process so far
        return 0.0
    return _peak()


def _peak() -> float:
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        from resource import RUSAGE_SELF, getrusage

        return getrusage(RUSAGE_SELF).ru_maxrss / 1e3
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1e3


def rows(count: int, checkout: Path = CHECKOUT) -> list[dict[str, Any]]:
    """Return what came of the listed meshes and of so many random ones."""
    from .faulty_meshes import listed

    found: list[dict[str, Any]] = []
    number = -len(listed())
    program = (
        f"import sys; sys.path[:0] = [{str(checkout)!r}, {str(CHECKOUT)!r}]\n"
        "import core, tests, benchmarks\n"  # the core of the one, the meshes of the other
        f"tests.__path__, benchmarks.__path__ = [{str(CHECKOUT / 'tests')!r}], [{str(CHECKOUT / 'benchmarks')!r}]\n"
        "from benchmarks.faulty import _worker\n"
        "_worker(int(sys.argv[1]), int(sys.argv[2]))"
    )
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    while number < count:
        command = [sys.executable, "-c", program, str(number), str(count)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, **threads}) as worker:
            assert worker.stdout is not None
            while head := worker.stdout.readline():
                row = json.loads(head)
                ready, _, _ = select.select([worker.stdout], [], [], LIMIT)
                answer = worker.stdout.readline() if ready else b""
                row |= json.loads(answer) if answer else {"exact": LIMIT, "exact verdict": "no answer", "MB": 0.0}
                found.append(row)
                number = row["number"] + 1
                if not answer:
                    worker.kill()
                    break
    return found


def longest(row: dict[str, Any]) -> float:
    """Return the seconds of the processor that the slowest of the answers took."""
    return max(row.get(way, 0.0) for way in ("exact", "voxel", "check"))


def report(found: list[dict[str, Any]]) -> str:
    """Return the tables in Markdown."""
    listed = [row for row in found if row["number"] < 0]
    random = [row for row in found if row["number"] >= 0]
    slowest = sorted(random, key=longest, reverse=True)[:10]
    text = f"Each mesh by the method Exact, where that refuses by Voxels, and by `check_mesh`, within {LIMIT:g} s.\n\n"
    text += f"Meshes that once took long:\n\n{_table(listed)}\n"
    late = [row for row in random if longest(row) > LONG]
    large = [row for row in random if row["MB"] > LARGE]
    text += f"{len(random):,} random faulty meshes: {len(late)} took more than {LONG:g} s of CPU for an answer,"
    text += f" {len(large)} more than {LARGE:g} MB.\n\n"
    text += "| of the random ones | 50 % | 90 % | 99 % | most |\n|---|---:|---:|---:|---:|\n"
    for name, key in (("seconds of CPU", longest), ("MB", lambda row: row["MB"])):
        values = sorted(key(row) for row in random)
        at = [values[min(int(share * len(values)), len(values) - 1)] for share in (0.5, 0.9, 0.99, 1.0)]
        text += f"| {name} | {' | '.join(f'{value:.2f}' for value in at)} |\n"
    text += f"\nThe slowest ten:\n\n{_table(slowest)}\n"
    verdicts = Counter((row["name"], row["exact verdict"], row.get("voxel verdict", "")) for row in random)
    text += "| kind | Exact | then Voxels | meshes |\n|---|---|---|---:|\n"
    for (name, exact, voxel), count in sorted(verdicts.items()):
        text += f"| {name} | {exact} | {voxel} | {count} |\n"
    return text


def _table(found: list[dict[str, Any]]) -> str:
    text = (
        "| mesh | number | faces | Exact | s | Voxels | s | check s | MB |\n|---|"
        + "---:|" * 2
        + "---|---:|" * 2
        + "---:|" * 2
        + "\n"
    )
    for row in found:
        text += f"| {row['name']} | {row['number'] if row['number'] >= 0 else ''} | {row['faces']:,}"
        text += f" | {row['exact verdict']} | {row['exact']:.2f} | {row.get('voxel verdict', '')}"
        text += f" | {row['voxel']:.2f}" if "voxel" in row else " | "
        text += f" | {row['check']:.2f}" if "check" in row else " | "
        text += f" | {row['MB']:.0f} |\n"
    return text


def table() -> str:
    """Return the comparison as Markdown tables."""
    return f"{report(rows(COUNT))}\n{refusals.table()}"


if __name__ == "__main__":
    given = [*sys.argv[1:], str(CHECKOUT)]
    print(report(rows(int(given[0]), Path(given[1]))))
